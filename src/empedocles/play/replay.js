// A match to go back and forth in, on a page that needs nothing else.
/** @import { Film } from "./static/picture.js" */
import { patch, unfolded } from "./static/picture.js";

const PAUSE = 900; // milliseconds between two moves

/** @template {Element} [T=HTMLElement] @param {string} looks @returns {T} */
const one = (looks) => /** @type {T} */ (document.querySelector(looks));

/** @type {Film} */
const film = JSON.parse(one("#frames").textContent ?? "");
const frames = unfolded(film), last = frames.length - 1;
/** @type {SVGSVGElement} */
const board = one(".board svg");
/** @type {HTMLInputElement} */
const slider = one("input");
const words = one(".words"), playing = one(".play"), list = one("ol");
let ply = 0, timer = 0;

/** @param {number} next */
function show(next) {
  ply = Math.max(0, Math.min(last, next));
  patch(board, frames[ply]);
  slider.value = String(ply);
  one(".number").textContent = `${ply} / ${last}`;
  words.textContent = film.plies[ply].words || (words.dataset.start ?? "");
  list.querySelector(".now")?.classList.remove("now");
  const item = list.querySelector(`[data-ply="${ply}"]`);
  item?.classList.add("now");
  item?.scrollIntoView({ block: "nearest" });
}

function stop() {
  clearInterval(timer);
  timer = 0;
  playing.textContent = "▶▶";
}

function start() {
  if (ply === last) show(0);
  playing.textContent = "❚❚";
  timer = setInterval(() => (ply < last ? show(ply + 1) : stop()), PAUSE);
}

/** @param {number} next */
function go(next) {
  stop();
  show(next);
}

film.plies.forEach((frame, number) => {
  if (!frame.words) return;
  const item = document.createElement("li");
  item.textContent = frame.words;
  item.dataset.ply = String(number);
  item.tabIndex = 0;
  item.onclick = () => go(number);
  item.onkeydown = (event) => event.key === "Enter" && go(number);
  list.append(item);
});
slider.max = String(last);
slider.oninput = () => go(Number(slider.value));
playing.onclick = () => (timer ? stop() : start());
one(".first").onclick = () => go(0);
one(".back").onclick = () => go(ply - 1);
one(".next").onclick = () => go(ply + 1);
one(".end").onclick = () => go(last);
/** @type {Record<string, () => void>} */
const keys = { ArrowLeft: () => go(ply - 1), ArrowRight: () => go(ply + 1), Home: () => go(0), End: () => go(last) };
addEventListener("keydown", (event) => {
  if (event.target === slider || !(event.key in keys)) return;
  keys[event.key]();
  event.preventDefault();
});
show(0);
