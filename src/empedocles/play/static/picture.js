// A picture that was drawn elsewhere, changed from one position to the next: pieces are kept by id, so that those that
// move glide. Pages of the app load this file; a replay to keep has it written into itself.

/**
 * @typedef {[id: string, x: number, y: number, markup: string]} Piece
 * @typedef {[target: string, x: number, y: number, width: number, height: number]} Box
 *
 * @typedef {object} Frame what changes from one position to the next
 * @property {number} ply
 * @property {Piece[]} pieces
 * @property {string} panels
 * @property {string} last
 * @property {string} notes
 * @property {string} arrows
 * @property {string} [ground] in games without artwork
 * @property {Box[]} [boxes] of targets
 *
 * @typedef {object} Numbered a frame to look at only, with numbers of texts instead of markup
 * @property {number} ply
 * @property {string} words the move that led to it
 * @property {[id: string, x: number, y: number, markup: number][]} pieces
 * @property {number} panels
 * @property {number} last
 * @property {number} notes
 * @property {number} arrows
 * @property {number} [ground]
 *
 * @typedef {object} Film positions of a match; markup that occurs often is written once
 * @property {string[]} texts
 * @property {Numbered[]} plies
 */

export const SVG = "http://www.w3.org/2000/svg";
export const calm = matchMedia("(prefers-reduced-motion: reduce)");
const GLIDE = { duration: 220, easing: "cubic-bezier(.2, .7, .3, 1)" };
const LAYERS = /** @type {const} */ (["ground", "panels", "last", "notes", "arrows"]);

/** @type {WeakMap<Element, string>} */
const written = new WeakMap(); // what is in a layer or a piece
/** @type {WeakMap<Element, string>} */
const places = new WeakMap(); // of pieces

/** @param {SVGElement} svg @param {string} name @returns {SVGElement} */
export const layer = (svg, name) => /** @type {SVGElement} */ (svg.querySelector(`[data-layer=${name}]`));

/** @param {Element} element @param {string} markup */
export function write(element, markup) {
  if (written.get(element) === markup) return;
  element.innerHTML = markup;
  written.set(element, markup);
}

/** Make a picture show another position. @param {SVGElement} svg @param {Frame} frame */
export function patch(svg, frame) {
  for (const name of LAYERS) {
    const markup = frame[name];
    if (markup !== undefined) write(layer(svg, name), markup);
  }
  const pieces = layer(svg, "pieces");
  const old = new Map([...pieces.children].map((piece) => [piece.id, /** @type {SVGElement} */ (piece)]));
  frame.pieces.forEach((piece, index) => {
    const there = old.get(piece[0]) ?? newPiece();
    old.delete(piece[0]);
    if (pieces.children[index] !== there) pieces.insertBefore(there, pieces.children[index] ?? null);
    put(there, piece);
  });
  for (const gone of old.values()) gone.remove();
}

function newPiece() {
  const piece = document.createElementNS(SVG, "g");
  if (!calm.matches) piece.animate([{ opacity: 0 }, { opacity: 1 }], GLIDE);
  return /** @type {SVGElement} */ (piece);
}

/** @param {SVGElement} piece @param {Piece} wanted */
function put(piece, [id, x, y, markup]) {
  const was = placeOf(piece), is = `translate(${x}px, ${y}px)`;
  piece.id = id;
  piece.removeAttribute("transform");
  places.set(piece, is);
  write(piece, markup);
  glide(piece, was, is);
}

/** Where a piece lies, as style sheets say it; "" for nowhere yet. @param {SVGElement} piece */
export function placeOf(piece) {
  const known = places.get(piece);
  if (known !== undefined) return known;
  const [, x, y] = /translate\(([-\d.]+) ([-\d.]+)\)/.exec(piece.getAttribute("transform") ?? "") ?? [];
  return x === undefined ? "" : `translate(${Number(x)}px, ${Number(y)}px)`;
}

/** @param {SVGElement} piece @param {string} from @param {string} to @param {number} [duration] milliseconds */
export function glide(piece, from, to, duration = GLIDE.duration) {
  piece.style.transform = to;
  if (from && from !== to && !calm.matches) piece.animate([{ transform: from }, { transform: to }], { ...GLIDE, duration });
}

/** Frames with the markup itself. @param {Film} film @returns {Frame[]} */
export function unfolded({ texts, plies }) {
  return plies.map(({ pieces, ...frame }) => ({
    ply: frame.ply,
    pieces: pieces.map(([id, x, y, markup]) => [id, x, y, texts[markup]]),
    panels: texts[frame.panels],
    last: texts[frame.last],
    notes: texts[frame.notes],
    arrows: texts[frame.arrows],
    ...(frame.ground === undefined ? {} : { ground: texts[frame.ground] }),
  }));
}
