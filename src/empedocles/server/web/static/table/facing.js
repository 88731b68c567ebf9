// Where several people share this device, the board turns to whoever is to move, once the move before has been seen.
/** @import { TableState } from "../../messages" */
import { find, one } from "../dom.js";
import { greet } from "./connection.js";
import { kept } from "./signals.js";
import { changed, facts, now, whenChanged } from "./state.js";

const LOOK = 1000; // milliseconds for a look at the move

let timer = 0; // until the board turns

if (kept("turn", true)) now.side = facts.side; // so that it need not turn at once

/** The seat to which the board is to be turned; null for the reader's first. @param {TableState} state */
function facing({ shared, status, to_move, mine }) {
  if (!shared || !kept("turn", true)) return null;
  return status === "playing" && to_move !== null && mine.includes(to_move) ? to_move : now.side;
}

function turn() {
  timer = 0;
  if (!now.state || now.viewing !== null || now.pause) return;
  const side = facing(now.state);
  if (side === now.side) return;
  Object.assign(now, { side, redraw: true });
  greet();
}

let seen = false; // whether a position has been shown
whenChanged((state) => {
  find("facing").hidden = !state.shared;
  if (facing(state) !== now.side && !timer) timer = setTimeout(turn, seen ? LOOK : 0);
  seen = true;
});

one("input", find("facing")).addEventListener("change", changed);
