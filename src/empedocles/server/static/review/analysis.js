// An analysis as it grows: asked for until it is done.

import { request } from "../http.js";

const EVERY = 800; // milliseconds
const pause = (time) => new Promise((resolve) => setTimeout(resolve, time));

/**
 * Tell of each answer, until the analysis is done; a problem that asking again does not solve is thrown.
 * @param {string} match @param {string} language @param {(answer: any) => void} tell
 */
export async function follow(match, language, tell) {
  let answer = await request("POST", "/analyses", { match, language });
  let known = answer.known;
  tell(answer);
  while (!answer.done) {
    await pause(document.hidden ? 5 * EVERY : EVERY);
    try {
      answer = await request("GET", `/analyses/${answer.id}?since=${known}&language=${language}`);
      known = answer.known;
      tell(answer);
    } catch (problem) {
      if (problem.code === "no-analysis") return follow(match, language, tell); // another process answers now
      if (problem.code) throw problem;
      await pause(5 * EVERY); // no connection
    }
  }
}
