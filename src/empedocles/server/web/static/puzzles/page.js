// A puzzle: the reader enters a move, the server judges it, and the board shows what follows. Then comes the next puzzle.
/** @import { Help, Leads, PuzzleAnswer, PuzzleFacts, PuzzleSolution, PuzzleStep, PuzzleTurn, PuzzleView, Refutation } from "../../messages" */
import { CONFIRM } from "../choosing.js";
import { ask } from "../dialog.js";
import { field, find, make, one } from "../dom.js";
import { Entry } from "../entry.js";
import { Refusal, codeOf, request } from "../http.js";
import { data, problemWords, say } from "../words.js";
import { hideAbout, markStep, tellAbout } from "./about.js";
import { counts, noteAnswer, noteDay, notePassed, offered, run, skillIn, startOver, streak } from "./memory.js";

/** @type {PuzzleFacts} */
const facts = data("facts");
const page = one(".puzzle"), place = one(".board", page);
const [confirm, undo, again, solve] = [".confirm", ".undo", ".again", ".show"].map((name) => one(name, page));
/** @type {HTMLAnchorElement} */
const next = one(".next", page);
const LINGER = 80; // milliseconds on a target until the server is asked about it
const broad = matchMedia("(min-width: 60rem)"), still = matchMedia("(prefers-reduced-motion: reduce)");
const PACE = still.matches ? 400 : 900; // milliseconds from one move of a line to the next

/** What is going on. */
const now = {
  id: facts.id,
  /** @type {PuzzleTurn | null} */ turn: null,
  /** @type {string[]} */ found: [], // right moves so far
  moves: 1, // to be found in all
  seat: 0, // the solver's
  counts: false, // the next verdict is the first on this puzzle
  /** @type {"solving" | "wrong" | "done"} */ state: "solving",
  busy: true,
  change: "", // of the rating, by this puzzle
  /** @type {PuzzleStep[]} */ steps: [], // all that was played, to look at again
};

let turn = 0; // counts what is shown: answers about something earlier are ignored
let timer = 0;

const address = (/** @type {string} */ what = "") => `/puzzles/${facts.game}/${now.id}${what}`;
const shown = () => ({ language: facts.language, wide: broad.matches });
const pause = (/** @type {number} */ time) => new Promise((done) => setTimeout(done, time));

// ── Entering ─────────────────────────────────────────────────────────────────────────────────────────────────────────

/** @param {string} target */
const nameOf = (target) => now.turn?.targets[target] ?? target;

const entry = new Entry(place, {
  ready: () => now.state === "solving" && !now.busy,
  play: answer,
  refused: explain,
  changed() {
    const { choosing } = entry;
    render();
    if (!choosing.chosen.length) tell("", begin());
    else if (!choosing.move) follow(choosing.chosen);
  },
  look(target) {
    one(".spoken", page).textContent = document.activeElement === place ? nameOf(target) : "";
    clearTimeout(timer);
    timer = setTimeout(() => suggest(target), LINGER);
  },
  cancel: () => (now.state === "wrong" ? retry() : entry.back()),
});

const begin = () => now.turn?.prompt || say("begin");

/** Ask about a target in this position. @template T @param {"leads" | "why"} what @param {string} target @param {string[]} chosen before it @returns {Promise<T>} */
const about = (what, target, chosen) =>
  request("POST", `/positions/${what}`, { position: now.turn?.position, ...shown(), seat: now.seat, target, chosen });

/** Say what comes next. @param {string[]} chosen */
async function follow(chosen) {
  const { choosing } = entry;
  try {
    /** @type {Leads} */
    const { next, message, ghost = "" } = await about("leads", chosen.at(-1) ?? "", chosen.slice(0, -1));
    if (choosing !== entry.choosing || now.busy) return;
    tell("", next ?? message);
    entry.board.settle(ghost);
  } catch (problem) {
    tell("", problemWords(problem));
  }
}

/** Show what the target under the pointer would place. @param {string} target */
async function suggest(target) {
  const { choosing } = entry;
  if (now.state !== "solving" || now.busy || !choosing.targets.has(target)) return;
  /** @type {Partial<Leads>} */
  const { ghost = "" } = await about("leads", target, choosing.chosen).catch(() => ({}));
  if (choosing === entry.choosing && now.state === "solving") entry.board.suggest(target, ghost);
}

/** Say why a target cannot be chosen. @param {string} target @param {string[]} chosen */
async function explain(target, chosen) {
  try {
    /** @type {Help} */
    const { message, rule } = await about("why", target, chosen);
    tell("illegal", message ?? say("noMove"), rule ?? null);
  } catch (problem) {
    tell("", problemWords(problem));
  }
}

