// The game in three pictures: once, before the first match of a game that is new to the reader, and whenever they ask.
import { every } from "./dom.js";
import { chooseGentle } from "./gentle.js";
import { recall, store } from "./storage.js";
import { data } from "./words.js";

const KNOWN = "introduced"; // the games that the reader has seen, or ALL
const ALL = "all";

/** @type {{ game: string }} */
const { game } = data("facts");
/** @type {string[]} */
const known = recall(KNOWN, []);

/** @type {HTMLDialogElement | null} a game may have no introduction */
const dialog = document.querySelector("#introduction");

/** @param {HTMLElement} steps */
async function fill(steps) {
  if (steps.childElementCount) return;
  const answer = await fetch(`/introduction/${game}`);
  if (answer.ok) steps.innerHTML = await answer.text();
}

/** Show the introduction. @returns {Promise<boolean>} once the reader wants to play: whether they know the games */
export async function introduce() {
  if (!dialog) return false;
  dialog.returnValue = "";
  dialog.showModal();
  for (const steps of every("#steps", dialog)) fill(steps).catch(() => {}); // the aim alone is worth reading
  await new Promise((done) => (dialog.onclose = done));
  const knowsAll = dialog.returnValue === "known";
  known.push(game, ...(knowsAll ? [ALL] : []));
  store(KNOWN, [...new Set(known)]);
  if (knowsAll) chooseGentle(false, true);
  return knowsAll;
}

/** Introduce the game to readers who do not know it, unless their browser would forget that and do it every time. */
export async function introduceOnce() {
  return !known.includes(game) && !known.includes(ALL) && store(KNOWN, known) && introduce();
}

/** What some options add is only said where they are chosen. @param {Record<string, string>} options */
export function introduceWith(options) {
  for (const one of dialog ? every("[data-options]", dialog) : [])
    one.hidden = !Object.entries(JSON.parse(one.dataset.options ?? "{}")).every(([name, value]) => options[name] === String(value));
}
