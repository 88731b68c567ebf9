// Whether chance was fair: the secret that a server shows when a match is over must have the digest that was published
// at its start, and every draw must follow from it. The arithmetic is that of src/empedocles/engine/rng.py.
/** @import { Draws } from "../../messages" */

const WORD = (1n << 64n) - 1n;
const SALT = 0x9e3779b97f4a7c15n;

/** @param {bigint} x */
function mix(x) {
  x = ((x ^ (x >> 30n)) * 0xbf58476d1ce4e5b9n) & WORD;
  x = ((x ^ (x >> 27n)) * 0x94d049bb133111ebn) & WORD;
  return x ^ (x >> 31n);
}

/** @param {bigint} seed @param {number} counter */
export function randomWord(seed, counter) {
  return mix(((seed << 1n) & WORD) ^ (seed >> 63n) ^ mix(BigInt(counter) ^ SALT));
}

/** One of 0 … n−1. @param {bigint} seed @param {number} counter @param {number} n */
export function draw(seed, counter, n) {
  return Number(((randomWord(seed, counter) >> 32n) * BigInt(n)) >> 32n);
}

/** @param {string} hex */
async function digest(hex) {
  const bytes = Uint8Array.from(hex.match(/../g) ?? [], (pair) => parseInt(pair, 16));
  const sum = await crypto.subtle.digest("SHA-256", bytes);
  return [...new Uint8Array(sum)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * @param {Draws & {secret: string}} told
 * @param {string} promised the digest that was seen while the match ran
 * @returns {Promise<{wrong: number | null, kept: boolean | null}>} the first wrong draw, and whether the secret is the
 *   one that was promised; null where the browser computes no digests
 */
export async function check(told, promised) {
  const seed = BigInt(`0x${told.secret.slice(-16)}`);
  const wrong = told.draws.find(({ ply, outcomes, move }) => outcomes[draw(seed, ply, outcomes.length)] !== move);
  const kept = globalThis.crypto?.subtle ? (await digest(told.secret)) === promised && told.commitment === promised : null;
  return { wrong: wrong ? wrong.ply : null, kept };
}
