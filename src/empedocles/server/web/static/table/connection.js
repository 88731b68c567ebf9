// What is said to the server and heard from it. A move that is on its way when the connection breaks is not lost.
/** @import { Heard, LiveFrame, Said, TableState } from "../../messages" */
import { Live } from "./live.js";
import { changed, facts, now, path } from "./state.js";

const GAP = 1200; // milliseconds: most gaps are too short to speak of

/** @type {Live} */
let live;

/** @param {(message: Heard) => void} hear */
export function connect(hear) {
  live = new Live(`/api${path}/live`, hello, hear, connection);
}

const hello = () => ({ kind: "hello", language: facts.language, wide: now.wide, overlays: now.overlays, picture: now.redraw });

/** @param {boolean} open */
function connection(open) {
  now.connected = open;
  if (open) now.closed = "";
  if (!open && now.pending) now.pending.sent = false;
  if (open) changed();
  else setTimeout(() => now.connected || changed(), GAP);
}

/** Say again how the table is to be shown. */
export const greet = () => live.greet();
export const restart = () => live.restart();

/** @param {Said} message */
export const tell = (message) => live.send(message);

/** @param {string} move */
export function play(move) {
  if (!now.state) return;
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
 * A move that was on its way when the connection broke is sent again, if it is still due: with its number it counts once only.
 * @returns {boolean} false: it has come too late, and is given up
 */
export function resend() {
  const { pending, state } = now;
  if (!pending || !state) return true;
  const due = state.your_turn && state.moves.length === pending.moves.length && beginsWith(state.moves, pending.moves);
  if (due && !pending.sent) send(state, pending.move);
  if (due) return true;
  now.pending = null;
  return beginsWith(state.moves, [...pending.moves, pending.move]);
}

/** Something else was written under the number of a move on its way. @returns {boolean} as above */
export function renumber() {
  const { pending, state } = now;
  if (!pending || !state) return false;
  pending.sent = false;
  return state.number === pending.number || resend(); // the state that tells of it may be yet to come
}

/** A frame comes without the places of targets where they are those of the one before. @param {LiveFrame} frame */
export function whole(frame) {
  now.boxes = frame.boxes ?? now.boxes;
  return { ...frame, boxes: now.boxes };
}

/** @param {number | null} ply of an earlier position; null: the match as it is now */
export function go(ply) {
  if (!now.state) return;
  now.viewing = ply === null || ply >= now.state.moves.length ? null : Math.max(0, ply);
  if (now.viewing === null) now.shown = now.frame;
  else tell({ kind: "show", ply: now.viewing });
  changed();
}
