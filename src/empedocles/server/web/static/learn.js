// The reader's progress in each game; a game's link leads to its first lesson that is not done.
import { every, one } from "./dom.js";
import { solved } from "./progress.js";

for (const item of every("[data-lessons]")) {
  const { game = "", lessons = "" } = item.dataset;
  const names = lessons.split(" "), known = solved(game);
  const done = names.filter((lesson) => known.has(lesson)).length;
  if (!done) continue;
  const words = one(".progress", item);
  words.textContent = (words.dataset.words ?? "").replace("{done}", String(done)).replace("{all}", String(names.length));
  item.classList.toggle("complete", done === names.length);
  const next = names.findIndex((lesson) => !known.has(lesson));
  /** @type {HTMLAnchorElement[]} */
  const links = every(`a[href="/learn/${game}"]`, item);
  if (next > 0) for (const link of links) link.href += `/${next + 1}`;
}
