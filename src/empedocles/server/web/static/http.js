// Requests to the API, and notices to the reader.
/** @import { Player } from "../messages" */
import { find, make } from "./dom.js";

const MOMENT = 3; // seconds at most that the page waits before it asks again

export const UNREACHABLE = "unreachable"; // the only code that does not come from the server

/** A refusal of the API: a stable code, words, and the rule if there is one. */
export class Refusal extends Error {
  /** @type {string} */ code = "";
  /** @type {string | null} */ rule = null;
}

/** Turn a network failure into a refusal. @template T @param {Promise<T>} answer @returns {Promise<T>} */
export const reached = (answer) =>
  answer.catch((problem) => {
    throw Object.assign(new Refusal(String(problem)), { code: UNREACHABLE });
  });

/** @param {number} seconds */
const pause = (seconds) => new Promise((done) => setTimeout(done, 1000 * seconds));

/**
 * Send a request. A GET is sent again if the server asks to wait a moment.
 * @template T
 * @param {string} method @param {string} path @param {object} [body] @param {number} [times] how often it may be sent
 * @returns {Promise<T>}
 */
export async function request(method, path, body, times = method === "GET" ? 2 : 1) {
  const headers = /** @type {HeadersInit} */ (body ? { "content-type": "application/json" } : {});
  const response = await reached(fetch(`/api${path}`, { method, headers, body: body && JSON.stringify(body) }));
  const retry = Number(response.headers.get("retry-after"));
  if (retry && retry <= MOMENT && times > 1) {
    await pause(retry);
    return request(method, path, body, times - 1);
  }
  const text = await reached(response.text());
  const type = response.headers.get("content-type") ?? "";
  const content = type.includes("json") && text ? JSON.parse(text) : text;
  if (!response.ok) throw Object.assign(new Refusal(content.message ?? response.statusText), content);
  return content;
}

/** @param {unknown} problem @returns {string} "" for a mistake in the page itself */
export const codeOf = (problem) => (problem instanceof Refusal ? problem.code : "");

/** This browser's player, created when first needed. @param {string} name @returns {Promise<Player>} */
export async function player(name) {
  try {
    return await request("GET", "/players/me");
  } catch (problem) {
    if (codeOf(problem) !== "no-player") throw problem;
    return request("POST", "/players", { name });
  }
}

let timer = 0;
/** Show a notice. @param {string} text @param {{href: string, text: string}} [link] opens in another tab */
export function notice(text, link) {
  const place = find("notice");
  const sign = link ? make("a", { href: link.href, textContent: link.text, target: "_blank", rel: "noopener" }) : "";
  place.replaceChildren(text, link ? " " : "", sign);
  clearTimeout(timer);
  timer = setTimeout(() => (place.textContent = ""), 6000);
}
