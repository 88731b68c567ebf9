// Entering a move at a table, with the server's answers about targets: what they lead to, or why they are refused.
/** @import { Choice, Help, Problem } from "../../messages" */
import { find, make } from "../dom.js";
import { Entry } from "../entry.js";
import { notice, request } from "../http.js";
import { problemWords, say } from "../words.js";
import { go, play } from "./connection.js";
import { kept } from "./signals.js";
import { changed, coarse, facts, mayChoose, now, path, whenChanged } from "./state.js";

const LISTED = 300; // moves offered when typing one
const LINGER = 150; // milliseconds on a target until the server is asked about it
const REMEMBERED = 500; // answers

/** @param {Partial<Problem>} problem */
export function complain(problem) {
  notice(problemWords(problem), problem.rule ? { href: `/rules/${facts.game}#${problem.rule}`, text: problem.rule } : undefined);
}

/** A button's action that shows problems to the reader. @param {() => void | Promise<void>} action */
export const trying = (action) => async () => {
  try {
    await action();
  } catch (problem) {
    complain(/** @type {Error} */ (problem));
  }
};

/** @type {Map<string, Promise<Help>>} */
const answers = new Map(); // about the present choice

/** @param {"why" | "leads"} kind @param {string} target @param {string[]} chosen @returns {Promise<Help>} */
async function question(kind, target, chosen) {
  const query = new URLSearchParams([...chosen.map((one) => ["chosen", one]), ["target", target], ["language", facts.language]]);
  const key = `${now.state?.number} ${kind} ${query}`;
  if (answers.size > REMEMBERED) answers.clear();
  /** @type {Promise<Help>} */
  const answer = answers.get(key) ?? request("GET", `${path}/${kind}?${query}`);
  answers.set(key, answer);
  return answer.catch(() => (answers.delete(key), { message: null, rule: null }));
}

let timer = 0; // until the server is asked about a target

export const entry = new Entry(find("board"), {
  ready: mayChoose,
  play,
  asks: () => kept("confirm", coarse),
  async changed() {
    const { choosing } = entry, last = choosing.chosen.at(-1);
    clearTimeout(timer);
    if (!last) now.preview = "";
    changed();
    if (!last) return;
    const { message } = await question("leads", last, choosing.chosen.slice(0, -1));
    if (choosing !== entry.choosing || !message) return;
    now.preview = message;
    changed();
  },
  async refused(target, chosen) {
    const { rule, message } = await question("why", target, chosen);
    complain(message ? { message, rule } : { message: say(chosen.length ? "cannotFollow" : "noMoveThere") });
  },
  early() {
    if (now.viewing !== null) return go(null);
    if (now.state?.status === "playing" && now.state.mine.length && !now.pending) complain({ code: "not-your-turn" });
  },
  look(target) {
    clearTimeout(timer);
    timer = setTimeout(() => describe(target), LINGER);
  },
  leave() {
    clearTimeout(timer);
    find("say").textContent = "";
    if (!entry.choosing.chosen.length) changed();
  },
  cancel() {
    find("say").textContent = "";
    entry.back();
  },
});

/** Show what the target under the pointer or the cursor would lead to. @param {string} target */
async function describe(target) {
  const { state } = now, { choosing, board } = entry;
  if (!state) return;
  const { message } = await question("leads", target, mayChoose() ? choosing.chosen : []);
  if (state !== now.state || choosing !== entry.choosing || !message) return;
  if (document.activeElement === board.place) find("say").textContent = message;
  if (mayChoose() && choosing.targets.has(target)) find("prompt").textContent = say("clicking", { what: message });
}

/** @param {Choice[]} choices */
export function startChoosing(choices) {
  entry.offer(choices);
  now.preview = "";
  find("legal").replaceChildren(...choices.slice(0, LISTED).map(([move]) => make("option", { value: move })));
}

whenChanged(() => {
  entry.mark(Boolean(now.pending));
  find("table").classList.toggle("mine", mayChoose());
});

find("typed").addEventListener("submit", (event) => {
  event.preventDefault();
  const input = /** @type {HTMLInputElement} */ (find("typed").querySelector("input")), move = input.value.trim();
  if (!move || now.viewing !== null || now.pending) return;
  input.value = "";
  now.preview = move;
  play(move);
});
