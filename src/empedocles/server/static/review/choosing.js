// Entering a move by clicks: legal moves filtered by the targets chosen so far. No rule is known here; the same as
// play/partial.py.

export const CONFIRM = "confirm"; // ends a move that could also go on

/** @typedef {[string, string]} Choice A move, and its clicks: groups in order joined by |, targets by blanks. */

/** What is left of a way after some targets; null if it does not begin so. @param {string} way @param {string[]} chosen */
function after(way, chosen) {
  const groups = way.split("|").map((group) => group.split(" ").filter(Boolean));
  for (const target of chosen) {
    const at = groups[0]?.indexOf(target) ?? -1;
    if (at < 0) return null;
    groups[0].splice(at, 1);
    if (!groups[0].length) groups.shift();
  }
  return groups;
}

/**
 * What can be chosen next, and the move that the chosen targets are: `whole` if they are one, `move` if no other
 * target can follow.
 * @param {Choice[]} choices @param {string[]} chosen
 */
export function filter(choices, chosen) {
  const next = new Set();
  let whole = null;
  for (const [move, way] of choices) {
    const left = after(way, chosen);
    if (!left) continue;
    if (left.length) left[0].forEach((target) => next.add(target));
    else whole = move;
  }
  const move = next.size ? null : whole;
  if (whole && next.size) next.add(CONFIRM);
  return { next, whole, move };
}
