// node wasm_speed.mjs SOURCES MODULE [NETWORK]: a line says what to do, the answer is how much and the seconds.

import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const [sources, module, file] = process.argv.slice(2);
const [{ load }, { Search }, { readNetwork }] = await Promise.all(
  ["engine", "search", "network"].map((name) => import(pathToFileURL(`${sources}/${name}.js`).href)),
);
const card = JSON.parse(readFileSync(`${module}/module.json`, "utf8"));
const engine = await load(readFileSync(`${module}/module.wasm`), card);
const network = file ? await readNetwork(new Uint8Array(readFileSync(file)).buffer) : null;
const start = engine.start();
let decision = start;
while (engine.mover(decision) < 0) decision = engine.play(decision, Math.min(...engine.legal(decision)));

for await (const line of createInterface({ input: process.stdin })) {
  const [what, size, seed, nodes, simulations] = JSON.parse(line);
  const found = what === "playouts" ? playouts(size, seed) : searches(size, seed, nodes, simulations);
  process.stdout.write(`${JSON.stringify(found)}\n`);
}

function playouts(size, seed) {
  let plies = new Int32Array();
  const seconds = timed(() => ({ plies } = engine.playouts(start, size, BigInt(seed))));
  return [plies.reduce((sum, n) => sum + n, 0), seconds];
}

function searches(number, seed, nodes, simulations) {
  let seconds = 0;
  for (let k = 0; k < number; k++) {
    const search = new Search(engine, decision, { seed: BigInt(seed + k), nodes, network });
    seconds += timed(() => search.run(simulations));
    search.close();
  }
  return [number * simulations, seconds];
}

function timed(run) {
  const before = process.threadCpuUsage();
  run();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1e6;
}
