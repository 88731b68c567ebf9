// The board: a drawing made by the server. Pieces are kept by id, so that those that move glide.

const SVG = "http://www.w3.org/2000/svg";
const GLIDE = { duration: 220, easing: "cubic-bezier(.2, .7, .3, 1)" };
const DRAG = 8; // pixels after which a press is no click any more
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const calm = matchMedia("(prefers-reduced-motion: reduce)");

/**
 * @typedef {{ply: number, pieces: [string, number, number, string][], panels: string, last: string, notes: string,
 *   status: string[], boxes?: [string, number, number, number, number][]}} Frame
 * @typedef {{choose: (target: string) => void, lift: (target: string) => boolean, drop: (target: string) => void,
 *   look: (target: string) => void, leave: () => void}} Hands what the reader does
 */

const middle = (rect) => [Number(rect.getAttribute("x")) + rect.width.baseVal.value / 2, Number(rect.getAttribute("y")) + rect.height.baseVal.value / 2];

export class Board {
  /** @param {HTMLElement} place @param {Hands} hands */
  constructor(place, hands) {
    Object.assign(this, { place, hands, cursor: null, can: new Set(), chosen: [], press: null, dragged: false });
    /** @type {Map<string, string>} */
    this.markup = new Map(); // of each piece, as it was set
    place.addEventListener("click", (event) => this.#click(event));
    place.addEventListener("pointerdown", (event) => this.#down(event));
    place.addEventListener("pointermove", (event) => this.#move(event));
    place.addEventListener("pointerup", (event) => this.#up(event));
    place.addEventListener("pointercancel", () => this.#cancel());
    place.addEventListener("pointerover", (event) => this.#over(event));
    place.addEventListener("keydown", (event) => this.#key(event));
    place.addEventListener("blur", () => this.#ring());
    place.addEventListener("focus", () => this.#ring());
  }

  get svg() {
    return this.place.querySelector("svg");
  }

  layer(name) {
    return this.svg.querySelector(`[data-layer=${name}]`);
  }

  rects() {
    return this.svg ? [...this.layer("targets").children] : [];
  }

  rect(target) {
    return this.rects().find((rect) => rect.dataset.target === target);
  }

  // ── Showing ──

  /** A whole picture: the first, or another arrangement. @param {string} markup */
  draw(markup) {
    this.place.innerHTML = markup;
    this.svg.removeAttribute("width");
    this.svg.removeAttribute("height");
    this.markup.clear();
    this.mark(this.can, this.chosen);
  }

  /** @param {Frame} frame */
  show(frame) {
    // The ground comes only with games that have no drawing, and are shown as text.
    for (const name of ["ground", "panels", "last", "notes"]) if (name in frame) this.#fill(this.layer(name), frame[name]);
    this.layer("arrows").replaceChildren();
    if (frame.boxes) this.#boxes(frame.boxes);
    const pieces = this.layer("pieces");
    const old = new Map([...pieces.children].map((piece) => [piece.id, piece]));
    frame.pieces.forEach((piece, index) => {
      const there = old.get(piece[0]) ?? this.#newPiece();
      old.delete(piece[0]);
      if (pieces.children[index] !== there) pieces.insertBefore(there, pieces.children[index] ?? null);
      this.#put(there, piece);
    });
    for (const gone of old.values()) gone.remove();
  }

  #fill(layer, markup) {
    if (layer.shown === markup) return;
    layer.innerHTML = markup;
    layer.shown = markup;
  }

  #newPiece() {
    const piece = document.createElementNS(SVG, "g");
    if (!calm.matches) piece.animate([{ opacity: 0 }, { opacity: 1 }], GLIDE);
    return piece;
  }

  #put(piece, [id, x, y, markup]) {
    const [was, is] = [piece.at ?? this.#drawnAt(piece), `translate(${x}px, ${y}px)`];
    piece.id = id;
    piece.removeAttribute("transform");
    piece.style.transform = is;
    piece.at = is;
    if (this.markup.get(id) !== markup) piece.innerHTML = markup;
    this.markup.set(id, markup);
    if (was && was !== is && !calm.matches) piece.animate([{ transform: was }, { transform: is }], GLIDE);
  }

  /** Where a piece is that the server has drawn. */
  #drawnAt(piece) {
    const [, x, y] = /translate\(([-\d.]+) ([-\d.]+)\)/.exec(piece.getAttribute("transform") ?? "") ?? [];
    return x === undefined ? null : `translate(${Number(x)}px, ${Number(y)}px)`;
  }

  /** Where targets are; in some games they move. */
  #boxes(boxes) {
    const old = new Map(this.rects().map((rect) => [rect.dataset.target, rect]));
    const rects = boxes.map(([target, x, y, width, height]) => {
      const rect = old.get(target) ?? document.createElementNS(SVG, "rect");
      rect.dataset.target = target;
      const places = { x: x + 2.5, y: y + 2.5, width: width - 5, height: height - 5, rx: 6 };
      for (const [name, value] of Object.entries(places)) rect.setAttribute(name, String(value));
      return rect;
    });
    this.layer("targets").replaceChildren(...rects);
    this.mark(this.can, this.chosen);
  }

  /** @param {string} markup */
  point(markup) {
    this.layer("arrows").innerHTML = markup;
  }

  /** @param {Set<string>} can @param {string[]} chosen @param {Set<string>} [draggable] */
  mark(can, chosen, draggable = this.draggable ?? new Set()) {
    Object.assign(this, { can, chosen, draggable });
    for (const rect of this.rects()) {
      const target = rect.dataset.target;
      const looks = ["e-target", chosen.includes(target) ? "e-chosen" : can.has(target) ? "e-can" : "", draggable.has(target) ? "drag" : ""];
      rect.setAttribute("class", looks.join(" ").trim());
    }
    this.#ring();
  }

  /** Targets that no drawing shows. */
  get missing() {
    return [...this.can].filter((target) => !this.rect(target));
  }

  // ── Pointing ──

  #targetOf(event) {
    return event.target.closest?.("[data-target]")?.dataset.target;
  }

  #targetAt(event) {
    const found = document.elementsFromPoint(event.clientX, event.clientY);
    return found.find((element) => element instanceof SVGElement && element.dataset.target)?.dataset.target;
  }

  #click(event) {
    const target = this.#targetOf(event);
    if (target && !this.dragged) {
      this.cursor = target;
      this.hands.choose(target);
    }
    this.dragged = false;
  }

  #down(event) {
    const target = this.#targetOf(event);
    this.dragged = false;
    this.press = target && event.isPrimary && event.button === 0 ? { target, x: event.clientX, y: event.clientY, piece: null } : null;
  }

  #move(event) {
    const press = this.press;
    if (!press) return;
    const [dx, dy] = [event.clientX - press.x, event.clientY - press.y];
    if (!this.dragged) {
      if (Math.hypot(dx, dy) < DRAG || !this.draggable.has(press.target)) return;
      if (!this.hands.lift(press.target)) return void (this.press = null);
      this.dragged = true;
      press.piece = this.#pieceOn(press.target);
      this.place.setPointerCapture(event.pointerId);
      this.place.classList.add("dragging");
    }
    const scale = this.svg.viewBox.baseVal.width / this.svg.getBoundingClientRect().width || 1;
    if (press.piece) press.piece.style.transform = `translate(${dx * scale}px, ${dy * scale}px) ${press.piece.at ?? ""}`;
    this.#aim(this.#targetAt(event));
  }

