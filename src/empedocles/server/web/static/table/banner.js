// Everything that asks for an answer: the end of a round, offers, an absent player, open seats.
/** @import { TableState } from "../../messages" */
import { button, every, find, make } from "../dom.js";
import { notice } from "../http.js";
import { say } from "../words.js";
import { command } from "./commands.js";
import { restart } from "./connection.js";
import { goneParts } from "./gone.js";
import { pauseParts } from "./interlude.js";
import { inviteLinks, sitDown } from "./joining.js";
import { moves } from "./position.js";
import { waitingParts } from "./waiting.js";
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
  if (state.status !== "waiting") return [];
  if (state.mine.length) return waitingParts(state, line);
  const free = state.seats.findIndex((seat) => seat.kind === "open" && !seat.link);
  const sit = button(say("sit"), async () => (await sitDown(facts, free)) && restart(), "primary");
  const links = inviteLinks(state, facts); // of a table that was opened for others
  return [...(links.length ? [make("div", { className: "line waiting" }, make("p", { textContent: say("sendLinks") }), ...links)] : []), ...(free < 0 ? [] : [line(say("seatFree"), sit)])];
}

/** @param {TableState} state */
export function showBanner(state) {
  const parts = [...pauseParts(), ...offerParts(state), ...goneParts(state, line), ...seatParts(state)];
  const signature = parts.map((part) => part.textContent + every("input", part).map((input) => /** @type {HTMLInputElement} */ (input).value).join()).join("|");
  if (find("banner").dataset.shown === signature) return;
  find("banner").dataset.shown = signature;
  find("banner").replaceChildren(...parts);
}
whenChanged(showBanner);
