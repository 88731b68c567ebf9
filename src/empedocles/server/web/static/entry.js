// Entering a move on a board by clicking, dragging or keys: each becomes a choice of targets.
/** @import { Choice } from "../messages" */
import { Board } from "./board.js";
import { Choosing } from "./choosing.js";

/**
 * @typedef {object} Page callbacks of the page around it
 * @property {() => boolean} ready whether a move may be entered now
 * @property {() => void} changed the choice has changed
 * @property {(move: string) => void} play
 * @property {(target: string, chosen: string[]) => void} refused no legal move continues with the target
 * @property {() => void} cancel the reader wants to go back
 * @property {(target: string) => void} look the target is under the pointer or the cursor
 * @property {() => void} [leave] the pointer has left
 * @property {(target: string) => void} [early] a target was chosen while no move may be entered
 * @property {() => boolean} [asks] whether a move needs a second choice of its last target
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
    this.board.rechosen(false);
  }

  /** Mark what can be chosen. @param {boolean} keep whether to show the chosen targets in any case */
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
    this.board.rechosen(choosing.chosen.length > this.choosing.chosen.length);
    this.choosing = choosing;
    this.page.changed();
  }

  /** Choose a target that can be chosen. @param {string} target */
  take(target) {
    this.#settle(this.choosing.choose(target));
    const { move } = this.choosing;
    if (move && !this.page.asks?.()) this.page.play(move);
  }

  // ── What the reader does on the board ──

  /** @param {string} target */
  choose(target) {
    const { whole, targets, chosen } = this.choosing;
    if (!this.page.ready()) return this.page.early?.(target);
    if (targets.has(target)) return this.take(target);
    if (whole && chosen.at(-1) === target) return this.page.play(whole);
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
