// When a match is over: its result, what can be done next, and whether chance was fair.
/** @import { NewTable, TableState } from "../../messages" */
import { button, make } from "../dom.js";
import { request } from "../http.js";
import { say } from "../words.js";
import { trying } from "./entering.js";
import { chooseGentle, countMatch, mayLeave } from "./gentle.js";
import { checkShuffles, saveProof } from "./shuffle.js";
import { changed, facts, nameOf, path } from "./state.js";

/** @param {TableState} state */
export function resultText(state) {
  const { mine, ending } = state, winners = state.winners ?? [];
  if (ending === "cancelled") return say("cancelled");
  const how = ending ? ` ${say(`by-${ending}`)}` : "";
  if (!winners.length) return say("draw") + how;
  const sides = new Set(mine.map((seat) => facts.sides[seat]));
  if (sides.size === 1) return say(winners.includes(mine[0]) ? "youWin" : "youLose") + how;
  return say(winners.length > 1 ? "win" : "wins", { names: winners.map((seat) => nameOf(state, seat)).join(", ") }) + how;
}

/** @param {TableState} state @returns {Node[]} */
function ways({ next, mine, alone, ending }) {
  const signs = [];
  // Players ask the server even if a rematch exists: it may have been deleted, and is then opened again.
  if (mine.length) signs.push(button(say(next ? "toRematch" : "rematch"), trying(rematch), "primary"));
  else if (next) signs.push(make("a", { className: "button primary", href: `/t/${next}`, textContent: say("toRematch") }));
  signs.push(make("a", { className: "button", href: `/review/${facts.id}`, textContent: say("review") }));
  const opponent = make("button", { textContent: say("nextOpponent") });
  if (alone && mine.length) signs.push(make("form", { method: "post", action: `/play/${facts.game}` }, opponent));
  if (facts.chance && ending !== "cancelled") {
    signs.push(button(say("checkShuffles"), trying(checkShuffles)), button(say("saveProof"), saveProof));
  }
  return signs;
}

/** What ended it, with the rule that says so. @param {TableState} state @returns {Node[]} */
function reason({ rule, ending }) {
  if (!rule || ending) return [];
  const link = make("a", { className: "soft", href: `/rules/${facts.game}#${rule}`, textContent: rule });
  return [make("br", {}), make("span", { textContent: `${facts.endings[rule]} ` }), link];
}

/** @param {TableState} state */
export function overParts(state) {
  if (state.status !== "over") return [];
  if (state.mine.length) countMatch();
  const scores = make("span", { className: "soft", textContent: scoreText(state) });
  const result = make("p", { textContent: resultText(state) });
  result.append(scores, ...reason(state));
  const adapts = state.alone && state.mine.length ? [make("p", { className: "small soft", textContent: say("adapts") })] : [];
  return [make("div", { className: "line result" }, result, make("div", { className: "buttons" }, ...ways(state)), ...adapts), ...gentleParts(state)];
}

/** The scores, with the viewer's own side first. @param {TableState} state */
function scoreText({ scores, mine }) {
  if (!scores) return "";
  const own = mine.length ? facts.sides[mine[0]] : 0;
  const order = scores.map((_, seat) => seat).sort((one, two) => Number(facts.sides[one] !== own) - Number(facts.sides[two] !== own));
  return ` ${order.map((seat) => scores[seat]).join(" : ")}`;
}

/** After a few matches, the question whether to go on as gently. @param {TableState} state */
function gentleParts({ mine }) {
  if (!mine.length || !mayLeave()) return [];
  const answer = (/** @type {boolean} */ stay) => () => (chooseGentle(stay), changed());
  const buttons = make("div", { className: "buttons" }, button(say("stayGentle"), answer(true)), button(say("leaveGentle"), answer(false)));
  return [make("div", { className: "line" }, make("p", { textContent: say("askGentle") }), buttons)];
}

async function rematch() {
  /** @type {NewTable} */
  const again = await request("POST", `${path}/rematch`);
  location.href = `/t/${again.id}`;
}
