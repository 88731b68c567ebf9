// Saving and sharing a match: files, a link, and a table to play on.
/** @import { NewTable } from "../../messages" */
import { field, find, make } from "../dom.js";
import { Refusal, notice, player, reached, request } from "../http.js";
import { copy } from "../links.js";
import { say } from "../words.js";
import { facts, onMatch, state, whenChanged, wide } from "./state.js";

const dark = matchMedia("(prefers-color-scheme: dark)");
const theme = () => document.documentElement.dataset.theme || (dark.matches ? "dark" : "light");
const looks = () => `theme=${theme()}&language=${facts.language}&wide=${wide.matches}`;

/** @param {string} path of the file, below the match @param {string} ending */
async function save(path, ending) {
  notice(say("making"));
  const response = await reached(fetch(`/api/matches/${facts.id}/${path}`));
  if (!response.ok) throw Object.assign(new Refusal(), await response.json());
  const href = URL.createObjectURL(await reached(response.blob()));
  make("a", { href, download: `${facts.game}-${facts.id}.${ending}` }).click();
  setTimeout(() => URL.revokeObjectURL(href), 10_000);
  notice("");
}

async function share() {
  const url = location.href, title = document.title;
  const phone = "share" in navigator && matchMedia("(pointer: coarse)").matches;
  if (phone) return navigator.share({ url, title }).catch(() => {});
  notice(say((await copy(url)) ? "copied" : "failed"));
}

async function playOn() {
  if (!state.view) return;
  await player(say("guest"));
  const mine = facts.sides[Number(field("seat").value)], bot = field("opponent").value;
  const seats = facts.sides.map((side) => (bot === "" || side === mine ? { kind: "me" } : { kind: "bot", agent: bot }));
  /** @type {NewTable} */
  const made = await request("POST", "/matches", { game: facts.game, seats, listed: false, start: state.view.position });
  location.href = `/t/${made.id}`;
}

/** Only positions of the match have pictures to save, not moves tried. */
whenChanged(() => {
  for (const id of ["svg", "png"]) /** @type {HTMLButtonElement} */ (find(id)).disabled = !onMatch();
});

/** By the id of a button. @type {Record<string, () => Promise<void>>} */
export const keeping = {
  share,
  emp: () => save("record", "emp"),
  svg: () => save(`picture.svg?ply=${state.ply}&${looks()}`, "svg"),
  png: () => save(`picture.png?ply=${state.ply}&${looks()}`, "png"),
  gif: () => save(`replay.gif?${looks()}`, "gif"),
  html: () => save(`replay.html?language=${facts.language}&wide=${wide.matches}`, "html"),
  go: playOn,
};
