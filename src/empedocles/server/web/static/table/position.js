// The position shown, current or earlier: its picture, its description, and the list of moves.
/** @import { LiveFrame } from "../../messages" */
import { every, find, make } from "../dom.js";
import { request } from "../http.js";
import { go } from "./connection.js";
import { entry } from "./entering.js";
import { Moves } from "./moves.js";
import { keep, kept } from "./signals.js";
import { facts, now, path, whenChanged } from "./state.js";

export const moves = new Moves(find("moves"), go);
/** @type {HTMLDetailsElement} */
const inWords = find("inwords");

/** @type {LiveFrame | null} */
let shown = null;
whenChanged(() => {
  if (!now.shown || now.shown === shown) return;
  shown = now.shown;
  entry.board.show(shown);
  moves.at(shown.ply);
  find("status").replaceChildren(...shown.status.map((line) => make("li", { textContent: line })));
  if (inWords.open) showText();
});

async function showText() {
  find("text").textContent = await request("GET", `${path}/text${now.viewing === null ? "" : `?ply=${now.viewing}`}`);
}
inWords.addEventListener("toggle", () => inWords.open && showText());

/** Put panels beside the board or below it, whichever makes everything larger. */
export function isWide() {
  const { width, height } = find("board").getBoundingClientRect();
  const arrangement = getComputedStyle(find("table")).getPropertyValue("--arrangement").trim();
  const room = { stacked: 0.75 * innerHeight, scrolled: Infinity }[arrangement] ?? height;
  /** @param {[number, number]} size */
  const scale = ([across, down]) => Math.min(width / across, room / down);
  return scale(facts.sizes.wide) > scale(facts.sizes.tall);
}

// ── Going back through the match ─────────────────────────────────────────────────────────────────────────────────────

const shownPly = () => now.viewing ?? now.state?.plies ?? 0;
/** @type {Record<string, () => void>} */
const walks = {
  first: () => go(0),
  back: () => go(shownPly() - 1),
  next: () => go(shownPly() + 1),
  last: () => go(null),
};
/** @type {Record<string, string>} */
const keys = { ArrowLeft: "back", ArrowUp: "back", ArrowRight: "next", ArrowDown: "next", Home: "first", End: "last" };

for (const one of every("[data-walk]")) one.addEventListener("click", walks[one.dataset.walk ?? ""]);
find("moves").addEventListener("keydown", (event) => {
  if (!(event.key in keys)) return;
  walks[keys[event.key]]();
  event.preventDefault();
});

function applyNotation() {
  moves.notation = kept("notation");
  find("notation").setAttribute("aria-pressed", String(moves.notation));
  moves.show();
  if (now.state) moves.at(shownPly());
}
find("notation").addEventListener("click", () => {
  keep("notation", !moves.notation);
  applyNotation();
});
applyNotation();
