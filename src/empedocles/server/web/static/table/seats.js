// The players and their clocks.
/** @import { TableState } from "../../messages" */
import { every, find, make } from "../dom.js";
import { portrait } from "../faces.js";
import { say } from "../words.js";
import { facts, isNamesake, now, whenChanged } from "./state.js";

const SHORT = 20; // seconds

/** @param {number} hours */
const daysText = (hours) => [say("days", { n: Math.floor(hours / 24) }), hours % 24 ? say("hours", { n: hours % 24 }) : ""].join(" ").trim();

/** @param {number} seconds */
function clockText(seconds) {
  const left = Math.max(0, seconds);
  if (left >= 86400) return daysText(Math.ceil(left / 3600));
  const [hours, minutes] = [Math.floor(left / 3600), Math.floor(left / 60) % 60];
  const rest = String(Math.floor(left % 60)).padStart(2, "0");
  return hours ? `${hours}:${String(minutes).padStart(2, "0")}:${rest}` : `${minutes}:${rest}`;
}

/** @type {Map<string, HTMLElement>} */
const faces = new Map(); // by seat and level: kept, so that none is loaded again

/** @param {number} number @param {number} level */
function faceOf(number, level) {
  const key = `${number} ${level}`, face = faces.get(key) ?? portrait(facts.game, level, 40);
  faces.set(key, face);
  return face;
}

/** What a seat is called, and what it says besides: players of one name are told apart by their seats. @param {TableState} state @param {number} number */
function titles(state, number) {
  const { name, kind } = state.seats[number], own = facts.seats[number];
  if (!name) return kind === "open" ? [say("open"), own] : [own, ""];
  return isNamesake(state, number) ? [own, name] : [name, name === own ? "" : own];
}

/** @param {TableState} state @param {number} number */
function seatBox(state, number) {
  const seat = state.seats[number], turn = state.to_move === number;
  const [title, besides] = titles(state, number);
  const here = seat.kind === "person" ? say(state.here[number] ? "here" : "away") : "";
  const dot = make("span", { className: `dot ${seat.kind} ${seat.kind === "person" && state.here[number] ? "here" : ""}`, title: here });
  dot.append(make("span", { className: "hidden", textContent: here }));
  const about = make("small", {}, ...(besides ? [make("span", { textContent: besides }), " "] : []));
  if (seat.level) about.append(make("span", { className: "level", textContent: say("level", { n: seat.level }) }));
  const className = `seat${turn ? " turn" : ""}${seat.mine ? " mine" : ""}${seat.level ? " bot" : ""}`;
  const box = make("div", { className }, seat.level ? faceOf(number, seat.level) : dot, make("b", {}, make("span", { textContent: title })), about);
  if (seat.mine && state.seats.some(({ mine }) => !mine)) box.querySelector("b")?.append(` (${say("you")})`);
  if (turn) box.setAttribute("aria-current", "true");
  if (state.left) box.append(make("time", { className: "clock" }));
  return box;
}

/** @param {TableState} state */
export function showSeats(state) {
  find("seats").replaceChildren(...state.seats.map((_, number) => seatBox(state, number)));
  showClocks(state);
}

/** @param {TableState} state */
export function showClocks({ left, to_move, status }) {
  if (!left) return;
  every(".clock", find("seats")).forEach((clock, seat) => {
    const running = to_move === seat && status === "playing";
    const rest = left[seat] - (running ? (performance.now() - now.since) / 1000 : 0);
    clock.textContent = clockText(rest);
    clock.classList.toggle("short", rest < SHORT);
  });
}

whenChanged(showSeats);
