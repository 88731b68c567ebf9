// What this browser remembers. Where storage is blocked it forgets, and all else works.

/** @template T @param {string} name @param {T} otherwise @returns {T} */
export function recall(name, otherwise) {
  try {
    return JSON.parse(localStorage.getItem(name) ?? "null") ?? otherwise;
  } catch {
    return otherwise;
  }
}

/** @param {string} name @param {unknown} value @returns {boolean} whether it will be remembered */
export function store(name, value) {
  try {
    localStorage.setItem(name, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}

/** Everything, such as which lessons were done. */
export function forgetAll() {
  try {
    localStorage.clear();
  } catch {
    // nothing was kept
  }
}
