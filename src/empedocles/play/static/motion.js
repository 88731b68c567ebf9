// How pieces move, come, go and change: a drawing names a motion for each kind of piece, mostly that of its element.
// All of it lasts less than half a second, blocks nothing, and is left out for readers who want no motion.

/**
 * @typedef {"arrive" | "leave" | "change" | "move"} Deed
 *
 * @typedef {object} Change what happened to a piece
 * @property {string} motion
 * @property {Deed} deed
 *
 * @typedef {object} Motion
 * @property {string} origin of its transformations, within the piece
 * @property {number} time milliseconds
 * @property {Keyframe[]} arrive
 * @property {Keyframe[]} leave
 */

export const calm = matchMedia("(prefers-reduced-motion: reduce)");
export const EASE = "cubic-bezier(.2, .7, .3, 1)";
const SHORTEST = 180, LONGEST = 340; // milliseconds for a piece to glide
const SLOWNESS = 0.22; // milliseconds more for each unit of its way
const FAR = 30; // units: shorter ways only make room for other pieces

const IN = { opacity: 1, transform: "none" }, OUT = { opacity: 0 };
/** @type {Keyframe[]} */
const LIFT = [{ transform: "none" }, { transform: "scale(1.1)", offset: 0.4 }, { transform: "none" }];
/** @type {Keyframe[]} */
const TURN = [{ transform: "scaleX(.04)" }, { transform: "none" }];
/** @type {Keyframe[]} */
const BLEND = [{ opacity: 0.3, transform: "scale(.9)" }, IN];
/** @type {Keyframe[]} */
const TAKEN = [IN, { ...OUT, transform: "translateY(-45%) scale(.55)" }];

/** @type {Record<string, Motion>} */
const MOTIONS = {
  burn: {
    origin: "50% 100%",
    time: 330,
    arrive: [
      { ...OUT, transform: "scale(.7, .15)" },
      { opacity: 1, transform: "scale(.93, 1.13)", offset: 0.5 },
      { transform: "scale(1.04, .95)", offset: 0.78 },
      IN,
    ],
    leave: [IN, { ...OUT, transform: "translateY(-25%) scale(.6, 1.3)" }],
  },
  flow: {
    origin: "50% 50%",
    time: 300,
    arrive: [
      { ...OUT, transform: "translateX(-45%) scaleX(.4)" },
      { opacity: 1, transform: "translateX(3%) scaleX(1.05) skewX(-4deg)", offset: 0.7 },
      IN,
    ],
    leave: [IN, { ...OUT, transform: "translateX(40%) scaleY(.5)" }],
  },
  rise: {
    origin: "50% 100%",
    time: 330,
    arrive: [
      { ...OUT, transform: "translateY(20%) scaleY(.2)" },
      { opacity: 1, transform: "scaleY(1.05)", offset: 0.7 },
      IN,
    ],
    leave: [IN, { ...OUT, transform: "translateY(15%) scaleY(.2)" }],
  },
  drift: {
    origin: "50% 50%",
    time: 320,
    arrive: [{ ...OUT, transform: "translate(-30%, -20%) rotate(-25deg) scale(.8)" }, IN],
    leave: [IN, { ...OUT, transform: "translate(35%, -35%) rotate(30deg) scale(.8)" }],
  },
  settle: {
    origin: "50% 100%",
    time: 240,
    arrive: [{ ...OUT, transform: "translateY(-35%) scale(1.2)" }, { opacity: 1, transform: "scale(1.04, .94)", offset: 0.75 }, IN],
    leave: TAKEN,
  },
  turn: { origin: "50% 50%", time: 240, arrive: [{ ...OUT, transform: "scaleX(.04)" }, IN], leave: TAKEN },
  fade: { origin: "50% 50%", time: 220, arrive: [OUT, { opacity: 1 }], leave: TAKEN },
};

/** @type {WeakMap<Element, [kind: string, motion: string][]>} */
const named = new WeakMap(); // by picture

/** The motion of a piece, by the kind that its id begins with. @param {Element} svg @param {string} id */
export function motionOf(svg, id) {
  const kinds = named.get(svg) ?? kindsOf(/** @type {SVGElement} */ (svg).dataset.motions ?? "");
  named.set(svg, kinds);
  const motion = kinds.find(([kind]) => id.startsWith(kind))?.[1] ?? "";
  return motion in MOTIONS ? motion : "fade";
}

/** The longest first. @param {string} text @returns {[string, string][]} */
function kindsOf(text) {
  const pairs = text.split(" ").filter(Boolean).map((pair) => /** @type {[string, string]} */ (pair.split(":")));
  return pairs.sort(([one], [two]) => two.length - one.length);
}

/** @param {Element} element @param {string} motion @param {Deed} deed */
function play(element, motion, deed) {
  if (calm.matches) return null;
  const { origin, time, arrive, leave } = MOTIONS[motion];
  const other = motion === "turn" ? TURN : deed === "move" ? LIFT : BLEND;
  const style = /** @type {SVGElement} */ (element).style;
  style.transformBox = "fill-box";
  style.transformOrigin = origin;
  for (const old of element.getAnimations()) old.cancel();
  return element.animate(deed === "arrive" ? arrive : deed === "leave" ? leave : other, { id: `${motion}-${deed}`, duration: time, easing: EASE });
}

/** @param {Element} body of a piece @param {string} motion @returns {Change} */
export function arrive(body, motion) {
  play(body, motion, "arrive");
  return { motion, deed: "arrive" };
}

/** The piece shows something else now, at the same place or on its way. @param {Element} body @param {string} motion @returns {Change} */
export function change(body, motion) {
  play(body, motion, "change");
  return { motion, deed: "change" };
}

/** The piece is on its way. @param {Element} body @param {string} motion @param {number} way units @returns {Change | null} */
export function move(body, motion, way) {
  if (way < FAR) return null;
  play(body, motion, "move");
  return { motion, deed: "move" };
}

/** Take a piece away; it is seen to leave. @param {SVGElement} piece @param {Element} body @param {string} motion @returns {Change} */
export function leave(piece, body, motion) {
  const animation = play(body, motion, "leave");
  piece.removeAttribute("id");
  if (animation) {
    leaving(piece).append(piece);
    animation.onfinish = animation.oncancel = () => piece.remove();
  } else piece.remove();
  return { motion, deed: "leave" };
}

/** Where pieces are while they leave: above the others. @param {SVGElement} piece */
function leaving(piece) {
  const pieces = /** @type {Element} */ (piece.closest("[data-layer=pieces]"));
  const next = pieces.nextElementSibling;
  if (next?.matches("[data-layer=leaving]")) return next;
  const made = document.createElementNS("http://www.w3.org/2000/svg", "g");
  made.dataset.layer = "leaving";
  pieces.after(made);
  return made;
}

/** Milliseconds for a way of so many units. @param {number} way */
export const timeFor = (way) => Math.min(LONGEST, SHORTEST + SLOWNESS * way);

calm.addEventListener("change", () => {
  if (calm.matches) for (const animation of document.getAnimations()) animation.finish();
});
