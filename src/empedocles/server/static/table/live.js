// The live connection to a table. It comes back by itself, and says hello again: the answer is the whole state.
/** @import { Heard } from "../../messages" */

const FIRST_WAIT = 400; // milliseconds until the first new attempt; each further one waits twice as long
const LONGEST_WAIT = 10_000;
const SILENCE = 40_000; // the server gives a sign of life every 15 s

export class Live {
  #wait = FIRST_WAIT;
  #timer = 0;
  #watch = 0;
  /** @type {WebSocket | undefined} */ #socket;

  /**
   * @param {string} path
   * @param {() => object} hello
   * @param {(message: Heard) => void} heard
   * @param {(open: boolean) => void} changed
   */
  constructor(path, hello, heard, changed) {
    this.address = `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}${path}`;
    this.hello = hello;
    this.heard = heard;
    this.changed = changed;
    addEventListener("online", () => this.restart());
    addEventListener("offline", () => this.#socket?.close());
    addEventListener("pageshow", (event) => event.persisted && this.restart());
    this.#connect();
  }

  #connect() {
    clearTimeout(this.#timer);
    const socket = new WebSocket(this.address);
    this.#socket = socket;
    this.#listen();
    socket.onopen = () => {
      this.changed(true);
      this.greet();
      this.#listen();
    };
    socket.onmessage = (event) => {
      this.#wait = FIRST_WAIT;
      this.#listen();
      if (socket === this.#socket) this.heard(JSON.parse(event.data));
    };
    socket.onclose = () => socket === this.#socket && this.#lost();
  }

  /** A connection may die, or never come about, without saying so. */
  #listen() {
    clearTimeout(this.#watch);
    this.#watch = setTimeout(() => this.restart(), SILENCE);
  }

  #lost() {
    this.changed(false);
    clearTimeout(this.#watch);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#connect(), this.#wait * (0.7 + 0.6 * Math.random()));
    this.#wait = Math.min(2 * this.#wait, LONGEST_WAIT);
  }

  restart() {
    const old = this.#socket;
    this.changed(false);
    this.#connect();
    old?.close();
  }

  /** Say again how the table is to be shown. */
  greet() {
    this.send(this.hello());
  }

  /** @param {object} message @returns {boolean} whether it could be sent */
  send(message) {
    if (this.#socket?.readyState !== WebSocket.OPEN) return false;
    this.#socket.send(JSON.stringify(message));
    return true;
  }
}
