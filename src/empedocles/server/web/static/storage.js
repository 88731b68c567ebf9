// The browser's storage. Where it is blocked nothing is remembered, and everything else works.

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

/** Delete everything, such as progress in lessons. */
export function forgetAll() {
  try {
    localStorage.clear();
  } catch {
    // nothing was stored
  }
}
