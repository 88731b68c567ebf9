// Entering a move at a table, with the server's answers about targets: what they lead to, or why they are refused.
/** @import { Choice, Help, Leads, Problem } from "../../messages" */
import { find, make } from "../dom.js";
import { Entry } from "../entry.js";
import { notice, request } from "../http.js";
import { problemWords, say } from "../words.js";
import { go } from "./connection.js";
import { kept } from "./signals.js";
import { changed, coarse, facts, mayChoose, now, path, point, whenChanged } from "./state.js";
import { dismiss, playWarned, wake, weigh } from "./warning.js";

const LISTED = 300; // moves offered when typing one
const LINGER = 80; // milliseconds on a target until the server is asked about it
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

/** @typedef {Partial<Help & Leads>} Answer */

/** @type {Map<string, Promise<Answer>>} */
const answers = new Map(); // about the present choice

/** @param {"why" | "leads"} kind @param {string} target @param {string[]} chosen @returns {Promise<Answer>} */
async function question(kind, target, chosen) {
  const query = new URLSearchParams([...chosen.map((one) => ["chosen", one]), ["target", target], ["language", facts.language], ["wide", String(now.wide)], ...(now.side === null ? [] : [["seat", String(now.side)]])]);
  const key = `${now.state?.number} ${kind} ${query}`;
  if (answers.size > REMEMBERED) answers.clear();
  /** @type {Promise<Answer>} */
  const answer = answers.get(key) ?? request("GET", `${path}/${kind}?${query}`);
  answers.set(key, answer);
  return answer.catch(() => (answers.delete(key), {}));
}

let timer = 0; // until the server is asked about a target

export const entry = new Entry(find("board"), {
  ready: mayChoose,
  play: (move) => void playWarned(move, entry),
  asks: () => kept("confirm", coarse),
  async changed() {
    const { choosing } = entry, last = choosing.chosen.at(-1);
    clearTimeout(timer);
    now.hover = "";
    if (!last) forget();
    now.asking = Boolean(last);
    changed();
    weigh(choosing);
    if (!last) return;
    const { message, next, ghost } = await question("leads", last, choosing.chosen.slice(0, -1));
    if (choosing !== entry.choosing) return;
    entry.board.settle(ghost ?? "");
    Object.assign(now, { preview: message ?? "", next: next ?? "", asking: false });
    changed();
  },
  async refused(target, chosen) {
    const { rule, message } = await question("why", target, chosen);
    complain(message ? { message, rule } : { message: say(chosen.length ? "cannotFollow" : "noMoveThere") });
  },
  early() {
    if (now.viewing !== null || now.pause) return go(null);
    if (dismiss()) return entry.again();
    if (now.held) return;
    if (now.state?.status === "playing" && now.state.mine.length && !now.pending) complain({ code: "not-your-turn" });
  },
  look(target) {
    clearTimeout(timer);
    timer = setTimeout(() => describe(target), LINGER);
  },
  leave() {
    clearTimeout(timer);
    find("say").textContent = "";
    point("");
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
  if (mayChoose() && choosing.targets.has(target)) weigh(choosing.choose(target), true);
  const { message, ghost = "" } = await question("leads", target, mayChoose() ? choosing.chosen : []);
  if (state !== now.state || choosing !== entry.choosing || !message) return;
  if (mayChoose()) board.suggest(target, ghost);
  if (document.activeElement === board.place) find("say").textContent = message;
  point(mayChoose() && choosing.targets.has(target) ? say("clicking", { what: message }) : "");
}

const forget = () => Object.assign(now, { preview: "", next: "", hover: "", asking: false });

/** @param {Choice[]} choices */
export function startChoosing(choices) {
  entry.offer(choices);
  forget();
  find("legal").replaceChildren(...choices.slice(0, LISTED).map(([move]) => make("option", { value: move })));
}

whenChanged(() => {
  entry.mark(Boolean(now.pending || now.held));
  wake(entry);
  find("table").classList.toggle("mine", mayChoose());
});

find("typed").addEventListener("submit", (event) => {
  event.preventDefault();
  const input = /** @type {HTMLInputElement} */ (find("typed").querySelector("input")), move = input.value.trim();
  if (!move || now.viewing !== null || now.pending || now.held) return;
  input.value = "";
  now.preview = move;
  entry.page.play(move);
});
