// The picture of a position: pieces are kept by id, so that those that move glide; targets can be clicked and focused.

const SVG = "http://www.w3.org/2000/svg";
const INSET = 2.5;
/** @type {WeakMap<Element, string>} what a piece or layer shows */
const shown = new WeakMap();

/** @typedef {{ply: number, pieces: [string, number, number, string][], boxes?: [string, number, number, number, number][]}} Frame */

function write(element, markup) {
  if (shown.get(element) === markup) return;
  element.innerHTML = markup;
  shown.set(element, markup);
}

function place(piece, [id, x, y, markup]) {
  piece.id = id;
  piece.removeAttribute("transform");
  piece.style.transform = `translate(${x}px, ${y}px)`;
  write(piece, markup);
}

/** @param {SVGElement} svg @param {string} name @returns {Element} */
const layer = (svg, name) => svg.querySelector(`[data-layer=${name}]`);

/** Make a picture show another position. @param {SVGElement} svg @param {Frame} frame */
export function patch(svg, frame) {
  for (const name of ["ground", "panels", "last", "notes", "arrows"]) {
    if (name in frame) write(layer(svg, name), frame[name]);
  }
  const pieces = layer(svg, "pieces");
  const old = new Map([...pieces.children].map((piece) => [piece.id, piece]));
  frame.pieces.forEach((piece, index) => {
    const there = old.get(piece[0]) ?? document.createElementNS(SVG, "g");
    old.delete(piece[0]);
    place(there, piece);
    if (pieces.children[index] !== there) pieces.insertBefore(there, pieces.children[index] ?? null);
  });
  for (const gone of old.values()) gone.remove();
}

/** Nothing can be chosen. @param {SVGElement} svg */
export function still(svg) {
  layer(svg, "targets").replaceChildren();
}

/**
 * Show what can be chosen: quietly at first, clearly once a choice was begun.
 * @param {SVGElement} svg @param {Frame["boxes"]} boxes @param {Set<string>} next @param {string[]} chosen
 * @param {Record<string, string>} names
 */
export function offer(svg, boxes, next, chosen, names) {
  const focused = document.activeElement?.getAttribute("data-target");
  const targets = boxes
    .filter(([target]) => next.has(target) || chosen.includes(target))
    .map((box) => rect(box, next, chosen, names));
  layer(svg, "targets").replaceChildren(...targets);
  if (focused) targets.find((target) => target.dataset.target === focused)?.focus();
}

function rect([target, x, y, width, height], next, chosen, names) {
  const element = document.createElementNS(SVG, "rect");
  const can = next.has(target), is = chosen.includes(target);
  const looks = is ? "e-target e-chosen" : chosen.length ? "e-target e-can" : "e-target quiet";
  const attributes = {
    "data-target": target, class: looks, x: x + INSET, y: y + INSET,
    width: width - 2 * INSET, height: height - 2 * INSET, rx: 6,
    role: "button", tabindex: can ? 0 : -1, "aria-label": names[target] ?? target, "aria-pressed": is,
  };
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  return element;
}
