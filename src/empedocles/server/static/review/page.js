// The review page. One state says where we are: a ply of the match, and moves that are tried from there.

import { notice, player, request } from "../http.js";
import { follow } from "./analysis.js";
import { offer, patch, still } from "./board.js";
import { CONFIRM, filter } from "./choosing.js";
import { draw as drawGraph, kind } from "./graph.js";

/** @typedef {{move: string, words: string, mover: number}} Tried */

const facts = JSON.parse(document.getElementById("facts").textContent);
const words = JSON.parse(document.getElementById("words").textContent);
const find = (id) => document.getElementById(id);
const say = (text, values) => text.replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);
const CHUNK = 50, CHANCE = -1, SETTLE = 140;
const SLIGHT = 0.05; // a better move that is hardly better is shown dimly

const state = {
  ply: 0, // of the match
  /** @type {Tried[]} */ tried: [], // moves tried from there
  at: 0, // how many of them are shown
  luck: 0, // for chance in what is tried
  /** @type {string[]} */ chosen: [], // targets of a move being entered
  /** @type {any} */ view: null, // what the server says about the position shown
  /** @type {any[] | null} */ answers: null, // what the engine says about it
  playing: 0, // the timer of the replay
};
const remarks = new Map(); // by ply
let board = null, turn = 0, layout = 0, done = false;
const chunks = new Map();
const wide = matchMedia("(min-width: 40rem)");

// ── Where we are ──

const moves = () => state.tried.slice(0, state.at).map((tried) => tried.move);
const onMatch = () => state.at === 0;
const here = () => ({ match: facts.id, ply: state.ply, moves: moves(), luck: state.luck, language: facts.language });

/** Go to a ply of the match, and leave what was tried. */
function go(ply) {
  Object.assign(state, { ply: Math.max(0, Math.min(facts.plies, ply)), tried: [], at: 0, luck: 0 });
  return show();
}

function step(by) {
  stop();
  if (state.tried.length && state.at + by >= 0 && state.at + by <= state.tried.length) {
    state.at += by;
    return show();
  }
  return state.tried.length && by > 0 ? null : go(state.ply + by);
}

/** Try a move here; the next one of the match itself is just the next ply. */
function attempt(move) {
  stop();
  if (onMatch() && !state.tried.length && facts.moves[state.ply] === move) return go(state.ply + 1);
  state.tried.length = state.at;
  state.tried.push({ move, words: move, mover: state.view?.to_move ?? 0 });
  state.at += 1;
  return show();
}

// ── The picture ──

/** @param {number} ply @returns {Promise<any>} */
async function frameAt(ply) {
  const start = ply - (ply % CHUNK);
  if (!chunks.has(start)) chunks.set(start, load(start));
  try {
    return (await chunks.get(start))[ply - start];
  } catch (problem) {
    chunks.delete(start);
    throw problem;
  }
}

async function load(start) {
  const mine = layout;
  const query = `start=${start}&stop=${start + CHUNK}&language=${facts.language}&wide=${wide.matches}&picture=${!board}`;
  const found = await request("GET", `/matches/${facts.id}/frames?${query}`);
  if (mine === layout && !board && found.picture) setBoard(found.picture);
  const text = (number) => found.texts[number];
  return found.plies.map((frame) => {
    const layers = Object.fromEntries(["ground", "panels", "last", "notes"].filter((name) => name in frame).map((name) => [name, text(frame[name])]));
    const pieces = frame.pieces.map(([id, x, y, number]) => [id, x, y, text(number)]);
    return { ply: frame.ply, pieces, ...layers, arrows: "" };
  });
}

function setBoard(markup) {
  find("board").innerHTML = markup;
  board = find("board").querySelector("svg");
  board.setAttribute("role", "group");
  still(board);
}

/** Show where we are: at once what is known, then what may be chosen, and what the engine says. */
async function show() {
  const mine = (turn += 1);
  Object.assign(state, { chosen: [], view: null, answers: null });
  if (board) still(board);
  describe();
  try {
    if (onMatch()) {
      const frame = await frameAt(state.ply);
      if (mine !== turn) return;
      patch(board, frame);
      if (facts.plies > state.ply) frameAt(Math.min(facts.plies, state.ply + CHUNK)).catch(() => {});
      await new Promise((resolve) => setTimeout(resolve, SETTLE));
    }
    if (mine === turn && !state.playing) await settle(mine);
  } catch (problem) {
    if (mine === turn) fail(problem);
  }
}

