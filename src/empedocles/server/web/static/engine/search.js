// Looking ahead: the same tree as on the server, for the same seed, weights and number of simulations.

import { ROOT, Tree, reading, writing } from "./tree.js";

/**
 * @typedef {import("./engine.js").Engine} Engine
 * @typedef {import("./engine.js").State} State
 * @typedef {import("./network.js").Network} Network
 *
 * @typedef {object} Evaluation of one move, seen by the player to move
 * @property {string} move
 * @property {number} action
 * @property {number} value from −1, a loss, to 1, a win
 * @property {number} visits
 * @property {boolean} proven
 * @property {number | null} points lead at the end, where it is known
 * @property {string[]} line what best play would look like, this move first
 *
 * @typedef {object} Told
 * @property {bigint} [seed]
 * @property {number} [nodes] of the tree: more simulations than fit in it change it, but do not make it larger
 * @property {number} [noise] by how much positions are misjudged
 * @property {number} [overlooks] the part of all moves that is not seen
 * @property {Network | null} [network] instead of the hand-made evaluation
 * @property {string | null} [only] a move whose value is wanted, whatever the others are worth
 * @property {number[]} [numbers] weights of the hand-made evaluation, instead of the game's own
 */

const MOST_NODES = 2_000_000, LONGEST_LINE = 4096;

/** The size of a tree for a number of simulations, as on the server. @param {Engine} engine @param {number} simulations */
export function nodesFor(engine, simulations) {
  return Math.min(MOST_NODES, (simulations + 1) * engine.card.most + 1);
}

export class Search {
  #done = 0;

  /** @param {Engine} engine @param {State} state in which the game is not over @param {Told} told */
  constructor(engine, state, told = {}) {
    if (engine.isOver(state)) throw new Error("the game is over, there is nothing to search");
    const { seed = 0n, nodes = MOST_NODES, noise = 0, overlooks = 0, network = null, numbers = [], only = null } = told;
    if (nodes <= engine.card.most) throw new Error(`a tree needs more than ${engine.card.most} nodes here, not ${nodes}`);
    this.engine = engine;
    this.state = state;
    this.seats = engine.seats(state);
    this.overlooks = overlooks;
    this.numbers = numbers;
    this.look = engine.memory.allocate(engine.card.look.size);
    this.found = engine.memory.allocate(engine.card.found.size);
    const { exploration, sharpness } = engine.card.style;
    const [entries, marks] = network ? [network.table.length, network.marks] : [0, 0];
    const table = network ? engine.tableOf(network) : 0;
    this.#tell({ seed, exploration, sharpness, noise, overlooks, nodes, table, entries, marks });
    this.#tell({ seats: this.seats, most: engine.card.most, numbers: numbers.length });
    this.memory = this.#laidOut();
    this.#begin(state);
    this.#tree().size[0] = 1n; // the root
    if (only !== null) this.#narrow(only);
  }

  /** More simulations, until the root's value is certain. @param {number} simulations */
  run(simulations) {
    const { functions, card } = this.engine;
    if (!functions.simulate(this.look, this.states, this.#done, this.#done + simulations)) {
      throw new Error(`the rules of ${card.game} are broken`);
    }
    this.#done += simulations;
  }

  /** Keep what is known of a position that came up since, and forget the rest; false if it is not in the tree. @param {State} state */
  follow(state) {
    const { engine, look } = this, { memory } = engine;
    const node = engine.isOver(state) ? null : this.#tree().seek(engine, this.state, engine.key(state));
    if (node === null) return false;
    const old = memory.allocate(engine.card.look.size), before = this.memory;
    memory.bytes(old, engine.card.look.size).set(memory.bytes(look, engine.card.look.size));
    this.memory = this.#laidOut();
    const origin = memory.allocate(8 * this.#field("nodes"));
    engine.functions.keep(old, node, look, origin);
    for (const place of [origin, old, before]) memory.release(place);
    this.#begin(state);
    return true;
  }

  /** Whether nothing is left to find out. */
  get isSettled() {
    return this.engine.functions.is_settled(this.look) !== 0;
  }

  /** What is known of each move, the best first. Moves that are overlooked are missing. */
  evaluations() {
    const found = Array.from({ length: this.engine.functions.children(this.look) }, (_, k) => this.#child(k));
    const won = (/** @type {Evaluation} */ e) => e.proven && e.value >= 1, lost = (/** @type {Evaluation} */ e) => e.proven && e.value <= -1;
    return found.sort((one, two) =>
      Number(won(two)) - Number(won(one)) || Number(lost(one)) - Number(lost(two)) ||
      two.visits - one.visits || two.value - one.value || (one.move < two.move ? -1 : 1));
  }

  /** What a position promises to each seat at a glance. @returns {number[]} */
  judge() {
    this.engine.functions.evaluate(this.look, this.states);
    return [...this.engine.memory.view(Float32Array, this.#field("result"), this.seats)];
  }

  /** Give the memory back. */
  close() {
    for (const place of [this.memory, this.found, this.look]) this.engine.memory.release(place);
  }

  /** Find room for the arrays; its place. */
  #laidOut() {
    const { functions, memory, card } = this.engine;
    const place = memory.allocate(functions.lay_out(this.look, 0, card.state));
    functions.lay_out(this.look, place, card.state);
    return place;
  }

  /** @param {State} state at the root */
  #begin(state) {
    const { memory } = this.engine;
    this.state = state.slice();
    this.seat = Math.max(0, this.engine.mover(state));
    this.states = this.#field("states");
    memory.bytes(this.states, state.length).set(state);
    memory.view(Float64Array, this.#field("weights"), this.numbers.length).set(this.numbers);
  }

  /** @param {string} move the only one to be searched */
  #narrow(move) {
    const action = this.engine.action(this.state, move);
    this.#tell({ overlooks: 0 });
    this.run(1); // makes all children
    this.#done = 0;
    this.#tell({ overlooks: this.overlooks });
    const tree = this.#tree();
    tree.narrow(/** @type {number} */ (tree.children(ROOT).find((child) => tree.action[child] === action)));
  }

  #tree() {
    return new Tree(this.engine, this.look);
  }

  /** @param {number} k @returns {Evaluation} */
  #child(k) {
    const { functions, card, memory } = this.engine, record = card.found;
    functions.child(this.look, k, this.seat, Number(card.style.judges), this.found);
    const read = (/** @type {string} */ name) => reading(this.engine, this.found, record.fields[name]);
    const action = read("action"), line = memory.allocate(2 * LONGEST_LINE);
    const n = functions.line(this.look, k, line, LONGEST_LINE);
    const moves = [...memory.view(Int16Array, line, n)].map((each) => card.moves[each]);
    memory.release(line);
    // Who overlooks moves may believe in a proof that is none.
    const proven = read("settled") !== 0 && !this.overlooks;
    return { move: card.moves[action], action, value: read("value"), visits: read("visits"), proven, points: null, line: moves };
  }

  /** @param {string} name */
  #field(name) {
    return reading(this.engine, this.look, this.engine.card.look.fields[name]);
  }

  /** @param {Record<string, number | bigint>} values */
  #tell(values) {
    for (const [name, value] of Object.entries(values)) writing(this.engine, this.look, this.engine.card.look.fields[name], value);
  }
}
