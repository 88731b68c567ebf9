// One's own games: rename, delete, and the private link to another device.
import { notice, request } from "./http.js";
import { linkLine } from "./joining.js";
import { problemWords, say } from "./words.js";

const find = (id) => document.getElementById(id);
const complain = (problem) => notice(problemWords(problem));
const on = (element, kind, action) =>
  element?.addEventListener(kind, (event) => {
    event.preventDefault();
    action(event).catch(complain);
  });

async function remove(id) {
  await request("DELETE", `/matches/${id}`);
  document.querySelector(`[data-table="${id}"]`)?.remove();
}

for (const button of document.querySelectorAll("[data-delete]"))
  on(button, "click", async () => confirm(say("reallyDelete")) && (await remove(button.dataset.delete)));

on(find("delete-all"), "click", async () => {
  if (!confirm(say("reallyDeleteAll"))) return;
  const section = find("delete-all").closest("section");
  for (const button of section.querySelectorAll("[data-delete]")) await remove(button.dataset.delete);
  location.reload();
});

on(find("rename"), "submit", async () => {
  const me = await request("PATCH", "/players/me", { name: find("name").value });
  find("name").value = me.name;
  notice(say("saved"));
});

on(find("show-link"), "click", async () => {
  const { token } = await request("GET", "/players/me/token");
  find("elsewhere").replaceChildren(linkLine("", `${location.origin}/here#token=${token}`));
});
