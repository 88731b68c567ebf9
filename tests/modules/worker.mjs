// In a Worker: takes what `answers` needs as addresses, and posts the answers.

import { answers } from "./parity.mjs";

onmessage = async ({ data: { sources, module, network, questions } }) => {
  const load = async (address) => (await fetch(address)).arrayBuffer();
  const card = await (await fetch(`${module}/module.json`)).json();
  const file = network ? await load(network) : null;
  postMessage(await answers(sources, await load(`${module}/module.wasm`), card, file, questions));
};
