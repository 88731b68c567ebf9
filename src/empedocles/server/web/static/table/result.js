// The result: first the last move stays in view for a moment, with the rule that ended the match; then a screen of its own.
/** @import { TableState } from "../../messages" */
import { button, every, find, make } from "../dom.js";
import { portrait } from "../faces.js";
import { chooseGentle, countMatch, mayLeave } from "../gentle.js";
import { say } from "../words.js";
import { nextGame, otherWays, outcome, ownSide, resultText, seatsOf, whyParts } from "./afterwards.js";
import { ruleLink } from "./interlude.js";
import { finalScore, headline, signed, worthText } from "./score.js";
import { setTitle } from "./signals.js";
import { changed, facts, isNamesake, nameOf, now, whenChanged } from "./state.js";
import { turningPoint } from "./turning.js";

const LOOK = 1200; // milliseconds for a look at the last move
const SPARKS = 20;
const JOY = 1500; // milliseconds until they are gone
const LEAST = 150, PEEK = 8; // pixels of a board above a sheet that are worth a look, and below the last move
const ELEMENTS = ["fire", "water", "earth", "air"];

const calm = matchMedia("(prefers-reduced-motion: reduce)");

/** @type {HTMLDialogElement | undefined} */
let dialog;
let timer = 0;
let wasPlaying = false; // the reader has seen the match end

// ── What it says ─────────────────────────────────────────────────────────────────────────────────────────────────────

/** Who the columns are about. @param {TableState} state @param {number} first seat of the side */
function heading(state, first) {
  const seats = seatsOf(facts.sides[first]), [seat] = seats, own = state.mine.filter((one) => seats.includes(one)).length;
  if (own && ownSide(state) !== null) return say(own === seats.length ? "You" : "yourTeam");
  return seats.length === 1 && !isNamesake(state, seat) ? nameOf(state, seat) : seats.map((one) => facts.seats[one]).join(", ");
}

/** The score taken apart: a row for what counts, a column for each side, in the order of the score above. @param {TableState} state */
function tallyParts(state) {
  const tally = now.frame?.tally;
  if (!tally || state.ending === "cancelled") return [];
  /** @param {string} name @param {string[]} cells @param {"td" | "th"} kind */
  const row = (name, cells, kind = "td") => {
    const scope = kind === "th" ? "col" : "row";
    const first = kind === "th" ? make("td") : make("th", { scope, textContent: name });
    return make("tr", {}, first, ...cells.map((textContent) => make(kind, kind === "th" ? { textContent, scope } : { textContent })));
  };
  const order = headline(state);
  /** @param {number[]} values */
  const cells = (values) => order.map((seat) => signed(values[seat]));
  const head = make("thead", {}, row("", order.map((seat) => heading(state, seat)), "th"));
  const body = make("tbody", {}, ...tally.rows.map(({ what, values, worth }) => row(what + worthText(worth), cells(values))));
  const foot = tally.totals ? [make("tfoot", {}, row(say("total"), cells(tally.totals)))] : [];
  const note = tally.note && !state.ending ? [make("p", { className: "small", textContent: tally.note })] : [];
  return [make("table", { className: "tally" }, head, body, ...foot), ...note];
}

/** The parts that ended before the last one did. @param {TableState} state */
function storyParts({ plies }) {
  const parts = now.milestones.filter((one) => one.ply < plies);
  return parts.length ? [make("ul", { className: "story" }, ...parts.map((one) => make("li", {}, `${one.words} `, ruleLink(one.rule))))] : [];
}

/** The bots that were played against. @param {TableState} state */
const botsOf = (state) => state.seats.filter(({ level }, seat) => level && facts.sides[seat] !== ownSide(state));

/** @param {TableState} state */
function faceParts(state) {
  const levels = new Set(botsOf(state).map(({ level }) => level ?? 1)); // nobody needs the same face twice
  const faces = [...levels].map((level) => portrait(facts.game, level, 72));
  return faces.length && state.mine.length ? [make("div", { className: "faces" }, ...faces)] : [];
}

/** To whoever lost: how to beat the one who won. @param {TableState} state */
function beatenParts(state) {
  const [bot] = botsOf(state), words = outcome(state) === "lost" && facts.beaten[bot?.level ?? 0];
  return words ? [make("p", { className: "small" }, make("b", { textContent: say("beat", { name: bot.name }) }), ` ${words}`)] : [];
}

