// Saving and sharing a match: files, a link, and a table to play on.
/** @import { NewTable, PositionView } from "../../messages" */
import { field, make } from "../dom.js";
import { Refusal, notice, player, reached, request } from "../http.js";
import { copy } from "../links.js";
import { say } from "../words.js";
import { facts, here, looks, onMatch, state, wide } from "./state.js";

const match = `matches/${facts.id}`;
const dark = matchMedia("(prefers-color-scheme: dark)");
const theme = () => document.documentElement.dataset.theme || (dark.matches ? "dark" : "light");
const coloured = () => `theme=${theme()}&${looks()}`;

/** @param {string} path of the file, below the API's @param {string} ending @param {object} [body] */
async function save(path, ending, body) {
  notice(say("making"));
  const asking = body && { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
  const response = await reached(fetch(`/api/${path}`, asking));
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

/** The picture of the position shown, in the match or in a line that the reader tries. @param {"svg" | "png"} kind */
const savePicture = (kind) =>
  onMatch()
    ? save(`${match}/picture.${kind}?ply=${state.ply}&${coloured()}`, kind)
    : save("positions/picture", kind, { ...here(), kind, theme: theme(), wide: wide.matches, seat: facts.seat });

async function playOn() {
  await player(say("guest"));
  /** @type {PositionView} */
  const view = state.view ?? (await request("POST", "/positions", { ...here(), wide: wide.matches })); // it may be on its way
  const mine = facts.sides[Number(field("seat").value)], bot = field("opponent").value;
  const seats = facts.sides.map((side) => (bot === "" || side === mine ? { kind: "me" } : { kind: "bot", agent: bot }));
  /** @type {NewTable} */
  const made = await request("POST", "/matches", { game: facts.game, seats, listed: false, start: view.position });
  location.href = `/t/${made.id}`;
}

/** By the id of a button. @type {Record<string, () => Promise<void>>} */
export const keeping = {
  share,
  emp: () => save(`${match}/record`, "emp"),
  svg: () => savePicture("svg"),
  png: () => savePicture("png"),
  gif: () => save(`${match}/replay.gif?${coloured()}`, "gif"),
  html: () => save(`${match}/replay.html?${looks()}`, "html"),
  go: playOn,
};
