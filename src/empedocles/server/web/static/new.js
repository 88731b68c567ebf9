// The form for a new table.
/** @import { NewTable, NewFacts } from "../messages" */
import { every, field, find, make, one } from "./dom.js";
import { portrait } from "./faces.js";
import { introduceOnce, introduceWith } from "./introduction.js";
import { notice, player, request } from "./http.js";
import { store } from "./storage.js";
import { data, problemWords, say } from "./words.js";

/** @type {NewFacts} */
const facts = data("facts");
/** @type {HTMLFormElement} */
const form = find("new");
const seats = every(".seat", form);
/** @param {HTMLElement} seat @returns {HTMLSelectElement} */
const kindOf = (seat) => one("select", seat);

/** The value of a group of radio buttons. @param {string} name */
const chosen = (name) => /** @type {RadioNodeList} */ (form.elements.namedItem(name)).value;

/** @param {string} option */
const ownBoard = (option) => /** @type {HTMLTextAreaElement | null} */ (form.querySelector(`[data-board="${option}"] textarea`));

function options() {
  /** @type {Record<string, string>} */
  const found = {};
  for (const { dataset: { option = "" } } of every("[data-option]", form))
    found[option] = chosen(`option-${option}`) || (ownBoard(option)?.value ?? "").trim().split(/\s*\n\s*/).join("/");
  return found;
}

const seatCount = () => Number(options()[facts.seating] ?? Object.keys(facts.seats)[0]);

/** @param {HTMLElement} seat @returns {HTMLInputElement} */
const nameOf = (seat) => one(".name input", seat);

/** @param {HTMLElement} seat */
function wantedSeat(seat) {
  const kind = kindOf(seat).value;
  if (kind.startsWith("level-")) return { kind: "bot", agent: kind };
  if (kind.startsWith("agent-")) return { kind: "bot", agent: kind.slice(6) }; // one that the operator has added
  return { kind, name: kind === "here" ? nameOf(seat).value.trim() : "" };
}

function wantedClock() {
  const [kind, base, increment] = chosen("clock").split("/");
  if (kind) return { kind, base: Number(base), increment: Number(increment) };
  if (field("clock-kind").value === "days") return { kind: "days", base: 86400 * Number(field("days").value) };
  return { kind: "minutes", base: 60 * Number(field("minutes").value), increment: Number(field("increment").value) };
}

/** @param {string[]} names @param {number[]} sides of the seats */
function showTeams(names, sides) {
  const all = [...new Set(sides)].map((side) => names.filter((_, seat) => sides[seat] === side));
  const teams = all.filter((team) => team.length > 1);
  find("teams").hidden = !teams.length;
  find("teams").textContent = say("teams", { teams: teams.map((team) => team.join(" + ")).join(", ") });
}

let decided = false; // whether the player has chosen if the table is public
field("listed").addEventListener("change", () => (decided = true));

/** By default, a table is public only if a seat is open to anyone. */
function suggestListed() {
  if (!decided) field("listed").checked = seats.slice(0, seatCount()).some((seat) => kindOf(seat).value === "open");
}

// ── Who plays ────────────────────────────────────────────────────────────────────────────────────────────────────────

/** Two people on one device need two names: propose the seat's for whoever has none. @param {HTMLElement} seat @param {string} called */
function proposeName(seat, called) {
  const here = kindOf(seat).value === "here", name = nameOf(seat);
  one(".name", seat).hidden = !here;
  if (here && (!name.value || name.value === name.dataset.proposed)) name.value = name.dataset.proposed = called;
}

/** Give all seats but the first to others of one kind. */
function seatCompany() {
  const kind = chosen("company"), proposed = kind === "bot" ? (usual ?? "me") : kind;
  for (const seat of seats.slice(1)) kindOf(seat).value = proposed;
}

/** Show which kind of others there is, if all are of one. */
function showCompany() {
  const others = seats.slice(1, seatCount()).map((seat) => kindOf(seat).value.replace(/^(level|agent)-.*/, "bot"));
  for (const radio of /** @type {HTMLInputElement[]} */ (every("[name=company]", form)))
    radio.checked = others.every((kind) => kind === radio.value);
}

