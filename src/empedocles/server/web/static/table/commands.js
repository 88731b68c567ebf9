// What players can do besides moving: ask for a hint, take back, offer a draw, resign.
/** @import { TableState } from "../../messages" */
import { ask } from "../dialog.js";
import { find } from "../dom.js";
import { say } from "../words.js";
import { tell } from "./connection.js";
import { complain, entry, trying } from "./entering.js";
import { hint } from "./hint.js";
import { moves } from "./position.js";
import { facts, now, whenChanged } from "./state.js";
import { dismiss } from "./warning.js";

/** @param {string} command @param {string} [text] */
export function command(command, text = "") {
  if (!now.state) return;
  entry.again();
  tell({ kind: "command", number: now.state.number, command, text });
}

async function resign() {
  if (await ask(say("reallyResign"), say("resign"), say("playOn"))) command("resign");
}

/** @type {Record<string, () => void | Promise<void>>} */
const actions = { hint, resign, back: () => command("back"), draw: () => command("draw") };
/** @type {Record<string, string>} */
const against = {}; // the code of what prevents an action, which a click says
const buttons = /** @type {HTMLButtonElement[]} */ ([...find("actions").children]);
const doing = (/** @type {HTMLButtonElement} */ one) => one.dataset.do ?? "";

/** Whether the player has already asked the others for that. @param {TableState} state @param {"back" | "draw"} what */
function asked({ offers, mine }, what) {
  const seat = offers[what];
  return seat !== undefined && mine.includes(seat);
}

/** @param {TableState} state */
export function showActions(state) {
  const playing = state.status === "playing" && state.mine.length > 0;
  const others = state.seats.some((seat) => seat.kind === "person" && !seat.mine);
  const twoSides = new Set(facts.sides).size === 2;
  const moved = moves.movers.some((seat) => seat !== null && state.mine.includes(seat));
  /** @type {Record<string, boolean>} */
  const shown = { hint: playing && state.alone, back: playing && moved, resign: playing, draw: playing && others && twoSides };
  against.hint = state.your_turn ? "" : "not-your-turn";
  against.back = asked(state, "back") ? "asked" : "";
  against.draw = asked(state, "draw") ? "asked" : "";
  for (const one of buttons) {
    one.hidden = !shown[doing(one)];
    one.setAttribute("aria-disabled", String(Boolean(against[doing(one)])));
  }
  find("typed").hidden = !playing;
}

/** @param {string} what */
function act(what) {
  if (now.pending) return; // the answer to a move comes first
  dismiss(); // whoever does something else has thought better of the move
  return against[what] ? complain({ code: against[what] }) : actions[what]();
}

for (const one of buttons) one.addEventListener("click", trying(() => act(doing(one))));
whenChanged(showActions);
