// Listeners that are called when something changes.

/** @template T */
export class News {
  /** @type {((value: T) => void)[]} */
  #hearers = [];

  /** @param {(value: T) => void} hear */
  when(hear) {
    this.#hearers.push(hear);
  }

  /** @param {T} value */
  tell(value) {
    for (const hear of this.#hearers) hear(value);
  }
}
