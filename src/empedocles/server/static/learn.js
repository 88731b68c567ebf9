// How far the reader is in each game; a game's link leads to its first lesson that is not done.
import { solved } from "./progress.js";

for (const item of document.querySelectorAll("[data-lessons]")) {
  const lessons = item.dataset.lessons.split(" ");
  const known = solved(item.dataset.game);
  const done = lessons.filter((lesson) => known.has(lesson)).length;
  if (!done) continue;
  const words = item.querySelector(".progress");
  words.textContent = words.dataset.words.replace("{done}", String(done)).replace("{all}", String(lessons.length));
  item.classList.toggle("complete", done === lessons.length);
  const next = lessons.findIndex((lesson) => !known.has(lesson));
  for (const link of item.querySelectorAll(`a[href="/learn/${item.dataset.game}"]`)) {
    if (next > 0) link.href += `/${next + 1}`;
  }
}