// ── Showing ──────────────────────────────────────────────────────────────────────────────────────────────────────────

function render() {
  const { targets, chosen } = entry.choosing, solving = now.state === "solving";
  entry.mark();
  confirm.hidden = !solving || !targets.has(CONFIRM);
  undo.hidden = !solving || !chosen.length || now.busy;
  again.hidden = now.state !== "wrong";
  solve.hidden = now.state === "done";
  solve.toggleAttribute("disabled", !now.id);
  next.hidden = now.state !== "done";
  page.dataset.state = now.state;
  find("step").textContent = now.moves > 1 && solving ? say("step", { n: now.found.length + 1, all: now.moves }) : "";
  const skill = skillIn(facts.game) ?? facts.skill;
  one(".rating", page).textContent = now.change ? say("rated", { rating: skill.rating, change: now.change }) : say("rating", { rating: skill.rating });
  one(".run", page).textContent = run() > 1 ? say("run", { n: run() }) : "";
  const days = facts.day ? streak(facts.day) : 0;
  one(".days", page).textContent = days > 1 ? say("days", { n: days }) : days ? say("day") : "";
}

/** @param {string} verdict @param {string} words @param {string | null} [rule] */
function tell(verdict, words, rule) {
  one(".answer", page).dataset.verdict = verdict;
  one(".verdict", page).textContent = verdict && say(verdict);
  const text = one(".words", page);
  text.textContent = words;
  if (!rule) return;
  const link = make("a", { href: `/rules/${facts.game}#${rule}`, target: "_blank", textContent: say("rule", { rule }) });
  text.append(" (", link, ")");
}

/** @param {PuzzleTurn} turn */
function offer(turn) {
  now.turn = turn;
  entry.offer(turn.choices);
  one(".status", page).replaceChildren(...turn.status.map((line) => make("li", { textContent: line })));
  one(".text", page).textContent = turn.text;
}

/** Show moves one after another, in words too. @param {string} verdict @param {PuzzleStep[]} steps @returns {Promise<boolean>} whether nothing else is shown meanwhile */
async function glide(verdict, steps) {
  const mine = turn;
  for (const [number, step] of steps.entries()) {
    if (number) await pause(PACE);
    if (mine !== turn) return false;
    entry.board.show(step.frame);
    tell(verdict, `${step.words}.`);
    markStep(now.steps.indexOf(step));
  }
  return true;
}

// ── Judging ──────────────────────────────────────────────────────────────────────────────────────────────────────────

/** What to send along for a verdict that counts. */
const counted = () => {
  const { mu, sigma } = skillIn(facts.game) ?? facts.skill;
  return now.counts ? { skill: { mu, sigma } } : {};
};

/** Note the first verdict on a puzzle, and say what it changes. @param {boolean} solved @param {PuzzleAnswer["skill"]} skill */
function count(solved, skill) {
  if (!now.counts || !skill) return;
  now.counts = false;
  notePassed(facts.game, now.id);
  const change = skill.rating - (skillIn(facts.game) ?? facts.skill).rating;
  now.change = `${change < 0 ? "−" : "+"}${Math.abs(change)}`;
  noteAnswer(facts.game, now.id, solved, skill);
}

let working = 0; // counts what was asked of the server

/** Do something that asks the server, and show problems. @param {() => Promise<void>} work @returns {Promise<string>} the problem's code, "" if there is none */
async function busily(work) {
  const mine = (working += 1);
  let code = "";
  now.busy = true;
  render();
  try {
    await work();
  } catch (problem) {
    code = codeOf(problem);
    tell(code === "illegal-move" ? "illegal" : now.state === "wrong" ? "wrong" : "", problemWords(problem), problem instanceof Refusal ? problem.rule : null);
    if (now.turn && now.state === "solving") entry.offer(now.turn.choices);
  }
  if (mine === working) now.busy = false;
  render();
  return code;
}

/** @param {string} move */
function answer(move) {
  return busily(async () => {
    const mine = (turn += 1), moves = [...now.found, move];
    /** @type {PuzzleAnswer} */
    const judged = await request("POST", address("/answers"), { moves, ...shown(), ...counted() });
    if (mine !== turn) return;
    count(judged.verdict === "solved", judged.skill);
    if (judged.verdict === "wrong") return refute(judged.steps, moves);
    now.found = moves;
    now.steps.push(...judged.steps);
    if (judged.about) finish("solved", judged.about);
    if (!(await glide(judged.about ? "solved" : "right", judged.steps)) || !judged.turn) return;
    offer(judged.turn);
    one(".words", page).append(" ", say("goOn"));
  });
}

