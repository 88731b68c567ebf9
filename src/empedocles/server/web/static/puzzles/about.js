// What is told about a puzzle once it is over, and what can be done with it then.
/** @import { PuzzleAbout, TableState } from "../../messages" */
import { opened } from "../dialog.js";
import { every, find, make, one } from "../dom.js";
import { notice, player, request } from "../http.js";
import { copy } from "../links.js";
import { problemWords, say } from "../words.js";

const STARS = 5;
const OFTEN = 0.5; // an opponent who finds the move at least this often is counted

const place = one(".about");
/** The puzzle that is told about. */
const now = { id: "", game: "", record: "" };

/** @param {() => Promise<void>} work */
const carefully = (work) => work().catch((problem) => notice(problemWords(problem)));

export function hideAbout() {
  place.hidden = true;
}

/** @param {PuzzleAbout} about @param {string} id @param {string} game @param {(ply: number) => void} look shows the position after a move of the line */
export function tellAbout(about, id, game, look) {
  Object.assign(now, { id, game, record: about.record });
  find("about-title").textContent = about.title;
  const stars = one(".stars", place), finds = about.solved.filter((share) => share >= OFTEN).length;
  stars.textContent = "★".repeat(about.stars) + "☆".repeat(STARS - about.stars);
  stars.ariaLabel = say("stars", { n: about.stars, all: STARS });
  one(".value", place).textContent = String(about.rating);
  one(".dots", place).replaceChildren(...about.solved.map((share) => make("i", { className: share >= OFTEN ? "on" : "" })));
  one(".count", place).textContent = say("found", { n: finds, all: about.solved.length });
  const steps = about.line.map(([, words], ply) => {
    const step = make("button", { type: "button", textContent: words, onclick: () => look(ply) });
    return make("li", {}, step);
  });
  one(".line", place).replaceChildren(...steps);
  place.hidden = false;
}

/** Mark a move of the line as the one shown. @param {number} ply */
export const markStep = (ply) => every(".line button", place).forEach((step, number) => (step.ariaCurrent = number === ply ? "step" : null));

/** Review the solution, where any other move can be tried. */
async function analyse() {
  await player(say("guest"));
  /** @type {TableState} */
  const table = await request("POST", "/imports", { record: now.record });
  location.assign(`/review/${table.id}`);
}

async function share() {
  if (await copy(`${location.origin}/puzzles/${now.game}/${now.id}`)) notice(say("copied"));
}

async function report() {
  /** @type {HTMLTemplateElement} */
  const template = find("reporting");
  const dialog = one("dialog", /** @type {DocumentFragment} */ (template.content.cloneNode(true)));
  if (!(dialog instanceof HTMLDialogElement)) return;
  if ((await opened(dialog)) !== "send") return;
  const { reason, note } = Object.fromEntries(new FormData(one("form", dialog)));
  await request("POST", `/puzzles/${now.game}/${now.id}/reports`, { reason, note });
  notice(say("reported"));
}

one(".analyse", place).addEventListener("click", () => carefully(analyse));
one(".share", place).addEventListener("click", () => carefully(share));
one(".report", place).addEventListener("click", () => carefully(report));
