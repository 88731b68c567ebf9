// Searches in a Worker, for a page. A Worker that dies is replaced, and searches the same position again.

/**
 * @typedef {import("./worker.js").Files} Files
 * @typedef {import("./worker.js").Order} Order
 * @typedef {import("./worker.js").Report} Report
 */

const WATCH = 1000; // milliseconds between two looks at whether the Worker is alive
const SILENT = 3; // looks without a word from one that searches
const LOADING = 60; // looks until the first word: what it needs may come over a slow line
const MOST_DEATHS = 3; // at one position: there is something wrong, and the next one would die, too

// 48 bytes a node: with a network and the code, less than 96 MB on a phone.
const NODES = 2_000_000, PHONE_NODES = 1_200_000;
const nodes = () => (matchMedia("(pointer: coarse)").matches ? PHONE_NODES : NODES);

export class Thinker {
  /** @type {Worker | null} */
  #worker = null;
  /** @type {Uint8Array | null} */
  #state = null;
  #number = 0; // of the position: reports of an earlier one are ignored
  #deaths = 0;
  #silent = 0;
  #heard = false; // of this Worker
  #timer = 0;

  /** @param {Files} files @param {(report: Report) => void} hear @param {() => void} lose when no Worker lives: nothing more will come */
  constructor(files, hear, lose) {
    this.files = files;
    this.hear = hear;
    this.lose = lose;
  }

  /** Search a position, instead of another. @param {Uint8Array} state in which somebody has to decide */
  search(state) {
    this.#state = state;
    this.#number += 1;
    this.#deaths = 0;
    this.#begin();
  }

  /** Go on where it was stopped. */
  resume() {
    if (!this.#state) return;
    this.#tell({ kind: "go" });
    this.#watch();
  }

  /** Stop, and keep what was found. */
  stop() {
    this.#rest();
    this.#tell({ kind: "stop" });
  }

  #begin() {
    if (!this.#state) return;
    this.#worker ??= this.#made();
    this.#tell({ kind: "search", number: this.#number, state: this.#state });
    this.#watch();
  }

  #made() {
    const worker = new Worker("/static/engine/worker.js", { type: "module" });
    this.#heard = false;
    worker.onmessage = ({ data }) => this.#worker === worker && this.#hear(data);
    worker.onerror = (event) => {
      event.preventDefault(); // a fault in a module is none of the page
      if (this.#worker === worker) this.#replace();
    };
    worker.postMessage({ kind: "open", files: this.files, nodes: nodes() });
    return worker;
  }

  /** @param {Report} report */
  #hear(report) {
    this.#heard = true;
    this.#silent = 0;
    if (report.number !== this.#number) return;
    if (report.done) this.#rest();
    this.hear(report);
  }

  #replace() {
    this.#rest();
    this.#worker?.terminate();
    this.#worker = null;
    this.#deaths += 1;
    if (this.#deaths < MOST_DEATHS) return this.#begin();
    this.#state = null;
    this.lose();
  }

  #watch() {
    this.#rest();
    this.#timer = setInterval(() => {
      this.#silent += 1;
      if (this.#silent > (this.#heard ? SILENT : LOADING)) this.#replace();
    }, WATCH);
  }

  #rest() {
    clearInterval(this.#timer);
    this.#silent = 0;
  }

  /** @param {Order} order */
  #tell(order) {
    this.#worker?.postMessage(order);
  }
}