  #aim(target) {
    for (const rect of this.rects()) rect.classList.toggle("aim", rect.dataset.target === target && this.can.has(target));
  }

  #up(event) {
    if (!this.dragged) return void (this.press = null);
    const to = this.#targetAt(event);
    this.#cancel();
    this.dragged = true; // until the click that follows
    setTimeout(() => (this.dragged = false));
    this.hands.drop(to ?? "");
  }

  #cancel() {
    const piece = this.press?.piece;
    if (piece?.at) {
      const was = piece.style.transform;
      piece.style.transform = piece.at;
      if (!calm.matches) piece.animate([{ transform: was }, { transform: piece.at }], { ...GLIDE, duration: 120 });
    }
    this.press = null;
    this.dragged = false;
    this.place.classList.remove("dragging");
    this.#aim("");
  }

  /** The piece that lies on a target, the uppermost if there are several. */
  #pieceOn(target) {
    const box = this.rect(target).getBoundingClientRect();
    return [...this.layer("pieces").children].reverse().find((piece) => {
      const { left, top, width, height } = piece.getBoundingClientRect();
      const [x, y] = [left + width / 2, top + height / 2];
      return x > box.left && x < box.right && y > box.top && y < box.bottom;
    });
  }

  #over(event) {
    const target = this.#targetOf(event);
    if (event.pointerType === "mouse") target ? this.hands.look(target) : this.hands.leave();
  }

  // ── Keys ──

  #key(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (ARROWS[event.key]) this.#step(ARROWS[event.key]);
    else if ((event.key === "Enter" || event.key === " ") && this.cursor) this.hands.choose(this.cursor);
    else if (event.key === "Escape") this.hands.leave(true);
    else return;
    event.preventDefault();
  }

  /** To the nearest target in a direction, straight ones before slanting ones. */
  #step([dx, dy]) {
    const all = this.rects();
    const useful = all.filter((rect) => this.can.has(rect.dataset.target) || this.chosen.includes(rect.dataset.target));
    const from = this.rect(this.cursor);
    const places = useful.length ? useful : all;
    if (!from) return this.#point(places[0]);
    const [x, y] = middle(from);
    const cost = (rect) => {
      const [to, down] = middle(rect);
      const [along, across] = [(to - x) * dx + (down - y) * dy, Math.abs((to - x) * dy) + Math.abs((down - y) * dx)];
      return along < 1 ? Infinity : along + 2.5 * across;
    };
    const best = places.reduce((one, two) => (cost(two) < cost(one) ? two : one), from);
    if (cost(best) < Infinity) this.#point(best);
  }

  #point(rect) {
    if (!rect) return;
    this.cursor = rect.dataset.target;
    this.#ring();
    this.hands.look(this.cursor);
  }

  /** The ring that shows where the keyboard is. */
  #ring() {
    for (const rect of this.rects()) {
      rect.classList.toggle("cursor", rect.dataset.target === this.cursor && this.place.matches(":focus-visible"));
    }
  }
}
