// The reader's own page: their name, all their games at once, the private link to another device, and personal data.
/** @import { Player } from "../messages" */
import { ask } from "./dialog.js";
import { every, field, find } from "./dom.js";
import { notice, request } from "./http.js";
import { linkLine } from "./links.js";
import { remove } from "./own.js";
import { forgetAll } from "./storage.js";
import { problemWords, say } from "./words.js";

/** @param {HTMLElement | null} element null if the reader is not a player yet @param {string} kind @param {() => Promise<void>} action */
const on = (element, kind, action) =>
  element?.addEventListener(kind, (event) => {
    event.preventDefault();
    action().catch((problem) => notice(problemWords(problem)));
  });

on(find("delete-all"), "click", async () => {
  const section = find("delete-all").closest("section");
  if (!section || !(await ask(say("reallyDeleteAll"), say("delete")))) return;
  for (const { dataset } of every("[data-delete]", section)) await remove(dataset.delete ?? "");
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
  if (!(await ask(say("reallyRevoke"), say("revoke")))) return;
  /** @type {{token: string}} */
  const { token } = await request("POST", "/players/me/tokens");
  if (!find("show-link")) showLink(token); // the link shown is no longer valid
  notice(say("revoked"));
});

on(find("forget"), "click", async () => {
  if (!(await ask(say("reallyForget"), say("delete")))) return;
  await request("DELETE", "/players/me");
  forgetAll();
  location.assign("/");
});
