// The form for a new table.
/** @import { NewTable, NewFacts } from "../messages" */
import { every, field, find, one } from "./dom.js";
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

function options() {
  /** @type {Record<string, string>} */
  const found = {};
  for (const select of /** @type {HTMLSelectElement[]} */ (every("[data-option]", form))) {
    const { option = "" } = select.dataset;
    /** @type {HTMLTextAreaElement | null} */
    const own = form.querySelector(`[data-board="${option}"] textarea`);
    found[option] = select.value || (own?.value ?? "").trim().split(/\s*\n\s*/).join("/");
  }
  return found;
}

const seatCount = () => Number(options()[facts.seating] ?? Object.keys(facts.seats)[0]);

/** @param {HTMLElement} seat */
function wantedSeat(seat) {
  const kind = kindOf(seat).value;
  if (kind.startsWith("level-")) return { kind: "bot", agent: kind };
  /** @type {HTMLInputElement} */
  const name = one("input", seat);
  return { kind, name: kind === "here" ? name.value.trim() : "" };
}

function wantedClock() {
  const kind = field("clock").value;
  if (kind === "minutes") return { kind, base: 60 * Number(field("minutes").value), increment: Number(field("increment").value) };
  return { kind, base: kind === "days" ? 86400 * Number(field("days").value) : 0 };
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

function refresh() {
  const count = seatCount();
  suggestListed();
  seats.forEach((seat, number) => {
    seat.hidden = number >= count;
    one(".seat-name", seat).textContent = facts.seats[count][number] ?? "";
    one(".name", seat).hidden = kindOf(seat).value !== "here";
  });
  for (const part of every("[data-clock]", form)) part.hidden = part.dataset.clock !== field("clock").value;
  for (const part of every("[data-board]", form)) {
    /** @type {HTMLSelectElement} */
    const select = one(`[data-option="${part.dataset.board}"]`, form);
    part.hidden = select.value !== "";
  }
  showTeams(facts.seats[count], facts.sides[count]);
}

/** @param {NewTable} table */
const keptInvites = ({ id, invites }) => !Object.keys(invites).length || store(`invites:${id}`, invites);

/** For a browser without storage. @param {NewTable} table */
const fragment = ({ invites }) => `#invites=${Object.entries(invites).map((pair) => pair.join(":")).join(",")}`;

async function create() {
  const name = document.getElementById("my-name"); // only if the reader is not a player yet
  if (name instanceof HTMLInputElement) await player(name.value.trim() || facts.guest);
  const wanted = { game: form.dataset.game, options: options(), clock: wantedClock(), listed: field("listed").checked, shuffles: true };
  /** @type {NewTable} */
  const table = await request("POST", "/matches", { ...wanted, seats: seats.slice(0, seatCount()).map(wantedSeat) });
  location.href = `/t/${table.id}${keptInvites(table) ? "" : fragment(table)}`;
}

form.addEventListener("change", refresh);
form.addEventListener("submit", (event) => {
  event.preventDefault();
  create().catch((problem) => notice(problemWords(problem)));
});
refresh();
