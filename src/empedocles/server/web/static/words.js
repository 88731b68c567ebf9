// The page's texts in the reader's language, which the server has written into the page.
/** @import { Problem } from "../messages" */
import { find } from "./dom.js";

/** @template T @param {string} id @returns {T} */
export const data = (id) => JSON.parse(find(id).textContent ?? "");

/** @type {Record<string, string> & {problems?: Record<string, string>}} */
const words = data("words");

/** @param {string} name @param {Record<string, string | number>} [values] */
export const say = (name, values = {}) => words[name].replace(/\{(\w+)\}/g, (_, key) => String(values[key]));

/** The text for a problem. @param {unknown} problem from the API, or any error */
export function problemWords(problem) {
  const { code = "", message = "" } = /** @type {Partial<Problem>} */ (problem);
  return words.problems?.[code] ?? message;
}