async function settle(mine) {
  const view = await request("POST", "/positions", { ...here(), wide: wide.matches, arrows: arrows() });
  if (mine !== turn) return;
  state.view = view;
  history.replaceState(null, "", state.ply ? `#${state.ply}` : location.pathname);
  if (!onMatch()) {
    state.tried.splice(0, state.at, ...view.moves.map((move, k) => ({ move, words: view.words[k], mover: view.movers[k] })));
    state.at = view.moves.length;
  }
  patch(board, view.frame);
  choices();
  describe();
  if (state.answers === null) await think(mine);
}

/** The engine on what is tried; the match itself is in the analysis. */
async function think(mine) {
  const view = state.view;
  if (view.over || view.to_move === CHANCE || (onMatch() && remarks.has(state.ply))) return;
  if (onMatch() && state.ply < facts.plies) return; // the analysis will come to it
  const answers = await request("POST", "/evaluations", here());
  if (mine !== turn) return;
  state.answers = answers;
  describe();
  if (arrows().length) await settle(mine);
}

/** The best line from here, if it is known and wanted. */
function arrows() {
  if (!find("arrows").checked) return [];
  return (best()?.line ?? []).slice(0, 2).map(([move]) => move); // the move, and the answer to it
}

const best = () => (onMatch() && remarks.has(state.ply) ? remarks.get(state.ply).best : state.answers?.[0]);

// ── Entering moves ──

function choices() {
  const { next } = filter(state.view.choices, state.chosen);
  offer(board, state.view.frame.boxes, next, state.chosen, { ...state.view.targets, [CONFIRM]: words.confirm });
  find("legal").replaceChildren(...state.view.choices.slice(0, 600).map(([move]) => new Option(move)));
  find("entry").disabled = find("enter").disabled = !state.view.choices.length;
}

function choose(target) {
  if (!state.view) return;
  if (target === CONFIRM) return void attempt(filter(state.view.choices, state.chosen).whole);
  if (state.chosen.includes(target) && !filter(state.view.choices, state.chosen).next.has(target)) state.chosen = [];
  else state.chosen.push(target);
  const { next, whole, move } = filter(state.view.choices, state.chosen);
  if (move) return void attempt(move);
  if (!next.size) state.chosen = [];
  find("confirm").hidden = !whole;
  find("confirm").onclick = () => attempt(whole);
  choices();
  find("chosen").textContent = state.chosen.length ? say(words.chosen, { target: state.view.targets[target] ?? target }) : "";
}

// ── Words ──

const numbered = (ply) => document.querySelector(`#moves [data-ply="${ply}"]`);

function describe() {
  find("confirm").hidden = true;
  find("chosen").textContent = "";
  describeMove();
  describeEngine();
  describeTried();
  find("slider").value = String(state.ply);
  find("slider").setAttribute("aria-valuetext", find("said").textContent);
  find("number").textContent = `${state.ply} / ${facts.plies}`;
  find("again").hidden = onMatch() || state.tried[state.at - 1]?.mover !== CHANCE;
  find("go").disabled = find("answer").disabled = Boolean(state.view?.over);
  find("text").textContent = state.view ? [...state.view.status, "", state.view.text, "", state.view.position].join("\n") : "";
  markNow();
  graph();
}

function describeMove() {
  const said = find("said");
  if (!onMatch()) said.textContent = state.tried[state.at - 1].words;
  else said.textContent = state.ply ? numbered(state.ply).querySelector(".words").textContent : words.start;
  const remark = onMatch() ? remarks.get(state.ply - 1) : null;
  if (remark?.mark) said.append(Object.assign(document.createElement("b"), { textContent: ` ${remark.mark}`, className: kind(remark.mark) }));
  find("comment").textContent = (onMatch() && numbered(state.ply)?.dataset.comment) || "";
}

