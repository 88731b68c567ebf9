// What players can do besides moving: ask for a hint, take back, offer a draw, resign.
/** @import { Hint, TableState } from "../../messages" */
import { find } from "../dom.js";
import { notice, request } from "../http.js";
import { say } from "../words.js";
import { tell } from "./connection.js";
import { entry, trying } from "./entering.js";
import { moves } from "./position.js";
import { facts, mayChoose, now, path, whenChanged } from "./state.js";

/** @param {string} command @param {string} [text] */
export function command(command, text = "") {
  if (!now.state) return;
  entry.again();
  tell({ kind: "command", number: now.state.number, command, text });
}

function resign() {
  /** @type {HTMLDialogElement} */
  const dialog = find("asking");
  dialog.returnValue = "no";
  dialog.showModal();
  dialog.onclose = () => dialog.returnValue === "yes" && command("resign");
}

async function hint() {
  entry.again();
  notice(say("hinting"));
  const number = now.state?.number;
  /** @type {Hint} */
  const found = await request("POST", `${path}/hint`, { language: facts.language, wide: now.wide });
  if (number !== now.state?.number || now.viewing !== null) return;
  entry.board.point(found.arrows);
  notice(say("hint", { move: found.words }));
}

/** @type {Record<string, () => void | Promise<void>>} */
const actions = { hint, resign, back: () => command("back"), draw: () => command("draw") };
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
  const shown = { hint: playing && state.alone, back: playing, resign: playing, draw: playing && others && twoSides };
  /** @type {Record<string, boolean>} */
  const able = { hint: mayChoose(), back: !now.pending && moved && !asked(state, "back"), draw: !asked(state, "draw") };
  for (const one of buttons) {
    one.hidden = !shown[doing(one)];
    one.disabled = !(able[doing(one)] ?? true);
  }
  find("typed").hidden = !playing;
}

for (const one of buttons) one.addEventListener("click", trying(() => actions[doing(one)]()));
whenChanged(showActions);
