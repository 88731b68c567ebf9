// What is said about a match that is over, and what can be done next.
/** @import { NewTable, TableState } from "../../messages" */
import { button, make } from "../dom.js";
import { request } from "../http.js";
import { say } from "../words.js";
import { trying } from "./entering.js";
import { ruleLink } from "./interlude.js";
import { facts, nameOf, now, path } from "./state.js";

/** The side of the reader; null for watchers, and for people who share a device. @param {TableState} state */
export function ownSide({ mine }) {
  const sides = new Set(mine.map((seat) => facts.sides[seat]));
  return sides.size === 1 ? facts.sides[mine[0]] : null;
}

/** The seats of a side. @param {number} side */
export const seatsOf = (side) => facts.sides.flatMap((one, seat) => (one === side ? [seat] : []));

/** @param {TableState} state @returns {"won" | "lost" | "drawn" | "told" | "cancelled"} how it ended for the reader */
export function outcome(state) {
  const winners = state.winners ?? [], side = ownSide(state);
  if (state.ending === "cancelled") return "cancelled";
  if (!winners.length) return "drawn";
  if (side === null) return "told";
  return winners.some((seat) => facts.sides[seat] === side) ? "won" : "lost";
}

/** Who has won, in the reader's words. @param {TableState} state */
export function resultText(state) {
  const { mine, ending } = state, winners = state.winners ?? [], ended = outcome(state);
  if (ended === "cancelled") return say("cancelled");
  const how = ending ? ` ${say(`by-${ending}`)}` : "";
  if (ended === "drawn") return say("draw") + how;
  if (ended === "told") return say(winners.length > 1 ? "win" : "wins", { names: winners.map((seat) => nameOf(state, seat)).join(", ") }) + how;
  const alone = seatsOf(facts.sides[mine[0]]).every((seat) => mine.includes(seat));
  return say(ended === "won" ? (alone ? "youWin" : "teamWins") : alone ? "youLose" : "teamLoses") + how;
}

/** What ended it, in the rules' words, with the rule. @param {TableState} state @returns {{words: string, rule: string} | null} */
export function endedBy({ rule, ending, plies }) {
  if (!rule || ending) return null;
  const last = now.milestones.at(-1);
  return last?.ply === plies ? last : { words: facts.endings[rule], rule };
}

/** @param {TableState} state @returns {Node[]} */
export function whyParts(state) {
  const why = endedBy(state);
  return why ? [make("p", { className: "why" }, `${why.words} `, ruleLink(why.rule))] : [];
}

/** The one button for the next game. @param {TableState} state @returns {Node[]} */
export function nextGame({ next, mine, alone, seats }) {
  const bots = seats.some((seat) => seat.kind === "bot");
  if (!mine.length) return next ? [make("a", { className: "button primary", href: `/t/${next}`, textContent: say("toRematch") })] : [];
  if (alone && bots && facts.adapts) {
    const again = make("button", { className: "primary", textContent: say("playAgain") });
    return [make("form", { method: "post", action: `/play/${facts.game}` }, again)];
  }
  // Players ask the server even if a rematch exists: it may have been deleted, and is then opened again.
  return [button(say(next ? "toRematch" : alone ? "playAgain" : "rematch"), trying(rematch), "primary")];
}

/** What else can be done. @param {TableState} state @returns {HTMLElement[]} */
export function otherWays({ mine, alone, next, seats }) {
  const bots = seats.some((seat) => seat.kind === "bot");
  return mine.length && alone && bots && facts.adapts ? [button(say(next ? "toRematch" : "rematch"), trying(rematch), "plain")] : [];
}

async function rematch() {
  /** @type {NewTable} */
  const again = await request("POST", `${path}/rematch`);
  location.href = `/t/${again.id}`;
}
