// The end of a part of a game, such as a round: the table stays as it was at that moment until the reader goes on.
/** @import { Milestone, TableState } from "../../messages" */
import { button, make } from "../dom.js";
import { recall, store } from "../storage.js";
import { say } from "../words.js";
import { go } from "./connection.js";
import { moves } from "./position.js";
import { facts, now } from "./state.js";

const SEEN = `milestone:${facts.id}`; // the last one that the reader has gone on from

/** The seats that have moved since. @param {number} ply */
const moversSince = (ply) => moves.movers.slice(ply).filter((seat) => seat !== null);

/** Whether another person plays on, who should not have to wait. @param {TableState} state @param {number} ply */
const othersGoOn = ({ seats, mine }, ply) => moversSince(ply).some((seat) => seats[seat].kind === "person" && !mine.includes(seat));

/** Whether the reader, who may have come back later, has already played on. @param {TableState} state @param {number} ply */
const wentOn = ({ mine }, ply) => recall(SEEN, 0) >= ply || moversSince(ply).some((seat) => mine.includes(seat));

/** @param {Milestone[]} milestones @param {TableState} state @param {TableState | null} before */
export function hearMilestones(milestones, state, before) {
  const last = milestones.at(-1);
  now.milestones = milestones;
  if (now.pause && (now.pause.ply > state.plies || othersGoOn(state, now.pause.ply))) now.pause = null;
  if (!last?.frame || state.status !== "playing" || othersGoOn(state, last.ply)) return;
  if (before ? last.ply > before.plies : state.mine.length && !wentOn(state, last.ply)) now.pause = last;
}

function goOn() {
  store(SEEN, now.pause?.ply ?? 0);
  go(null);
}

/** @param {string} rule */
export const ruleLink = (rule) =>
  make("a", { className: "soft unbroken", href: `/rules/${facts.game}#${rule}`, target: "_blank", rel: "noopener", textContent: rule });

/** @returns {HTMLElement[]} what happened, and the way on */
export function pauseParts() {
  if (!now.pause) return [];
  const words = make("p", {}, `${now.pause.words} `, ruleLink(now.pause.rule));
  return [make("div", { className: "line milestone" }, words, make("div", { className: "buttons" }, button(say("goOn"), goOn, "primary")))];
}
