// The board: the server's drawing, with pointer and keyboard input. Pieces are kept by id, so that they glide when they move.
/** @import { Change } from "./motion.js" */
/** @import { Extent } from "./marks.js" */
/** @import { Box, Frame } from "./picture.js" */
import { marks, spots } from "./marks.js";
import { SVG, glide, layer, patch, placeOf, styleOf, write } from "./picture.js";

const DRAG = 8; // pixels after which a press becomes a drag
const BUTTONS = "[data-layer=panels] .e-faded:has(> .e-button)"; // buttons of a drawing, which are useless without a script
const INSET = 2.5; // of a target within its box
/** @type {Record<string, [number, number]>} */
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/**
 * @typedef {{choose: (target: string) => void, lift: (target: string) => boolean, drop: (target: string) => void,
 *   look: (target: string) => void, leave: () => void, cancel: () => void}} Hands callbacks for what the reader does
 * @typedef {{target: string, x: number, y: number, piece?: SVGElement, copy?: boolean}} Press
 */

/** @param {SVGRectElement} rect */
function middle(rect) {
  const { x, y, width, height } = rect.getBBox();
  return [x + width / 2, y + height / 2];
}

/** Whether the middle of one element lies on another. @param {Element} thing @param {Element} ground */
function liesOn(thing, ground) {
  const { left, top, width, height } = thing.getBoundingClientRect(), box = ground.getBoundingClientRect();
  const [x, y] = [left + width / 2, top + height / 2];
  return x > box.left && x < box.right && y > box.top && y < box.bottom;
}

/** The box of a target, from its area. @param {SVGRectElement} rect @returns {Box} */
function boxOf(rect) {
  const [x, y, width, height] = ["x", "y", "width", "height"].map((side) => Number(rect.getAttribute(side)));
  return [nameOf(rect), x - INSET, y - INSET, width + 2 * INSET, height + 2 * INSET];
}

/** What a piece covers, where it will come to rest; null for a piece without a place. @param {SVGElement} piece @returns {Extent | null} */
function extentOf(piece) {
  const place = placeOf(piece), { x, y, width, height } = /** @type {SVGGraphicsElement} */ (piece).getBBox();
  return place && [place[0] + x, place[1] + y, width, height];
}

/** A layer that only this page has, below another. @param {SVGSVGElement} svg @param {string} name @param {string} above @returns {SVGElement} */
function own(svg, name, above) {
  const known = layer(svg, name);
  if (known) return known;
  const made = /** @type {SVGElement} */ (document.createElementNS(SVG, "g"));
  made.dataset.layer = name;
  layer(svg, above).before(made);
  return made;
}

/** @param {SVGElement} element */
const nameOf = (element) => element.dataset.target ?? "";

export class Board {
  cursor = ""; // the target selected by keyboard
  /** @type {ReadonlySet<string>} */ can = new Set();
  /** @type {string[]} */ chosen = [];
  /** @type {ReadonlySet<string>} */ draggable = new Set();
  /** @type {Box[] | undefined} */ #boxes;
  /** @type {string[]} */ #spots = [];
  /** @type {Press | null} */ #press = null;
  #dragged = false;
  #pointed = ""; // the target under the pointer or the cursor
  #ghosts = { chosen: "", pointed: "" }; // markup of what would be placed

