// Requests to the API. A problem is an Error with the API's code, message and rule.

/** @typedef {{id: string, name: string}} Player */

/**
 * @param {string} method @param {string} path @param {object} [body]
 * @returns {Promise<any>}
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
  if (!response.ok) throw Object.assign(new Error(content.message ?? response.statusText), content);
  return content;
}

/** The player of this browser; one is made on the first wish to play. @param {string} name @returns {Promise<Player>} */
export async function player(name) {
  try {
    return await request("GET", "/players/me");
  } catch (problem) {
    if (problem.code !== "no-player") throw problem;
    return request("POST", "/players", { name });
  }
}

let timer = 0;
/** Say something at the bottom of the page. @param {string} text @param {{href: string, text: string}} [link] */
export function notice(text, link) {
  const place = document.getElementById("notice");
  place.textContent = text;
  if (link) {
    const anchor = Object.assign(document.createElement("a"), { href: link.href, textContent: ` ${link.text}` });
    place.append(anchor);
  }
  clearTimeout(timer);
  timer = setTimeout(() => (place.textContent = ""), 6000);
}
