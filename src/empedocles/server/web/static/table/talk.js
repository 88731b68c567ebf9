// What opponents say: the last remark, beside the portrait of whoever said it, until the game goes on.
/** @import { Saying, TableState } from "../../messages" */
import { every, find, one } from "../dom.js";
import { notice } from "../http.js";
import { say } from "../words.js";
import { keep, kept } from "./signals.js";
import { now, whenChanged } from "./state.js";

const RECENT = 5; // moves after which nobody remembers it
const LONG = 12_000; // milliseconds: then the score is worth more
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
  bubble.classList.remove("open");
  one("p", bubble).textContent = words;
  clearTimeout(timer);
  if (!said) return;
  const face = every(".seat", find("seats"))[said.seat]?.getBoundingClientRect(), { left } = bubble.getBoundingClientRect();
  bubble.style.setProperty("--tail", `${Math.max(14, (face?.left ?? 0) - left + 20)}px`);
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
  words.addEventListener("click", () => {
    if (words.scrollHeight > words.clientHeight && !place.classList.contains("open")) place.classList.add("open");
    else if (now.state && now.saying) dismiss(place, now.state, now.saying);
  });
  one("button", place).addEventListener("click", () => {
    keep("talk", false);
    box.checked = false;
    notice(say("silenced"));
    if (now.state) show(place, now.state);
  });
}
