// The unfinished tables on the front page, the reader's and those of others, brought up to date while somebody looks.
import { every, find } from "./dom.js";
import { showTimes } from "./times.js";

const EVERY = 5; // seconds; the server answers at most once in so many with something new
const SLOW = 30; // after a failure

const lobby = find("lobby");
let shown = "";

/** A line as the server wrote it: times are shown in another way here. @param {HTMLElement} line */
function written(line) {
  const copy = /** @type {HTMLElement} */ (line.cloneNode(true));
  for (const time of every("time", copy)) time.replaceWith();
  return copy.innerHTML;
}

/** Replace only what has changed: the focus stays where it is, and pictures do not flicker. @param {string} text */
function update(text) {
  const fresh = new DOMParser().parseFromString(text, "text/html").body;
  const known = new Map(every("[data-table]", lobby).map((line) => [line.dataset.table, line]));
  for (const line of every("[data-table]", fresh)) {
    const old = known.get(line.dataset.table);
    if (old && written(old) === written(line)) line.replaceWith(old);
  }
  const focus = document.activeElement, told = lobby.querySelector("[role=status]"), news = fresh.querySelector("[role=status]");
  if (told && news) {
    if (told.textContent !== news.textContent) told.textContent = news.textContent; // spoken only if it has changed
    news.replaceWith(told);
  }
  lobby.replaceChildren(...fresh.childNodes);
  if (focus instanceof HTMLElement && lobby.contains(focus)) focus.focus({ preventScroll: true });
  showTimes(lobby);
}

async function look() {
  try {
    const answer = await fetch("/lobby", { cache: "no-cache" }); // asks whether it has changed
    if (!answer.ok) return SLOW;
    const text = await answer.text();
    if (text !== shown) update(text);
    shown = text;
    return EVERY;
  } catch {
    return SLOW;
  }
}

let timer = 0;
async function follow() {
  clearTimeout(timer);
  if (document.hidden) return;
  const wait = await look();
  showTimes(lobby);
  clearTimeout(timer);
  timer = setTimeout(follow, 1000 * wait);
}
document.addEventListener("visibilitychange", follow);
timer = setTimeout(follow, 1000 * EVERY);
