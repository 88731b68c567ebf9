// A move being entered: the legal moves filtered by the targets chosen so far. It knows no rules.
/** @import { Choice } from "../messages" */

export const CONFIRM = "confirm"; // ends a choice that could also continue

/** @typedef {string[][]} Path groups of targets in order, the targets of a group in any order */

/** The rest of a path after the chosen targets; null if it does not start with them. @param {Path} path @param {string[]} chosen @returns {Path | null} */
function after(path, chosen) {
  for (const target of chosen) {
    if (!path.length || !path[0].includes(target)) return null;
    const rest = path[0].filter((other) => other !== target);
    path = rest.length ? [rest, ...path.slice(1)] : path.slice(1);
  }
  return path;
}

export class Choosing {
  /** @param {Choice[]} choices @param {string[]} [chosen] */
  constructor(choices, chosen = []) {
    this.choices = choices;
    this.chosen = chosen;
    const confirmed = chosen.at(-1) === CONFIRM;
    const targets = confirmed ? chosen.slice(0, -1) : chosen;
    /** @type {[string, Path][]} */
    this.left = [];
    for (const [move, text] of choices) {
      const path = after(text.split("|").map((group) => group.split(" ")), targets);
      if (path && !(confirmed && path.length)) this.left.push([move, path]);
    }
    const following = new Set(this.left.flatMap(([, path]) => path[0] ?? []));
    this.whole = this.left.find(([, path]) => !path.length)?.[0] ?? null;
    if (following.size && this.whole) following.add(CONFIRM);
    this.targets = following;
  }

  /** The move, once no other target can follow or it was confirmed. */
  get move() {
    return this.targets.size ? null : this.whole;
  }

  /** @param {string} target */
  choose(target) {
    return new Choosing(this.choices, [...this.chosen, target]);
  }

  back() {
    return new Choosing(this.choices, this.chosen.slice(0, -1));
  }

  fresh() {
    return new Choosing(this.choices);
  }

  /** Targets chosen together with another, such as a piece and its goal: these can be dragged. */
  get draggable() {
    return new Set(this.left.flatMap(([, path]) => (path.length > 1 || path[0]?.length > 1 ? path[0] : [])));
  }
}
