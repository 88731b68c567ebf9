// The gentle start: in the first matches of a game, overlays explain its score, and the server picks the simplest rules.
import { recall, store } from "./storage.js";
import { data } from "./words.js";

const GENTLE = 3; // matches; the server has the same number
const YEAR = 365 * 24 * 3600;
/** @type {{ game: string, id?: string }} of a table, or of the form for one */
const facts = data("facts");
const CHOICE = `gentle:${facts.game}`, PLAYED = `played:${facts.game}`;

/** @returns {boolean | null} what the reader has chosen for this game, or for all */
const choice = () => recall(CHOICE, recall("gentle", /** @type {boolean | null} */ (null)));
/** @returns {string[]} the first matches that were played to the end here */
const played = () => recall(PLAYED, /** @type {string[]} */ ([]));

export const isGentle = () => choice() ?? played().length < GENTLE;

/** Whether it is time to ask if it should stay so. */
export const mayLeave = () => choice() === null && played().length >= GENTLE;

/** Remember that this match is over. */
export function countMatch() {
  const known = played();
  if (facts.id && known.length < GENTLE && !known.includes(facts.id)) store(PLAYED, [...known, facts.id]);
}

/** @param {boolean} gentle @param {boolean} [everywhere] in all games, not just this one */
export function chooseGentle(gentle, everywhere = false) {
  store(everywhere ? "gentle" : CHOICE, gentle);
  const name = everywhere ? "gentle" : `gentle-${facts.game}`; // the server reads a cookie
  document.cookie = `${name}=${gentle ? "yes" : "no"}; path=/; max-age=${YEAR}; samesite=lax`;
}
