// The analysis: requested until it is done, and shown in the list of moves, the graph and a summary.
/** @import { Analysis, Evaluation, Remark } from "../../messages" */
import { button, field, find, make } from "../dom.js";
import { UNREACHABLE, codeOf, request } from "../http.js";
import { problemWords, say } from "../words.js";
import { rowOf } from "./describing.js";
import { draw } from "./graph.js";
import { changed, exact, facts, kind, looks, mistakes, onMatch, sentence, state, valueOf, whenChanged } from "./state.js";
import { jump } from "./walking.js";

const EVERY = 800; // milliseconds
const AGAIN = 10_000; // until the next try while the engine is busy, unless the reader tries earlier
const MOST_MOMENTS = 6;
const pause = (/** @type {number} */ time) => new Promise((done) => setTimeout(done, time));

/**
 * Pass on each answer until the analysis is done; throws problems that asking again does not solve.
 * @param {(answer: Analysis) => void} tell @returns {Promise<void>}
 */
async function follow(tell) {
  const { id: match, language } = facts;
  /** @type {Analysis} */
  let answer = await request("POST", "/analyses", { match, language, seat: facts.seat });
  tell(answer);
  while (!answer.done) {
    await pause(document.hidden ? 5 * EVERY : EVERY);
    try {
      answer = await request("GET", `/analyses/${answer.id}?since=${answer.known}&${looks()}`);
      tell(answer);
    } catch (problem) {
      if (codeOf(problem) === "no-analysis") return follow(tell); // another process answers now
      if (codeOf(problem) !== UNREACHABLE) throw problem;
      await pause(5 * EVERY);
    }
  }
}

export async function analyse() {
  find("retry").hidden = true;
  try {
    await follow(learn);
  } catch (problem) {
    const code = codeOf(problem), busy = ["busy", "too-many-requests"].includes(code);
    const why = busy ? say("busy") : code === "being-played" && problemWords(problem);
    find("progress").textContent = why || say("analysisFailed");
    find("retry").hidden = false;
    if (busy) setTimeout(() => find("retry").hidden || void analyse(), AGAIN);
  }
}

/** @param {Analysis} answer */
function learn({ remarks, done, failed, known, total, story }) {
  for (const remark of remarks) {
    state.remarks.set(remark.ply, remark);
    const row = rowOf(remark.ply + 1), mark = row?.querySelector(".mark"), value = row?.querySelector(".value");
    if (mark) Object.assign(mark, { textContent: remark.mark, className: `mark ${kind(remark.mark)}` });
    if (value) value.textContent = valueOf(remark.played);
  }
  Object.assign(state, { story, analysed: done && !failed });
  showProgress(done, failed, known, total);
  showMoments();
  if (done) showStory();
  showGraph();
  field("mistake-back").disabled = field("mistake-next").disabled = !mistakes().length;
  const isHere = remarks.some(({ ply }) => ply === state.ply || ply === state.ply - 1);
  if (onMatch() && isHere) changed();
}

/** @param {boolean} done @param {boolean} failed @param {number} known @param {number} total */
function showProgress(done, failed, known, total) {
  const meaning = say(exact() ? "analysedPoints" : "analysed");
  find("retry").hidden = !failed;
  find("progress").textContent = !done ? say("analysing", { known, total }) : failed ? say("analysisFailed") : meaning;
  /** @type {HTMLProgressElement} */
  const bar = find("bar");
  Object.assign(bar, { hidden: done, max: Math.max(1, total), value: known });
}

/** The moves that cost most, in the order of play, each with its reason. */
function showMoments() {
  const turns = (/** @type {Remark} */ { ply }) => (named(ply) ? 10 : 0); // the turning point comes first
  const cost = (/** @type {Remark} */ remark) => turns(remark) + remark.lost + remark.points_lost / 1000;
  const worst = [...state.remarks.values()].filter(({ reason }) => reason).sort((a, b) => cost(b) - cost(a)).slice(0, MOST_MOMENTS);
  find("moments-title").hidden = !worst.length;
  find("moments").replaceChildren(...worst.sort((a, b) => a.ply - b.ply).map(moment));
}

/** What a move is called that stands out: the one that turned the match, or else the costliest. @param {number} ply */
function named(ply) {
  return ply === state.story?.turning ? say("turning") : ply === state.story?.costliest ? say("costliest") : "";
}

/** @param {Remark} remark */
function moment({ ply, mark, reason, played, cost }) {
  const name = make("b", { textContent: `${ply + 1}. ${played.words} ${mark}`.trim(), className: kind(mark) });
  const made = button("", () => jump(ply + 1), "moment"), textContent = named(ply);
  if (textContent) made.append(make("span", { className: "turning", textContent }));
  made.append(name, make("span", { textContent: reason?.words ?? "" }));
  if (cost) made.append(make("span", { className: "soft", textContent: sentence(cost) }));
  return make("li", {}, made);
}

/** The match in a few sentences, and each player by marks and concepts. */
function showStory() {
  find("story").replaceChildren(...(state.story?.sentences ?? []).map((textContent) => make("p", { textContent })));
  const rows = facts.seats.map((player, seat) => {
    const mine = [...state.remarks.values()].filter((remark) => remark.seat === seat);
    const counts = facts.marks.map((mark) => [mine.filter((remark) => remark.mark === mark).length, mark]).filter(([n]) => n);
    const lost = mine.reduce((sum, remark) => sum + remark.lost, 0) / Math.max(1, mine.length);
    const said = counts.map((count) => count.join(" ")).join(", ") || say("noMistakes");
    const { strengths = [], weaknesses = [] } = state.story?.players[seat] ?? {};
    const parts = [["strengths", strengths], ["weaknesses", weaknesses]].filter(([, found]) => found.length);
    const lines = parts.map(([name, found]) => make("span", { className: "soft", textContent: say(String(name), { list: [...found].join("; ") }) }));
    return make("li", {}, say("summary", { player, counts: said, lost: lost.toFixed(3) }), ...lines);
  });
  find("summary").replaceChildren(...rows);
}

/** @param {Evaluation} evaluation */
const worth = (evaluation) => (exact() ? (evaluation.points ?? 0) : evaluation.value);

function showGraph() {
  const { sides: sideOf, plies, lead, lines } = facts;
  const sides = [...new Set(sideOf)], rows = [...state.remarks.values()].sort((a, b) => a.ply - b.ply);
  const series = sides.map(() => /** @type {[number, number][]} */ ([]));
  for (const { ply, seat, best } of rows) {
    const side = sides.indexOf(sideOf[seat]), value = worth(best);
    series[side].push([ply, value]);
    if (sides.length === 2) series[1 - side].push([ply, -value]);
  }
  const end = exact() ? lead : facts.end;
  if (end && state.analysed) sides.forEach((side, k) => series[k].push([plies, end[sideOf.indexOf(side)]]));
  const most = exact() ? Math.max(10, ...rows.map((row) => Math.abs(worth(row.best))), ...(lead ?? []).map(Math.abs)) : 1;
  const dots = rows.filter((row) => row.mark).map((row) => ({ ply: row.ply + 1, value: worth(row.played), mark: row.mark }));
  draw(find("graph"), { plies, most, series, lines, dots, now: state.ply, label: say("graph") });
}

whenChanged(showGraph);
new ResizeObserver(showGraph).observe(find("graph"));
