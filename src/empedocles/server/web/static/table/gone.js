// A player who has been gone for long: the others need not wait.
/** @import { TableState } from "../../messages" */
import { button } from "../dom.js";
import { say } from "../words.js";
import { command } from "./commands.js";
import { facts, nameOf, now } from "./state.js";

/** Whether the one whose turn it is has been away for too long. @param {TableState} state */
function isGone({ status, to_move, gone_in, mine, here }) {
  if (status !== "playing" || !mine.length || to_move === null || gone_in === null) return false;
  if (mine.includes(to_move) || here[to_move]) return false;
  return performance.now() - now.since > 1000 * gone_in;
}

/** @param {TableState} state @param {(text: string, ...buttons: Node[]) => HTMLElement} line */
export function goneParts(state, line) {
  if (state.to_move === null || !isGone(state)) return [];
  const claim = button(say("claim"), () => command("claim"), "primary");
  const bot = button(say("letBot"), () => command("bot"));
  const twoSides = new Set(facts.sides).size === 2; // with more sides, nobody wins because a player left
  return [line(say("gone", { name: nameOf(state, state.to_move) }), ...(twoSides ? [claim] : []), bot)];
}
