// A table that waits for players, for those who already sit there: the links to send, and the way out.
/** @import { TableState } from "../../messages" */
import { ask } from "../dialog.js";
import { button, make } from "../dom.js";
import { request } from "../http.js";
import { invitedSeats } from "../links.js";
import { say } from "../words.js";
import { trying } from "./entering.js";
import { inviteLinks } from "./joining.js";
import { facts, path } from "./state.js";

/** @param {boolean} others whether somebody else would miss the table */
async function leave(others) {
  if (!(await ask(say(others ? "reallyLeave" : "reallyCancel"), say(others ? "leave" : "cancelTable"), say("keepTable")))) return;
  await request("DELETE", path);
  location.assign("/");
}

/** Where to find the links of seats for which there are none here. @param {TableState} state */
function elsewhere({ seats }) {
  const known = invitedSeats(facts.id), invited = seats.flatMap(({ kind, link }, seat) => (kind === "open" && link ? [seat] : []));
  return invited.every((seat) => known.has(seat)) ? [] : [make("p", { className: "soft", textContent: say("linksElsewhere") })];
}

/** @param {TableState} state @param {(text: string, ...buttons: Node[]) => HTMLElement} line */
export function waitingParts(state, line) {
  if (state.seats.every(({ kind }) => kind !== "open")) return []; // all are here, and the shuffle is under way
  const others = state.seats.some(({ kind, mine }) => kind === "person" && !mine);
  const links = inviteLinks(state, facts);
  const part = line(links.length ? say("sendLinks") : say("waitingSeats"), button(say(others ? "leave" : "cancelTable"), trying(() => leave(others))));
  part.lastElementChild?.before(...links, ...elsewhere(state));
  part.classList.add("waiting");
  return [part];
}
