// What opponents say: the last remark, below the prompt with the portrait of whoever said it, until the game goes on.
/** @import { Saying, TableState } from "../../messages" */
import { one } from "../dom.js";
import { portrait } from "../faces.js";
import { notice } from "../http.js";
import { say } from "../words.js";
import { keep, kept } from "./signals.js";
import { facts, now, whenChanged } from "./state.js";

const RECENT = 5; // moves after which nobody remembers it
const LONG = 12_000; // milliseconds: then it has been read
const place = document.getElementById("remark"); // only where somebody talks
let heard = 0; // the ply of the remark that the reader has read or sent away
let timer = 0;

/** @param {TableState} state @returns {Saying | null} */
function current({ plies }) {
  const said = now.saying;
  const fresh = said && said.ply !== heard && plies - said.ply < RECENT && now.viewing === null && !now.pause;
  return fresh && kept("talk", true) ? said : null;
}

/** @param {HTMLElement} bubble @param {TableState} state */
function show(bubble, state) {
  const said = current(state), words = said?.words ?? "";
  if (bubble.dataset.said === words) return;
  bubble.dataset.said = words;
  one("p", bubble).textContent = words;
  clearTimeout(timer);
  if (!said) return;
  one(".face", bubble).replaceWith(portrait(facts.game, state.seats[said.seat].level ?? 1, 40));
  timer = setTimeout(() => dismiss(bubble, state, said), LONG);
}

/** @param {HTMLElement} bubble @param {TableState} state @param {Saying} said */
function dismiss(bubble, state, said) {
  heard = said.ply;
  show(bubble, state);
}

if (place) {
  const words = one("p", place), box = /** @type {HTMLInputElement} */ (one("[data-keep=talk]"));
  whenChanged((state) => show(place, state));
  box.addEventListener("change", () => now.state && show(place, now.state));
  words.addEventListener("click", () => now.state && now.saying && dismiss(place, now.state, now.saying));
  one("button", place).addEventListener("click", () => {
    keep("talk", false);
    box.checked = false;
    notice(say("silenced"));
    if (now.state) show(place, now.state);
  });
}
