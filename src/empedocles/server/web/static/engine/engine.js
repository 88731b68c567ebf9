// A game's rules as a WebAssembly module, made from the same kernels as the server's: for pages, Workers and Node.
// Positions are bytes, the same as on the server; nothing here changes those that it is given.

import { Memory } from "./memory.js";

/**
 * @typedef {Uint8Array} State
 *
 * @typedef {object} Places of the fields of a record
 * @property {number} size
 * @property {Record<string, [offset: number, type: string]>} fields
 *
 * @typedef {object} Level one of a game's opponents
 * @property {string} name
 * @property {number} simulations
 * @property {number} noise
 * @property {number} overlooks
 * @property {number} form
 * @property {boolean} learnt whether it judges by the game's network
 *
 * @typedef {object} Card what `empedocles modules` says of a module
 * @property {number} version
 * @property {string} game
 * @property {number} rules
 * @property {number} state bytes
 * @property {number} most legal actions of a position
 * @property {number} longest match, in plies
 * @property {string[]} moves by action
 * @property {[options: Record<string, string | number>, words: string[]][]} starts
 * @property {{exploration: number, sharpness: number, judges: boolean}} style
 * @property {Level[]} opponents
 * @property {[size: number, most: number] | null} features
 * @property {{numbers: [number, number], memo: number, levels: number} | null} room of the exact solver; null: there is none
 * @property {Places} look
 * @property {Places} found
 *
 * @typedef {Record<string, (...values: any[]) => any>} Functions
 */

export const VERSION = 1;
export const CHANCE = -1;

/** The module of a game. @param {BufferSource} code @param {Card} card */
export async function load(code, card) {
  if (card.version !== VERSION) throw new Error(`a module with interface ${card.version}, expected ${VERSION}`);
  const { instance } = await WebAssembly.instantiate(code, {});
  return new Engine(instance, card);
}

export class Engine {
  /** @type {WeakMap<import("./network.js").Network, number>} */
  #tables = new WeakMap();
  /** @type {number[] | undefined} */
  #work;

  /** @param {WebAssembly.Instance} instance @param {Card} card */
  constructor(instance, card) {
    this.card = card;
    /** Takes and returns places in `memory`. */
    this.functions = blaming(card.game, instance.exports);
    this.memory = new Memory(instance.exports);
    this.state = this.memory.allocate(card.state);
    this.actions = this.memory.allocate(2 * card.most);
    this.numbers = this.memory.allocate(64); // a few numbers to or from a function
  }

  /** The position before the first move; of the options, those that are not named have their defaults. @param {Record<string, string | number>} options */
  start(options = {}) {
    const wanted = { ...this.card.starts[0][0], ...options }, names = Object.keys(wanted);
    const found = this.card.starts.find(([known]) => names.every((name) => known[name] === wanted[name]));
    if (!found) throw new Error(`no start of ${this.card.game} is known with ${JSON.stringify(options)}`);
    return this.create(found[1].map(BigInt));
  }

  /** The start position for options as words. @param {bigint[]} words */
  create(words) {
    const place = this.memory.allocate(8 * words.length);
    this.memory.view(BigUint64Array, place, words.length).set(words);
    this.memory.view(Uint8Array, this.state, this.card.state).fill(0);
    this.functions.new(this.state, place, words.length);
    this.memory.release(place);
    return this.#taken();
  }

  /** The seat to move, or CHANCE. @param {State} state */
  mover(state) {
    return (state[0] << 24) >> 24;
  }

  /** @param {State} state */
  isOver(state) {
    return state[1] !== 0;
  }

  /** @param {State} state */
  seats(state) {
    return state[2];
  }

