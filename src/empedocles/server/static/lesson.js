// A lesson: the reader enters a move by targets, the server judges it, the page obeys.
import { Board } from "./board.js";
import { CONFIRM, Choosing } from "./choosing.js";
import { notice, player, request } from "./http.js";
import { solve, solved } from "./progress.js";
import { data, problemWords, say } from "./words.js";

/** @type {{game: string, name: string, choices: [string, string][], names: Record<string, string>}} */
const facts = data("facts");
const lesson = /** @type {HTMLElement} */ (document.querySelector(".lesson"));
const find = (looks) => /** @type {any} */ (lesson.querySelector(looks));
const [confirm, restart, help, next] = [".confirm", ".again", ".help", ".next"].map(find);
const broad = matchMedia("(min-width: 60rem)");

const now = {
  choosing: new Choosing(facts.choices),
  played: false, // a move was judged and is shown
  busy: false,
  wide: find(".board").dataset.wide === "1",
};

// The position, arranged for wide pages and for narrow ones; the server guessed which comes first.
const drawings = new Map([[now.wide, find(".board").innerHTML], [!now.wide, find("template").innerHTML]]);

const board = new Board(find(".board"), {
  choose,
  lift(target) {
    if (now.played || now.busy || !now.choosing.targets.has(target)) return false;
    choose(target);
    return true;
  },
  drop(target) {
    if (target === now.choosing.chosen.at(-1)) return;
    if (now.choosing.targets.has(target)) return choose(target);
    const { chosen } = now.choosing;
    settle(now.choosing.back());
    if (target) judge({ chosen: [...chosen, target] });
  },
  look(target) {
    find(".spoken").textContent = document.activeElement === board.place ? (facts.names[target] ?? target) : "";
  },
  leave(cancelled = false) {
    if (cancelled) now.played ? again() : settle(now.choosing.back());
  },
});

function draw() {
  now.wide = broad.matches;
  board.draw(drawings.get(now.wide));
  render();
}

function render() {
  const open = !now.played && !now.busy;
  const { targets, chosen, draggable } = now.choosing;
  board.mark(open ? targets : new Set(), open ? chosen : [], open ? draggable : new Set());
  confirm.disabled = !open || !targets.has(CONFIRM);
  restart.disabled = now.busy || !(now.played || chosen.length);
}

// ── Entering ─────────────────────────────────────────────────────────────────────────────────────────────────────────

/** @param {string} target */
function choose(target) {
  const { choosing } = now;
  if (now.played || now.busy) return;
  if (choosing.targets.has(target)) settle(choosing.choose(target));
  else if (choosing.chosen.includes(target)) settle(choosing.back());
  else if (choosing.chosen.length && choosing.fresh().targets.has(target)) settle(choosing.fresh().choose(target));
  else if (target !== CONFIRM) judge({ chosen: [...choosing.chosen, target] });
}

/** @param {Choosing} choosing */
function settle(choosing) {
  now.choosing = choosing;
  if (choosing.move) return judge({ move: choosing.move });
  const names = choosing.chosen.map((target) => facts.names[target] ?? target);
  answer("", names.length ? say("chosen", { targets: names.join(", ") }) : say("begin"));
  render();
}

/** Ask the server what it thinks. @param {{move?: string, chosen?: string[], show?: boolean}} tried */
async function judge(tried) {
  now.busy = true;
  render();
  try {
    hear(await request("POST", `/lessons/${facts.game}/${lesson.dataset.number}`, { ...tried, wide: now.wide }));
  } catch (problem) {
    answer("", problemWords(problem));
  }
  if (!now.played && now.choosing.move) now.choosing = now.choosing.fresh();
  now.busy = false;
  render();
}

function hear({ verdict, words, rule, frame }) {
  answer(verdict, words, rule);
  now.played = Boolean(frame);
  if (frame) board.show(frame);
  if (verdict !== "right") return;
  solve(facts.game, facts.name);
  tick();
  next?.classList.add("primary");
  next?.focus({ preventScroll: true });
}

function again() {
  Object.assign(now, { choosing: now.choosing.fresh(), played: false });
  answer("", say("begin"));
  draw();
}

/** @param {string} verdict @param {string} words @param {string | null} [rule] */
function answer(verdict, words, rule) {
  find(".answer").dataset.verdict = verdict;
  find(".verdict").textContent = verdict && say(verdict);
  find(".words").textContent = words;
  if (!rule) return;
  const link = Object.assign(document.createElement("a"), { href: `/rules/${facts.game}#${rule}`, target: "_blank" });
  link.textContent = say("rule", { rule });
  find(".words").append(" (", link, ")");
}

/** Mark the lessons that are done. */
function tick() {
  const done = solved(facts.game);
  for (const link of lesson.querySelectorAll(".steps a")) {
    link.classList.toggle("done", done.has(link.dataset.name));
    link.querySelector(".state").textContent = done.has(link.dataset.name) ? `, ${say("solved")}` : "";
  }
}

// ── Buttons ──────────────────────────────────────────────────────────────────────────────────────────────────────────

confirm.addEventListener("click", () => choose(CONFIRM));
restart.addEventListener("click", again);
help.addEventListener("click", () => {
  find(".hint").hidden = !find(".hint").hidden;
  help.setAttribute("aria-expanded", String(!find(".hint").hidden));
});
find(".show").addEventListener("click", () => {
  again();
  judge({ show: true });
});
find(".typed").addEventListener("submit", (event) => {
  event.preventDefault();
  const move = find("#typed").value.trim();
  if (!move || now.busy) return;
  again();
  judge({ move });
});
if (next?.classList.contains("play")) {
  next.addEventListener("click", (event) => {
    event.preventDefault();
    play().catch((problem) => notice(problemWords(problem)));
  });
}

/** A match against the weakest opponent. */
async function play() {
  await player(say("guest"));
  const others = Array.from({ length: Number(next.dataset.seats) - 1 }, () => ({ kind: "bot", agent: "level-1" }));
  const table = await request("POST", "/matches", { game: facts.game, seats: [{ kind: "me" }, ...others], listed: false });
  location.href = `/t/${table.id}`;
}

broad.addEventListener("change", again);
tick();
if (now.wide === broad.matches) render();
else draw();
