// A table: what the server says is shown, and what the player chooses is said to the server. No rule is known here.
import { Board } from "./board.js";
import { CONFIRM, Choosing } from "./choosing.js";
import { notice, request } from "./http.js";
import { comeByLink, inviteLinks, sitDown } from "./joining.js";
import { Live } from "./live.js";
import { Moves, button, make, showClocks, showSeats } from "./panels.js";
import { check } from "./shuffles.js";
import { keep, kept, mayNotify, notify, setTitle, tick } from "./signals.js";
import { data, problemWords, say } from "./words.js";

/** @type {{id: string, game: string, title: string, language: string, name: string, seats: string[], sides: number[], chance: boolean,
 *   sizes: {wide: [number, number], tall: [number, number]}}} */
const facts = data("facts");
const find = (id) => document.getElementById(id);
const path = `/matches/${facts.id}`;
const coarse = matchMedia("(pointer: coarse)").matches;
const overlayKey = `overlays:${facts.game}`;

/** All that is known here. */
const now = {
  state: null, // as the server told it last
  since: 0, // when
  frame: null, // of the last position
  viewing: null, // the ply of an earlier position that is looked at
  choosing: new Choosing([]),
  pending: null, // a move that was sent, until the server has written it
  connected: false,
  wide: true,
  overlays: JSON.parse(localStorage.getItem(overlayKey) ?? "[]"),
  preview: "", // what the targets chosen so far mean
};

// ── The connection ───────────────────────────────────────────────────────────────────────────────────────────────────

const hello = () => ({ kind: "hello", language: facts.language, wide: now.wide, overlays: now.overlays, picture: !board.svg || now.redraw });

const heard = { state: hearState, frame: hearFrame, problem: hearProblem, ping: hearPing };

function hearState(message) {
  const before = now.state;
  Object.assign(now, { state: message.state, since: performance.now(), frame: message.frame });
  if (message.picture) {
    board.draw(message.picture);
    now.redraw = false;
  }
  moves.take(message.state.moves, message.kept, message.words, message.movers);
  if (!before || before.number !== now.state.number || before.your_turn !== now.state.your_turn) startChoosing(message.choices);
  if (now.viewing !== null && now.viewing >= now.state.moves.length) now.viewing = null;
  if (now.viewing === null) showFrame(now.frame);
  resend();
  signal(before);
  remember();
  render();
}

function hearFrame(message) {
  if (message.frame.ply === now.viewing) showFrame(message.frame);
}

function hearPing(message) {
  if (!now.state || !message.here) return;
  now.state.here = message.here;
  showSeats(find("seats"), facts, now.state);
  showClocks(find("seats"), now.state, now.since);
}

function hearProblem(problem) {
  now.pending = null;
  if (problem.code === "no-match") return void (location.href = "/me");
  startChoosing(now.choosing.choices);
  complain(problem);
  render();
}

/** @param {{code?: string, message: string, rule?: string | null}} problem */
function complain(problem) {
  notice(problemWords(problem), problem.rule ? { href: `/rules/${facts.game}#${problem.rule}`, text: problem.rule } : undefined);
}

function connection(open) {
  now.connected = open;
  if (!open && now.pending) now.pending.sent = false;
  // Most gaps are too short to speak of.
  if (open) render();
  else setTimeout(() => now.connected || render(), 1200);
}

/** A move that was on its way when the connection broke is sent again: with its number it counts once only. */
function resend() {
  if (now.pending && now.state.number > now.pending.number) now.pending = null;
  else if (now.pending && !now.pending.sent) now.pending.sent = live.send(now.pending.message);
}

function send(kind, values) {
  const number = now.state.number;
  const message = { kind, number, ...values };
  now.pending = { number, message, sent: live.send(message) };
  render();
}

// ── Choosing a move ──────────────────────────────────────────────────────────────────────────────────────────────────

const mayChoose = () => now.state?.your_turn && now.viewing === null && !now.pending;

