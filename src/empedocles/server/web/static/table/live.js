// The live connection to a table. It reconnects by itself and says hello again: the answer is the whole state.
/** @import { Heard } from "../../messages" */

const FIRST_WAIT = 400; // milliseconds until the first new attempt; each further one waits twice as long
const LONGEST_WAIT = 10_000;
const SILENCE = 40_000; // the server gives a sign of life every 15 s
const LATER = 1013, REPLACED = 4001; // close codes: a limit was exceeded; a newer window of the same player

export class Live {
  #wait = FIRST_WAIT;
  #timer = 0;
  #watch = 0;
  #retry = 0; // milliseconds that the server asked to wait
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
    const current = () => socket === this.#socket; // messages from an older one no longer count
    this.#socket = socket;
    this.#listen();
    socket.onopen = () => current() && this.#opened();
    socket.onmessage = (event) => current() && this.#heard(event.data);
    socket.onclose = ({ code }) => current() && this.#lost(code);
  }

  #opened() {
    this.#listen();
    this.changed(true);
    this.greet();
  }

  /** @param {string} text */
  #heard(text) {
    /** @type {Heard} */
    const message = JSON.parse(text);
    this.#wait = FIRST_WAIT;
    this.#retry = message.kind === "problem" ? 1000 * (message.retry ?? 0) : 0;
    this.#listen();
    this.heard(message);
  }

  /** Reconnect after silence: a connection may die, or never open, without an event. */
  #listen() {
    clearTimeout(this.#watch);
    this.#watch = setTimeout(() => this.restart(), SILENCE);
  }

  /** @param {number} [code] why it was closed */
  #lost(code) {
    this.changed(false);
    clearTimeout(this.#watch);
    clearTimeout(this.#timer);
    if (code === REPLACED) return addEventListener("focus", () => this.restart(), { once: true });
    const wait = Math.max(this.#wait, code === LATER ? 1.4 * this.#retry : 0);
    this.#timer = setTimeout(() => this.#connect(), wait * (0.7 + 0.6 * Math.random()));
    this.#wait = Math.min(2 * this.#wait, LONGEST_WAIT);
  }

  /** Drop the socket without waiting for a close: nobody may be there to answer. */
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

  /** Say hello again, to change how the table is shown. */
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
