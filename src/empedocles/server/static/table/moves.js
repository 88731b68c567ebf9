// The list of moves, in words or notation.
import { make } from "../dom.js";

export class Moves {
  /** @type {string[]} */ words = [];
  /** @type {(number | null)[]} */ movers = []; // null for chance
  /** @type {string[]} */ moves = [];
  notation = false;

  /** @param {HTMLElement} list @param {(ply: number) => void} go */
  constructor(list, go) {
    this.list = list;
    list.addEventListener("click", (event) => {
      const item = /** @type {Element} */ (event.target).closest("li");
      if (item) go(Number(item.dataset.ply));
    });
  }

  /**
   * Take in what is new since the first `kept` moves.
   * @param {string[]} moves @param {number} kept @param {string[]} words @param {(number | null)[]} movers
   */
  take(moves, kept, words, movers) {
    this.words = [...this.words.slice(0, kept), ...words];
    this.movers = [...this.movers.slice(0, kept), ...movers];
    this.moves = moves;
    this.show(kept);
  }

  /** @param {number} ply */
  #item(ply) {
    const className = this.movers[ply] === null ? "by-chance" : `by-${this.movers[ply]}`;
    const item = make("li", { className, textContent: (this.notation ? this.moves : this.words)[ply] });
    item.dataset.ply = String(ply + 1);
    return item;
  }

  show(kept = 0) {
    while (this.list.children.length > kept) this.list.lastChild?.remove();
    for (let ply = kept; ply < this.moves.length; ply++) this.list.append(this.#item(ply));
  }

  /** Mark the move that led to the position shown. @param {number} ply */
  at(ply) {
    for (const item of this.list.querySelectorAll("[aria-current]")) item.removeAttribute("aria-current");
    const item = /** @type {HTMLElement | undefined} */ (this.list.children[ply - 1]);
    item?.setAttribute("aria-current", "true");
    // Not scrollIntoView: on a phone that would move the whole page.
    if (item) this.list.scrollTop = item.offsetTop - this.list.clientHeight / 2;
  }
}
