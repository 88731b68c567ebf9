// Taking a seat: by an invitation, whose secret is in the fragment of the address, or an open one.
/** @import { TableFacts, TableState } from "../../messages" */
import { find, one } from "../dom.js";
import { notice, player, request } from "../http.js";
import { linkLine } from "../links.js";
import { recall, store } from "../storage.js";
import { problemWords, say } from "../words.js";

/** @param {string} name @returns {string | null} the parameter's value in the address's fragment */
const addressed = (name) => new URLSearchParams(location.hash.slice(1)).get(name);

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

/** Seat a reader who came by a link, after asking for a name. @param {TableFacts} facts @param {() => void} seated */
export async function comeByLink(facts, seated) {
  const invite = addressed("join");
  if (!invite) return;
  const joined = `joined:${facts.id}`;
  const mine = recall(joined, /** @type {string[]} */ ([]));
  if (mine.includes(invite)) return history.replaceState(null, "", location.pathname);
  if (!(await sitDown(facts, Number(addressed("seat") ?? NaN), invite))) return;
  store(joined, [...mine, invite]);
  seated();
}

/** The invitations in the address, where new.js could not store them. @returns {Record<number, string>} */
function addressedInvites() {
  const secrets = addressed("invites")?.split(",") ?? [];
  return Object.fromEntries(secrets.map((pair) => pair.split(":")));
}

/** The links to open seats, for whoever opened the table. @param {TableState} state @param {TableFacts} facts */
export function inviteLinks(state, facts) {
  /** @type {Record<number, string>} */
  const invites = recall(`invites:${facts.id}`, addressedInvites());
  return Object.entries(invites)
    .map(([seat, invite]) => ({ seat: Number(seat), invite }))
    .filter(({ seat }) => state.seats[seat]?.kind === "open")
    .map(({ seat, invite }) =>
      linkLine(say("link", { seat: facts.seats[seat] }), `${location.origin}/t/${facts.id}#join=${invite}&seat=${seat}`));
}
