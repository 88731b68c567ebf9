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
    addEventListener("offline", () => this.#drop());
    addEventListener("pageshow", (event) => event.persisted && this.restart());
    this.#connect();
  }

  #connect() {
    clearTimeout(this.#timer);
    const socket = new WebSocket(this.address);
    const current = () => socket === this.#socket; // what an older one still says no longer counts
    this.#socket = socket;
    this.#listen();
    socket.onopen = () => current() && this.#opened();
    socket.onmessage = (event) => current() && this.#heard(event.data);
    socket.onclose = () => current() && this.#lost();
  }

  #opened() {
    this.#listen();
    this.changed(true);
    this.greet();
  }

  /** @param {string} text */
  #heard(text) {
    this.#wait = FIRST_WAIT;
    this.#listen();
    this.heard(JSON.parse(text));
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

  /** Nobody may be there to answer a farewell, so none is waited for. */
  #drop() {
    const old = this.#socket;
    this.#socket = undefined;
    this.#lost();
    old?.close();
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