  /** @param {HTMLElement} place @param {Hands} hands */
  constructor(place, hands) {
    this.place = place;
    this.hands = hands;
    place.addEventListener("click", (event) => this.#click(event));
    place.addEventListener("pointerdown", (event) => this.#down(event));
    place.addEventListener("pointermove", (event) => this.#move(event));
    place.addEventListener("pointerup", (event) => this.#up(event));
    place.addEventListener("pointercancel", () => this.#cancel());
    place.addEventListener("pointerover", (event) => this.#over(event));
    place.addEventListener("pointerleave", (event) => event.pointerType === "mouse" && this.#pointAt(""));
    place.addEventListener("keydown", (event) => this.#key(event));
    place.addEventListener("blur", () => this.#ring());
    place.addEventListener("focus", () => this.#ring());
  }

  /** @returns {SVGSVGElement | null} */
  get svg() {
    return this.place.querySelector("svg.e-picture");
  }

  /** @returns {SVGRectElement[]} */
  rects() {
    return this.svg ? /** @type {SVGRectElement[]} */ ([...layer(this.svg, "targets").children]) : [];
  }

  /** @param {string} target */
  rect(target) {
    return this.rects().find((rect) => nameOf(rect) === target);
  }

  // ── Showing ──

  /** Show a whole picture: the first, or one with another layout. @param {string} markup */
  draw(markup) {
    this.place.innerHTML = markup;
    this.svg?.removeAttribute("width");
    this.svg?.removeAttribute("height");
    this.#boxes = undefined;
    this.mark(this.can, this.chosen, this.draggable);
  }

  /** @param {Frame} frame @returns {Change[]} what happened to pieces */
  show(frame) {
    if (!this.svg) return [];
    this.rechosen(false);
    const changes = patch(this.svg, frame);
    if (frame.boxes && frame.boxes !== this.#boxes) this.#arrange(this.svg, frame.boxes);
    else this.#drawMarks();
    this.#wake();
    return changes;
  }

  // ── What would be placed ──

  /** Show what a target would place, if it is still pointed at. @param {string} target @param {string} markup */
  suggest(target, markup) {
    if (target !== this.#pointed) return;
    this.#ghosts.pointed = markup;
    this.#haunt();
  }

  /** Show what the chosen targets place. @param {string} markup */
  settle(markup) {
    this.#ghosts.chosen = markup;
    this.#haunt();
  }

  /** Another choice: what was pointed at may be chosen now, and is shown until more is known. @param {boolean} further */
  rechosen(further) {
    const { chosen, pointed } = this.#ghosts;
    this.#ghosts = { chosen: further ? pointed || chosen : "", pointed: "" };
    this.#haunt();
  }

  #haunt() {
    const { chosen, pointed } = this.#ghosts;
    if (this.svg) write(own(this.svg, "ghost", "marks"), pointed || chosen);
  }

  /** Another target is pointed at. @param {string} target "" for none */
  #pointAt(target) {
    if (target === this.#pointed) return;
    this.#pointed = target;
    this.suggest(target, "");
    target ? this.hands.look(target) : this.hands.leave();
  }

  /** Place the targets; in some games they move. @param {SVGSVGElement} svg @param {Box[]} boxes */
  #arrange(svg, boxes) {
    this.#boxes = boxes;
    const old = new Map(this.rects().map((rect) => [nameOf(rect), rect]));
    const rects = boxes.map(([target, x, y, width, height]) => {
      const rect = old.get(target) ?? /** @type {SVGRectElement} */ (document.createElementNS(SVG, "rect"));
      rect.dataset.target = target;
      const sides = { x: x + INSET, y: y + INSET, width: width - 2 * INSET, height: height - 2 * INSET, rx: 6 };
      for (const [name, value] of Object.entries(sides)) rect.setAttribute(name, String(value));
      return rect;
    });
    layer(svg, "targets").replaceChildren(...rects);
    this.mark(this.can, this.chosen, this.draggable);
  }

  /** Show arrows, until the next position. @param {string} markup */
  point(markup) {
    if (this.svg) write(layer(this.svg, "arrows"), markup);
  }

  /** Show where to look, until told otherwise. @param {string[]} targets */
  spot(targets) {
    this.#spots = targets;
    this.#drawSpots();
  }

  #drawSpots() {
    if (this.svg) write(own(this.svg, "spots", "marks"), spots(this.rects().map(boxOf), this.#spots));
  }

  /** @param {ReadonlySet<string>} can @param {string[]} chosen @param {ReadonlySet<string>} draggable */
  mark(can, chosen, draggable) {
    Object.assign(this, { can, chosen, draggable });
    for (const rect of this.rects()) {
      const target = nameOf(rect);
      const state = can.has(target) ? " e-can" : chosen.includes(target) ? " e-chosen" : "";
      const aim = this.#dragged && target === this.#pointed && can.has(target);
      rect.setAttribute("class", `e-target${state}${draggable.has(target) ? " drag" : ""}${aim ? " aim" : ""}`);
    }
    this.#drawMarks();
    this.#ring();
    this.#wake();
  }

  #drawMarks() {
    if (!this.svg) return;
    const pieces = /** @type {SVGElement[]} */ ([...layer(this.svg, "pieces").children]);
    this.#drawSpots();
    const extents = pieces.map(extentOf).filter((extent) => extent !== null);
    write(layer(this.svg, "marks"), marks(this.rects().map(boxOf), this.can, this.chosen, extents));
  }

  /** Show buttons only while they can be used; the drawing, which does not know what is chosen, has them faded. */
  #wake() {
    for (const button of this.place.querySelectorAll(BUTTONS)) {
      const rect = this.rects().find((one) => liesOn(button, one)), useful = Boolean(rect?.matches(".e-can, .e-chosen"));
      button.classList.toggle("useful", useful);
      rect?.classList.toggle("absent", !useful);
    }
  }

  /** Targets that are not in the drawing. */
  get missing() {
    return [...this.can].filter((target) => !this.rect(target));
  }

  // ── Pointing ──

  /** @param {Event} event */
  #targetOf(event) {
    const found = event.target instanceof Element ? event.target.closest("[data-target]") : null;
    return found instanceof SVGElement ? nameOf(found) : "";
  }

  /** @param {PointerEvent} event */
  #targetAt(event) {
    const found = document.elementsFromPoint(event.clientX, event.clientY);
    return found.map((element) => (element instanceof SVGElement ? nameOf(element) : "")).find(Boolean) ?? "";
  }

  /** @param {Event} event */
  #click(event) {
    const target = this.#targetOf(event);
    if (target && !this.#dragged) {
      this.cursor = target;
      this.hands.choose(target);
    }
    this.#dragged = false;
  }

  /** @param {PointerEvent} event */
  #down(event) {
    const target = this.#targetOf(event);
    this.#dragged = false;
    this.#press = target && event.isPrimary && event.button === 0 ? { target, x: event.clientX, y: event.clientY } : null;
  }

  /** @param {PointerEvent} event */
  #move(event) {
    const press = this.#press, svg = this.svg;
    if (!press || !svg) return;
    const [dx, dy] = [event.clientX - press.x, event.clientY - press.y];
    if (!this.#dragged) {
      if (Math.hypot(dx, dy) < DRAG || !this.draggable.has(press.target)) return;
      if (!this.hands.lift(press.target)) return void (this.#press = null);
      this.#dragged = true;
      this.#pointed = ""; // what a target would place is another thing now
      this.#take(svg, press);
      this.place.setPointerCapture(event.pointerId);
      this.place.classList.add("dragging");
    }
    const scale = 1 / (svg.getScreenCTM()?.a || 1);
    const [x, y] = (press.piece && placeOf(press.piece)) ?? [0, 0];
    if (press.piece) press.piece.style.transform = styleOf([x + dx * scale, y + dy * scale]);
    const target = this.#targetAt(event);
    this.#aim(target);
    this.#pointAt(target);
  }

  /** Take what lies on a target: a piece, or a copy of what is drawn there, such as a supply. @param {SVGSVGElement} svg @param {Press} press */
  #take(svg, press) {
    press.piece = this.#pieceOn(svg, press.target);
    const rect = this.rect(press.target);
    if (press.piece || !rect) return;
    const [, x, y, width, height] = boxOf(rect), hand = own(svg, "hand", "targets");
    const window = document.createElementNS(SVG, "svg");
    const sides = { x, y, width, height, viewBox: `${x} ${y} ${width} ${height}` };
    for (const [name, value] of Object.entries(sides)) window.setAttribute(name, String(value));
    window.append(...["ground", "panels"].map((name) => layer(svg, name).cloneNode(true)));
    for (const drawn of /** @type {SVGElement[]} */ ([...window.children])) delete drawn.dataset.layer;
    hand.replaceChildren(window);
    Object.assign(press, { piece: hand, copy: true });
  }

  /** @param {string} target */
  #aim(target) {
    for (const rect of this.rects()) rect.classList.toggle("aim", nameOf(rect) === target && this.can.has(target));
  }

  /** @param {PointerEvent} event */
  #up(event) {
    if (!this.#dragged) return void (this.#press = null);
    const to = this.#targetAt(event);
    this.#cancel();
    this.#dragged = true; // until the click that follows
    setTimeout(() => (this.#dragged = false));
    this.hands.drop(to);
  }

  #cancel() {
    const { piece, copy } = this.#press ?? {}, place = piece && placeOf(piece);
    if (piece && copy) piece.replaceChildren();
    else if (piece && place) glide(piece, place, place);
    this.#press = null;
    this.#dragged = false;
    this.place.classList.remove("dragging");
    this.#aim("");
  }

  /** The piece on a target, the topmost if there are several. @param {SVGSVGElement} svg @param {string} target */
  #pieceOn(svg, target) {
    const rect = this.rect(target);
    const pieces = /** @type {SVGElement[]} */ ([...layer(svg, "pieces").children]);
    return pieces.findLast((piece) => rect && liesOn(piece, rect));
  }

  /** @param {PointerEvent} event */
  #over(event) {
    if (event.pointerType === "mouse" && !this.#dragged) this.#pointAt(this.#targetOf(event));
  }

  // ── Keys ──

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.key in ARROWS) this.#step(ARROWS[event.key]);
    else if ((event.key === "Enter" || event.key === " ") && this.cursor) this.hands.choose(this.cursor);
    else if (event.key === "Escape") this.hands.cancel();
    else return;
    event.preventDefault();
  }

  /** Move to the nearest target in a direction, preferring straight ahead. @param {[number, number]} direction */
  #step([dx, dy]) {
    const all = this.rects();
    const useful = all.filter((rect) => this.can.has(nameOf(rect)) || this.chosen.includes(nameOf(rect)));
    const from = this.rect(this.cursor);
    const places = useful.length ? useful : all;
    if (!from) return this.#steer(places[0]);
    const [x, y] = middle(from);
    /** @param {SVGRectElement} rect */
    const cost = (rect) => {
      const [to, down] = middle(rect);
      const [along, across] = [(to - x) * dx + (down - y) * dy, Math.abs((to - x) * dy) + Math.abs((down - y) * dx)];
      return along < 1 ? Infinity : along + 2.5 * across;
    };
    const best = places.reduce((one, two) => (cost(two) < cost(one) ? two : one), from);
    if (cost(best) < Infinity) this.#steer(best);
  }

  /** @param {SVGRectElement | undefined} rect */
  #steer(rect) {
    if (!rect) return;
    this.cursor = nameOf(rect);
    this.#ring();
    this.#pointAt(this.cursor);
  }

  /** Draw the ring around the target selected by keyboard. */
  #ring() {
    for (const rect of this.rects()) {
      rect.classList.toggle("cursor", nameOf(rect) === this.cursor && this.place.matches(":focus-visible"));
    }
  }
}
