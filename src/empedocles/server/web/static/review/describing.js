// Describes the position shown: the move that led to it, the engine's view, and the moves tried.
/** @import { Evaluation, Remark } from "../../messages" */
import { button, every, field, find, make } from "../dom.js";
import { say } from "../words.js";
import { exact, facts, kind, known, onMatch, remarkHere, state, sentence, valueOf, whenChanged } from "./state.js";
import { demonstrate, walk, walkTo } from "./walking.js";

const SLIGHT = 0.05; // moves that are only slightly better are shown dimly
export const SHOWN = 3; // moves of a line: in words, more would be too much to read

/** The row of a move. @param {number} ply after it @returns {HTMLElement | null} */
export const rowOf = (ply) => document.querySelector(`#moves [data-ply="${ply}"]`);

function describeMove() {
  const said = find("said"), row = rowOf(state.ply), remark = remarkHere();
  if (!onMatch()) said.textContent = state.tried[state.at - 1].words;
  else said.textContent = row?.querySelector(".words")?.textContent ?? say("start");
  if (remark?.mark) said.append(make("b", { textContent: ` ${remark.mark}`, className: kind(remark.mark) }));
  find("comment").textContent = (onMatch() && row?.dataset.comment) || "";
}

/** A move in words; its notation is for those who ask for it. @param {string} move @param {string} words @param {() => void} onclick */
function moveButton(move, words, onclick) {
  const made = button("", onclick, "move");
  label(made, move, words);
  return made;
}

/** @param {HTMLButtonElement} made @param {string} move @param {string} words */
export function label(made, move, words) {
  made.title = move;
  made.setAttribute("aria-label", words);
  made.replaceChildren(words, ...(move === words ? [] : [make("span", { className: "notation", textContent: ` ${move}` })]));
}

/**
 * A line of moves as buttons, each leading to the position after it.
 * @param {Evaluation} evaluation @param {number} ply @param {[string, string][]} before
 */
function lineOf({ line }, ply, before) {
  const steps = line.slice(0, SHOWN).map(([move, words], k) =>
    moveButton(move, words, () => walk(ply, [...before, ...line.slice(0, k + 1)])));
  return make("span", { className: "line" }, ...steps);
}

/** The moves tried up to one of them, with their words. @param {number} at @returns {[string, string][]} */
export const triedLine = (at) => state.tried.slice(0, at).map(({ move, words }) => [move, words]);

const soft = (/** @type {string} */ textContent) => make("span", { className: "soft", textContent });
const value = (/** @type {string} */ textContent, mark = "") =>
  make("b", { className: `value ${kind(mark)}`.trim(), textContent });

/** The engine's verdict on the move that was played. */
function verdict() {
  const remark = remarkHere();
  if (!remark) return [];
  const { mark, played, best, lost, cost } = remark;
  const ply = onMatch() ? remark.ply : state.ply, before = onMatch() ? [] : triedLine(state.at - 1);
  const className = !exact() && lost < SLIGHT ? "slight" : "";
  const row = make("p", { className }, value(`${mark} ${valueOf(played)}`.trim(), mark));
  if (cost) row.append(soft(sentence(cost)));
  if (best.move === played.move || valueOf(best) === valueOf(played)) row.append(soft(say("noBetter")));
  else row.append(soft(`${say("better")}:`), value(valueOf(best)), lineOf(best, ply, before));
  return [...why(remark, ply, before), row];
}

/** Why it was a mistake, with a button that goes through the moves which show it. @param {Remark} remark @param {number} ply @param {[string, string][]} before */
function why({ reason, played, best }, ply, before) {
  const asked = onMatch() ? [] : [make("b", { textContent: `${say("whyNot")} ` })];
  if (!reason) return onMatch() || best.move === played.move ? [] : [make("p", { className: "why" }, ...asked, say("asGood"))];
  const { line, against, better } = reason, show = (/** @type {boolean} */ wanted) => () => demonstrate(ply, before, reason, wanted);
  const first = line.length ? [button(say("showWhy"), show(better), "small")] : [];
  const other = against.length ? [" ", button(otherLine(!better), show(!better), "small")] : [];
  return [make("p", { className: "why" }, ...asked, `${reason.words} `, ...first, ...other)];
}

/** What the other line of a comparison is called. @param {boolean} better whether it begins with the better move */
const otherLine = (better) => say(better ? "afterBetter" : "afterThis");

function describeEngine() {
  const found = state.live ? [] : known().map((evaluation) =>
    make("p", { className: "from" }, value(valueOf(evaluation)), lineOf(evaluation, state.ply, triedLine(state.at))));
  const thinking = !found.length && !state.live && state.view && !onMatch() && !state.view.over;
  if (thinking) found.push(make("p", { className: "soft", textContent: say("thinking") }));
  find("now").textContent = turnWords();
  find("lines").replaceChildren(...verdict(), ...found);
}

function turnWords() {
  const mover = onMatch() && state.ply < facts.plies ? facts.movers[state.ply] : state.view?.to_move;
  if (state.view?.over) return say("over");
  if (mover === null) return say("chance");
  return mover === undefined ? "\u00a0" : say("turn", { player: facts.seats[mover] });
}

function describeTried() {
  const { shown, tried, at } = state;
  find("tried").hidden = !tried.length;
  find("tried-title").textContent = shown ? shown.reason.words : say("variation", { number: state.ply });
  find("stepping").hidden = !shown;
  find("compare").hidden = !shown?.reason.against.length;
  if (shown) find("compare").textContent = otherLine(!shown.better);
  field("line-back").disabled = !at;
  field("line-next").disabled = at >= tried.length;
  if (shown) return describeStep();
  find("tried-moves").replaceChildren(
    ...state.tried.map(({ move, words }, k) => {
      const step = moveButton(move, words, () => walkTo(k + 1));
      if (k + 1 === state.at) step.setAttribute("aria-current", "step");
      return step;
    }),
  );
}

/** The step of a line that is gone through: what comes next. */
function describeStep() {
  const { tried, at } = state, next = tried[at];
  const told = [`${say("step", { at, all: tried.length })} `, next ? say("nextMove", { move: next.words }) : say("lineEnd")];
  find("tried-moves").replaceChildren(...told);
}

function markNow() {
  for (const row of every('#moves [aria-current="step"]')) row.removeAttribute("aria-current");
  const item = rowOf(state.ply), list = find("moves"); // not scrollIntoView, which would move the page too
  item?.querySelector("button")?.setAttribute("aria-current", "step");
  if (!item) list.scrollTop = 0;
  else if (item.offsetTop < list.scrollTop) list.scrollTop = item.offsetTop;
  else list.scrollTop = Math.max(list.scrollTop, item.offsetTop + item.offsetHeight - list.clientHeight);
}

function describe() {
  const { ply, view, tried, at } = state;
  describeMove();
  describeEngine();
  describeTried();
  field("slider").value = String(ply);
  field("slider").setAttribute("aria-valuetext", find("said").textContent ?? "");
  find("number").textContent = `${ply} / ${facts.plies}`;
  find("again").hidden = Boolean(state.shown) || onMatch() || tried[at - 1]?.mover !== null;
  field("go").disabled = field("answer").disabled = Boolean(view?.over);
  find("text").textContent = view ? [...view.status, "", view.text, "", view.position].join("\n") : "";
  markNow();
}
whenChanged(describe);