function markNow() {
  for (const row of document.querySelectorAll('#moves [aria-current="step"]')) row.removeAttribute("aria-current");
  const row = numbered(state.ply)?.querySelector("button"), list = find("moves");
  row?.setAttribute("aria-current", "step");
  const item = row?.parentElement; // not scrollIntoView, which would move the page too
  if (!item) list.scrollTop = 0;
  else if (item.offsetTop < list.scrollTop) list.scrollTop = item.offsetTop;
  else if (item.offsetTop + item.offsetHeight > list.scrollTop + list.clientHeight) list.scrollTop = item.offsetTop + item.offsetHeight - list.clientHeight;
}

function tag(name, className, text) {
  return Object.assign(document.createElement(name), { className, textContent: text });
}

/** A line of moves as buttons: each leads to the position after it. */
function lineOf(evaluation, ply, before) {
  const line = tag("span", "line", "");
  evaluation.line.forEach(([move, text], k) => {
    const button = Object.assign(tag("button", "move", move), { type: "button", title: text });
    button.setAttribute("aria-label", text);
    button.onclick = () => walk(ply, [...before, ...evaluation.line.slice(0, k + 1).map(([step]) => step)]);
    line.append(button);
  });
  return line;
}

function walk(ply, line) {
  stop();
  Object.assign(state, { ply, tried: line.map((move) => ({ move, words: move, mover: 0 })), at: line.length, luck: 0 });
  return show();
}

function describeEngine() {
  const lines = [];
  const remark = onMatch() ? remarks.get(state.ply - 1) : null;
  if (remark) {
    const row = tag("p", !exact() && remark.lost < SLIGHT ? "slight" : "", "");
    row.append(tag("b", `value ${kind(remark.mark)}`, `${remark.mark} ${remark.played.said}`.trim()));
    if (remark.best.move === remark.played.move) row.append(tag("span", "soft", words.noBetter));
    else row.append(tag("span", "soft", `${words.better}:`), tag("b", "value", remark.best.said), lineOf(remark.best, remark.ply, []));
    lines.push(row);
  }
  const known = onMatch() && remarks.has(state.ply) ? [remarks.get(state.ply).best] : state.answers ?? [];
  for (const evaluation of known) {
    const row = tag("p", "from", "");
    row.append(tag("b", "value", evaluation.said), lineOf(evaluation, state.ply, moves()));
    lines.push(row);
  }
  find("now").textContent = turnWords();
  if (!known.length && state.view && !onMatch() && !state.view.over) lines.push(tag("p", "soft", words.thinking));
  find("lines").replaceChildren(...lines);
}

function turnWords() {
  const mover = onMatch() ? (state.ply < facts.plies ? facts.movers[state.ply] : state.view?.to_move) : state.view?.to_move;
  if (state.view?.over) return words.over;
  if (mover === CHANCE) return words.chance;
  return mover === undefined || mover === null ? "\u00a0" : say(words.turn, { player: facts.seats[mover] });
}

function describeTried() {
  find("tried").hidden = !state.tried.length;
  find("tried-title").textContent = say(words.variation, { number: state.ply });
  find("tried-moves").replaceChildren(
    ...state.tried.map((tried, k) => {
      const button = Object.assign(tag("button", "move", tried.move), { type: "button", title: tried.words });
      if (k + 1 === state.at) button.setAttribute("aria-current", "step");
      button.onclick = () => { stop(); state.at = k + 1; show(); };
      return button;
    }),
  );
}

// ── The analysis ──

const exact = () => remarks.size > 0 && [...remarks.values()].every((remark) => remark.best.points !== null);
const worth = (evaluation) => (exact() ? evaluation.points : evaluation.value);

function graph() {
  const sides = [...new Set(facts.sides)], rows = [...remarks.values()].sort((a, b) => a.ply - b.ply);
  const series = sides.map(() => ({ points: [] }));
  const most = exact() ? Math.max(10, ...rows.map((row) => Math.abs(worth(row.best))), ...(facts.lead ?? []).map(Math.abs)) : 1;
  const add = (ply, seat, value) => {
    const side = sides.indexOf(facts.sides[seat]);
    series[side].points.push([ply, value]);
    if (sides.length === 2) series[1 - side].points.push([ply, -value]);
  };
  for (const row of rows) add(row.ply, row.seat, worth(row.best));
  const end = exact() ? facts.lead : facts.end;
  if (end && done) sides.forEach((side, k) => series[k].points.push([facts.plies, end[facts.sides.indexOf(side)]]));
  const dots = rows.filter((row) => row.mark).map((row) => ({ ply: row.ply + 1, value: worth(row.played), mark: row.mark, side: sides.indexOf(facts.sides[row.seat]) }));
  drawGraph(find("graph"), { plies: facts.plies, most, series, dots, now: state.ply, label: words.graph });
}

