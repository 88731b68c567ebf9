// The state of the page: a ply of the match, the moves tried from there, and the engine's remarks on the match.
/** @import { Evaluation, PositionView, Remark, ReviewFacts, Story, Why } from "../../messages" */
import { field } from "../dom.js";
import { News } from "../news.js";
import { data } from "../words.js";

/**
 * @typedef {{move: string, words: string, mover: number | null}} Tried mover is null for chance
 * @typedef {{reason: Why, better: boolean, from: number, ply: number, before: [string, string][]}} Shown a reason, which
 *   of its lines is gone through, the ply of the match to go back to, and where the lines begin
 */

/** @type {ReviewFacts} */
export const facts = data("facts");
export const wide = matchMedia("(min-width: 40rem)");
/** How pictures are to look, for an address. */
export const looks = () => `language=${facts.language}&wide=${wide.matches}${facts.seat === null ? "" : `&seat=${facts.seat}`}`;

export const state = {
  ply: 0, // of the match
  /** @type {Tried[]} */ tried: [], // moves tried from there
  at: 0, // the number of tried moves shown
  luck: 0, // seed for chance moves in what is tried
  /** @type {PositionView | null} */ view: null, // what the server says about the position shown
  /** @type {Evaluation[] | null} */ answers: null, // what the engine says about it
  /** @type {Evaluation[] | null} */ live: null, // what this browser finds there; null: it does not search
  /** @type {Shown | null} */ shown: null, // the reason whose line is tried
  /** @type {Map<string, Remark>} */ judged: new Map(), // remarks on moves tried, see keyHere
  /** @type {Story | null} */ story: null, // the match summed up
  playing: 0, // the timer of the replay
  /** @type {Map<number, Remark>} */ remarks: new Map(), // by ply
  analysed: false, // completely
};

/** @type {News<void>} */
const changes = new News();
/** More is known about this position. */
export const changed = () => changes.tell();
/** @param {() => void} show */
export const whenChanged = (show) => changes.when(show);

/** @type {News<void>} */
const moves = new News();
/** Another position is shown. */
export const moved = () => moves.tell();
/** @param {() => void} show */
export const whenMoved = (show) => moves.when(show);

export const onMatch = () => state.at === 0;
export const triedMoves = () => state.tried.slice(0, state.at).map((tried) => tried.move);

/** The position shown, as the API expects it. */
export function here() {
  const { ply, luck } = state, { id: match, language } = facts;
  return { match, ply, moves: triedMoves(), luck, language };
}

/** A value as text, with a real minus sign. @param {Evaluation} evaluation */
export const valueOf = ({ said }) => said.replace("-", "−");

/** Words as a sentence of their own. @param {string} text */
export const sentence = (text) => `${text[0].toUpperCase()}${text.slice(1)}.`;

/** What was tried, as a name for it. */
export const keyHere = () => [state.ply, state.luck, ...triedMoves()].join(" ");

/** The remark on the move that led here. */
export const remarkHere = () => (onMatch() ? state.remarks.get(state.ply - 1) : state.judged.get(keyHere()));

/** The known evaluations here, the best first. */
export function known() {
  if (state.live?.length) return state.live;
  const remark = onMatch() ? state.remarks.get(state.ply) : undefined;
  return remark ? [remark.best] : (state.answers ?? []);
}

/** The next move of the line that is gone through; else the best move and the answer to it, if known and wanted. */
export const arrows = () => (state.shown ? state.tried.slice(state.at, state.at + 1).map(({ move }) => move) : best());
const best = () => (field("arrows").checked ? (known()[0]?.line ?? []).slice(0, 2).map(([move]) => move) : []);

/** Whether the engine has solved the game, so that values are points. */
export const exact = () => state.remarks.size > 0 && [...state.remarks.values()].every(({ best }) => best.points !== null);

/** The plies of mistakes. */
export function mistakes() {
  const marked = [...state.remarks.values()].filter((remark) => remark.mark);
  return marked.map((remark) => remark.ply + 1).sort((a, b) => a - b);
}

/** The class of a mark. @param {string} mark */
export const kind = (mark) => ({ "??": "blunder", "?": "mistake", "?!": "dubious" })[mark] ?? "";
