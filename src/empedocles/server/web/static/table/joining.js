// Taking a seat: by an invitation, whose secret is in the fragment of the address, or an open one.
/** @import { TableFacts, TableState } from "../../messages" */
import { find, one } from "../dom.js";
import { notice, player, request } from "../http.js";
import { addressed, invitations, linkLine } from "../links.js";
import { recall, store } from "../storage.js";
import { problemWords, say } from "../words.js";
import { now } from "./state.js";

const SIT = "#sit"; // the fragment of links for anyone

/** @param {string} known @returns {Promise<string | null>} the name, "" for any name, or null to just watch */
function askName(known) {
  /** @type {HTMLDialogElement} */
  const dialog = find("naming");
  /** @type {HTMLInputElement} */
  const input = one("input", dialog);
  input.value = known;
  dialog.returnValue = "watch";
  dialog.showModal();
  return new Promise((done) => {
    dialog.onclose = () => done(dialog.returnValue === "sit" ? input.value.trim() : null);
  });
}

/** Make sure there is a player with this name; another tab may have created one. @param {string} name @returns {Promise<string>} */
async function becomePlayer(name) {
  const me = await player(name || say("guest"));
  if (!name || me.name === name) return me.name;
  await request("PATCH", "/players/me", { name });
  return name;
}

/** The text of an invitation. @param {TableFacts} facts @param {number} seat @param {boolean} invited */
function invitation({ host, title: game, seats }, seat, invited) {
  const what = host && invited ? say("invites", { host, game }) : say("aGame", { game });
  return seats[seat] ? `${what} ${say("yourSeat", { seat: seats[seat] })}` : what;
}

/**
 * @param {TableFacts} facts @param {number} seat that will be taken, NaN if unknown @param {string} [invite]
 * @returns {Promise<boolean>}
 */
export async function sitDown(facts, seat, invite = "") {
  find("invitation").textContent = invitation(facts, seat, Boolean(invite));
  const name = await askName(facts.name);
  if (name === null) return false;
  try {
    facts.name = await becomePlayer(name);
    await request("POST", `/matches/${facts.id}/join`, { invite, shuffles: facts.chance });
    history.replaceState(null, "", location.pathname);
    return true;
  } catch (problem) {
    notice(problemWords(problem));
    return false;
  }
}

/** Seat a reader who chose the table in the lobby, or came by a link for anyone. @param {TableFacts} facts @param {() => void} seated */
async function comeToSit(facts, seated) {
  history.replaceState(null, "", location.pathname);
  if (!now.state?.mine.length && (await sitDown(facts, NaN))) seated();
}

/** Seat a reader who came by a link, after asking for a name. @param {TableFacts} facts @param {() => void} seated */
export async function comeByLink(facts, seated) {
  const invite = addressed("join");
  if (location.hash === SIT) return comeToSit(facts, seated);
  if (!invite) return;
  const joined = `joined:${facts.id}`;
  const mine = recall(joined, /** @type {string[]} */ ([]));
  if (mine.includes(invite)) return history.replaceState(null, "", location.pathname);
  if (!(await sitDown(facts, Number(addressed("seat") ?? NaN), invite))) return;
  store(joined, [...mine, invite]);
  seated();
}

/** The links to free seats, for those who wait at the table. @param {TableState} state @param {TableFacts} facts */
export function inviteLinks({ seats, mine }, facts) {
  const free = new Set(seats.flatMap(({ kind }, seat) => (kind === "open" ? [seat] : [])));
  const open = mine.length > 0 && seats.some(({ kind, link }) => kind === "open" && !link);
  return invitations(facts.id, facts.seats, free, open).map(({ label, address }) => linkLine(label, address));
}