function startChoosing(choices) {
  now.choosing = new Choosing(choices);
  now.preview = "";
  find("legal").replaceChildren(...choices.slice(0, 300).map(([move]) => make("option", { value: move })));
}

const hands = {
  choose(target) {
    const choosing = now.choosing;
    if (!mayChoose()) return notAllowed();
    if (choosing.targets.has(target)) return take(target);
    if (choosing.move && choosing.chosen.at(-1) === target) return play(choosing.move); // asked, and answered
    if (choosing.chosen.includes(target)) return settle(choosing.back());
    if (choosing.chosen.length && choosing.fresh().targets.has(target)) {
      settle(choosing.fresh());
      return take(target);
    }
    why(target);
  },
  lift(target) {
    if (!mayChoose() || !now.choosing.targets.has(target)) return false;
    take(target);
    return true;
  },
  drop(target) {
    if (target === now.choosing.chosen.at(-1)) return;
    if (now.choosing.targets.has(target)) return take(target);
    const lifted = now.choosing;
    settle(lifted.back());
    if (target) why(target, lifted.chosen);
  },
  look(target) {
    clearTimeout(hands.timer);
    hands.timer = setTimeout(() => tell(target), 150);
  },
  leave(cancelled = false) {
    clearTimeout(hands.timer);
    if (cancelled) settle(now.choosing.back());
    find("say").textContent = "";
    if (!now.choosing.chosen.length) showPrompt();
  },
};

function notAllowed() {
  if (now.viewing !== null) return go(null);
  if (now.state?.status === "playing" && now.state.mine.length && !now.pending) notice(problemWords({ code: "not-your-turn", message: "" }));
}

const asked = new Map(); // questions about the present choice, with their answers

async function question(kind, target, chosen) {
  const query = new URLSearchParams([...chosen.map((one) => ["chosen", one]), ["target", target], ["language", facts.language]]);
  const key = `${now.state.number} ${kind} ${query}`;
  if (asked.size > 500) asked.clear();
  if (!asked.has(key)) asked.set(key, request("GET", `${path}/${kind}?${query}`));
  return asked.get(key).catch(() => (asked.delete(key), { message: null, rule: null }));
}

async function why(target, chosen = now.choosing.chosen) {
  const { rule, message } = await question("why", target, chosen);
  complain(message ? { message, rule } : { message: say("noMoveThere") });
}

/** Say what a target under the pointer or the cursor would lead to. */
async function tell(target) {
  const { state, choosing } = now;
  if (!state) return;
  const { message } = await question("leads", target, mayChoose() ? choosing.chosen : []);
  if (state !== now.state || choosing !== now.choosing || !message) return;
  if (document.activeElement === board.place) find("say").textContent = message;
  if (mayChoose() && choosing.targets.has(target)) find("prompt").textContent = message;
}

async function take(target) {
  const before = now.choosing;
  settle(before.choose(target));
  const choosing = now.choosing;
  if (choosing.move && !kept("confirm", coarse)) return play(choosing.move);
  const { message } = await question("leads", target, before.chosen);
  if (choosing !== now.choosing || !message) return;
  now.preview = message;
  showPrompt();
}

function settle(choosing) {
  now.choosing = choosing;
  now.preview = choosing.chosen.join(" ");
  clearTimeout(hands.timer);
  render();
}

function play(move) {
  send("play", { move });
}

// ── Showing ──────────────────────────────────────────────────────────────────────────────────────────────────────────

function showFrame(frame) {
  if (!board.svg) return;
  board.show(frame);
  moves.at(frame.ply);
  find("status").replaceChildren(...frame.status.map((line) => make("li", { textContent: line })));
  if (find("inwords").open) showText();
}

async function showText() {
  find("text").textContent = await request("GET", `${path}/text${now.viewing === null ? "" : `?ply=${now.viewing}`}`);
}

function render() {
  const state = now.state;
  if (!state) return;
  const allowed = mayChoose();
  board.mark(allowed ? now.choosing.targets : new Set(), allowed || now.pending ? now.choosing.chosen : [], allowed ? now.choosing.draggable : new Set());
  find("table").classList.toggle("mine", allowed);
  showSeats(find("seats"), facts, state);
  showClocks(find("seats"), state, now.since);
  showPrompt();
  showActions();
  showBanner();
}

