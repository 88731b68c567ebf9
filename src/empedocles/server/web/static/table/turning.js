// The turning point of a match that is over, or else its costliest move, with the way into its review. The server may need a while to find it.
/** @import { TableState, TurningPoint } from "../../messages" */
import { make } from "../dom.js";
import { request } from "../http.js";
import { say } from "../words.js";
import { ownSide } from "./afterwards.js";
import { changed, facts, nameOf, path } from "./state.js";

/** @type {TurningPoint | null} */
let found = null;
let asked = false, answered = false;

async function ask() {
  asked = true;
  try {
    found = await request("GET", `${path}/turning-point?language=${facts.language}`);
  } catch {
    // it is an extra: a busy server, or people who are playing one of these positions, come first
  }
  answered = true;
  changed();
}

/** One line until it is found, below the buttons, so that these stay under the reader's finger. @param {TableState} state @returns {HTMLElement[]} */
export function turningPoint(state) {
  if (state.ending === "cancelled" || !state.plies) return [];
  if (!asked) void ask();
  if (!found) return [make("p", { className: "small soft", id: "turning", textContent: say(answered ? "noTurning" : "seeking") })];
  const { ply, seat, turned, words, chances: [before, after] } = found;
  const fell = say(ownSide(state) === facts.sides[seat] ? "yourChances" : "chances", { name: nameOf(state, seat), before, after });
  const link = make("a", { href: `/review/${facts.id}#${ply + 1}`, textContent: say("seeTurning") });
  return [make("p", { className: "turning", id: "turning" }, make("span", {}, make("b", { textContent: `${say(turned ? "turning" : "costliest")} ` }), `${words}. ${fell} `, link))];
}
