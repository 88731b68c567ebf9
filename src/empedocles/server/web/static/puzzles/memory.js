// The reader's ratings and streaks, and which puzzles were seen: stored in this browser only.
/** @import { Skill } from "../../messages" */
import { recall, store } from "../storage.js";

/**
 * @typedef {object} Memory
 * @property {Record<string, Skill>} skills by game
 * @property {Record<string, string[]>} seen ids of puzzles whose first answer was given, by game
 * @property {Record<string, string[]>} round those among them since the reader last started over
 * @property {number} run puzzles solved in a row
 * @property {{last: string, number: number}} days in a row on which a puzzle of the day was solved
 * @property {Record<string, string>} daily the last day whose puzzle was solved, by game
 */

const PLACE = "puzzles";
const DAY = 24 * 3600 * 1000; // milliseconds

/** @type {Memory} */
const EMPTY = { skills: {}, seen: {}, round: {}, run: 0, days: { last: "", number: 0 }, daily: {} };
let memory = { ...EMPTY, ...recall(PLACE, {}) };

/** @param {Partial<Memory>} news */
function keep(news) {
  memory = { ...memory, ...news };
  store(PLACE, memory);
}

/** @param {string} game @returns {Skill | undefined} undefined for somebody new */
export const skillIn = (game) => memory.skills[game];

/** Whether an answer to a puzzle would be the first. @param {string} game @param {string} id */
export const counts = (game, id) => !memory.seen[game]?.includes(id);

/** Puzzles that need not be offered again. @param {string} game */
export const offered = (game) => memory.round[game] ?? [];

export const run = () => memory.run;

/** @param {string} game @param {string} day */
export const isDone = (game, day) => memory.daily[game] === day;

export const isEmpty = () => !Object.keys(memory.seen).length && !memory.days.number;

/** Days from one date to another. @param {string} from @param {string} to */
const daysBetween = (from, to) => Math.round((Date.parse(to) - Date.parse(from)) / DAY);

/** Days in a row up to this one, or up to the day before. @param {string} today */
export const streak = (today) => (daysBetween(memory.days.last, today) <= 1 ? memory.days.number : 0);

/** Add to one of the lists by game. @param {Record<string, string[]>} lists @param {string} game @param {string} id */
const added = (lists, game, id) => ({ ...lists, [game]: [...new Set(lists[game]).add(id)] });

/** The first answer to a puzzle: the only one that counts. @param {string} game @param {string} id @param {boolean} solved @param {Skill} skill */
export function noteAnswer(game, id, solved, skill) {
  const skills = { ...memory.skills, [game]: skill };
  keep({ seen: added(memory.seen, game, id), skills, run: solved ? memory.run + 1 : 0 });
}

/** A puzzle is over. @param {string} game @param {string} id */
export const notePassed = (game, id) => keep({ round: added(memory.round, game, id) });

/** A puzzle of the day is solved. @param {string} game @param {string} day */
export function noteDay(game, day) {
  const apart = daysBetween(memory.days.last, day);
  const number = apart === 0 ? memory.days.number : apart === 1 ? memory.days.number + 1 : 1;
  keep({ days: { last: day, number }, daily: { ...memory.daily, [game]: day } });
}

/** Offer all puzzles again; they count no more. @param {string} game */
export const startOver = (game) => keep({ round: { ...memory.round, [game]: [] } });

export const forgetAll = () => keep(EMPTY);
