// Who plays: the strongest we have, and the levels of a game's ladder, which see less. The same moves as on the server.

import { Search, nodesFor } from "./search.js";

/**
 * @typedef {import("./engine.js").Engine} Engine
 * @typedef {import("./engine.js").State} State
 * @typedef {import("./engine.js").Level} Level
 * @typedef {import("./network.js").Network} Network
 * @typedef {import("./search.js").Evaluation} Evaluation
 */

/**
 * @typedef {object} Given
 * @property {bigint} [seed]
 * @property {number} [most] simulations
 * @property {Network | null} [network] of the game, if it suits the options
 */

const MOST_OVERLOOKED = 0.9;

/** All moves of a position, searched with full strength, the best first. @param {Engine} engine @param {State} state @param {number} simulations @param {Given} given */
export function analyse(engine, state, simulations, { seed = 0n, network = null } = {}) {
  return engine.card.room ? solve(engine, state) : searched(engine, state, simulations, { seed, network });
}

/** How a level judges the moves of a position, the best first. @param {Engine} engine @param {State} state @param {number} level from 1 @param {Given} given */
export function think(engine, state, level, { seed = 0n, most = Infinity, network = null } = {}) {
  const today = onTheDay(engine, engine.card.opponents[level - 1], seed);
  if (engine.card.room) return blurred(engine, state, today, seed);
  const { noise, overlooks } = today, simulations = Math.min(today.simulations, most);
  const told = { seed, noise, overlooks, network: today.learnt ? network : null };
  return searched(engine, state, simulations, { ...told, nodes: nodesFor(engine, simulations) });
}

/** The move of a level. @param {Engine} engine @param {State} state @param {number} level @param {Given} given */
export function choose(engine, state, level, given = {}) {
  const moves = engine.moves(state);
  return moves.length === 1 ? moves[0] : think(engine, state, level, given)[0].move;
}

/** Exact values, the best first, with a line of best play for the first. @param {Engine} engine @param {State} state */
export function solve(engine, state) {
  const found = exactly(engine, state), best = found[0];
  for (let after = engine.play(state, best.action); !engine.isOver(after); ) {
    const next = exactly(engine, after)[0];
    best.line.push(next.move);
    after = engine.play(after, next.action);
  }
  return found;
}

/** @param {Engine} engine @param {State} state @param {number} simulations @param {import("./search.js").Told} told */
function searched(engine, state, simulations, told) {
  const search = new Search(engine, state, told);
  try {
    search.run(simulations);
    return search.evaluations();
  } finally {
    search.close();
  }
}

/** An opponent as it is in one match: people have good days and bad ones. @param {Engine} engine @param {Level} level @param {bigint} seed @returns {Level} */
function onTheDay(engine, level, seed) {
  const worse = engine.functions.form(seed, level.form);
  return {
    ...level,
    simulations: Math.max(1, rounded(level.simulations / (worse * worse))),
    noise: level.noise * worse,
    overlooks: Math.min(MOST_OVERLOOKED, level.overlooks * worse),
  };
}

/** Halves to even numbers, as Python does. @param {number} x */
function rounded(x) {
  const below = Math.floor(x), rest = x - below;
  return below + Number(rest > 0.5 || (rest === 0.5 && below % 2 !== 0));
}

/** @param {Engine} engine @param {State} state @returns {Evaluation[]} */
function exactly(engine, state) {
  const found = engine.solve(state).map(([action, points]) => evaluation(engine, action, points, true));
  return found.sort((one, two) => Number(two.points) - Number(one.points) || (one.move < two.move ? -1 : 1));
}

/** @param {Engine} engine @param {number} action @param {number} points @param {boolean} proven @returns {Evaluation} */
function evaluation(engine, action, points, proven) {
  const move = engine.card.moves[action];
  return { move, action, value: Math.sign(points), visits: 0, proven, points, line: [move] };
}

/** Exact values as an opponent sees them: misjudged, and some overlooked. @param {Engine} engine @param {State} state @param {Level} level @param {bigint} seed */
function blurred(engine, state, level, seed) {
  const exact = exactly(engine, state), sure = !(level.noise || level.overlooks);
  const seen = engine.seen(state, level.overlooks, seed);
  const found = exact.filter(({ action }) => seen.has(action)).map(({ action, points }) => {
    const believed = engine.misjudged(state, action, Number(points), level.noise, seed);
    return { believed, found: { ...evaluation(engine, action, believed, sure), points: rounded(believed) } };
  });
  return found.sort((one, two) => two.believed - one.believed).map((each) => each.found);
}
