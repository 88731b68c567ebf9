// The list of moves, in words or notation.
import { make } from "../dom.js";

export class Moves {
  /** @type {string[]} */ words = [];
  /** @type {(number | null)[]} */ movers = []; // null for chance
  /** @type {string[]} */ moves = [];
  notation = false;
  #ply = 0; // of the position shown

  /** @param {HTMLElement} list @param {(ply: number) => void} go */
  constructor(list, go) {
    this.list = list;
    list.addEventListener("click", (event) => {
      const item = /** @type {Element} */ (event.target).closest("li");
      if (item) go(Number(item.dataset.ply));
    });
    new ResizeObserver(() => this.#scroll()).observe(list); // the elements around it come and go
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
    this.list.children[ply - 1]?.setAttribute("aria-current", "true");
    this.#ply = ply;
    this.#scroll();
  }

  /** Not scrollIntoView: on a phone that would move the whole page. */
  #scroll() {
    const { list } = this, item = /** @type {HTMLElement | undefined} */ (list.children[this.#ply - 1]);
    if (this.#ply === this.moves.length) list.scrollTop = list.scrollHeight;
    else list.scrollTop = item ? item.offsetTop - list.clientHeight / 2 : 0;
  }
}
