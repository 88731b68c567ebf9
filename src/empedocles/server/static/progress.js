// Which lessons are done, remembered in this browser.
const PLACE = "lessons";

/** @returns {Record<string, string[]>} names of lessons by game */
function all() {
  try {
    return JSON.parse(localStorage.getItem(PLACE) ?? "{}");
  } catch {
    return {};
  }
}

/** @param {string} game @returns {Set<string>} */
export const solved = (game) => new Set(all()[game] ?? []);

/** @param {string} game @param {string} lesson */
export function solve(game, lesson) {
  try {
    localStorage.setItem(PLACE, JSON.stringify({ ...all(), [game]: [...solved(game).add(lesson)] }));
  } catch {
    // a browser that remembers nothing still teaches
  }
}
