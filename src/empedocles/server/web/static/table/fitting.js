// How large the board is where the page scrolls: as large as it can be while all that is needed to play is in view.
import { find } from "../dom.js";
import { facts, mayChoose, now, whenChanged } from "./state.js";

const PEEK = 8; // pixels that show that something follows below
const LEAST = 220; // pixels across: a smaller board would be of no use
const LOW = 896; // pixels of a window in which the prompt has no room for more below it
const place = find("board"), table = find("table"), bar = find("bar"), asides = [find("warning"), find("hint")];

let highest = 0; // prompt so far: the board keeps its size when one is shorter, or gives way to a hint
let width = 0; // of the page, for which that holds

/** How the page is arranged: beside, stacked or scrolled. */
export const arrangement = () => getComputedStyle(table).getPropertyValue("--arrangement").trim();

/** The height that there is for the board, above the prompt or beside it. */
export function room() {
  if (arrangement() === "beside") return place.clientHeight;
  if (width !== innerWidth) [width, highest] = [innerWidth, 0];
  if (!highest || !asides.some((aside) => aside.offsetHeight)) highest = Math.max(highest, bar.offsetHeight);
  const top = place.getBoundingClientRect().top + scrollY;
  return document.documentElement.clientHeight - top - highest - PEEK; // without the room that a phone's own bars may take
}

/** How wide the board may be, in pixels, so that all that is needed is in view. */
function fitting() {
  const [across, , first] = facts.sizes[now.wide ? "wide" : "tall"];
  return Math.floor((room() * across) / first);
}

export function fit() {
  const isBeside = arrangement() === "beside";
  table.classList.toggle("beside", isBeside);
  table.classList.toggle("tight", !isBeside || innerHeight < LOW);
  table.classList.toggle("tall", !now.wide);
  place.style.setProperty("--across", `${Math.max(LEAST, fitting())}px`);
}

/** Where the board is too large for the screen, bring what can be chosen into view. */
function reveal() {
  if (arrangement() === "beside" || !mayChoose() || fitting() >= LEAST) return;
  const targets = [...place.querySelectorAll(".e-can")], bottom = bar.getBoundingClientRect().top;
  const hidden = targets.filter((target) => target.getBoundingClientRect().bottom > bottom || target.getBoundingClientRect().top < 0);
  hidden.at(-1)?.scrollIntoView({ block: "center" });
}

new ResizeObserver(fit).observe(bar);
new ResizeObserver(fit).observe(find("seats"));

let turn = -1; // the number of the position in which the reader was to move last
whenChanged(({ number, your_turn }) => {
  if (!your_turn || number === turn) return;
  turn = number;
  requestAnimationFrame(reveal);
});