  /** The legal actions, in the order of the kernel. @param {State} state @returns {number[]} */
  legal(state) {
    const n = this.functions.legal(this.#given(state), this.actions, this.card.most);
    if (n > this.card.most) throw new Error(`the rules of ${this.card.game} are broken: ${n} legal actions`);
    return [...this.memory.view(Int16Array, this.actions, n)];
  }

  /** The texts of the legal moves, sorted. @param {State} state */
  moves(state) {
    return this.legal(state).map((action) => this.card.moves[action]).sort();
  }

  /** The position after an action, which must be legal. @param {State} state @param {number} action */
  play(state, action) {
    this.functions.play(this.#given(state), action);
    return this.#taken();
  }

  /** The action of a move that is legal in a position. @param {State} state @param {string} move */
  action(state, move) {
    const found = this.legal(state).find((action) => this.card.moves[action] === move);
    if (found === undefined) throw new Error(`illegal move ${JSON.stringify(move)}: ${this.moves(state).join(" ")}`);
    return found;
  }

  /** @param {State} state @returns {number[]} */
  scores(state) {
    this.functions.scores(this.#given(state), this.numbers, this.seats(state));
    return [...this.memory.view(Int32Array, this.numbers, this.seats(state))];
  }

  /** What the end is worth to each seat, from −1 to 1. @param {State} state @returns {number[]} */
  returns(state) {
    const seats = this.seats(state);
    this.memory.view(Float32Array, this.numbers, seats).fill(0);
    if (this.isOver(state)) this.functions.returns(this.#given(state), this.numbers, seats);
    return [...this.memory.view(Float32Array, this.numbers, seats)];
  }

  /** Equal positions have equal keys. @param {State} state @returns {bigint} */
  key(state) {
    return BigInt.asUintN(64, this.functions.key(this.#given(state)));
  }

  /** The number of the rule that ended the game, or 0. @param {State} state @returns {number} */
  ending(state) {
    return this.functions.ending(this.#given(state));
  }

  /** How random games from a position end, and after how many plies. @param {State} state @param {number} games @param {bigint} seed of the first */
  playouts(state, games, seed = 0n) {
    const size = this.card.state, states = this.memory.allocate(games * size), plies = this.memory.allocate(4 * games);
    for (let k = 0; k < games; k++) this.memory.bytes(states + k * size, size).set(state);
    this.functions.playouts(states, games, seed, plies, this.actions, this.card.most);
    const found = { states: this.memory.bytes(states, games * size).slice(), plies: this.memory.view(Int32Array, plies, games).slice() };
    this.memory.release(plies);
    this.memory.release(states);
    if (found.plies.some((n) => n < 0)) throw new Error(`the rules of ${this.card.game} are broken`);
    return found;
  }

  /** The number of sequences of moves of a length. @param {State} state @param {number} depth @returns {bigint} */
  perft(state, depth) {
    if (depth === 0) return 1n;
    const sizes = [depth * this.card.state, 2 * depth * this.card.most, 8 * depth];
    const places = sizes.map((size) => this.memory.allocate(size));
    this.memory.bytes(places[0], state.length).set(state);
    const found = this.functions.leaves(...places, depth, this.card.most);
    for (const place of places) this.memory.release(place);
    return found;
  }

  /** The lead at the end after each legal action, for the seat to move: games with an exact solver only. @param {State} state @returns {[action: number, points: number][]} */
  solve(state) {
    const { room, most, state: size } = this.card;
    if (!room) throw new Error(`${this.card.game} has no exact solver`);
    if (this.isOver(state) || this.mover(state) === CHANCE) throw new Error("there is nothing to decide here");
    const [rows, columns] = room.numbers, levels = room.levels;
    // Kept, with all that the solver knows of a deal.
    this.#work ??= [8 * rows * columns, 2 * room.memo, levels * size, 2 * levels * most].map((bytes) => this.memory.allocate(bytes));
    const leads = this.memory.allocate(4 * most);
    const n = this.functions.solve(this.#given(state), ...this.#work, this.actions, leads);
    const points = this.memory.view(Int32Array, leads, n).slice();
    this.memory.release(leads);
    return [...this.memory.view(Int16Array, this.actions, n)].map((action, k) => [action, points[k]]);
  }

  /** The legal actions that an opponent in a solved game does not overlook. @param {State} state @param {number} overlooks @param {bigint} seed */
  seen(state, overlooks, seed) {
    const actions = Int16Array.from(this.legal(state)).sort();
    this.memory.view(Int16Array, this.actions, actions.length).set(actions);
    const n = this.functions.seen(seed, this.#given(state), overlooks, this.actions, actions.length);
    return new Set(this.memory.view(Int16Array, this.actions, n));
  }

  /** The points of an action as such an opponent sees them. @param {State} state @param {number} action @param {number} points @param {number} noise @param {bigint} seed @returns {number} */
  misjudged(state, action, points, noise, seed) {
    return this.functions.misjudged(seed, this.#given(state), action, points, noise);
  }

  /** The place of a network's table, which stays in memory. @param {import("./network.js").Network} network */
  tableOf(network) {
    let place = this.#tables.get(network);
    if (place === undefined) {
      place = this.memory.allocate(2 * network.table.length);
      this.memory.view(Int16Array, place, network.table.length).set(network.table);
      this.#tables.set(network, place);
    }
    return place;
  }

  /** @param {State} state */
  #given(state) {
    this.memory.bytes(this.state, this.card.state).set(state);
    return this.state;
  }

  #taken() {
    return this.memory.bytes(this.state, this.card.state).slice();
  }
}

/** The functions of a module, which stops where a kernel reaches outside an array. @param {string} game @param {WebAssembly.Exports} exports @returns {Functions} */
function blaming(game, exports) {
  const functions = Object.entries(exports).filter(([, each]) => typeof each === "function");
  return Object.fromEntries(functions.map(([name, each]) => [name, (/** @type {any[]} */ ...values) => {
    try {
      return /** @type {Function} */ (each)(...values);
    } catch (error) {
      if (!(error instanceof WebAssembly.RuntimeError)) throw error;
      throw new Error(`the rules of ${game} are broken`, { cause: error });
    }
  }]));
}
