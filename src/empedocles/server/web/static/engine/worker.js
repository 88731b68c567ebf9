// The Worker that searches: one position after another, and it posts what it has found a few times a second.
// It may be stopped at any time, as its memory is its own: see thinker.js.

import { load } from "./engine.js";
import { readNetwork } from "./network.js";
import { solve } from "./opponents.js";
import { Search } from "./search.js";

/**
 * @typedef {import("./engine.js").Engine} Engine
 * @typedef {import("./network.js").Network} Network
 * @typedef {import("./search.js").Evaluation} Evaluation
 *
 * @typedef {object} Files addresses
 * @property {string} code
 * @property {string} card
 * @property {string | null} network
 *
 * @typedef {{kind: "open", files: Files, nodes: number}} Opening
 * @typedef {{kind: "search", number: number, state: Uint8Array}} Task
 * @typedef {Opening | Task | {kind: "go"} | {kind: "stop"}} Order
 *
 * @typedef {object} Report
 * @property {number} number of the task
 * @property {number} simulations
 * @property {Evaluation[]} evaluations of the best moves
 * @property {number} bytes of memory
 * @property {boolean} done whether more thinking would find nothing
 */

const STRETCH = 40; // milliseconds between two looks at what the page says
const TELL = 250; // milliseconds between two reports
const FIRST = 64; // simulations of the first stretch: nobody knows how fast this machine is
const MOST = 2_000_000_000; // simulations of one search: counts have 32 bits
const TOLD = 3; // moves

/** @type {Promise<{engine: Engine, network: Network | null, nodes: number}>} */
let opened;
/** @type {Search | null} */
let search = null;
let number = 0; // of the task
let done = 0; // simulations
let turn = 0; // of the loops: an earlier one ends

/** @param {string} address */
async function fetched(address) {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`${address}: ${answer.status}`);
  return answer;
}

/** @param {Opening} order */
async function open({ files, nodes }) {
  const [code, card] = await Promise.all([fetched(files.code), fetched(files.card)]);
  const engine = await load(await code.arrayBuffer(), await card.json());
  return { engine, network: files.network ? await readNetwork(await (await fetched(files.network)).arrayBuffer()) : null, nodes };
}

/** @param {Task} task */
async function begin(task) {
  const mine = (turn += 1);
  const { engine, network, nodes } = await opened;
  if (mine !== turn) return;
  search?.close(); // the next one lies in the same memory
  search = null;
  ({ number } = task);
  done = 0;
  if (engine.card.room) return tell(engine, solve(engine, task.state), true);
  search = new Search(engine, task.state, { nodes, network });
  await work(mine, search);
}

async function goOn() {
  const mine = (turn += 1);
  await opened;
  if (search && mine === turn) await work(mine, search);
}

/** @param {number} mine @param {Search} search */
async function work(mine, search) {
  let size = FIRST, told = performance.now();
  while (mine === turn && !search.isSettled && done < MOST) {
    const began = performance.now();
    search.run(size);
    done += size;
    const now = performance.now();
    size = Math.max(1, Math.round(size * Math.min(2, STRETCH / Math.max(1, now - began))));
    if (now - told >= TELL) {
      tell(search.engine, search.evaluations(), false);
      told = now;
    }
    await breath();
  }
  if (mine === turn) tell(search.engine, search.evaluations(), true);
}

/** @param {Engine} engine @param {Evaluation[]} evaluations @param {boolean} isDone */
function tell(engine, evaluations, isDone) {
  const bytes = engine.memory.memory.buffer.byteLength;
  /** @type {Report} */
  const report = { number, simulations: done, evaluations: evaluations.slice(0, TOLD), bytes, done: isDone };
  postMessage(report);
}

const { port1, port2 } = new MessageChannel();
/** Let messages in; a timer would wait for some milliseconds. */
const breath = () => new Promise((go) => {
  port1.onmessage = go;
  port2.postMessage(null);
});

/** @param {MessageEvent<Order>} event */
async function obey({ data }) {
  if (data.kind === "open") opened = open(data);
  else if (data.kind === "search") await begin(data);
  else if (data.kind === "go") await goOn();
  else turn += 1;
}

// The page hears of a fault, and has another Worker find the move.
onmessage = (event) => obey(event).catch(reportError);
