// When a match is over: its result, what can be done next, and whether chance was fair.
/** @import { Draws, NewTable, TableState } from "../../messages" */
import { button, make } from "../dom.js";
import { notice, request } from "../http.js";
import { recall, store } from "../storage.js";
import { say } from "../words.js";
import { trying } from "./entering.js";
import { check } from "./shuffles.js";
import { facts, nameOf, path, whenChanged } from "./state.js";

const promise = `promise:${facts.id}`;

/** @param {TableState} state */
export function resultText(state) {
  const { mine, ending } = state, winners = state.winners ?? [];
  const how = ending ? ` ${say(`by-${ending}`)}` : "";
  if (!winners.length) return say("draw") + how;
  const sides = new Set(mine.map((seat) => facts.sides[seat]));
  if (sides.size === 1) return say(winners.includes(mine[0]) ? "youWin" : "youLose") + how;
  return say(winners.length > 1 ? "win" : "wins", { names: winners.map((seat) => nameOf(state, seat)).join(", ") }) + how;
}

/** @param {TableState} state @returns {Node[]} */
function ways({ next, mine, alone }) {
  const signs = [];
  // Players ask the server even for one that was begun: it may have been deleted, and is begun anew then.
  if (mine.length) signs.push(button(say(next ? "toRematch" : "rematch"), trying(rematch), "primary"));
  else if (next) signs.push(make("a", { className: "button primary", href: `/t/${next}`, textContent: say("toRematch") }));
  signs.push(make("a", { className: "button", href: `/review/${facts.id}`, textContent: say("review") }));
  const opponent = make("button", { textContent: say("nextOpponent") });
  if (alone && mine.length) signs.push(make("form", { method: "post", action: `/play/${facts.game}` }, opponent));
  if (facts.chance) signs.push(button(say("checkShuffles"), trying(checkShuffles)));
  return signs;
}

/** @param {TableState} state */
export function overParts(state) {
  if (state.status !== "over") return [];
  const scores = make("span", { className: "soft", textContent: state.scores ? ` ${state.scores.join(" : ")}` : "" });
  const result = make("p", { textContent: resultText(state) });
  result.append(scores);
  return [make("div", { className: "line result" }, result, make("div", { className: "buttons" }, ...ways(state)))];
}

async function rematch() {
  /** @type {NewTable} */
  const again = await request("POST", `${path}/rematch`);
  location.href = `/t/${again.id}`;
}

// What was promised while the match ran, as this browser saw it.
whenChanged(({ commitment }) => {
  if (facts.chance && !recall(promise, "")) store(promise, commitment);
});

async function checkShuffles() {
  notice(say("checking"));
  /** @type {Draws & {secret: string}} */
  const told = await request("GET", `${path}/draws`);
  const { wrong, kept } = await check(told, recall(promise, told.commitment));
  const n = told.draws.length;
  if (wrong !== null) notice(say("unfair", { ply: wrong + 1 }));
  else notice(kept === null ? say("noCheck", { n }) : say(kept ? "fair" : "badSecret", { n }));
}