const bots = /** @type {HTMLOptionElement[]} */ (every("option[value^=level]", seats[1] ?? form));
const usual = (bots.find((bot) => bot.defaultSelected) ?? bots[1] ?? bots[0])?.value; // a bot that newcomers can beat

// ── Showing ──────────────────────────────────────────────────────────────────────────────────────────────────────────

/** The boards with the options chosen; one that the reader draws is not shown. */
function showBoards() {
  const seen = [facts.seating, ...every("[data-board]", form).map((part) => part.dataset.board)]; // options that a board shows
  const known = Object.entries(options()).filter(([name, value]) => seen.includes(name) && value && !value.includes("/"));
  for (const place of every("[data-shows]", form)) {
    const query = new URLSearchParams([...known, ...new URLSearchParams(place.dataset.shows)]);
    for (const [name] of known) query.set(name, query.getAll(name).at(-1) ?? "");
    for (const image of /** @type {(HTMLImageElement | HTMLSourceElement)[]} */ (every("img, source", place))) {
      const what = image instanceof HTMLImageElement ? "src" : "srcset";
      const [path, before] = image[what].split("?"), theme = new URLSearchParams(before).get("theme") ?? "light";
      query.set("theme", theme);
      if (new URLSearchParams(before).toString() !== query.toString()) image[what] = `${path}?${query}`;
    }
  }
}

/** Who sits there, if it is a bot; nobody is described twice. @param {HTMLElement} place @param {string} kind of seat @param {boolean} again */
function showOpponent(place, kind, again) {
  const level = kind.startsWith("level-") && !again ? Number(kind.slice(6)) : 0, known = facts.opponents[level - 1];
  if (place.dataset.shown === `${kind} ${again}`) return;
  place.dataset.shown = `${kind} ${again}`;
  if (!known) return place.replaceChildren();
  const words = make("p", {}, known.about);
  if (known.beaten) words.append(make("br"), make("b", { textContent: say("beating") }), ` ${known.beaten}`);
  place.replaceChildren(portrait(form.dataset.game ?? "", level, 64), words);
}

function refresh() {
  const count = seatCount(), kinds = seats.map((seat) => kindOf(seat).value);
  suggestListed();
  seats.forEach((seat, number) => {
    seat.hidden = number >= count;
    const called = facts.seats[count][number] ?? "";
    one(".seat-name", seat).textContent = called;
    proposeName(seat, called);
    showOpponent(one(".about", seat), kindOf(seat).value, kinds.indexOf(kinds[number]) < number);
  });
  find("own-clock").hidden = chosen("clock") !== "";
  for (const part of every("[data-clock]", form)) part.hidden = part.dataset.clock !== field("clock-kind").value;
  for (const part of every("[data-board]", form)) part.hidden = chosen(`option-${part.dataset.board}`) !== "";
  showCompany();
  showTeams(facts.seats[count], facts.sides[count]);
  showBoards();
}

/** @param {NewTable} table */
const keptInvites = ({ id, invites }) => !Object.keys(invites).length || store(`invites:${id}`, invites);

/** For a browser without storage. @param {NewTable} table */
const fragment = ({ invites }) => `#invites=${Object.entries(invites).map((pair) => pair.join(":")).join(",")}`;

async function create() {
  introduceWith(options());
  await introduceOnce(); // before any clock runs
  const name = document.getElementById("my-name"); // only if the reader is not a player yet
  if (name instanceof HTMLInputElement) await player(name.value.trim() || facts.guest);
  const wanted = { game: form.dataset.game, options: options(), clock: wantedClock(), listed: field("listed").checked, shuffles: true };
  /** @type {NewTable} */
  const table = await request("POST", "/matches", { ...wanted, seats: seats.slice(0, seatCount()).map(wantedSeat) });
  location.href = `/t/${table.id}${keptInvites(table) ? "" : fragment(table)}`;
}

form.addEventListener("change", ({ target }) => {
  if (target instanceof HTMLInputElement && target.name === "company") seatCompany();
  refresh();
});
form.addEventListener("submit", (event) => {
  event.preventDefault();
  create().catch((problem) => notice(problemWords(problem)));
});
refresh();
document.dispatchEvent(new Event("ready")); // see early.js
