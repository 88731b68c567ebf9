// A hint in three steps, from one thinking of the engine: where to look, which move, and why.
/** @import { Hint } from "../../messages" */
import { button, find, make } from "../dom.js";
import { notice, request } from "../http.js";
import { say } from "../words.js";
import { go } from "./connection.js";
import { entry } from "./entering.js";
import { arrangement } from "./fitting.js";
import { facts, now, path, whenChanged } from "./state.js";

const WHERE = 1, WHICH = 2, WHY = 3;
const NEXT = ["hintFirst", "hintWhich", "hintWhy", "hintFirst"]; // what the next press shows, by the step shown

const place = find("hint"), opener = /** @type {HTMLElement} */ (document.querySelector("[data-do=hint]"));
/** @type {{number: number, found: Hint, step: number} | null} */
let given = null; // for the position with that number

/** Show the next step of the hint. */
export async function hint() {
  go(null);
  entry.again();
  if (given && given.number === now.state?.number) {
    given.step = Math.min(WHY, given.step + 1);
    return show();
  }
  const number = now.state?.number;
  if (number === undefined) return;
  notice(say("hinting"));
  /** @type {Hint} */
  const found = await request("POST", `${path}/hint`, { language: facts.language, wide: now.wide, seat: now.side });
  if (number !== now.state?.number) return;
  notice("");
  given = { number, found, step: WHERE };
  show();
}

/** What has been told so far. @param {Hint} found @param {number} step */
function words({ where, words, why }, step) {
  const told = step === WHERE ? where : step === WHICH ? words : `${words} ${why}`;
  return make("p", { textContent: told });
}

function show() {
  const isHere = given !== null && given.number === now.state?.number && now.viewing === null && !now.pending;
  place.hidden = !isHere;
  opener.textContent = say(NEXT[isHere && given ? given.step : 0]);
  if (now.held) return; // a warning points at something else
  entry.board.spot(isHere && given?.step === WHERE ? given.found.targets : []);
  if (!isHere || !given) return;
  const { found, step } = given, key = `${given.number} ${step}`;
  entry.board.point(step === WHERE ? "" : found.arrows);
  if (place.dataset.shown === key) return;
  const focused = place.contains(document.activeElement);
  place.dataset.shown = key;
  const next = step === WHY ? [] : [button(say(NEXT[step]), () => void hint(), "small")];
  place.replaceChildren(words(found, step), ...next);
  if (focused) (next[0] ?? opener).focus({ preventScroll: true });
  if (arrangement() !== "beside") scrollTo({ top: 0 }); // to where it points: on a phone the button is far below
}

whenChanged((state) => {
  if (given && given.number !== state.number) given = null;
  if (given || !place.hidden) show();
});
