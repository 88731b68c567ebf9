// Messages to and from the server. A move on its way when the connection breaks is not lost.
/** @import { Heard, LiveFrame, Said, TableState } from "../../messages" */
import { Live } from "./live.js";
import { buzz } from "./sound.js";
import { changed, facts, now, path } from "./state.js";

const GAP = 1200; // milliseconds: shorter gaps are not worth mentioning

/** @type {Live} */
let live;

/** @param {(message: Heard) => void} hear */
export function connect(hear) {
  live = new Live(`/api${path}/live`, hello, hear, connection);
}

const hello = () => ({ kind: "hello", language: facts.language, wide: now.wide, overlays: now.overlays, picture: now.redraw, seat: now.side });

/** @param {boolean} open */
function connection(open) {
  now.connected = open;
  if (open) now.closed = "";
  if (!open && now.pending) now.pending.sent = false;
  if (open) changed();
  else setTimeout(() => now.connected || changed(), GAP);
}

/** Say hello again, to change how the table is shown. */
export const greet = () => live.greet();
export const restart = () => live.restart();

/** @param {Said} message */
export const tell = (message) => live.send(message);

/** @param {string} move */
export function play(move) {
  if (!now.state) return;
  buzz();
  send(now.state, move);
  changed();
}

/** @param {TableState} state that the move answers @param {string} move */
function send({ number, moves }, move) {
  now.pending = { number, moves, move, sent: tell({ kind: "play", number, move }) };
}

/** @param {string[]} moves @param {string[]} first */
const beginsWith = (moves, first) => first.every((move, ply) => moves[ply] === move);

/**
 * Send a move again that was on its way when the connection broke, if it is still possible: its number makes it count once.
 * @returns {boolean} false: it is too late, and the move is dropped
 */
export function resend() {
  const { pending, state } = now;
  if (!pending || !state || state.moves.length < state.plies) return true; // of a long match, more is to come
  const due = state.your_turn && state.moves.length === pending.moves.length && beginsWith(state.moves, pending.moves);
  if (due && !pending.sent) send(state, pending.move);
  if (due) return true;
  now.pending = null;
  return beginsWith(state.moves, [...pending.moves, pending.move]);
}

/** Another entry has taken the number of a move on its way. @returns {boolean} as above */
export function renumber() {
  const { pending, state } = now;
  if (!pending || !state) return false;
  pending.sent = false;
  return state.number === pending.number || resend(); // the state that shows it may still be on its way
}

/** A frame omits the places of targets if they are the same as before. @param {LiveFrame} frame */
export function whole(frame) {
  now.boxes = frame.boxes ?? now.boxes;
  return { ...frame, boxes: now.boxes };
}

/** @param {number | null} ply of an earlier position; null: the match as it is now */
export function go(ply) {
  if (!now.state) return;
  now.pause = null;
  now.viewing = ply === null || ply >= now.state.plies ? null : Math.max(0, ply);
  if (now.viewing === null) now.shown = now.frame;
  else tell({ kind: "show", ply: now.viewing });
  changed();
}
