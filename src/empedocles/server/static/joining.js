// Sitting down: by an invitation whose secret is in the fragment of the address, or on an open seat.
import { notice, request } from "./http.js";
import { button, make } from "./panels.js";
import { problemWords, say } from "./words.js";

/** @type {() => string} */
const invited = () => new URLSearchParams(location.hash.slice(1)).get("join") ?? "";

/** @param {string} known @returns {Promise<string | null>} the name, or null to watch only */
function askName(known) {
  const dialog = /** @type {HTMLDialogElement} */ (document.getElementById("naming"));
  const input = dialog.querySelector("input");
  input.value = known;
  dialog.returnValue = "watch";
  dialog.showModal();
  return new Promise((done) => {
    dialog.onclose = () => done(dialog.returnValue === "sit" ? input.value.trim() || input.placeholder : null);
  });
}

/** @param {{id: string, name: string}} facts @param {string} invite @returns {Promise<boolean>} */
export async function sitDown(facts, invite = "") {
  const name = await askName(facts.name);
  if (name === null) return false;
  try {
    if (!facts.name) await request("POST", "/players", { name });
    else if (facts.name !== name) await request("PATCH", "/players/me", { name });
    facts.name = name;
    await request("POST", `/matches/${facts.id}/join`, { invite });
    history.replaceState(null, "", location.pathname);
    return true;
  } catch (problem) {
    notice(problemWords(problem));
    return false;
  }
}

/** Who comes by a link is asked for a name, and sits down. @param {{id: string, name: string}} facts @param {() => void} seated */
export async function comeByLink(facts, seated) {
  const invite = invited();
  if (!invite) return;
  const mine = JSON.parse(localStorage.getItem(`joined:${facts.id}`) ?? "[]");
  if (mine.includes(invite)) return history.replaceState(null, "", location.pathname);
  if (!(await sitDown(facts, invite))) return;
  localStorage.setItem(`joined:${facts.id}`, JSON.stringify([...mine, invite]));
  seated();
}

/** The links to seats that wait for somebody, for who has made the table. @param {any} state @param {{id: string, seats: string[]}} facts */
export function inviteLinks(state, facts) {
  const invites = JSON.parse(localStorage.getItem(`invites:${facts.id}`) ?? "{}");
  return Object.entries(invites)
    .filter(([seat]) => state.seats[seat].kind === "open")
    .map(([seat, invite]) => linkLine(say("link", { seat: facts.seats[seat] }), `${location.origin}/t/${facts.id}#join=${invite}`));
}

/** A link to copy or to share. @param {string} label @param {string} address */
export function linkLine(label, address) {
  const input = make("input", { type: "text", readOnly: true, value: address, onfocus: () => input.select() });
  const copy = button(say("copy"), async () => {
    input.select();
    await navigator.clipboard?.writeText(address).then(() => notice(say("copied")));
  });
  const share = button(say("share"), () => navigator.share({ url: address }).catch(() => {}));
  return make("label", { className: "link" }, label, make("span", {}, input, copy, ...(navigator.share ? [share] : [])));
}