const name = (seat) => now.state.seats[seat].name || facts.seats[seat];

function promptText() {
  const { state, choosing, viewing } = now;
  if (!now.connected) return say("offline");
  if (viewing !== null) return say("earlier");
  if (state.status === "over") return state.ending ? resultText() : (now.frame.status.at(-1) ?? "");
  if (state.status === "waiting") return say("waitingSeats");
  if (choosing.chosen.length || now.pending) return now.preview;
  const due = now.frame.status.at(-1);
  if (state.your_turn) return [say("yourMove"), due].filter(Boolean).join(" · ");
  const bot = state.seats[state.to_move].kind === "bot";
  const turn = say(bot ? "waitingFor" : "waitingPerson", { name: name(state.to_move) });
  return state.mine.length ? turn : `${turn} · ${say("watching")}`;
}

function promptButtons() {
  if (now.viewing !== null) return [button(say("backToGame"), () => go(null), "primary")];
  if (!mayChoose()) return [];
  const { choosing } = now, found = [];
  if (choosing.move) found.push(button(say("play"), () => play(choosing.move), "primary"));
  if (choosing.targets.has(CONFIRM)) found.push(button(say("done"), () => take(CONFIRM), "primary"));
  for (const target of board.missing.filter((one) => one !== CONFIRM)) found.push(button(target, () => take(target)));
  if (choosing.chosen.length) found.push(button(say("cancel"), () => settle(choosing.fresh())));
  return found;
}

function showPrompt() {
  const place = find("prompt"), text = promptText();
  if (place.textContent !== text) place.textContent = text;
  find("bar").classList.toggle("call", Boolean(mayChoose()));
  const signs = promptButtons();
  const same = signs.map((one) => one.textContent).join() === [...find("choices").children].map((one) => one.textContent).join();
  if (!same || signs.length) find("choices").replaceChildren(...signs);
}

function showActions() {
  const { state } = now;
  const playing = state.status === "playing" && state.mine.length > 0;
  const away = playing && state.gone_in !== null && !state.mine.includes(state.to_move) && !state.here[state.to_move];
  const gone = away && performance.now() - now.since > 1000 * state.gone_in;
  const others = state.seats.some((seat) => seat.kind === "person" && !seat.mine);
  const shown = { hint: playing && state.alone, back: playing, resign: playing, draw: playing && others && new Set(facts.sides).size === 2, claim: gone, bot: gone };
  const able = { hint: mayChoose(), back: !now.pending && moves.movers.some((seat) => state.mine.includes(seat)), draw: !("draw" in state.offers) };
  for (const one of find("actions").children) {
    one.hidden = !shown[one.dataset.do];
    one.disabled = !(able[one.dataset.do] ?? true);
  }
  find("typed").hidden = !playing;
}

function showBanner() {
  const parts = [...offerParts(), ...seatParts(), ...overParts()];
  const signature = parts.map((part) => part.textContent + (part.querySelector?.("input")?.value ?? "")).join("|");
  if (find("banner").dataset.shown === signature) return;
  find("banner").dataset.shown = signature;
  find("banner").replaceChildren(...parts);
}

const line = (text, ...rest) => make("div", { className: "line" }, make("p", { textContent: text }), make("div", { className: "buttons" }, ...rest));

function offerParts() {
  const { offers, mine, status } = now.state;
  if (status !== "playing" || !mine.length) return [];
  const texts = { draw: ["offersDraw", "drawOffered"], back: ["offersBack", "backAsked"] };
  return Object.entries(offers).map(([what, seat]) => {
    if (mine.includes(seat)) return line(say(texts[what][1]));
    const accept = button(say("accept"), () => command(what), "primary");
    return line(say(texts[what][0], { name: name(seat) }), accept, button(say("decline"), () => command("decline", what)));
  });
}

