// A search's tree in memory, read: a node is an index, its children lie next to each other.

/** @typedef {import("./engine.js").Engine} Engine */

export const ROOT = 0;
const FARTHEST = 8, MOST_LOOKED_AT = 2000; // as on the server: how far a later position is looked for

/** A field of a search's record. @param {Engine} engine @param {number} record @param {[offset: number, type: string]} field */
export function reading({ memory }, record, [offset, type]) {
  const view = new DataView(memory.memory.buffer, record + offset, 8);
  return type === "f8" ? view.getFloat64(0, true) : type === "u4" ? view.getUint32(0, true) : view.getInt32(0, true);
}

/** Set a field of a search's record. @param {Engine} engine @param {number} record @param {[offset: number, type: string]} field @param {number | bigint} value */
export function writing({ memory }, record, [offset, type], value) {
  const view = new DataView(memory.memory.buffer, record + offset, 8);
  if (type === "u8") view.setBigUint64(0, BigInt(value), true);
  else if (type === "f8") view.setFloat64(0, Number(value), true);
  else view.setInt32(0, Number(value), true);
}

export class Tree {
  /** Until memory grows. @param {Engine} engine @param {number} look the search's record */
  constructor(engine, look) {
    const fields = engine.card.look.fields, nodes = reading(engine, look, fields.nodes);
    const at = (/** @type {string} */ name) => reading(engine, look, fields[name]);
    this.family = engine.memory.view(BigInt64Array, at("family"), nodes);
    this.action = engine.memory.view(Int16Array, at("action"), nodes);
    this.settled = engine.memory.view(Int8Array, at("settled"), nodes);
    this.visits = engine.memory.view(BigInt64Array, at("visits"), nodes);
    this.size = engine.memory.view(BigInt64Array, at("size"), 2);
  }

  /** @param {number} node @returns {number[]} */
  children(node) {
    const family = this.family[node];
    if (family <= 0n) return [];
    const first = Number(family >> 16n);
    return Array.from({ length: Number(family & 0xffffn) }, (_, k) => first + k);
  }

  /** Let the root have one child only. @param {number} child */
  narrow(child) {
    this.family[ROOT] = (BigInt(child) << 16n) | 1n;
    this.settled[ROOT] = 0;
  }

  /** The node with children whose position has a key, near the root, likely ones first; null if there is none. @param {Engine} engine @param {Uint8Array} root @param {bigint} wanted */
  seek(engine, root, wanted) {
    const todo = [{ node: ROOT, depth: 0, state: root }];
    for (let looked = 0; looked < Math.min(todo.length, MOST_LOOKED_AT); looked++) {
      const { node, depth, state } = todo[looked];
      if (engine.key(state) === wanted) return node;
      if (depth === FARTHEST || todo.length >= MOST_LOOKED_AT) continue;
      const known = this.children(node).filter((child) => this.family[child] > 0n);
      known.sort((one, two) => Number(this.visits[two] - this.visits[one]));
      for (const child of known) todo.push({ node: child, depth: depth + 1, state: engine.play(state, this.action[child]) });
    }
    return null;
  }
}
