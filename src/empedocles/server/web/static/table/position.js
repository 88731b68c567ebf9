// The position shown, current or earlier: its picture, its description, and the list of moves.
/** @import { LiveFrame } from "../../messages" */
import { every, find, make } from "../dom.js";
import { request } from "../http.js";
import { go } from "./connection.js";
import { entry } from "./entering.js";
import { arrangement, room } from "./fitting.js";
import { Moves } from "./moves.js";
import { kept } from "./signals.js";
import { hear } from "./sound.js";
import { facts, now, path, whenChanged } from "./state.js";

export const moves = new Moves(find("moves"), go);
/** @type {HTMLDetailsElement} */
const inWords = find("inwords");

/** @type {LiveFrame | null} */
let shown = null;
let heard = Infinity; // plies that were seen as they were played
whenChanged(() => {
  if (!now.shown || now.shown === shown) return;
  shown = now.shown;
  const changes = entry.board.show(shown);
  if (now.viewing === null && shown.ply > heard) hear(changes);
  heard = now.frame?.ply ?? heard;
  moves.at(shown.ply);
  find("status").replaceChildren(...shown.status.map((line) => make("li", { textContent: line })));
  if (inWords.open) showText();
});

async function showText() {
  find("text").textContent = await request("GET", `${path}/text${now.viewing === null ? "" : `?ply=${now.viewing}`}`);
}
inWords.addEventListener("toggle", () => inWords.open && showText());

const READABLE = 0.8; // of its own size: then a wide picture need not be larger
const WORTH = 1.15; // a picture that is seen as a whole is worth a little of its size

/** Put panels beside the board or below it, whichever makes everything larger. */
export function isWide() {
  const { width } = find("board").getBoundingClientRect(), height = room();
  /** @param {[number, number, number]} size */
  const scale = ([across, , first]) => Math.min(width / across, height / first);
  const wide = scale(facts.sizes.wide);
  return (wide >= READABLE && arrangement() === "beside") || WORTH * wide > scale(facts.sizes.tall);
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

moves.notation = kept("notation");
find("notation").addEventListener("change", ({ target }) => {
  moves.notation = /** @type {HTMLInputElement} */ (target).checked;
  moves.show();
  if (now.state) moves.at(shownPly());
});
