// The form for a new table.
import { notice, player, request } from "./http.js";
import { data, problemWords } from "./words.js";

/** @type {{seats: Record<number, string[]>, guest: string}} */
const facts = data("facts");
const form = /** @type {HTMLFormElement} */ (document.getElementById("new"));
const seats = /** @type {HTMLElement[]} */ ([...form.querySelectorAll(".seat")]);
const field = (id) => /** @type {HTMLInputElement} */ (document.getElementById(id));

function options() {
  const found = {};
  for (const select of form.querySelectorAll("[data-option]")) {
    const own = form.querySelector(`[data-board="${select.dataset.option}"] textarea`);
    found[select.dataset.option] = select.value || own.value.trim().split(/\s*\n\s*/).join("/");
  }
  return found;
}

const seatCount = () => Number(options().players ?? Object.keys(facts.seats)[0]);

function wantedSeat(seat) {
  const kind = seat.querySelector("select").value;
  if (kind.startsWith("level-")) return { kind: "bot", agent: kind };
  return { kind, name: kind === "here" ? seat.querySelector("input").value.trim() : "" };
}

function wantedClock() {
  const kind = field("clock").value;
  if (kind === "minutes") return { kind, base: 60 * Number(field("minutes").value), increment: Number(field("increment").value) };
  return { kind, base: kind === "days" ? 86400 * Number(field("days").value) : 0 };
}

function refresh() {
  const count = seatCount();
  seats.forEach((seat, number) => {
    seat.hidden = number >= count;
    seat.querySelector(".seat-name").textContent = facts.seats[count][number] ?? "";
    seat.querySelector(".name").hidden = seat.querySelector("select").value !== "here";
  });
  for (const part of form.querySelectorAll("[data-clock]")) part.hidden = part.dataset.clock !== field("clock").value;
  for (const part of form.querySelectorAll("[data-board]"))
    part.hidden = form.querySelector(`[data-option="${part.dataset.board}"]`).value !== "";
  const teams = form.querySelector(".teams");
  if (teams) teams.hidden = count !== 4;
}

async function create() {
  const name = field("my-name"); // asked from strangers only
  if (name) await player(name.value.trim() || facts.guest);
  const wanted = { game: form.dataset.game, options: options(), clock: wantedClock(), listed: field("listed").checked };
  const table = await request("POST", "/matches", { ...wanted, seats: seats.slice(0, seatCount()).map(wantedSeat) });
  if (Object.keys(table.invites).length) localStorage.setItem(`invites:${table.id}`, JSON.stringify(table.invites));
  location.href = `/t/${table.id}`;
}

form.addEventListener("change", refresh);
form.addEventListener("submit", (event) => {
  event.preventDefault();
  create().catch((problem) => notice(problemWords(problem)));
});
refresh();
