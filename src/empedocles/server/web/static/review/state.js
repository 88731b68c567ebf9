// Where we are: a ply of the match, and moves that are tried from there. And what the engine has said about the match.
/** @import { Evaluation, PositionView, Remark, ReviewFacts } from "../../messages" */
import { field } from "../dom.js";
import { News } from "../news.js";
import { data } from "../words.js";

/** @typedef {{move: string, words: string, mover: number | null}} Tried by whom; null: chance */

/** @type {ReviewFacts} */
export const facts = data("facts");
export const wide = matchMedia("(min-width: 40rem)");

export const state = {
  ply: 0, // of the match
  /** @type {Tried[]} */ tried: [], // moves tried from there
  at: 0, // how many of them are shown
  luck: 0, // for chance in what is tried
  /** @type {PositionView | null} */ view: null, // what the server says about the position shown
  /** @type {Evaluation[] | null} */ answers: null, // what the engine says about it
  playing: 0, // the timer of the replay
  /** @type {Map<number, Remark>} */ remarks: new Map(), // by ply
  analysed: false, // to the end
};

/** @type {News<void>} */
const changes = new News();
/** What is known about this position has grown. */
export const changed = () => changes.tell();
/** @param {() => void} show */
export const whenChanged = (show) => changes.when(show);

/** @type {News<void>} */
const moves = new News();
/** We are somewhere else. */
export const moved = () => moves.tell();
/** @param {() => void} show */
export const whenMoved = (show) => moves.when(show);

export const onMatch = () => state.at === 0;
export const triedMoves = () => state.tried.slice(0, state.at).map((tried) => tried.move);

/** The position shown, as the API asks for it. */
export function here() {
  const { ply, luck } = state, { id: match, language } = facts;
  return { match, ply, moves: triedMoves(), luck, language };
}

/** A value in words, with a true minus. @param {Evaluation} evaluation */
export const valueOf = ({ said }) => said.replace("-", "−");

/** What was said about the move that led here. */
export const remarkHere = () => (onMatch() ? state.remarks.get(state.ply - 1) : undefined);

/** What is known to be good here, the best first. */
export function known() {
  const remark = onMatch() ? state.remarks.get(state.ply) : undefined;
  return remark ? [remark.best] : (state.answers ?? []);
}

/** The best line from here, if it is known and wanted: the move, and the answer to it. */
export const arrows = () => (field("arrows").checked ? (known()[0]?.line ?? []).slice(0, 2).map(([move]) => move) : []);

/** Whether the engine has solved the game, and knows points. */
export const exact = () => state.remarks.size > 0 && [...state.remarks.values()].every(({ best }) => best.points !== null);

/** After which plies a mistake was made. */
export function mistakes() {
  const marked = [...state.remarks.values()].filter((remark) => remark.mark);
  return marked.map((remark) => remark.ply + 1).sort((a, b) => a - b);
}

/** The class of a mark. @param {string} mark */
export const kind = (mark) => ({ "??": "blunder", "?": "mistake", "?!": "dubious" })[mark] ?? "";
