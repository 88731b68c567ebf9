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

/** @import { Change } from "./motion.js" */
import { EASE, arrive, calm, change, leave, motionOf, move, timeFor } from "./motion.js";

export const SVG = "http://www.w3.org/2000/svg";
const LAYERS = /** @type {const} */ (["ground", "panels", "last", "notes", "arrows"]);

/** @type {WeakMap<Element, string>} */
const written = new WeakMap(); // what is in a layer or a piece
/** @type {WeakMap<Element, [x: number, y: number]>} */
const places = new WeakMap(); // of pieces
/** @type {WeakMap<Element, SVGElement>} */
const bodies = new WeakMap(); // of pieces: a piece glides, its body burns or turns

/** @param {SVGElement} svg @param {string} name @returns {SVGElement} */
export const layer = (svg, name) => /** @type {SVGElement} */ (svg.querySelector(`[data-layer=${name}]`));

/** @param {Element} element @param {string} markup */
export function write(element, markup) {
  if (written.get(element) === markup) return;
  element.innerHTML = markup;
  written.set(element, markup);
}

/** Make a picture show another position. @param {SVGElement} svg @param {Frame} frame @returns {Change[]} what happened to pieces */
export function patch(svg, frame) {
  for (const name of LAYERS) {
    const markup = frame[name];
    if (markup !== undefined) write(layer(svg, name), markup);
  }
  const pieces = layer(svg, "pieces"), changes = [];
  const old = new Map([...pieces.children].map((piece) => [piece.id, /** @type {SVGElement} */ (piece)]));
  for (const [index, wanted] of frame.pieces.entries()) {
    const piece = old.get(wanted[0]) ?? /** @type {SVGElement} */ (document.createElementNS(SVG, "g"));
    old.delete(wanted[0]);
    if (pieces.children[index] !== piece) pieces.insertBefore(piece, pieces.children[index] ?? null);
    changes.push(put(piece, wanted, motionOf(svg, wanted[0])));
  }
  for (const [id, gone] of old) changes.push(leave(gone, bodyOf(gone), motionOf(svg, id)));
  return changes.filter((one) => one !== null);
}

/** @param {SVGElement} piece @param {Piece} wanted @param {string} motion */
function put(piece, [id, x, y, markup], motion) {
  const body = bodyOf(piece), before = written.get(body), was = placeOf(piece);
  piece.id = id;
  piece.removeAttribute("transform");
  places.set(piece, [x, y]);
  write(body, markup);
  if (!was) {
    piece.style.transform = styleOf([x, y]);
    return arrive(body, motion);
  }
  const way = Math.hypot(x - was[0], y - was[1]);
  if (way || !piece.style.transform) glide(piece, was, [x, y]);
  return before !== undefined && before !== markup ? change(body, motion) : move(body, motion, way);
}

/** @param {SVGElement} piece */
function bodyOf(piece) {
  const known = bodies.get(piece);
  if (known) return known;
  const body = /** @type {SVGElement} */ (document.createElementNS(SVG, "g"));
  body.append(...piece.childNodes);
  piece.append(body);
  bodies.set(piece, body);
  return body;
}

/** Where a piece lies; null for nowhere yet. @param {SVGElement} piece @returns {[x: number, y: number] | null} */
export function placeOf(piece) {
  const known = places.get(piece);
  if (known) return known;
  const [, x, y] = /translate\(([-\d.]+) ([-\d.]+)\)/.exec(piece.getAttribute("transform") ?? "") ?? [];
  return x === undefined ? null : [Number(x), Number(y)];
}

/** @param {[x: number, y: number]} place */
export const styleOf = ([x, y]) => `translate(${x}px, ${y}px)`;

/** Move a piece from where it is seen now, also if it is on its way. @param {SVGElement} piece @param {[number, number]} from @param {[number, number]} to */
export function glide(piece, from, to) {
  const old = piece.getAnimations(), there = !old.length && [styleOf(from), ""].includes(piece.style.transform);
  const seen = there ? styleOf(from) : getComputedStyle(piece).transform;
  for (const animation of old) animation.cancel();
  piece.style.transform = styleOf(to);
  const duration = timeFor(Math.hypot(to[0] - from[0], to[1] - from[1]));
  if (calm.matches || seen === styleOf(to)) return;
  piece.animate([{ transform: seen }, { transform: styleOf(to) }], { id: "glide", duration, easing: EASE });
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
