// The reader's own tables in lists: invite people to those that wait, cancel them, delete others.
import { show, ask } from "./dialog.js";
import { make } from "./dom.js";
import { notice, request } from "./http.js";
import { invitations, linkLine } from "./links.js";
import { problemWords, say } from "./words.js";

/** @typedef {{names: string[], public: number[], links: number[]}} Free the seats' names, and which of them are free */

/** @param {string} id */
export async function remove(id) {
  await request("DELETE", `/matches/${id}`);
  document.querySelector(`[data-table="${id}"]`)?.remove();
}

/** @param {string} id @param {Free} free */
function invite(id, free) {
  const links = invitations(id, free.names, new Set([...free.public, ...free.links]), free.public.length > 0);
  const lost = free.links.length && !links.some(({ seat }) => seat !== null) ? [make("p", { className: "soft", textContent: say("linksElsewhere") })] : [];
  return show(say("inviteTitle"), ...links.map(({ label, address }) => linkLine(label, address)), ...lost);
}

/** By the attribute of a button, with the id of its table. @type {Record<string, (id: string, button: HTMLElement) => Promise<unknown>>} */
const actions = {
  invite: (id, button) => invite(id, JSON.parse(button.dataset.seats ?? "")),
  cancel: async (id, { dataset }) =>
    (await ask(say("others" in dataset ? "reallyLeave" : "reallyCancel"), say("others" in dataset ? "leave" : "cancelTable"), say("keepTable"))) && remove(id),
  delete: async (id) => (await ask(say("reallyDelete"), say("delete"))) && remove(id),
};

document.addEventListener("click", (event) => {
  const button = event.target instanceof Element ? event.target.closest("button") : null;
  for (const [name, act] of Object.entries(actions)) {
    const id = button?.dataset[name];
    if (button && id) act(id, button).catch((problem) => notice(problemWords(problem)));
  }
});