/** Show a wrong move and what is wrong with it. @param {PuzzleStep[]} steps @param {string[]} moves */
async function refute(steps, moves) {
  const mine = turn;
  now.state = "wrong";
  tell("wrong", say("refuting"));
  render();
  entry.board.show(steps[0].frame);
  /** @type {Refutation} */
  const found = await request("POST", address("/refutations"), { moves, ...shown() });
  if (mine !== turn) return;
  tell("wrong", [found.words, found.answer && say("answer", { move: found.answer })].filter(Boolean).join(" "));
  if (found.frame) entry.board.show(found.frame);
}

/** Back to the position before a wrong move. */
function retry() {
  if (!now.turn) return;
  turn += 1;
  now.state = "solving";
  now.busy = false;
  entry.board.show(now.turn.frame);
  offer(now.turn);
  tell("", begin());
  render();
  place.focus({ preventScroll: true });
}

/** The solution, move by move. */
const show = () =>
  busily(async () => {
    const mine = (turn += 1);
    /** @type {PuzzleSolution} */
    const { steps, skill, about } = await request("POST", address("/solution"), { moves: now.found, ...shown(), ...counted() });
    if (mine !== turn) return;
    count(false, skill);
    now.steps.push(...steps);
    finish("shown", about);
    await glide("shown", steps);
  });

/** @param {"solved" | "shown"} verdict @param {NonNullable<PuzzleAnswer["about"]>} told */
function finish(verdict, told) {
  now.state = "done";
  notePassed(facts.game, now.id);
  if (verdict === "solved" && facts.day) noteDay(facts.game, facts.day);
  tellAbout(told, now.id, facts.game, (ply) => {
    turn += 1; // nothing else glides meanwhile
    glide(verdict, now.steps.slice(ply, ply + 1));
  });
  render();
  next.classList.add("primary");
  next.focus({ preventScroll: true });
}

// ── One puzzle after another ─────────────────────────────────────────────────────────────────────────────────────────

/** @returns {Promise<PuzzleView>} the puzzle of this page, or the next one at the reader's level */
function fetched() {
  if (now.id) return request("GET", address(`?${new URLSearchParams({ language: facts.language, wide: String(broad.matches) })}`));
  const { mu, sigma } = skillIn(facts.game) ?? facts.skill;
  return request("POST", `/puzzles/${facts.game}`, { ...shown(), skill: { mu, sigma }, seen: offered(facts.game), theme: facts.theme });
}

/** Show a puzzle as it begins. @param {PuzzleView} view */
function start(view) {
  Object.assign(now, { id: view.id, found: [], steps: [], moves: view.moves, seat: view.seat, state: "solving", change: "", counts: counts(facts.game, view.id) });
  find("task").textContent = view.task;
  entry.board.draw(view.picture);
  offer(view);
  tell("", begin());
  hideAbout();
}

const load = () =>
  busily(async () => {
    const mine = (turn += 1), view = await fetched();
    if (mine === turn) start(view);
  });

/** The next puzzle; the first again if all were seen and the reader likes. */
async function proceed() {
  now.id = "";
  if ((await load()) !== "no-puzzle") return place.focus({ preventScroll: true });
  if (!(await ask(say("allSeen"), say("startOver")))) return;
  startOver(facts.game);
  await proceed();
}

/** The same in another layout: the server draws it again. */
async function redraw() {
  const { found, state } = now;
  if (!now.id) return;
  await load();
  if (state === "done") return show();
  for (const move of found) await answer(move);
}

// ── Buttons ──────────────────────────────────────────────────────────────────────────────────────────────────────────

confirm.addEventListener("click", () => entry.choose(CONFIRM));
undo.addEventListener("click", () => entry.again());
again.addEventListener("click", retry);
solve.addEventListener("click", () => {
  if (now.state === "wrong") retry();
  show();
});
next.addEventListener("click", (event) => {
  if (facts.id || event.ctrlKey || event.metaKey || event.shiftKey) return; // as any link
  event.preventDefault();
  proceed();
});
one(".typed", page).addEventListener("submit", (event) => {
  event.preventDefault();
  const move = field("typed").value.trim();
  if (!move || now.busy || now.state === "done") return;
  if (now.state === "wrong") retry();
  field("typed").value = "";
  answer(move);
});
broad.addEventListener("change", redraw);
if (facts.id) load();
else proceed().then(() => place.blur());
