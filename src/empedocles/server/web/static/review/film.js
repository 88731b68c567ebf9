// Pictures of the match, loaded some dozens of plies at a time.
/** @import { Frames } from "../../messages" */
/** @import { Frame } from "../picture.js" */
import { request } from "../http.js";
import { unfolded } from "../picture.js";
import { facts, looks } from "./state.js";

const CHUNK = 50;

/** @typedef {(markup: string) => void} Draw */

/** @type {Map<number, Promise<Frame[]>>} */
const chunks = new Map();
let layout = 0; // counts changes of the layout
let drawn = false;

/** Whether there is a picture for frames to update. */
export const isDrawn = () => drawn;

/** @param {number} ply @param {Draw} draw for the first picture @returns {Promise<Frame>} */
export async function frameAt(ply, draw) {
  const start = ply - (ply % CHUNK);
  const chunk = chunks.get(start) ?? load(start, draw);
  chunks.set(start, chunk);
  try {
    return (await chunk)[ply - start];
  } catch (problem) {
    chunks.delete(start);
    throw problem;
  }
}

/** Load what comes next. @param {number} ply @param {Draw} draw */
export function preload(ply, draw) {
  if (ply < facts.plies) frameAt(Math.min(facts.plies, ply + CHUNK), draw).catch(() => {});
}

/** @param {number} start @param {Draw} draw */
async function load(start, draw) {
  const mine = layout;
  const query = `start=${start}&stop=${start + CHUNK}&${looks()}&picture=${!drawn}`;
  /** @type {Frames} */
  const found = await request("GET", `/matches/${facts.id}/frames?${query}`);
  if (mine === layout && !drawn && found.picture) {
    draw(found.picture);
    drawn = true;
  }
  return unfolded(found);
}

/** Start again with another layout; answers still on their way are for the old one. */
export function forget() {
  layout += 1;
  chunks.clear();
  drawn = false;
}
