// The position: its picture at once, then what may be chosen, and the engine's view.
/** @import { Evaluation, Leads, Remark } from "../../messages" */
import { CONFIRM } from "../choosing.js";
import { field, find, make } from "../dom.js";
import { Entry } from "../entry.js";
import { codeOf, notice, request } from "../http.js";
import { problemWords, say } from "../words.js";
import { forget, frameAt, isDrawn, preload } from "./film.js";
import { searchHere, whenLost } from "./searching.js";
import { arrows, changed, facts, here, keyHere, known, onMatch, state, whenChanged, whenMoved, wide } from "./state.js";
import { attempt, leave } from "./walking.js";

const SETTLE = 140; // milliseconds at a position until more than its picture is requested
const LINGER = 80; // milliseconds on a target until the server is asked about it
const LISTED = 600; // moves offered when typing one

/** @param {unknown} problem */
export function fail(problem) {
  notice((codeOf(problem) && problemWords(problem)) || say("failed"));
}

// ── Entering moves ───────────────────────────────────────────────────────────────────────────────────────────────────

/** @param {string} target */
const nameOf = (target) => (target === CONFIRM ? say("confirm") : (state.view?.targets[target] ?? target));

let lingering = 0; // until the server is asked what a target would place

/** What choosing a target would place. @param {string} target @param {string[]} chosen before it */
async function lead(target, chosen) {
  try {
    /** @type {Leads} */
    const { ghost } = await request("POST", "/positions/leads", { ...here(), wide: wide.matches, seat: facts.seat, target, chosen });
    return ghost ?? "";
  } catch {
    return ""; // it is an extra
  }
}

/** @type {string[]} */
let early = []; // targets that were chosen before it was known what may be

export const entry = new Entry(find("board"), {
  ready: () => state.view !== null,
  play: attempt,
  early: (target) => early.push(target),
  refused: () => entry.again(),
  changed() {
    const { choosing } = entry, last = choosing.chosen.at(-1);
    showChoice();
    if (last) lead(last, choosing.chosen.slice(0, -1)).then((ghost) => choosing === entry.choosing && entry.board.settle(ghost));
  },
  cancel,
  look(target) {
    const { choosing, board } = entry;
    clearTimeout(lingering);
    lingering = setTimeout(() => choosing.targets.has(target) && lead(target, choosing.chosen).then((ghost) => choosing === entry.choosing && board.suggest(target, ghost)), LINGER);
    if (document.activeElement === board.place) find("say").textContent = nameOf(target);
  },
});
// After a click on the board, arrow keys still step through the match; with keyboard focus, they move on the board.
find("board").addEventListener("mousedown", (event) => {
  event.preventDefault();
  if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
});

/** Cancel the move being entered, or else leave the line being tried. */
export function cancel() {
  if (entry.choosing.chosen.length) entry.again();
  else if (state.tried.length) leave();
}

function showChoice() {
  const { chosen, targets } = entry.choosing, last = chosen.at(-1);
  entry.mark();
  find("board").classList.toggle("quiet", !chosen.length); // while the reader only watches the match
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

/** Play the engine's move. */
export async function answerHere() {
  const [best] = known().length ? known() : await evaluations();
  if (best) attempt(best.move);
}

// ── Showing ──────────────────────────────────────────────────────────────────────────────────────────────────────────

let turn = 0; // counts positions shown: answers for an earlier one are ignored

const draw = (/** @type {string} */ markup) => entry.board.draw(markup);
const pause = (/** @type {number} */ time) => new Promise((done) => setTimeout(done, time));

async function show() {
  const mine = (turn += 1);
  Object.assign(state, { view: null, answers: null });
  early = [];
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
  for (const target of early.splice(0)) entry.choose(target);
  if (state.answers === null) await think(mine);
}

let pointed = ""; // the moves shown as arrows

/** Ask the server about this position. @param {number} mine @returns {Promise<boolean>} whether it is still shown */
async function ask(mine) {
  const shown = arrows();
  /** @type {NonNullable<typeof state.view>} */
  const view = await request("POST", "/positions", { ...here(), wide: wide.matches, seat: facts.seat, arrows: shown });
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

/** The engine's view: this browser's if it can; else the server's of moves tried, as the analysis covers the match. @param {number} mine */
async function think(mine) {
  const { view } = state;
  if (state.shown || !view) return;
  const isSearched = view.to_move !== null && (await searchHere(() => mine === turn));
  if (!onMatch()) await judge(mine);
  if (mine !== turn || isSearched || view.to_move === null || (onMatch() && state.ply < facts.plies)) return;
  const answers = await evaluations();
  if (mine !== turn) return;
  state.answers = answers;
  changed();
}

/** Why the move tried last falls short of the best, or that it does not. @param {number} mine */
async function judge(mine) {
  const key = keyHere(), chosen = state.tried.slice(0, state.at).findLastIndex((tried) => tried.mover !== null);
  if (state.judged.has(key) || chosen < 0) return;
  const { moves, ...rest } = here();
  /** @type {Remark} */
  const remark = await request("POST", "/explanations", { ...rest, moves: moves.slice(0, chosen + 1) });
  state.judged.set(key, remark);
  if (mine === turn) changed();
}

/** Draw or remove arrows. */
export function point() {
  if (state.view && arrows().join() !== pointed) ask(turn).catch(() => {});
}

whenMoved(show);
whenLost(() => think(turn).catch(fail));
whenChanged(point);
whenChanged(() => entry.board.spot(state.shown?.reason.targets ?? []));
wide.addEventListener("change", () => {
  forget();
  show();
});
