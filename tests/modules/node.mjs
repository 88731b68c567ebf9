// node node.mjs SOURCES MODULE NETWORK: questions come on standard input, answers go to standard output.

import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { answers } from "./parity.mjs";

const [sources, module, network] = process.argv.slice(2);
const file = network ? new Uint8Array(readFileSync(network)).buffer : null;
const [code, card] = [readFileSync(`${module}/module.wasm`), JSON.parse(readFileSync(`${module}/module.json`, "utf8"))];
const questions = JSON.parse(readFileSync(0, "utf8"));
process.stdout.write(JSON.stringify(await answers(pathToFileURL(sources).href, code, card, file, questions)));
