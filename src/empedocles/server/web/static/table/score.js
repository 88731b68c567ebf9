// The score at the table: what wins, in a few words, and the present score taken apart, with the reader's own side first.
/** @import { Tally, TableState } from "../../messages" */
import { make } from "../dom.js";
import { say } from "../words.js";
import { isGentle } from "../gentle.js";
import { facts, now, whenChanged } from "./state.js";

const WIDE = matchMedia("(min-width: 58rem) and (min-height: 50rem)"); // elsewhere the board needs the room

/** Numbers of all seats as a score. @param {{ order: number[] }} state @param {number[]} values */
export const inOrder = ({ order }, values) => order.map((seat) => signed(values[seat])).join("\u00a0:\u00a0");

/** @param {number} value */
export const signed = (value) => String(value).replace("-", "−");

/** The final score by the rules; "" if there is none, or it is not points that decide. @param {TableState} state */
export function finalScore(state) {
  const tally = now.frame?.tally;
  return !state.scores || state.ending || (tally && !tally.totals) ? "" : inOrder({ order: headline(state) }, state.scores);
}

/** The order in a result, one seat of each side: where no side is the reader's own, the winning one comes first. @param {TableState} state */
export function headline({ order, mine, winners }) {
  const own = new Set(mine.map((seat) => facts.sides[seat])).size === 1, won = new Set((winners ?? []).map((seat) => facts.sides[seat]));
  if (own) return order;
  const wins = (/** @type {number} */ seat) => won.has(facts.sides[seat]);
  return [...order.filter(wins), ...order.filter((seat) => !wins(seat))];
}

/** Whether it must be said what each of it is worth. @param {number} worth */
const counts = (worth) => worth !== 0 && worth !== 1;

/** @param {number} worth */
export const worthText = (worth) => (!counts(worth) ? "" : ` (${say("each", { n: signed(worth) }).replaceAll(" ", "\u00a0")})`);

/** The aim, the score and what it is made of, the most important first: where there is no room, whole phrases are left out. @param {TableState} state @param {Tally} tally */
function phrases(state, { aim, rows, totals, note }) {
  const phrase = (/** @type {(Node | string)[]} */ ...parts) => make("span", {}, ...parts);
  const told = rows.filter(({ values, worth }) => !counts(worth) || values.some(Boolean)); // a penalty that nobody has
  const untold = rows.filter((row) => !told.includes(row)).map(({ what, worth }) => phrase(`${what}: ${say("each", { n: signed(worth) })}`));
  /** @param {typeof rows} some */
  const parts = (some) => some.map(({ what, values, worth }) => phrase(`${what}${worthText(worth)}: ${inOrder(state, values)}`));
  const total = totals ? [make("b", { textContent: inOrder(state, totals) })] : [];
  const only = totals && told.length === 1 && told[0].worth === 1;
  const score = !totals ? [] : [only ? phrase(`${told[0].what}: `, ...total) : phrase(...total)];
  const unusual = [...parts(told.filter(({ worth }) => counts(worth))), ...untold], usual = only ? [] : parts(told.filter(({ worth }) => !counts(worth)));
  return [make("span", { className: "aim", textContent: aim }), ...score, ...unusual, ...(note ? [phrase(note)] : []), ...usual];
}

/** @type {HTMLDetailsElement | null} a game may not take its score apart */
const place = document.querySelector("details#goal");

if (place) {
  place.open = isGentle() && WIDE.matches;
  const summary = /** @type {HTMLElement} */ (place.querySelector("summary"));
  whenChanged((state) => {
    const tally = now.shown?.tally;
    if (!tally) return;
    const parts = phrases(state, tally), text = parts.map((part) => part.textContent).join();
    if (summary.dataset.shown === text) return;
    summary.dataset.shown = text;
    summary.replaceChildren(make("span", { className: "phrases" }, make("span", {}, ...parts)));
  });
}
