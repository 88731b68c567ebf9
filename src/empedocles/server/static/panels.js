// Who plays, with how much time; and the list of moves.
import { say } from "./words.js";

/** @param {string} tag @param {Record<string, any>} [values] @param {(Node | string)[]} children */
export function make(tag, values = {}, ...children) {
  const element = Object.assign(document.createElement(tag), values);
  element.append(...children);
  return element;
}

/** @param {string} text @param {() => void} onclick @param {string} [className] */
export const button = (text, onclick, className = "") => make("button", { type: "button", textContent: text, onclick, className });

/** @param {number} seconds */
export function clockText(seconds) {
  const left = Math.max(0, seconds);
  if (left >= 86400) return say("days", { n: (left / 86400).toFixed(1) });
  const [hours, minutes] = [Math.floor(left / 3600), Math.floor(left / 60) % 60];
  const rest = String(Math.floor(left % 60)).padStart(2, "0");
  return hours ? `${hours}:${String(minutes).padStart(2, "0")}:${rest}` : `${minutes}:${rest}`;
}

/** The strip of players. @param {HTMLElement} place @param {{seats: string[]}} facts @param {any} state */
export function showSeats(place, facts, state) {
  const shown = state.seats.map((seat, number) => {
    const turn = state.to_move === number;
    const name = seat.kind === "open" ? say("open") : seat.mine ? `${seat.name} (${say("you")})` : seat.name;
    const here = seat.kind === "person" ? say(state.here[number] ? "here" : "away") : "";
    const dot = make("span", { className: `dot ${seat.kind} ${state.here[number] ? "here" : ""}`, title: here });
    dot.append(make("span", { className: "hidden", textContent: here }));
    const about = [facts.seats[number], seat.level ? say("level", { n: seat.level }) : ""].filter(Boolean).join(" · ");
    const box = make("div", { className: `seat${turn ? " turn" : ""}${seat.mine ? " mine" : ""}` }, dot, make("b", { textContent: name }), make("small", { textContent: about }));
    if (turn) box.setAttribute("aria-current", "true");
    if (state.left) box.append(make("time", { className: "clock" }));
    return box;
  });
  place.replaceChildren(...shown);
}

/** @param {HTMLElement} place @param {any} state @param {number} since when the state was heard */
export function showClocks(place, state, since) {
  if (!state?.left) return;
  [...place.querySelectorAll(".clock")].forEach((clock, seat) => {
    const running = state.to_move === seat && state.status === "playing";
    const left = state.left[seat] - (running ? (performance.now() - since) / 1000 : 0);
    clock.textContent = clockText(left);
    clock.classList.toggle("short", left < 20);
  });
}

/** The list of moves, in words or notation. */
export class Moves {
  /** @param {HTMLElement} list @param {(ply: number) => void} go */
  constructor(list, go) {
    Object.assign(this, { list, go, words: [], movers: [], moves: [], notation: false });
    list.addEventListener("click", (event) => {
      const item = event.target.closest("li");
      if (item) go(Number(item.dataset.ply));
    });
  }

  /** Take in what is new since the first `kept` moves. */
  take(moves, kept, words, movers) {
    this.words = [...this.words.slice(0, kept), ...words];
    this.movers = [...this.movers.slice(0, kept), ...movers];
    this.moves = moves;
    this.show(kept);
  }

  #text(ply) {
    return this.notation ? this.moves[ply] : this.words[ply];
  }

  #item(ply) {
    const item = make("li", { className: this.movers[ply] === null ? "by-chance" : `by-${this.movers[ply]}`, textContent: this.#text(ply) });
    item.dataset.ply = String(ply + 1);
    return item;
  }

  show(kept = 0) {
    while (this.list.children.length > kept) this.list.lastChild.remove();
    for (let ply = kept; ply < this.moves.length; ply++) this.list.append(this.#item(ply));
  }

  /** Mark the move that led to the position shown. @param {number} ply */
  at(ply) {
    for (const item of this.list.querySelectorAll("[aria-current]")) item.removeAttribute("aria-current");
    const item = this.list.children[ply - 1];
    item?.setAttribute("aria-current", "true");
    // Not scrollIntoView: on a phone that would move the whole page.
    if (item) this.list.scrollTop = item.offsetTop - this.list.clientHeight / 2;
  }
}