/** After a few matches, the question whether to go on as gently. @param {TableState} state */
function gentleParts({ mine }) {
  if (!mine.length || !mayLeave()) return [];
  const answer = (/** @type {boolean} */ stay) => () => (chooseGentle(stay), changed());
  const buttons = make("div", { className: "buttons" }, button(say("stayGentle"), answer(true)), button(say("leaveGentle"), answer(false)));
  return [make("div", { className: "gentle" }, make("p", { textContent: say("askGentle") }), buttons)];
}

/** @param {TableState} state */
function content(state) {
  const title = make("h2", { id: "result-title", textContent: resultText(state) });
  const score = finalScore(state);
  if (score) title.append(" ", make("span", { className: "score", textContent: score }));
  const close = button("×", () => dialog?.close(), "plain close");
  close.setAttribute("aria-label", say("close"));
  const review = make("a", { className: "button", href: `/review/${facts.id}`, textContent: say("review") });
  const ways = make("div", { className: "buttons" }, ...nextGame(state), ...(state.ending === "cancelled" ? [] : [review]));
  const adapts = state.alone && state.mine.length && facts.adapts && state.seats.some((seat) => seat.kind === "bot");
  const hint = adapts ? [make("p", { className: "small soft", textContent: say("adapts") })] : [];
  const others = make("div", { className: "others" }, ...otherWays(state));
  return [close, ...faceParts(state), title, ...storyParts(state), ...whyParts(state), ...tallyParts(state), ...beatenParts(state), ways, ...turningPoint(state), ...hint, ...gentleParts(state), others];
}

// ── Showing it ───────────────────────────────────────────────────────────────────────────────────────────────────────

/** @param {TableState} state */
function fill(state) {
  if (!dialog) return;
  const parts = content(state), signature = parts.map((part) => part.textContent).join("|");
  if (dialog.dataset.shown === signature) return;
  const focused = dialog.contains(document.activeElement);
  dialog.dataset.shown = signature;
  dialog.replaceChildren(...parts, ...dialog.querySelectorAll(":scope > .sparks"));
  if (focused) dialog.focus();
  if (dialog.open) uncover(dialog); // it has grown, such as by its turning point
}

export function openResult() {
  const { state } = now;
  clearTimeout(timer);
  timer = 0;
  if (!state) return;
  if (!dialog) {
    dialog = make("dialog", { className: `result ${outcome(state)}`, tabIndex: -1 });
    dialog.setAttribute("aria-labelledby", "result-title");
    dialog.addEventListener("keydown", (event) => event.key === "Escape" && dialog?.close());
    dialog.addEventListener("close", () => (find("board").focus({ preventScroll: true }), changed()));
    find("table").append(dialog);
    fill(state);
    if (outcome(state) === "won" && wasPlaying && !calm.matches) dialog.append(sparks());
  }
  if (!dialog.open) dialog.show();
  dialog.focus({ preventScroll: true });
  uncover(dialog);
  changed();
}

/** Where the result is a sheet over the lower part of the board, bring the last move into view above it. @param {HTMLElement} sheet */
function uncover(sheet) {
  const top = innerHeight - sheet.offsetHeight, { position } = getComputedStyle(sheet);
  if (position !== "fixed" || top < LEAST) return;
  const ends = every("[data-layer=last] > *", find("board")).map((mark) => mark.getBoundingClientRect().bottom + PEEK);
  scrollBy({ top: Math.max(0, ...ends.map((end) => end - top)), behavior: calm.matches ? "instant" : "smooth" });
}

/** A little joy. */
function sparks() {
  const found = make("div", { className: "sparks" });
  found.setAttribute("aria-hidden", "true");
  for (let k = 0; k < SPARKS; k++) found.append(make("i", { className: ELEMENTS[k % ELEMENTS.length] }));
  setTimeout(() => found.remove(), JOY);
  return found;
}

/** Whether the result can be asked for: it was closed, or the last move is still looked at. */
export const mayOpen = () => now.state?.status === "over" && !dialog?.open;

whenChanged((state) => {
  if (state.status === "playing") wasPlaying = true;
  if (state.status !== "over") return;
  if (state.mine.length) countMatch();
  setTitle([resultText(state), finalScore(state)].filter(Boolean).join(" "));
  if (dialog) return fill(state);
  if (timer) return;
  if (!wasPlaying || calm.matches) return openResult();
  timer = setTimeout(openResult, LOOK);
});
find("board").addEventListener("click", () => timer && openResult());
