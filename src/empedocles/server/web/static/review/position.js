// The position: at once its picture, then what may be chosen in it, and what the engine says.
/** @import { Evaluation } from "../../messages" */
import { CONFIRM } from "../choosing.js";
import { field, find, make } from "../dom.js";
import { Entry } from "../entry.js";
import { codeOf, notice, request } from "../http.js";
import { problemWords, say } from "../words.js";
import { forget, frameAt, isDrawn, preload } from "./film.js";
import { arrows, changed, facts, here, known, onMatch, state, whenChanged, whenMoved, wide } from "./state.js";
import { attempt, jump } from "./walking.js";

const SETTLE = 140; // milliseconds at a position until more than its picture is asked for
const LISTED = 600; // moves offered to who types one

/** @param {unknown} problem */
export function fail(problem) {
  notice((codeOf(problem) && problemWords(problem)) || say("failed"));
}

// ── Entering moves ───────────────────────────────────────────────────────────────────────────────────────────────────

/** @param {string} target */
const nameOf = (target) => (target === CONFIRM ? say("confirm") : (state.view?.targets[target] ?? target));

export const entry = new Entry(find("board"), {
  ready: () => state.view !== null,
  play: attempt,
  refused: () => entry.again(),
  changed: showChoice,
  cancel,
  look(target) {
    if (document.activeElement === entry.board.place) find("say").textContent = nameOf(target);
  },
});
// Who clicks on the board goes on walking by arrow keys; who comes to it by keyboard steers on it.
find("board").addEventListener("mousedown", (event) => {
  event.preventDefault();
  if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
});

/** Give up a move that is being entered, or else the line that is tried. */
export function cancel() {
  if (entry.choosing.chosen.length) entry.again();
  else if (state.tried.length) jump(state.ply);
}

function showChoice() {
  const { chosen, targets } = entry.choosing, last = chosen.at(-1);
  entry.mark();
  find("board").classList.toggle("quiet", !chosen.length); // while a match is only watched
  find("confirm").hidden = !targets.has(CONFIRM) || !chosen.length;
  find("chosen").textContent = last ? say("chosen", { target: nameOf(last) }) : "";
}

function offer() {
  const choices = state.view?.choices ?? [];
  entry.offer(choices);
  showChoice();
  find("legal").replaceChildren(...choices.slice(0, LISTED).map(([move]) => make("option", { value: move })));
  field("entry").disabled = field("enter").disabled = !choices.length;
  find("entering").hidden = find("try").hidden = Boolean(state.view?.over);
}

find("confirm").addEventListener("click", () => entry.take(CONFIRM));
find("entering").addEventListener("submit", (event) => {
  event.preventDefault();
  const move = field("entry").value.trim();
  if (!entry.choosing.choices.some(([legal]) => legal === move)) return notice(say("unknownMove"));
  field("entry").value = "";
  attempt(move);
});

/** The engine's move. */
export async function answerHere() {
  const [best] = known().length ? known() : await evaluations();
  if (best) attempt(best.move);
}

// ── Showing ──────────────────────────────────────────────────────────────────────────────────────────────────────────

let turn = 0; // of showing: what comes for an earlier one comes too late

const draw = (/** @type {string} */ markup) => entry.board.draw(markup);
const pause = (/** @type {number} */ time) => new Promise((done) => setTimeout(done, time));

async function show() {
  const mine = (turn += 1);
  Object.assign(state, { view: null, answers: null });
  offer();
  changed();
  try {
    if (onMatch() || !isDrawn()) {
      const frame = await frameAt(state.ply, draw);
      if (mine !== turn) return;
      entry.board.show(frame);
      preload(state.ply, draw);
      await pause(SETTLE);
    }
    if (mine === turn && !state.playing) await settle(mine);
  } catch (problem) {
    if (mine === turn) fail(problem);
  }
}

/** @param {number} mine */
async function settle(mine) {
  if (!(await ask(mine))) return;
  offer();
  changed();
  if (state.answers === null) await think(mine);
}

let pointed = ""; // the moves that arrows show

/** What the server says about this position. @param {number} mine @returns {Promise<boolean>} whether it is still wanted */
async function ask(mine) {
  const shown = arrows();
  /** @type {NonNullable<typeof state.view>} */
  const view = await request("POST", "/positions", { ...here(), wide: wide.matches, arrows: shown });
  if (mine !== turn) return false;
  Object.assign(state, { view });
  pointed = shown.join();
  history.replaceState(null, "", state.ply ? `#${state.ply}` : location.pathname);
  if (!onMatch()) {
    state.tried.splice(0, state.at, ...view.moves.map((move, k) => ({ move, words: view.words[k], mover: view.movers[k] })));
    state.at = view.moves.length;
  }
  entry.board.show(view.frame);
  return true;
}

/** @returns {Promise<Evaluation[]>} */
const evaluations = () => request("POST", "/evaluations", here());

/** The engine on what is tried; the match itself is in the analysis. @param {number} mine */
async function think(mine) {
  const { view } = state;
  if (!view || view.to_move === null || (onMatch() && state.ply < facts.plies)) return;
  const answers = await evaluations();
  if (mine !== turn) return;
  state.answers = answers;
  changed();
}

/** Arrows have come, or are not wanted any more. */
export function point() {
  if (state.view && arrows().join() !== pointed) ask(turn).catch(() => {});
}

whenMoved(show);
whenChanged(point);
wide.addEventListener("change", () => {
  forget();
  show();
});
