// The memory of a module, in blocks.

const EVEN = 16, PAGE = 65536;

/**
 * @template T
 * @typedef {{ new (buffer: ArrayBufferLike, offset: number, length: number): T }} Kind of typed array
 */

export class Memory {
  /** @type {Map<number, number>} */
  #sizes = new Map(); // of all blocks, by place
  /** @type {Set<number>} */
  #free = new Set();

  /** @param {WebAssembly.Exports} exports */
  constructor(exports) {
    this.memory = /** @type {WebAssembly.Memory} */ (exports.memory);
    this.end = even(/** @type {WebAssembly.Global} */ (exports.__heap_base).value);
  }

  /** A block of zeros; its place. @param {number} bytes */
  allocate(bytes) {
    const size = even(Math.max(bytes, 1));
    for (const place of this.#free) {
      if (this.#sizes.get(place) === size) {
        this.#free.delete(place);
        this.bytes(place, size).fill(0);
        return place;
      }
    }
    const place = this.end, missing = place + size - this.memory.buffer.byteLength;
    if (missing > 0) this.memory.grow(Math.ceil(missing / PAGE));
    this.end += size;
    this.#sizes.set(place, size);
    return place;
  }

  /** Let a block be used again. @param {number} place */
  release(place) {
    this.#free.add(place);
    for (const last of [...this.#free].sort((one, two) => two - one)) {
      const size = /** @type {number} */ (this.#sizes.get(last));
      if (last + size !== this.end) return;
      this.bytes(last, size).fill(0); // the next block that begins here is one of zeros, too
      this.#free.delete(last);
      this.#sizes.delete(last);
      this.end = last;
    }
  }

  /** Until memory grows. @param {number} place @param {number} n */
  bytes(place, n) {
    return new Uint8Array(this.memory.buffer, place, n);
  }

  /** Until memory grows. @template T @param {Kind<T>} kind @param {number} place @param {number} n @returns {T} */
  view(kind, place, n) {
    return new kind(this.memory.buffer, place, n);
  }
}

/** @param {number} size */
function even(size) {
  return Math.ceil(size / EVEN) * EVEN;
}
