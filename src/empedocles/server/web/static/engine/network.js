// A trained network, as the file that comes with its game: NumPy's arrays in an archive, compressed.

/**
 * @typedef {object} Network
 * @property {Int16Array} table
 * @property {number} marks places of the table that one position has
 * @property {Record<string, any>} card how it was made, and for which options
 */

const ENTRY = 0x02014b50, END = 0x06054b50; // signatures in the archive's directory
const STORED = 0;

/** @param {ArrayBuffer} file @returns {Promise<Network>} */
export async function readNetwork(file) {
  const parts = new Map(directory(new DataView(file)));
  /** @param {string} name */
  const part = async (name) => numbers(await unpacked(file, parts.get(`${name}.npy`)));
  const card = JSON.parse(new TextDecoder().decode(new Uint8Array(await part("card"))));
  const steps = new Uint32Array(await part("steps")), values = new Int16Array(await part("values"));
  const table = new Int16Array(card.size);
  let place = 0;
  steps.forEach((step, k) => {
    place += step;
    table[place] = values[k];
  });
  return { table, marks: card.places, card };
}

/** Whether a network was trained on a game with some options. @param {Network} network @param {string} game @param {Record<string, string | number>} options */
export function suits(network, game, options) {
  const wanted = JSON.stringify(sorted(options));
  return network.card.game === game && network.card.options.some((/** @type {any} */ known) => JSON.stringify(sorted(known)) === wanted);
}

/** @param {Record<string, any>} options */
function sorted(options) {
  return Object.entries(options).sort(([one], [two]) => (one < two ? -1 : 1));
}

/**
 * @typedef {object} Part of an archive
 * @property {number} method of compression
 * @property {number} size compressed
 * @property {number} at
 */

/** @param {DataView} file @returns {[name: string, part: Part][]} */
function directory(file) {
  let end = file.byteLength - 22;
  while (end >= 0 && file.getUint32(end, true) !== END) end--;
  if (end < 0) throw new Error("not a network: no archive");
  /** @type {[string, Part][]} */
  const found = [];
  for (let at = file.getUint32(end + 16, true); file.getUint32(at, true) === ENTRY; ) {
    const [name, extra, comment] = [28, 30, 32].map((offset) => file.getUint16(at + offset, true));
    const part = { method: file.getUint16(at + 10, true), size: file.getUint32(at + 20, true), at: file.getUint32(at + 42, true) };
    found.push([new TextDecoder().decode(new Uint8Array(file.buffer, at + 46, name)), part]);
    at += 46 + name + extra + comment;
  }
  return found;
}

/** @param {ArrayBuffer} file @param {Part | undefined} part */
async function unpacked(file, part) {
  if (!part) throw new Error("not a network: a part is missing");
  const head = new DataView(file, part.at);
  const content = new Uint8Array(file, part.at + 30 + head.getUint16(26, true) + head.getUint16(28, true), part.size);
  if (part.method === STORED) return content.slice().buffer;
  const stream = new Blob([content]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return new Response(stream).arrayBuffer();
}

/** The numbers of an array in NumPy's format, without its head. @param {ArrayBuffer} file */
function numbers(file) {
  return file.slice(10 + new DataView(file).getUint16(8, true));
}
