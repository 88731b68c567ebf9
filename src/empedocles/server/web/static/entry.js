// A move entered on a board, by clicks, by dragging or by keys: all of it becomes a choice of targets.
/** @import { Choice } from "../messages" */
import { Board } from "./board.js";
import { Choosing } from "./choosing.js";

/**
 * @typedef {object} Page what the page around it does
 * @property {() => boolean} ready whether a move may be entered now
 * @property {() => void} changed the choice is another one
 * @property {(move: string) => void} play
 * @property {(target: string, chosen: string[]) => void} refused no legal move goes on with the target
 * @property {() => void} cancel the reader wants to go back
 * @property {(target: string) => void} look it is pointed at, or steered to
 * @property {() => void} [leave] nothing is pointed at any more
 * @property {() => void} [early] something was chosen while that was not possible
 * @property {() => boolean} [asks] whether a move is played only when its last target is chosen once more
 */

/** @type {ReadonlySet<string>} */
const NONE = new Set();

export class Entry {
  choosing = new Choosing([]);

  /** @param {HTMLElement} place @param {Page} page */
  constructor(place, page) {
    this.page = page;
    this.board = new Board(place, this);
  }

  /** @param {Choice[]} choices legal moves */
  offer(choices) {
    this.choosing = new Choosing(choices);
  }

  /** Mark what can be chosen. @param {boolean} keep whether what was chosen is shown in any case */
  mark(keep = false) {
    const { targets, chosen, draggable } = this.choosing, ready = this.page.ready();
    this.board.mark(ready ? targets : NONE, ready || keep ? chosen : [], ready ? draggable : NONE);
  }

  back() {
    this.#settle(this.choosing.back());
  }

  again() {
    this.#settle(this.choosing.fresh());
  }

  /** @param {Choosing} choosing */
  #settle(choosing) {
    this.choosing = choosing;
    this.page.changed();
  }

  /** Choose a target that can be chosen. @param {string} target */
  take(target) {
    this.#settle(this.choosing.choose(target));
    const { move } = this.choosing;
    if (move && !this.page.asks?.()) this.page.play(move);
  }

  // ── What hands do on the board ──

  /** @param {string} target */
  choose(target) {
    const { move, targets, chosen } = this.choosing;
    if (!this.page.ready()) return this.page.early?.();
    if (targets.has(target)) return this.take(target);
    if (move && chosen.at(-1) === target) return this.page.play(move);
    if (chosen.includes(target)) return this.back();
    if (!chosen.length || !this.choosing.fresh().targets.has(target)) return this.page.refused(target, chosen);
    this.again();
    this.take(target);
  }

  /** @param {string} target @returns {boolean} whether it can be dragged */
  lift(target) {
    if (!this.page.ready() || !this.choosing.targets.has(target)) return false;
    this.take(target);
    return true;
  }

  /** @param {string} target "" for none */
  drop(target) {
    const { targets, chosen } = this.choosing;
    if (target === chosen.at(-1)) return;
    if (targets.has(target)) return this.take(target);
    this.back();
    if (target) this.page.refused(target, chosen);
  }

  /** @param {string} target */
  look(target) {
    this.page.look(target);
  }

  leave() {
    this.page.leave?.();
  }

  cancel() {
    this.page.cancel();
  }
}
