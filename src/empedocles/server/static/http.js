// Requests to the API, and what the page says about them.
/** @import { Player } from "../messages" */
import { find, make } from "./dom.js";

/** What the API has refused: a stable code, words, and the rule where there is one. */
export class Refusal extends Error {
  /** @type {string} */ code = "";
  /** @type {string | null} */ rule = null;
}

/**
 * @template T
 * @param {string} method @param {string} path @param {object} [body]
 * @returns {Promise<T>}
 */
export async function request(method, path, body) {
  const response = await fetch(`/api${path}`, {
    method,
    headers: body ? { "content-type": "application/json" } : {},
    body: body ? JSON.stringify(body) : undefined,
  });
  const text = await response.text();
  const type = response.headers.get("content-type") ?? "";
  const content = type.includes("json") && text ? JSON.parse(text) : text;
  if (!response.ok) throw Object.assign(new Refusal(content.message ?? response.statusText), content);
  return content;
}

/** @param {unknown} problem @returns {string} "" for what the API has not said, such as a lost connection */
export const codeOf = (problem) => (problem instanceof Refusal ? problem.code : "");

/** The player of this browser; one is made on the first wish to play. @param {string} name @returns {Promise<Player>} */
export async function player(name) {
  try {
    return await request("GET", "/players/me");
  } catch (problem) {
    if (codeOf(problem) !== "no-player") throw problem;
    return request("POST", "/players", { name });
  }
}

let timer = 0;
/** Say something to the reader. @param {string} text @param {{href: string, text: string}} [link] to read in another tab */
export function notice(text, link) {
  const place = find("notice");
  const sign = link ? make("a", { href: link.href, textContent: link.text, target: "_blank", rel: "noopener" }) : "";
  place.replaceChildren(text, link ? " " : "", sign);
  clearTimeout(timer);
  timer = setTimeout(() => (place.textContent = ""), 6000);
}
