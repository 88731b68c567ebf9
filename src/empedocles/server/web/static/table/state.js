// Everything known about a table, in one place; those who show a part of it hear of changes.
/** @import { LiveFrame, Milestone, Saying, TableFacts, TableState } from "../../messages" */
/** @import { Box } from "../picture.js" */
import { News } from "../news.js";
import { data } from "../words.js";

/** @typedef {{number: number, moves: string[], move: string, sent: boolean}} Pending a move on its way, with the moves before it */

/** @type {TableFacts} */
export const facts = data("facts");
export const path = `/matches/${facts.id}`;
export const coarse = matchMedia("(pointer: coarse)").matches;

export const now = {
  /** @type {TableState | null} */ state: null, // as the server told it last
  since: 0, // when
  /** @type {LiveFrame | null} */ frame: null, // of the last position
  /** @type {Box[] | undefined} */ boxes: undefined, // of the frame that was heard last
  /** @type {number | null} */ viewing: null, // the ply of an earlier position that is looked at
  /** @type {LiveFrame | null} */ shown: null, // what is looked at
  /** @type {Milestone[]} */ milestones: [], // the ends of parts of the game
  /** @type {Saying | null} */ saying: null, // what an opponent has said last
  /** @type {Milestone | null} */ pause: null, // the one that the reader still looks at
  /** @type {Pending | null} */ pending: null, // a move that was sent, until the server has written it
  held: false, // whether a move is being thought over, by the server or after its warning
  weighing: false, // whether the server is asked if the move is a bad one
  leaving: false, // for another table, in place of this one
  connected: false,
  closed: "", // the code of the problem that closed the connection
  wide: true,
  /** @type {number | null} */ side: null, // the seat at whose side the reader looks, if they have several
  redraw: true, // a whole picture is needed
  /** @type {string[]} */ overlays: [],
  prompt: "", // what to choose first, in this position
  /** @type {Record<string, string>} */ names: {}, // of targets that the picture does not show
  preview: "", // describes the targets chosen so far: the move, once they are one
  next: "", // what to choose after them
  asking: false, // the server is being asked for these two
  hover: "", // what the target under the pointer would lead to
};

/** @type {News<TableState>} */
const news = new News();

/** @param {(state: TableState) => void} show */
export const whenChanged = (show) => news.when(show);

export function changed() {
  if (now.state) news.tell(now.state);
}

/** @type {News<TableState>} */
const pointing = new News();

/** @param {(state: TableState) => void} show */
export const whenPointing = (show) => pointing.when(show);

/** Tell what the target under the pointer would lead to; nothing else is shown anew. @param {string} text "" for nothing */
export function point(text) {
  if (now.hover === text) return;
  now.hover = text;
  if (now.state) pointing.tell(now.state);
}

export const mayChoose = () => Boolean(now.state?.your_turn) && now.viewing === null && !now.pause && !now.pending && !now.held;

/** Whether others have the name of this seat's player. @param {TableState} state @param {number} seat */
export const isNamesake = ({ seats }, seat) => seats.filter(({ name }) => name === seats[seat].name).length > 1;

/** The player's name, with the seat if several have the same name. @param {TableState} state @param {number} seat */
export function nameOf(state, seat) {
  const { name } = state.seats[seat];
  return !name ? facts.seats[seat] : isNamesake(state, seat) ? `${name} · ${facts.seats[seat]}` : name;
}