function learn(answer) {
  for (const remark of answer.remarks) {
    remarks.set(remark.ply, remark);
    const row = numbered(remark.ply + 1);
    row.querySelector(".mark").textContent = remark.mark;
    row.querySelector(".value").textContent = remark.played.said;
    row.querySelector(".mark").className = `mark ${kind(remark.mark)}`;
  }
  done = answer.done && !answer.failed;
  const meaning = exact() ? words.analysedPoints : words.analysed;
  find("progress").textContent = done ? meaning : answer.failed ? words.analysisFailed : say(words.analysing, answer);
  find("bar").hidden = answer.done;
  Object.assign(find("bar"), { max: Math.max(1, answer.total), value: answer.known });
  if (answer.done) summary();
  graph();
  for (const id of ["mistake-back", "mistake-next"]) find(id).disabled = !mistakes().length;
  const last = answer.remarks.at(-1)?.ply ?? -1, first = answer.remarks[0]?.ply ?? 0;
  if (onMatch() && first <= state.ply && state.ply - 1 <= last && !state.chosen.length) again();
}

/** What is known about this position has grown. */
function again() {
  describeMove();
  describeEngine();
  if (state.view && arrows().length) settle(turn).catch(() => {});
}

const mistakes = () => [...remarks.values()].filter((remark) => remark.mark).map((remark) => remark.ply + 1).sort((a, b) => a - b);

function summary() {
  const rows = facts.seats.map((name, seat) => {
    const mine = [...remarks.values()].filter((remark) => remark.seat === seat);
    const counts = facts.marks.map((mark) => [mark, mine.filter((remark) => remark.mark === mark).length]).filter(([, n]) => n);
    const lost = mine.reduce((sum, remark) => sum + remark.lost, 0) / Math.max(1, mine.length);
    const said = counts.map(([mark, n]) => `${n} ${mark}`).join(", ") || words.noMistakes;
    return tag("li", "", say(words.summary, { player: name, counts: said, lost: lost.toFixed(3) }));
  });
  find("summary").replaceChildren(...rows);
}

async function analyse() {
  find("retry").hidden = true;
  try {
    await follow(facts.id, facts.language, learn);
  } catch (problem) {
    find("progress").textContent = problem.code === "busy" ? words.busy : words.analysisFailed;
    find("retry").hidden = false;
  }
}

// ── Replay, keys and buttons ──

function stop() {
  clearInterval(state.playing);
  state.playing = 0;
  find("play").setAttribute("aria-label", words.play);
  find("play").dataset.playing = "no";
}

function play() {
  if (state.playing) {
    stop();
    return void show();
  }
  if (state.ply === facts.plies) go(0);
  find("play").setAttribute("aria-label", words.pause);
  find("play").dataset.playing = "yes";
  state.playing = setInterval(() => {
    if (state.ply < facts.plies) return void go(state.ply + 1);
    stop();
    show();
  }, 1000);
}

const jump = (ply) => { stop(); go(ply); };
const keys = {
  ArrowLeft: () => step(-1), ArrowRight: () => step(1), Home: () => jump(0), End: () => jump(facts.plies),
  Escape: () => (state.chosen.length ? ((state.chosen = []), choices(), describe()) : state.tried.length && jump(state.ply)),
};
addEventListener("keydown", (event) => {
  const typing = event.target.matches?.("input, select, textarea");
  if (typing || event.altKey || event.ctrlKey || event.metaKey || !keys[event.key]) return;
  event.preventDefault();
  keys[event.key]();
});

