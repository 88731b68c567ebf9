// Stepping through the match, trying other moves, and the replay.
import { find } from "../dom.js";
import { say } from "../words.js";
/** @import { Why } from "../../messages" */
import { facts, moved, onMatch, state } from "./state.js";

const PAUSE = 1000; // milliseconds between two moves of the replay

/** Go to a ply of the match, and leave the moves tried. @param {number} ply */
function go(ply) {
  Object.assign(state, { ply: Math.max(0, Math.min(facts.plies, ply)), tried: [], at: 0, luck: 0, shown: null });
  moved();
}

/** Leave the moves tried, for the position in the match from which they began. */
export const leave = () => jump(state.shown?.from ?? state.ply);

/** @param {number} ply */
export function jump(ply) {
  stop();
  go(ply);
}

/** @param {number} by */
export function step(by) {
  const { tried, at } = state;
  stop();
  if (!tried.length) return go(state.ply + by);
  if (at + by >= 0 && at + by <= tried.length) return walkTo(at + by);
  if (by < 0 && !state.shown) go(state.ply + by);
}

/** Show the tried line up to one of its moves. @param {number} at */
export function walkTo(at) {
  stop();
  state.at = at;
  moved();
}

/** Try a move here; if it is the match's own next move, just go to the next ply. @param {string} move */
export function attempt(move) {
  stop();
  if (onMatch() && !state.tried.length && facts.moves[state.ply] === move) return go(state.ply + 1);
  state.shown = null;
  state.tried.length = state.at;
  state.tried.push({ move, words: move, mover: state.view?.to_move ?? 0 });
  state.at += 1;
  moved();
}

/** Try a line from a ply of the match. @param {number} ply @param {[move: string, words: string][]} line */
export function walk(ply, line) {
  stop();
  Object.assign(state, { ply, tried: line.map(([move, words]) => ({ move, words, mover: 0 })), at: line.length, luck: 0, shown: null });
  moved();
}

/**
 * Go through a line of a reason, from its beginning.
 * @param {number} ply @param {[string, string][]} before moves tried until there @param {Why} reason
 * @param {boolean} better whether that after the better move is wanted
 */
export function demonstrate(ply, before, reason, better = reason.better, from = state.ply) {
  const shown = { reason, better, from, ply, before };
  const line = better === reason.better ? reason.line : reason.against;
  const tried = [...before, ...line].map(([move, words]) => ({ move, words, mover: 0 }));
  stop();
  Object.assign(state, { ply, tried, at: before.length, luck: 0, shown });
  moved();
}

/** Go through the other line of a comparison. */
export function compare() {
  if (!state.shown) return;
  const { ply, before, reason, better, from } = state.shown;
  demonstrate(ply, before, reason, !better, from);
}

/** Redraw the chance moves at the end of the tried line. */
export function reroll() {
  state.luck += 1;
  const decided = state.tried.slice(0, state.at).findLastIndex((tried) => tried.mover !== null);
  if (decided < 0) return;
  state.tried.length = state.at = decided + 1;
  moved();
}

// ── The replay ───────────────────────────────────────────────────────────────────────────────────────────────────────

/** @param {boolean} playing */
function showPlaying(playing) {
  find("play").setAttribute("aria-label", say(playing ? "pause" : "play"));
  find("play").dataset.playing = playing ? "yes" : "no";
}

function stop() {
  clearInterval(state.playing);
  state.playing = 0;
  showPlaying(false);
}

/** Play, or pause. */
export function play() {
  if (state.playing) {
    stop();
    return moved();
  }
  if (state.ply === facts.plies) go(0);
  showPlaying(true);
  state.playing = setInterval(() => {
    if (state.ply < facts.plies) return go(state.ply + 1);
    stop();
    moved();
  }, PAUSE);
}
