// Warnings before bad moves, for beginners who play alone against bots: at most one a turn, and a move waits only briefly.
/** @import { Choosing } from "../choosing.js" */
/** @import { Entry } from "../entry.js" */
/** @import { MoveWarning, TableState, WarningAnswer } from "../../messages" */
import { button, find, make, one } from "../dom.js";
import { request } from "../http.js";
import { say } from "../words.js";
import { play } from "./connection.js";
import { isGentle } from "../gentle.js";
import { kept } from "./signals.js";
import { changed, facts, now, path, whenChanged } from "./state.js";

const PATIENCE = 2000; // milliseconds that a move waits for the server's opinion

let warned = -Infinity; // the table's number at the last warning
let woken = false; // an engine may take seconds to start: it is asked once before it is needed

const place = find("warning"), box = /** @type {HTMLInputElement} */ (one("[data-keep=warn]"));
/** @type {(() => void) | null} */
let withdraw = null; // takes the warning away that is shown

/** @param {TableState} state */
const isOn = (state) => state.alone && !state.shared && kept("warn", isGentle());

/** Whether there may be a warning: the next number may still be of the same turn; after an opponent's move it is higher. @param {TableState | null} state */
const mayWarn = (state) => Boolean(state?.your_turn && isOn(state) && state.number > warned + 1);

/** @type {Map<string, Promise<MoveWarning | null>>} */
const opinions = new Map(); // of moves in one position
let about = -1; // its number
let waiting = 0; // questions without an answer

/** What is wrong with a move; null also if the server will not say. @param {TableState} state @param {string} move */
function opinion({ number }, move) {
  if (number !== about) opinions.clear();
  about = number;
  const known = opinions.get(move);
  if (known) return known;
  const wanted = { number, move, language: facts.language, wide: now.wide };
  waiting += 1;
  /** @type {Promise<WarningAnswer>} */
  const answer = request("POST", `${path}/warning`, wanted, 2);
  const found = answer.then(({ warning }) => warning, () => (opinions.delete(move), null)).finally(() => (waiting -= 1));
  opinions.set(move, found);
  return found;
}

/** Ask about a move before the reader decides to play it. @param {Choosing} choosing @param {boolean} [pointed] whether the move is only pointed at: then others come first */
export function weigh({ whole, choices }, pointed = false) {
  const { state } = now;
  if (state && whole && choices.length > 1 && mayWarn(state) && !(pointed && waiting)) void opinion(state, whole);
}

/** Play a move, unless it is a bad one and the reader thinks better of it. @param {string} move @param {Entry} entry */
export async function playWarned(move, entry) {
  const { state } = now;
  if (!state || !mayWarn(state) || entry.choosing.choices.length < 2) return play(move);
  now.weighing = true;
  hold(true);
  /** @type {Promise<null>} */
  const enough = new Promise((done) => setTimeout(() => done(null), PATIENCE));
  const warning = await Promise.race([opinion(state, move), enough]);
  now.weighing = false;
  hold(false);
  if (now.state?.number !== state.number || now.viewing !== null) return;
  if (!warning) return play(move);
  warned = state.number;
  show(warning, move, entry);
}

/** @param {boolean} held whether nothing else may be chosen */
function hold(held) {
  now.held = held;
  changed();
}

/** @param {MoveWarning} warning @param {string} move @param {Entry} entry */
function show({ words, arrows }, move, entry) {
  const { number } = /** @type {TableState} */ (now.state), before = document.activeElement;
  withdraw = () => {
    withdraw = null;
    place.hidden = true;
    find("bar").classList.remove("warned");
    entry.board.point("");
    if (before instanceof HTMLElement && place.contains(document.activeElement)) before.focus();
    hold(false);
  };
  const another = button(say("anotherMove"), () => (withdraw?.(), entry.again()), "primary");
  const anyway = button(say("playAnyway"), () => (withdraw?.(), now.state?.number === number && play(move)));
  place.replaceChildren(make("p", { id: "warning-words", textContent: words }), make("div", { className: "buttons" }, another, anyway));
  find("bar").classList.add("warned");
  place.hidden = false;
  hold(true);
  entry.board.point(arrows);
  another.focus();
}

/** Take the warning away, and the move with it. @returns {boolean} whether there was one */
export function dismiss() {
  if (!withdraw) return false;
  withdraw();
  return true;
}

place.addEventListener("keydown", ({ key }) => key === "Escape" && one("button", place).click());

let shownAt = -1;
whenChanged((state) => {
  const label = box.closest("label");
  if (label) label.hidden = !state.alone || state.shared;
  if (withdraw && (state.number !== shownAt || now.viewing !== null)) dismiss();
  shownAt = state.number;
});

/** Wake an engine while the reader thinks about the first move. @param {Entry} entry */
export function wake(entry) {
  const { state } = now, [choice] = entry.choosing.choices;
  if (woken || !state || !mayWarn(state) || !choice) return;
  woken = true;
  void opinion(state, choice[0]);
}
