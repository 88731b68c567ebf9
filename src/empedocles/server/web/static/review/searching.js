// The search in this browser: what it finds in the position shown, with the numbers moving, and its button.
/** @import { Evaluation as Answer, Lines, PositionState } from "../../messages" */
/** @import { Evaluation, Report } from "../engine/worker.js" */
import { Thinker } from "../engine/thinker.js";
import { button, find, make } from "../dom.js";
import { codeOf, notice, request } from "../http.js";
import { News } from "../news.js";
import { recall, store } from "../storage.js";
import { problemWords, say } from "../words.js";
import { SHOWN, label, triedLine } from "./describing.js";
import { changed, facts, here, keyHere, state, valueOf, whenMoved } from "./state.js";
import { walk } from "./walking.js";

const LINES = [SHOWN, 1, 1]; // moves of each line shown: the rows keep their height while the numbers move
const AT_FIRST = 30_000; // milliseconds it thinks unless asked to think on: a phone is to last
const ASK = 500; // milliseconds between two questions for words
const POINT = 2000; // milliseconds between two changes of what the rest of the page says
const SPEAK = 6000; // milliseconds between two remarks for those who listen

/** @typedef {"off" | "loading" | "going" | "stopped" | "done"} Mode */

/** @type {News<void>} */
const losses = new News();
/** The Worker is lost: the server has to think. @param {() => void} hear */
export const whenLost = (hear) => losses.when(hear);

const thinker = facts.engine && new Thinker(facts.engine, hear, lose);
let isLost = !thinker;
/** @type {Mode} */
let mode = "off";
/** @type {Report | null} */
let latest = null;
let limit = 0; // the timer that ends it
let pointed = 0, spoken = 0; // when it last did
let isOwed = false; // whether it is to speak once it has words

const isWanted = () => recall("searching", true);

/** Search the position shown in this browser. @param {() => boolean} isShown still @returns {Promise<boolean>} whether it does; else the server has to */
export async function searchHere(isShown) {
  if (isLost) return false;
  if (state.live) return true; // the same position, drawn again
  find("searching").hidden = false;
  show();
  if (!isWanted()) return false;
  try {
    await begin(isShown);
    return true;
  } catch {
    return false; // the server says why, when it is asked to think
  }
}

/** @param {() => boolean} isShown @param {number} time */
async function begin(isShown, time = AT_FIRST) {
  turnTo("loading", time);
  try {
    /** @type {PositionState} */
    const answer = await request("POST", "/positions/state", here());
    if (!isShown()) return;
    state.live = [];
    [latest, pointed, spoken] = [null, 0, performance.now()];
    thinker?.search(Uint8Array.from(answer.state));
    if (mode === "stopped") thinker?.stop(); // meanwhile
    changed();
  } catch (problem) {
    if (isShown()) turnTo("off");
    throw problem;
  }
}

function lose() {
  isLost = true;
  leave();
  find("searching").hidden = true;
  losses.tell();
}

function leave() {
  state.live = null;
  latest = null;
  words.clear();
  if (mode === "off") return;
  thinker?.stop();
  turnTo("off");
}

/** @param {Mode} now @param {number} time until it stops by itself */
function turnTo(now, time = Infinity) {
  mode = now;
  clearTimeout(limit);
  if (time < Infinity) limit = setTimeout(stop, time);
  show();
}

function stop() {
  thinker?.stop();
  turnTo("stopped");
  speak();
  ask();
}

// ── Its button ───────────────────────────────────────────────────────────────────────────────────────────────────────

const isBusy = () => mode === "loading" || mode === "going";

async function press() {
  const position = keyHere(), isStopping = isBusy();
  store("searching", !isStopping);
  if (isStopping) return stop();
  if (mode === "stopped" && state.live) return goOn();
  try {
    await begin(() => position === keyHere(), Infinity);
  } catch (problem) {
    notice((codeOf(problem) && problemWords(problem)) || say("failed"));
  }
}

/** @param {number} time until it stops by itself */
function goOn(time = Infinity) {
  thinker?.resume();
  turnTo(latest ? "going" : "loading", time);
}

let isResting = false; // while nobody sees it
document.addEventListener("visibilitychange", () => {
  if (!document.hidden && isResting && mode === "stopped") goOn(AT_FIRST);
  isResting = document.hidden && isBusy();
  if (isResting) stop();
});

// ── What it finds ────────────────────────────────────────────────────────────────────────────────────────────────────

/** @param {Report} report */
function hear(report) {
  if (!state.live || mode === "stopped") return; // one may be on its way when it is stopped
  latest = report;
  if (report.done) turnTo("done");
  else if (mode === "loading") mode = "going";
  update();
  if (report.done) speak();
  ask();
}

/** Show what is known now. */
function update() {
  if (!latest) return;
  const before = best(), now = performance.now();
  state.live = latest.evaluations.map(told);
  show();
  if (isOwed || (now - spoken > SPEAK && before !== best())) speak();
  if (now - pointed < POINT && !latest.done) return;
  pointed = now;
  changed();
}

const best = () => state.live?.[0]?.move;

function speak() {
  const [first] = state.live ?? [];
  isOwed = Boolean(first && !words.has(first.move) && !isMute);
  if (!first || isOwed) return;
  spoken = performance.now();
  find("best").textContent = say("nowBest", { move: first.words, value: valueOf(first) });
}