function seatParts() {
  const { state } = now;
  if (state.status === "over") return [];
  const links = inviteLinks(state, facts);
  if (links.length) return [line(say("sendLinks")), ...links];
  const free = state.seats.some((seat) => seat.kind === "open" && !seat.link);
  if (!state.mine.length && free) return [line(say("seatFree"), button(say("sit"), async () => (await sitDown(facts)) && live.restart(), "primary"))];
  return [];
}

function resultText() {
  const { winners, mine, ending } = now.state;
  const how = ending ? ` ${say(`by${ending[0].toUpperCase()}${ending.slice(1)}`)}` : "";
  if (!winners.length) return say("draw") + how;
  const sides = new Set(mine.map((seat) => facts.sides[seat]));
  if (sides.size === 1) return say(winners.includes(mine[0]) ? "youWin" : "youLose") + how;
  return say(winners.length > 1 ? "win" : "wins", { names: winners.map(name).join(", ") }) + how;
}

function overParts() {
  const { state } = now;
  if (state.status !== "over") return [];
  const scores = state.scores ? ` ${state.scores.join(" : ")}` : "";
  const signs = [make("a", { className: "button", href: `/review/${facts.id}`, textContent: say("review") })];
  if (state.next) signs.unshift(make("a", { className: "button primary", href: `/t/${state.next}`, textContent: say("toRematch") }));
  else if (state.mine.length) signs.unshift(button(say("rematch"), rematch, "primary"));
  if (state.alone && state.mine.length) signs.push(make("form", { method: "post", action: `/play/${facts.game}` }, make("button", { textContent: say("nextOpponent") })));
  if (facts.chance) signs.push(button(say("checkShuffles"), checkShuffles));
  const box = line(resultText(), ...signs);
  box.classList.add("result");
  box.firstChild.append(make("span", { className: "soft", textContent: scores }));
  return [box];
}

// ── What else can be done ────────────────────────────────────────────────────────────────────────────────────────────

function command(what, text = "") {
  now.choosing = now.choosing.fresh();
  live.send({ kind: "do", number: now.state.number, what, text });
}

async function resign() {
  const dialog = /** @type {HTMLDialogElement} */ (find("asking"));
  dialog.returnValue = "no";
  dialog.showModal();
  dialog.onclose = () => dialog.returnValue === "yes" && command("resign");
}

async function hint() {
  notice(say("hinting"));
  const { number } = now.state;
  const found = await request("POST", `${path}/hint`, { language: facts.language, wide: now.wide });
  if (number !== now.state.number || now.viewing !== null) return;
  board.point(found.arrows);
  notice(say("hint", { move: found.words }));
}

async function rematch() {
  const again = await request("POST", `${path}/rematch`);
  location.href = `/t/${again.id}`;
}

/** What was promised while the match ran, as this browser saw it. */
function remember() {
  const key = `promise:${facts.id}`;
  if (facts.chance && !localStorage.getItem(key)) localStorage.setItem(key, now.state.commitment);
}

async function checkShuffles() {
  notice(say("checking"));
  const told = await request("GET", `${path}/draws`);
  const { wrong, kept: same } = await check(told, localStorage.getItem(`promise:${facts.id}`) ?? told.commitment);
  const n = told.draws.length;
  if (wrong !== null) notice(say("unfair", { ply: wrong + 1 }));
  else notice(same === null ? say("noCheck", { n }) : say(same ? "fair" : "badSecret", { n }));
}

const actions = { hint, resign, back: () => command("back"), draw: () => command("draw"), claim: () => command("claim"), bot: () => command("bot") };

// ── Going back through the match ─────────────────────────────────────────────────────────────────────────────────────

/** @param {number | null} ply null: the match as it is now */
function go(ply) {
  const last = now.state.moves.length;
  now.viewing = ply === null || ply >= last ? null : Math.max(0, ply);
  if (now.viewing === null) showFrame(now.frame);
  else live.send({ kind: "show", ply: now.viewing });
  render();
}

