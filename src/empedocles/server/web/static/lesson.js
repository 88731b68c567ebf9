// A lesson: the reader enters a move, the server judges it, the page shows the answer.
/** @import { Leads, LessonFacts, NewTable, Verdict } from "../messages" */
/** @import { Choosing } from "./choosing.js" */
import { CONFIRM } from "./choosing.js";
import { every, field, make, one } from "./dom.js";
import { Entry } from "./entry.js";
import { notice, player, request } from "./http.js";
import { solve, solved } from "./progress.js";
import { data, problemWords, say } from "./words.js";

/** @type {LessonFacts} */
const facts = data("facts");
const lesson = one(".lesson");
const place = one(".board", lesson), help = one(".help", lesson), hint = one(".hint", lesson);
const [confirm, restart] = /** @type {HTMLButtonElement[]} */ ([one(".confirm", lesson), one(".again", lesson)]);
/** @type {HTMLAnchorElement | null} */
const next = lesson.querySelector(".next");
const LINGER = 80; // milliseconds on a target until the server is asked about it
const broad = matchMedia("(min-width: 60rem)");

const now = {
  played: false, // a move was judged and is shown
  busy: false,
  wide: place.dataset.wide === "1",
};

// The position in two layouts, for wide and for narrow pages; the server guessed which comes first.
const drawings = new Map([[now.wide, place.innerHTML], [!now.wide, one("template", lesson).innerHTML]]);

let timer = 0; // until the server is asked about a target

/** @param {string} target */
const nameOf = (target) => facts.names[target] ?? target;

const entry = new Entry(place, {
  ready: () => !now.played && !now.busy,
  play: (move) => judge({ move }),
  refused: (target, chosen) => judge({ chosen: [...chosen, target] }),
  changed() {
    const { choosing } = entry;
    render();
    if (!choosing.chosen.length) answer("", say("begin"));
    else if (!choosing.move) follow(choosing);
  },
  look(target) {
    one(".spoken", lesson).textContent = document.activeElement === place ? nameOf(target) : "";
    clearTimeout(timer);
    timer = setTimeout(() => suggest(target), LINGER);
  },
  cancel: () => (now.played ? again() : entry.back()),
});
entry.offer(facts.choices);

function draw() {
  now.wide = broad.matches;
  entry.board.draw(drawings.get(now.wide) ?? "");
  render();
}

function render() {
  const { targets, chosen } = entry.choosing;
  entry.mark();
  confirm.hidden = now.played || !targets.has(CONFIRM);
  restart.hidden = !now.played && !chosen.length;
}

/** What choosing a target would mean. @param {string[]} before chosen ones @param {string} target @returns {Promise<Leads>} */
function ask(before, target) {
  const query = new URLSearchParams([...before.map((one) => ["chosen", one]), ["target", target], ["wide", String(now.wide)]]);
  return request("GET", `/lessons/${facts.game}/${lesson.dataset.number}/leads?${query}`);
}

/** Say what comes next. @param {Choosing} choosing */
async function follow(choosing) {
  try {
    const { next, message, ghost = "" } = await ask(choosing.chosen.slice(0, -1), choosing.chosen.at(-1) ?? "");
    if (choosing !== entry.choosing || now.busy) return;
    answer("", next ?? message);
    entry.board.settle(ghost);
  } catch (problem) {
    answer("", problemWords(problem));
  }
}

/** Show what the target under the pointer would place. @param {string} target */
async function suggest(target) {
  const { choosing } = entry;
  if (now.played || now.busy || !choosing.targets.has(target)) return;
  const { ghost = "" } = await ask(choosing.chosen, target).catch(() => ({ ghost: "" }));
  if (choosing === entry.choosing && !now.played) entry.board.suggest(target, ghost);
}

// ── Judging ──────────────────────────────────────────────────────────────────────────────────────────────────────────

/** Ask the server for its verdict. @param {{move?: string, chosen?: string[], show?: boolean}} tried */
async function judge(tried) {
  now.busy = true;
  render();
  try {
    hear(await request("POST", `/lessons/${facts.game}/${lesson.dataset.number}`, { ...tried, wide: now.wide }));
  } catch (problem) {
    answer("", problemWords(problem));
  }
  if (!now.played && entry.choosing.move) entry.offer(facts.choices);
  now.busy = false;
  render();
}

/** @param {Verdict} judgement */
function hear({ verdict, words, rule, frame }) {
  answer(verdict, words, rule);
  now.played = Boolean(frame);
  if (frame) entry.board.show(frame);
  if (verdict !== "right") return;
  solve(facts.game, facts.name);
  tick();
  next?.classList.add("primary");
  next?.focus({ preventScroll: true });
}

function again() {
  entry.offer(facts.choices);
  now.played = false;
  answer("", say("begin"));
  draw();
}

/** @param {string} verdict @param {string} words @param {string | null} [rule] */
function answer(verdict, words, rule) {
  one(".answer", lesson).dataset.verdict = verdict;
  one(".verdict", lesson).textContent = verdict && say(verdict);
  const text = one(".words", lesson);
  text.textContent = words;
  if (!rule) return;
  const link = make("a", { href: `/rules/${facts.game}#${rule}`, target: "_blank", textContent: say("rule", { rule }) });
  text.append(" (", link, ")");
}

/** Mark the lessons that are done. */
function tick() {
  const done = solved(facts.game);
  for (const link of every(".steps a", lesson)) {
    const is = done.has(link.dataset.name ?? "");
    link.classList.toggle("done", is);
    one(".state", link).textContent = is ? `, ${say("solved")}` : "";
  }
}

// ── Buttons ──────────────────────────────────────────────────────────────────────────────────────────────────────────

confirm.addEventListener("click", () => entry.choose(CONFIRM));
restart.addEventListener("click", again);
help.addEventListener("click", () => {
  hint.hidden = !hint.hidden;
  help.setAttribute("aria-expanded", String(!hint.hidden));
});
one(".show", lesson).addEventListener("click", () => {
  again();
  judge({ show: true });
});
one(".typed", lesson).addEventListener("submit", (event) => {
  event.preventDefault();
  const move = field("typed").value.trim();
  if (!move || now.busy) return;
  again();
  judge({ move });
});
if (next?.classList.contains("play")) {
  next.addEventListener("click", (event) => {
    event.preventDefault();
    play(Number(next.dataset.seats)).catch((problem) => notice(problemWords(problem)));
  });
}

/** A match against the weakest opponent. @param {number} seats */
async function play(seats) {
  await player(say("guest"));
  const others = Array.from({ length: seats - 1 }, () => ({ kind: "bot", agent: "level-1" }));
  /** @type {NewTable} */
  const table = await request("POST", "/matches", { game: facts.game, seats: [{ kind: "me" }, ...others], listed: false });
  location.href = `/t/${table.id}`;
}

broad.addEventListener("change", again);
tick();
if (now.wide === broad.matches) render();
else draw();
