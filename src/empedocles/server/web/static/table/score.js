// The score at the table: what wins, in a few words, and the present score taken apart, with the reader's own side first.
/** @import { Tally, TableState } from "../../messages" */
import { make } from "../dom.js";
import { say } from "../words.js";
import { isGentle } from "../gentle.js";
import { facts, now, whenChanged } from "./state.js";

const WIDE = matchMedia("(min-width: 58rem) and (min-height: 40rem)"); // elsewhere the board needs the room

/** Numbers of all seats as a score. @param {{ order: number[] }} state @param {number[]} values */
export const inOrder = ({ order }, values) => order.map((seat) => signed(values[seat])).join("\u00a0:\u00a0");

/** @param {number} value */
export const signed = (value) => String(value).replace("-", "−");

/** The final score by the rules; "" if there is none, or it is not points that decide. @param {TableState} state */
export function finalScore(state) {
  const tally = now.frame?.tally;
  return !state.scores || state.ending || (tally && !tally.totals) ? "" : inOrder({ order: headline(state) }, state.scores);
}

/** The order of the final score: where no side is the reader's own, the winner comes first. @param {TableState} state */
function headline({ order, mine, winners }) {
  const own = new Set(mine.map((seat) => facts.sides[seat])).size === 1;
  return own || !winners?.length ? order : [...winners, ...order.filter((seat) => !winners.includes(seat))];
}

/** Whether it must be said what each of it is worth. @param {number} worth */
const counts = (worth) => worth !== 0 && worth !== 1;

/** @param {number} worth */
export const worthText = (worth) => (!counts(worth) ? "" : ` (${say("each", { n: signed(worth) }).replaceAll(" ", "\u00a0")})`);

/** @param {TableState} state @param {Tally} tally @returns {(Node | string)[]} */
function line(state, { aim, rows, totals, note }) {
  const told = rows.filter(({ values, worth }) => !counts(worth) || values.some(Boolean)); // a penalty that nobody has is no news
  const parts = told.map(({ what, values, worth }) => `${what}:\u00a0${inOrder(state, values)}${worthText(worth)}`);
  const total = make("b", { textContent: totals ? inOrder(state, totals) : "" });
  const only = totals && told.length === 1 && told[0].worth === 1;
  const rest = [only ? "" : parts.join(", "), note].filter(Boolean).join(" · ");
  const between = !rest || !totals ? "" : only ? " · " : " = ";
  return [make("span", { className: "aim", textContent: `${aim}: ` }), only ? `${told[0].what}: ` : "", total, between + rest];
}

/** @type {HTMLDetailsElement | null} a game may not take its score apart */
const place = document.querySelector("details#goal");

if (place) {
  place.open = isGentle() && WIDE.matches;
  const summary = /** @type {HTMLElement} */ (place.querySelector("summary"));
  whenChanged((state) => {
    const tally = now.shown?.tally;
    if (!tally) return;
    const parts = line(state, tally), text = parts.map((part) => (typeof part === "string" ? part : part.textContent)).join("");
    if (summary.textContent === text) return;
    summary.replaceChildren(...parts);
  });
}