const actions = {
  first: () => jump(0), back: () => step(-1), play, next: () => step(1), end: () => jump(facts.plies),
  "mistake-back": () => jump(mistakes().findLast((ply) => ply < state.ply) ?? mistakes().at(-1)),
  "mistake-next": () => jump(mistakes().find((ply) => ply > state.ply) ?? mistakes()[0]),
  leave: () => jump(state.ply),
  again: () => { state.luck += 1; reroll(); },
  answer: () => answerHere(),
  retry: analyse,
  share, emp: () => save(`/matches/${facts.id}/record`, "emp"),
  svg: () => save(`/matches/${facts.id}/picture.svg?ply=${state.ply}&${looks()}`, "svg"),
  png: () => save(`/matches/${facts.id}/picture.png?ply=${state.ply}&${looks()}`, "png"),
  gif: () => save(`/matches/${facts.id}/replay.gif?${looks()}`, "gif"),
  html: () => save(`/matches/${facts.id}/replay.html?language=${facts.language}&wide=${wide.matches}`, "html"),
  go: playOn,
};
for (const [id, action] of Object.entries(actions)) find(id).addEventListener("click", () => Promise.resolve(action()).catch(fail));

/** Draw the chance moves at the end of what is tried once more. */
function reroll() {
  const decided = state.tried.slice(0, state.at).findLastIndex((tried) => tried.mover !== CHANCE);
  if (decided < 0) return;
  state.tried.length = state.at = decided + 1;
  show();
}

async function answerHere() {
  const known = best() ?? (await request("POST", "/evaluations", here()))[0];
  if (known) await attempt(known.move);
}

find("slider").addEventListener("input", (event) => jump(Number(event.target.value)));
find("graph").addEventListener("ply", (event) => jump(event.detail));
find("moves").addEventListener("click", (event) => {
  const row = event.target.closest("[data-ply]");
  if (row) jump(Number(row.dataset.ply));
});
find("arrows").addEventListener("change", () => settle(turn).catch(fail));
find("board").addEventListener("click", (event) => {
  const target = event.target.dataset?.target;
  if (target) choose(target);
});
find("board").addEventListener("keydown", (event) => {
  if ((event.key === "Enter" || event.key === " ") && event.target.dataset?.target) {
    event.preventDefault();
    choose(event.target.dataset.target);
  }
});
find("entering").addEventListener("submit", (event) => {
  event.preventDefault();
  const move = find("entry").value.trim();
  if (!state.view?.choices.some(([legal]) => legal === move)) return notice(words.unknownMove);
  find("entry").value = "";
  attempt(move);
});
addEventListener("hashchange", () => {
  const ply = Number(location.hash.slice(1)) || 0;
  if (ply !== state.ply) jump(ply);
});
wide.addEventListener("change", () => {
  layout += 1; // what is still under way is for the other one
  chunks.clear();
  board = null;
  show();
});
new ResizeObserver(() => graph()).observe(find("graph"));

// ── Taking it along ──

const theme = () => document.documentElement.dataset.theme || (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
const looks = () => `theme=${theme()}&language=${facts.language}&wide=${wide.matches}`;

async function save(path, ending) {
  notice(words.making);
  const response = await fetch(`/api${path}`);
  if (!response.ok) throw Object.assign(new Error(), await response.json());
  const link = Object.assign(document.createElement("a"), { href: URL.createObjectURL(await response.blob()), download: `${facts.game}-${facts.id}.${ending}` });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  notice("");
}

async function share() {
  const link = location.href;
  if (navigator.share && matchMedia("(pointer: coarse)").matches) return void navigator.share({ url: link, title: document.title }).catch(() => {});
  await navigator.clipboard.writeText(link);
  notice(words.copied);
}

async function playOn() {
  if (!state.view) return;
  await player(words.guest);
  const mine = Number(find("seat").value), bot = find("opponent").value;
  const seats = facts.sides.map((side) => (bot === "" || side === facts.sides[mine] ? { kind: "me" } : { kind: "bot", agent: bot }));
  const made = await request("POST", "/matches", { game: facts.game, seats, listed: false, start: state.view.position });
  location.href = `/t/${made.id}`;
}

function fail(problem) {
  notice(problem.code ? problem.message || words.failed : problem instanceof TypeError ? words.offline : words.failed);
}

go(Number(location.hash.slice(1)) || 0);
analyse();