/** @param {Evaluation} found @returns {Answer} */
function told({ move, value, proven, points, line }) {
  /** @type {[string, string][]} */
  const worded = [];
  for (const [k, each] of line.slice(0, SHOWN).entries()) {
    const known = words.get(line.slice(0, k + 1).join(" "));
    if (known === undefined && !isMute) break; // it is asked for
    worded.push([each, known ?? each]);
  }
  return { move, words: worded[0]?.[1] ?? move, value, said: said(value, proven, points), proven, points, line: worded };
}

const figure = new Intl.NumberFormat(facts.language, { minimumFractionDigits: 2, maximumFractionDigits: 2, signDisplay: "always" });
const short = new Intl.NumberFormat(facts.language, { notation: "compact", maximumFractionDigits: 1 });

/** A value as the server says it. @param {number} value @param {boolean} proven @param {number | null} points */
function said(value, proven, points) {
  if (!proven) return figure.format(Math.round(100 * value) / 100 + 0);
  const word = say(value > 0 ? "win" : value < 0 ? "loss" : "draw");
  if (points !== null) return `${word} ${points < 0 ? "" : "+"}${points}`;
  return [-1, 0, 1].includes(value) ? word : say("exactly", { value: figure.format(value) });
}

// ── Words ────────────────────────────────────────────────────────────────────────────────────────────────────────────

/** Of the last of some moves from here. @type {Map<string, string>} */
const words = new Map();
let asking = false, asked = 0;
let isMute = false; // whether the server does not answer: notation will do

/** Ask the server for words that are missing, once for all moves that are shown. */
async function ask() {
  const position = keyHere(), now = performance.now();
  const lines = (latest?.evaluations ?? []).map(({ line }, k) => line.slice(0, LINES[k])).filter((line) => !words.has(line.join(" ")));
  if (asking || !lines.length || (isBusy() && now - asked < ASK)) return;
  asking = true;
  asked = now;
  try {
    /** @type {Lines} */
    const answer = await request("POST", "/positions/lines", { ...here(), lines });
    isMute = false;
    if (position === keyHere()) lines.forEach((line, k) => learn(line, answer.lines[k]));
  } catch {
    isMute = true;
  }
  asking = false;
  if (position === keyHere()) update();
  if (!isMute) ask();
}

/** @param {string[]} line @param {string[]} worded shorter if it ends with a chance move */
function learn(line, worded) {
  line.forEach((move, k) => words.set(line.slice(0, k + 1).join(" "), worded[k] ?? move));
}

// ── Showing ──────────────────────────────────────────────────────────────────────────────────────────────────────────

// Rows stay, and only their texts change: a button that is replaced while it is pressed would do nothing.
const rows = LINES.map((length, row) => {
  const value = make("b", { className: "value" }), line = make("span", { className: "line" });
  const visits = make("span", { className: "soft visits" });
  const steps = Array.from({ length }, (_, k) => button("", () => follow(row, k), "move"));
  line.append(...steps);
  return { place: make("p", { className: "from" }, value, line, visits), value, steps, visits };
});

/** Go to the position after some moves of a line. @param {number} row @param {number} k */
function follow(row, k) {
  const line = state.live?.[row]?.line;
  if (line) walk(state.ply, [...triedLine(state.at), ...line.slice(0, k + 1)]);
}

function show() {
  if (isLost) return;
  const found = state.live ?? [];
  rows.forEach(({ place, value, steps, visits }, k) => {
    const evaluation = found[k], count = latest?.evaluations[k]?.visits;
    place.classList.toggle("empty", !evaluation);
    put(value, evaluation ? valueOf(evaluation) : "");
    put(visits, count ? short.format(count) : "");
    visits.title = count ? say("visits", { number: count }) : "";
    steps.forEach((step, at) => relabel(step, evaluation?.line[at]));
  });
  find("found").hidden = mode === "off" && !isWanted(); // else it keeps its room from position to position
  put(find("search"), say(isBusy() ? "pauseSearch" : mode === "stopped" ? "searchOn" : "search"));
  find("search").hidden = mode === "done";
  put(find("counted"), counted());
  find("counted").title = latest ? say("memory", { megabytes: Math.ceil(latest.bytes / 1e6) }) : "";
}

function counted() {
  if (mode === "loading") return say("loading");
  if (!latest) return "";
  const { done, simulations, evaluations } = latest;
  if (done && evaluations[0]?.proven) return say("settled");
  return say("counted", { number: short.format(simulations), depth: evaluations[0]?.line.length ?? 0 });
}

/** @param {HTMLElement} place @param {string} text */
function put(place, text) {
  if (place.textContent !== text) place.textContent = text;
}

/** @param {HTMLButtonElement} step @param {[string, string]} [move] */
function relabel(step, move) {
  const key = move?.join("\n") ?? "";
  step.hidden = !move;
  if (step.dataset.key === key) return;
  step.dataset.key = key;
  if (move) label(step, ...move);
}

if (thinker) {
  find("found").append(...rows.map(({ place }) => place));
  find("search").addEventListener("click", press);
  whenMoved(leave);
}
