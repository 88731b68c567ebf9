// What the page says, in the reader's language: the server has written it into the page.

/** @template T @param {string} id @returns {T} */
export const data = (id) => JSON.parse(document.getElementById(id).textContent);

/** @type {Record<string, any>} */
export const words = data("words");

/** @param {string} name @param {Record<string, string | number>} [values] */
export const say = (name, values = {}) => words[name].replace(/\{(\w+)\}/g, (_, key) => String(values[key]));

/** A problem of the API in words. @param {{code?: string, message: string}} problem */
export const problemWords = (problem) => words.problems[problem.code] ?? problem.message;
