// The evaluation of a match as a drawing: one line for each side, mistakes as dots, and where we are.

const SVG = "http://www.w3.org/2000/svg";
const HEIGHT = 120, LEFT = 34, RIGHT = 8, TOP = 10, BOTTOM = 10;

/**
 * @typedef {{points: [number, number][]}} Series
 * @typedef {{ply: number, value: number, mark: string, side: number}} Dot
 * @typedef {{plies: number, most: number, series: Series[], dots: Dot[], now: number, label: string}} Graph
 */

function make(name, attributes, text = "") {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  element.textContent = text;
  return element;
}

/** @param {HTMLElement} place @param {Graph} graph */
export function draw(place, graph) {
  const width = Math.max(200, place.clientWidth);
  const x = (ply) => LEFT + ((width - LEFT - RIGHT) * ply) / Math.max(1, graph.plies);
  const y = (value) => TOP + ((HEIGHT - TOP - BOTTOM) * (graph.most - value)) / (2 * graph.most);
  const svg = make("svg", {
    viewBox: `0 0 ${width} ${HEIGHT}`, width, height: HEIGHT, role: "img", "aria-label": graph.label, class: "graph",
  });
  for (const value of [graph.most, 0, -graph.most]) {
    const sign = value > 0 ? `+${value}` : value < 0 ? `−${-value}` : "0";
    svg.append(make("line", { class: value ? "grid" : "grid zero", x1: LEFT, x2: width - RIGHT, y1: y(value), y2: y(value) }));
    svg.append(make("text", { class: "scale", x: LEFT - 6, y: y(value) + 4 }, sign));
  }
  svg.append(make("line", { class: "now", x1: x(graph.now), x2: x(graph.now), y1: TOP - 6, y2: HEIGHT - BOTTOM + 6 }));
  graph.series.forEach(({ points }, side) => {
    const way = points.map(([ply, value]) => `${x(ply).toFixed(1)},${y(value).toFixed(1)}`).join(" ");
    svg.append(make("polyline", { class: `side side-${side}`, points: way }));
  });
  for (const { ply, value, mark } of graph.dots) {
    const size = mark === "??" ? 5.5 : mark === "?" ? 4.5 : 3.5;
    svg.append(make("circle", { class: `dot ${kind(mark)}`, cx: x(ply), cy: y(value), r: size }));
  }
  place.replaceChildren(svg);
  place.onclick = (event) => {
    const across = event.clientX - svg.getBoundingClientRect().left;
    const ply = Math.round(((across - LEFT) / (width - LEFT - RIGHT)) * graph.plies);
    place.dispatchEvent(new CustomEvent("ply", { detail: Math.max(0, Math.min(graph.plies, ply)) }));
  };
}

/** The class of a mark. @param {string} mark */
export const kind = (mark) => ({ "??": "blunder", "?": "mistake", "?!": "dubious" })[mark] ?? "";
