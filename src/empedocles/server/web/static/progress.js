// The lessons that are done, stored in this browser.
import { recall, store } from "./storage.js";

const PLACE = "lessons";

/** @returns {Record<string, string[]>} names of lessons by game */
const all = () => recall(PLACE, {});

/** @param {string} game @returns {Set<string>} */
export const solved = (game) => new Set(all()[game] ?? []);

/** @param {string} game @param {string} lesson */
export const solve = (game, lesson) => store(PLACE, { ...all(), [game]: [...solved(game).add(lesson)] });
