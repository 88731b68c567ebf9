// The evaluation of a match as a graph: a line for each side, mistakes as dots, and the position shown.
import { SVG } from "../picture.js";
import { kind } from "./state.js";

const HEIGHT = 120, LEFT = 34, RIGHT = 8, TOP = 10, BOTTOM = 10;
/** @type {Record<string, number>} */
const SIZES = { "??": 5.5, "?": 4.5 }; // of dots
const SMALL = 3.5;

/**
 * @typedef {{ply: number, value: number, mark: string}} Dot
 * @typedef {{plies: number, most: number, series: [ply: number, value: number][][], dots: Dot[], now: number,
 *   lines: string[], label: string}} Graph
 */

/** @param {string} name @param {Record<string, string | number>} attributes @param {string} [text] */
function shape(name, attributes, text = "") {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  element.textContent = text;
  return element;
}

/** @param {number} value */
const signed = (value) => (value > 0 ? `+${value}` : value < 0 ? `−${-value}` : "0");

/** @param {HTMLElement} place @param {Graph} graph */
export function draw(place, graph) {
  const width = Math.max(200, place.clientWidth), across = width - LEFT - RIGHT;
  const x = (/** @type {number} */ ply) => LEFT + (across * ply) / Math.max(1, graph.plies);
  const y = (/** @type {number} */ value) => TOP + ((HEIGHT - TOP - BOTTOM) * (graph.most - value)) / (2 * graph.most);
  const svg = shape("svg", {
    viewBox: `0 0 ${width} ${HEIGHT}`, width, height: HEIGHT, role: "img", "aria-label": graph.label, class: "graph",
  });
  for (const value of [graph.most, 0, -graph.most]) {
    const at = y(value), looks = value ? "grid" : "grid zero";
    svg.append(shape("line", { class: looks, x1: LEFT, x2: width - RIGHT, y1: at, y2: at }));
    svg.append(shape("text", { class: "scale", x: LEFT - 6, y: at + 4 }, signed(value)));
  }
  svg.append(shape("line", { class: "now", x1: x(graph.now), x2: x(graph.now), y1: TOP - 6, y2: HEIGHT - BOTTOM + 6 }));
  graph.series.forEach((points, side) => {
    const way = points.map(([ply, value]) => `${x(ply).toFixed(1)},${y(value).toFixed(1)}`).join(" ");
    for (const part of ["edge", "curve"])
      svg.append(shape("polyline", { class: `${graph.lines[side]} ${part} side-${side}`, points: way }));
  });
  for (const { ply, value, mark } of graph.dots)
    svg.append(shape("circle", { class: `dot ${kind(mark)}`, cx: x(ply), cy: y(value), r: SIZES[mark] ?? SMALL }));
  place.replaceChildren(svg);
}

/** The ply at which a graph was clicked. @param {HTMLElement} place @param {number} plies @param {MouseEvent} event */
export function plyAt(place, plies, event) {
  const box = place.getBoundingClientRect();
  const ply = Math.round(((event.clientX - box.left - LEFT) / (box.width - LEFT - RIGHT)) * plies);
  return Math.max(0, Math.min(plies, ply));
}
