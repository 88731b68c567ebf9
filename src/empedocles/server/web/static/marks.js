// Marks on a board, in the shapes of render/marks.py: dots and ticks for what may be chosen, rings for what is chosen.
/** @import { Box } from "./picture.js" */
/** @typedef {[x: number, y: number, width: number, height: number]} Extent what a piece covers */

const INSET = 3.5;
const CORNER = 0.2, LONGEST = 13; // of a tick
const CELL = 60; // the side of most squares
const MANY = 12, OPEN = 0.6; // a choice among most of many equal places, and all that are free, is open: they are marked only when pointed at

/** @param {string} name @param {string} shape @param {string} tag */
const rimmed = (name, shape, tag) => `<${tag} class="e-${name}-rim" ${shape}/><${tag} class="e-${name}" ${shape}/>`;

/** @param {Box} box */
function dot([, x, y, width, height]) {
  return `<circle class="e-dot" cx="${x + width / 2}" cy="${y + height / 2}" r="${0.11 * Math.min(CELL, width, height)}"/>`;
}

/** @param {Box} box */
function ticks([, x, y, width, height]) {
  const [left, top, right, bottom] = [x + INSET, y + INSET, x + width - INSET, y + height - INSET];
  const r = Math.min(LONGEST, CORNER * Math.min(width, height));
  const way =
    `M${left} ${top + r}v${-r}h${r}M${right - r} ${top}h${r}v${r}` +
    `M${right} ${bottom - r}v${r}h${-r}M${left + r} ${bottom}h${-r}v${-r}`;
  return rimmed("tick", `d="${way}"`, "path");
}

/** @param {Box} box */
function ring([, x, y, width, height]) {
  const sides = `x="${x + INSET}" y="${y + INSET}" width="${width - 2 * INSET}" height="${height - 2 * INSET}" rx="6"`;
  return rimmed("ring", sides, "rect");
}

/** @param {Box} box */
function halo([, x, y, width, height]) {
  const sides = `x="${x + INSET}" y="${y + INSET}" width="${width - 2 * INSET}" height="${height - 2 * INSET}" rx="10"`;
  return rimmed("halo", sides, "rect");
}

/** Markup that shows where to look. @param {Box[]} boxes @param {readonly string[]} targets */
export const spots = (boxes, targets) => boxes.filter(([target]) => targets.includes(target)).map(halo).join("");

/** @param {Box} one @param {Box} two */
const alike = ([, , , width, height], [, , , across, down]) => Math.abs(width - across) < 1 && Math.abs(height - down) < 1;

/**
 * Whether a target is one of an open choice. Where free places are forbidden, those that are not must be seen.
 * @param {Box} box @param {Box[]} boxes @param {ReadonlySet<string>} can @param {readonly Extent[]} pieces
 */
function isOpen(box, boxes, can, pieces) {
  const places = boxes.filter((other) => alike(box, other));
  const possible = places.filter(([target]) => can.has(target));
  if (possible.length < MANY || possible.length <= OPEN * places.length) return false;
  const beside = places.filter((other) => !can.has(other[0]) && possible.some((one) => adjoin(one, other))); // not a supply elsewhere
  return beside.every((other) => occupied(other, pieces));
}

/** Whether two are squares side by side. @param {Box} one @param {Box} two */
function adjoin(one, two) {
  const [, x, y, width, height] = one, across = Math.abs(x - two[1]), down = Math.abs(y - two[2]);
  const beside = Math.abs(across + down - width) < 1 && Math.min(across, down) < 1;
  return beside && Math.abs(width - height) < 1 && alike(one, two);
}

/** Whether a piece lies on the middle of a target. @param {Box} box @param {readonly Extent[]} pieces */
const occupied = ([, x, y, width, height], pieces) =>
  pieces.some(([left, top, across, down]) => {
    const [right, low] = [x + width / 2 - left, y + height / 2 - top];
    return right > 0 && right < across && low > 0 && low < down;
  });

/**
 * Markup that marks what may be chosen and what is chosen.
 * @param {Box[]} boxes @param {ReadonlySet<string>} can @param {string[]} chosen @param {Extent[]} pieces
 */
export function marks(boxes, can, chosen, pieces) {
  const drawn = boxes.map((box) => {
    if (chosen.includes(box[0])) return ring(box);
    if (!can.has(box[0]) || isOpen(box, boxes, can, pieces)) return "";
    const free = boxes.some((other) => adjoin(box, other)) && !occupied(box, pieces);
    return free ? dot(box) : ticks(box);
  });
  return drawn.join("");
}
