// The reader's own games: rename, delete, the private link to another device, and personal data.
/** @import { Player } from "../messages" */
import { every, field, find } from "./dom.js";
import { notice, request } from "./http.js";
import { linkLine } from "./links.js";
import { forgetAll } from "./storage.js";
import { problemWords, say } from "./words.js";

/** @param {HTMLElement | null} element null if the reader is not a player yet @param {string} kind @param {() => Promise<void>} action */
const on = (element, kind, action) =>
  element?.addEventListener(kind, (event) => {
    event.preventDefault();
    action().catch((problem) => notice(problemWords(problem)));
  });

/** @param {string | undefined} id */
async function remove(id) {
  await request("DELETE", `/matches/${id}`);
  document.querySelector(`[data-table="${id}"]`)?.remove();
}

for (const button of every("[data-delete]"))
  on(button, "click", async () => {
    if (confirm(say("reallyDelete"))) await remove(button.dataset.delete);
  });

on(find("delete-all"), "click", async () => {
  const section = find("delete-all").closest("section");
  if (!section || !confirm(say("reallyDeleteAll"))) return;
  for (const button of every("[data-delete]", section)) await remove(button.dataset.delete);
  location.reload();
});

on(find("rename"), "submit", async () => {
  /** @type {Player} */
  const me = await request("PATCH", "/players/me", { name: field("name").value });
  field("name").value = me.name;
  notice(say("saved"));
});

/** @param {string} token */
const showLink = (token) => find("elsewhere").replaceChildren(linkLine("", `${location.origin}/here#token=${token}`));

on(find("show-link"), "click", async () => {
  /** @type {{token: string}} */
  const { token } = await request("GET", "/players/me/token");
  showLink(token);
});

on(find("revoke"), "click", async () => {
  if (!confirm(say("reallyRevoke"))) return;
  /** @type {{token: string}} */
  const { token } = await request("POST", "/players/me/tokens");
  if (!find("show-link")) showLink(token); // the link shown is no longer valid
  notice(say("revoked"));
});

on(find("forget"), "click", async () => {
  if (!confirm(say("reallyForget"))) return;
  await request("DELETE", "/players/me");
  forgetAll();
  location.assign("/");
});
