// Checks whether chance was fair, by what this browser saw before and during the match. It needs no page: tests run it in Node.
/** @import { Draws, TableFacts } from "../../messages" */

/**
 * What this browser has stored of a match: the digest of the server's secret, those of all values as seen before it
 * opened its own, its own value, and the outcome of each draw by ply.
 * @typedef {{commitment?: string, commitments?: Record<number, string>, value?: string, draws?: Record<number, string>}} Kept
 * @typedef {{moves: string[], movers: (number | null)[], imported: number}} Played
 * @typedef {{verdict: string, n: number, ply?: number}} Verdict
 */

const OLD = 48; // digits of older secrets, which decided alone, by src/empedocles/core/rng.py
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

/** @param {string} digits */
const bytes = (digits) => Uint8Array.from(digits.match(/../g) ?? [], (pair) => parseInt(pair, 16));

/** @param {Uint8Array} given */
export const hexadecimal = (given) => [...given].map((byte) => byte.toString(16).padStart(2, "0")).join("");

/** Browsers compute digests only over HTTPS or on this machine. */
export const canCompute = () => Boolean(globalThis.crypto?.subtle);

/** @param {string} digits */
export const digest = async (digits) => hexadecimal(new Uint8Array(await crypto.subtle.digest("SHA-256", bytes(digits))));

/**
 * A function that draws at a ply, like src/empedocles/play/shuffle.py.
 * @param {string} secret @param {Record<number, string>} values @returns {Promise<(ply: number, n: number) => Promise<number>>}
 */
async function picking(secret, values) {
  if (secret.length === OLD) return async (ply, n) => draw(BigInt(`0x${secret.slice(-16)}`), ply, n);
  const key = await crypto.subtle.importKey("raw", bytes(secret), { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  const seats = Object.keys(values).map(Number).sort((a, b) => a - b);
  const together = seats.map((seat) => values[seat]).join("");
  return async (ply, n) => {
    const word = await crypto.subtle.sign("HMAC", key, bytes(together + ply.toString(16).padStart(16, "0")));
    return Number((BigInt(`0x${hexadecimal(new Uint8Array(word))}`) * BigInt(n)) >> 256n);
  };
}

/** The promise that was broken; "" if none was. @param {Draws & {secret: string}} told @param {Kept} kept */
async function brokenPromise(told, kept) {
  if ((await digest(told.secret)) !== (kept.commitment ?? told.commitment)) return "badSecret";
  const promised = Object.entries(kept.commitments ?? told.commitments).filter(([, one]) => one);
  if (Object.keys(told.values).length !== promised.length) return "badValue";
  for (const [seat, one] of promised) if ((await digest(told.values[Number(seat)] ?? "")) !== one) return "badValue";
  return kept.value && kept.commitments && !Object.values(told.values).includes(kept.value) ? "badValue" : "";
}

/**
 * Repeat all draws of chance. The possible outcomes are computed here: nobody is trusted about them.
 * @param {Draws & {secret: string}} told by the server @param {Kept} kept by this browser
 * @param {Played} played as this browser saw it @param {Pick<TableFacts, "bag">} facts
 * @returns {Promise<Verdict>} a name among the page's words
 */
export async function check(told, kept, { moves, movers, imported }, { bag }) {
  const plies = moves.map((_, ply) => ply).filter((ply) => movers[ply] === null && ply >= imported), n = plies.length;
  if (!canCompute()) return { verdict: "noCheck", n };
  const broken = await brokenPromise(told, kept);
  if (broken) return { verdict: broken, n };
  if (!bag || imported) return { verdict: "elsewhere", n };
  const pick = await picking(told.secret, told.values);
  const bagOf = new Map(told.draws.map((one) => [one.ply, one.bag]));
  /** @type {Map<number | null | undefined, Set<string>>} */
  const drawn = new Map();
  for (const ply of plies) {
    if ((kept.draws?.[ply] ?? moves[ply]) !== moves[ply]) return { verdict: "changed", n, ply: ply + 1 };
    const out = drawn.get(bagOf.get(ply)) ?? new Set();
    const outcomes = bag.filter((move) => !out.has(move));
    if (outcomes[await pick(ply, outcomes.length)] !== moves[ply]) return { verdict: "unfair", n, ply: ply + 1 };
    drawn.set(bagOf.get(ply), out.add(moves[ply]));
  }
  return { verdict: kept.commitment ? "fair" : "unseen", n };
}
