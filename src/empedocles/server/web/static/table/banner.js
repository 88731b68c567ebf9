// Everything that asks for an answer: offers, an absent player, open seats, and what to do when the match is over.
/** @import { TableState } from "../../messages" */
import { button, find, make } from "../dom.js";
import { notice } from "../http.js";
import { say } from "../words.js";
import { overParts } from "./afterwards.js";
import { command } from "./commands.js";
import { restart } from "./connection.js";
import { goneParts } from "./gone.js";
import { inviteLinks, sitDown } from "./joining.js";
import { moves } from "./position.js";
import { facts, nameOf, whenChanged } from "./state.js";

const OFFERS = { draw: ["offersDraw", "drawOffered"], back: ["offersBack", "backAsked"] };

/** @param {string} text @param {Node[]} buttons */
const line = (text, ...buttons) =>
  make("div", { className: "line" }, make("p", { textContent: text }), make("div", { className: "buttons" }, ...buttons));

/** The moves that would be undone, if more than the asker's own. @param {TableState} state */
function undone({ asked }) {
  const words = asked === null ? [] : moves.words.slice(asked);
  return words.length > 1 ? ` ${say("undone", { n: words.length, moves: words.join("; ") })}` : "";
}

/** @param {TableState} state */
function offerParts(state) {
  if (state.status !== "playing" || !state.mine.length) return [];
  const offers = /** @type {["draw" | "back", number][]} */ (Object.entries(state.offers));
  return offers.map(([what, seat]) => {
    const [theirs, mine] = OFFERS[what];
    if (state.mine.includes(seat)) return line(say(mine));
    const accept = button(say("accept"), () => command(what), "primary");
    const decline = button(say("decline"), () => command("decline", what));
    return line(say(theirs, { name: nameOf(state, seat) }) + undone(state), accept, decline);
  });
}

/** @type {TableState | null} */
let before = null;

/** Tell the player who made an offer that it was declined: it vanished while nothing else happened. @param {TableState} state */
function tellDeclined(state) {
  const offered = Object.entries(before?.offers ?? {}).find(([, seat]) => state.mine.includes(seat));
  const gone = offered && !Object.keys(state.offers).length && state.status === "playing"; // another one takes its place
  if (gone && state.plies === before?.plies) notice(say(offered[0] === "draw" ? "drawDeclined" : "backDeclined"));
  before = state;
}
whenChanged(tellDeclined);

/** @param {TableState} state */
function seatParts(state) {
  if (state.status === "over") return [];
  const links = inviteLinks(state, facts);
  if (links.length) return [line(say("sendLinks")), ...links];
  const free = state.seats.findIndex((seat) => seat.kind === "open" && !seat.link);
  if (state.mine.length || free < 0) return [];
  return [line(say("seatFree"), button(say("sit"), async () => (await sitDown(facts, free)) && restart(), "primary"))];
}

/** @param {TableState} state */
export function showBanner(state) {
  const parts = [...offerParts(state), ...goneParts(state, line), ...seatParts(state), ...overParts(state)];
  const signature = parts.map((part) => part.textContent + (part.querySelector("input")?.value ?? "")).join("|");
  if (find("banner").dataset.shown === signature) return;
  find("banner").dataset.shown = signature;
  find("banner").replaceChildren(...parts);
}
whenChanged(showBanner);