const shownPly = () => now.viewing ?? now.state.moves.length;
const walks = { first: () => go(0), back: () => go(shownPly() - 1), next: () => go(shownPly() + 1), last: () => go(null) };
const keys = { ArrowLeft: "back", ArrowUp: "back", ArrowRight: "next", ArrowDown: "next", Home: "first", End: "last" };

// ── Being called ─────────────────────────────────────────────────────────────────────────────────────────────────────

function signal(before) {
  const { state } = now;
  setTitle(state.your_turn ? say("yourMove") : "");
  if (!before || state.number === before.number) return;
  if (state.moves.length > before.moves.length) {
    tick();
    find("say").textContent = moves.words.slice(before.moves.length).join(". ");
  }
  if (state.your_turn && !before.your_turn) notify(say("yourMove"));
}

// ── Setting up ───────────────────────────────────────────────────────────────────────────────────────────────────────

/** Panels beside the board or below it, whichever lets all be larger. */
function isWide() {
  const { width, height } = find("board").getBoundingClientRect();
  const stacked = getComputedStyle(find("table")).getPropertyValue("--stacked").trim() === "1";
  const room = stacked ? 0.75 * innerHeight : height;
  const scale = ([across, down]) => Math.min(width / across, room / down);
  return scale(facts.sizes.wide) > scale(facts.sizes.tall);
}

const board = new Board(find("board"), hands);
const moves = new Moves(find("moves"), (ply) => go(ply));
now.wide = isWide();
const live = new Live(`/api${path}/live`, hello, (message) => heard[message.kind]?.(message), connection);

addEventListener("resize", () => {
  if (isWide() === now.wide) return;
  Object.assign(now, { wide: isWide(), redraw: true, viewing: null });
  live.greet();
});

for (const one of find("actions").children)
  one.addEventListener("click", () => Promise.resolve(actions[one.dataset.do]()).catch(complain));
for (const one of document.querySelectorAll("[data-walk]")) one.addEventListener("click", () => walks[one.dataset.walk]());
find("moves").addEventListener("keydown", (event) => {
  if (!keys[event.key]) return;
  walks[keys[event.key]]();
  event.preventDefault();
});

find("notation").addEventListener("click", () => {
  keep("notation", !moves.notation);
  applyNotation();
});
function applyNotation() {
  moves.notation = kept("notation");
  find("notation").setAttribute("aria-pressed", String(moves.notation));
  moves.show();
  if (now.state) moves.at(shownPly());
}
applyNotation();

find("typed").addEventListener("submit", (event) => {
  event.preventDefault();
  const input = find("typed").querySelector("input"), move = input.value.trim();
  if (!move || now.viewing !== null || now.pending) return;
  input.value = "";
  now.preview = move;
  play(move);
});

for (const box of document.querySelectorAll("[data-overlay]")) {
  box.checked = now.overlays.includes(box.dataset.overlay);
  box.addEventListener("change", () => {
    now.overlays = [...document.querySelectorAll("[data-overlay]:checked")].map((one) => one.dataset.overlay);
    localStorage.setItem(overlayKey, JSON.stringify(now.overlays));
    live.greet();
    if (now.viewing !== null) live.send({ kind: "show", ply: now.viewing });
  });
}

for (const box of document.querySelectorAll("[data-keep]")) {
  box.checked = kept(box.dataset.keep, box.dataset.keep === "confirm" && coarse);
  box.addEventListener("change", async () => {
    keep(box.dataset.keep, box.checked);
    if (box.dataset.keep === "sound") tick();
    if (box.dataset.keep !== "notify" || !box.checked || (await mayNotify())) return;
    box.checked = false;
    keep("notify", false);
    notice(say("notifyDenied"));
  });
}

find("inwords").addEventListener("toggle", () => find("inwords").open && showText());
setInterval(() => {
  if (!now.state) return;
  showClocks(find("seats"), now.state, now.since);
  showActions();
}, 500);

const arrive = () => comeByLink(facts, () => live.restart());
addEventListener("hashchange", arrive);
arrive();
