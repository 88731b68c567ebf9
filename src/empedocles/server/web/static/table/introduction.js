// The game in three pictures: once, before the first match of a game that is new to the reader, and whenever they ask.
import { find } from "../dom.js";
import { recall, store } from "../storage.js";
import { chooseGentle } from "./gentle.js";
import { facts } from "./state.js";

const KNOWN = "introduced"; // the games that the reader has seen, or ALL
const ALL = "all";

/** @type {string[]} */
const known = recall(KNOWN, []);

/** @type {HTMLDialogElement | null} a game may have no introduction */
const dialog = document.querySelector("#introduction");

async function fill() {
  const steps = find("steps");
  if (steps.childElementCount) return;
  const answer = await fetch(`/introduction/${facts.game}`);
  if (answer.ok) steps.innerHTML = await answer.text();
}

/** @param {HTMLDialogElement} dialog @returns {Promise<void>} once the reader wants to play */
function shown(dialog) {
  dialog.showModal();
  fill().catch(() => {}); // the aim alone is worth reading
  return new Promise((done) => {
    dialog.onclose = () => {
      const knowsAll = dialog.returnValue === "known";
      store(KNOWN, [...new Set([...known, facts.game, ...(knowsAll ? [ALL] : [])])]);
      if (knowsAll) chooseGentle(false, true);
      done();
    };
  });
}

/** Introduce the game to readers who do not know it, unless their browser would forget that and do it every time. */
export async function introduceOnce() {
  if (dialog && !known.includes(facts.game) && !known.includes(ALL) && store(KNOWN, known)) await shown(dialog);
}

if (dialog) find("introduce").addEventListener("click", () => shown(dialog));
