// Taking part in deciding chance: this browser commits to a random value, and opens it when all have. It stores what was promised, to compare.
/** @import { Draws, ShuffleAt, TableState } from "../../messages" */
/** @import { Kept } from "./fairness.js" */
import { find, make } from "../dom.js";
import { notice, request } from "../http.js";
import { recall, store } from "../storage.js";
import { say } from "../words.js";
import { tell } from "./connection.js";
import { trying } from "./entering.js";
import { canCompute, check, digest, hexadecimal } from "./fairness.js";
import { moves } from "./position.js";
import { facts, nameOf, now, path, whenChanged } from "./state.js";

const PLACE = `shuffle:${facts.id}`;
const BYTES = 32;

/** @type {Kept} */
let kept = recall(PLACE, { commitment: recall(`promise:${facts.id}`, undefined) }); // under the name that older pages used

/** @param {Kept} more */
function keep(more) {
  kept = { ...kept, ...more };
  store(PLACE, kept);
}

async function commit() {
  if (!canCompute()) return tell({ kind: "commit", digest: "" });
  const value = kept.value ?? hexadecimal(crypto.getRandomValues(new Uint8Array(BYTES)));
  keep({ value });
  tell({ kind: "commit", digest: await digest(value) });
}

/** @param {TableState} state @param {ShuffleAt} shuffle */
async function open({ commitment, mine }, { commitments }) {
  const { value = "" } = kept, own = await digest(value);
  if (commitment !== kept.commitment || !mine.some((seat) => commitments[seat] === own)) return notice(say("lostValue"));
  keep({ commitments });
  tell({ kind: "open", value });
}

/** Store draws as they are seen. Alone, a player may take moves back; among people, draws never change. @param {TableState} state */
function remember(state) {
  if (!kept.commitment && state.status !== "over") keep({ commitment: state.commitment });
  const plies = state.moves.map((_, ply) => ply).filter((ply) => moves.movers[ply] === null);
  const seen = { ...Object.fromEntries(plies.map((ply) => [ply, state.moves[ply]])), ...(state.alone ? {} : kept.draws) };
  if (JSON.stringify(seen) !== JSON.stringify(kept.draws ?? {})) keep({ draws: seen });
}

/** @type {TableState | null} */
let answered = null;
whenChanged((state) => {
  if (!facts.chance || state === answered) return;
  answered = state;
  remember(state);
  const { shuffle, mine, status } = state;
  if (status !== "waiting" || !shuffle?.awaited.some((seat) => mine.includes(seat))) return;
  void (shuffle.opens ? open(state, shuffle) : commit());
});

/** What the table waits for before the match starts. @param {TableState} state */
export function shuffleText(state) {
  if (state.seats.some((seat) => seat.kind === "open")) return say("waitingSeats");
  const away = (state.shuffle?.awaited ?? []).filter((seat) => !state.mine.includes(seat) && !state.here[seat]);
  return away.length ? say("waitingShuffle", { name: nameOf(state, away[0]) }) : say("shuffling");
}

async function checkShuffles() {
  const { state } = now;
  if (!state) return;
  notice(say("checking"));
  /** @type {Draws & {secret: string}} */
  const told = await request("GET", `${path}/draws`);
  const { verdict, n, ply } = await check(told, kept, { ...state, movers: moves.movers }, facts);
  notice(say(verdict, { n, ply: ply ?? 0 }));
}

/** @param {string} name @param {string} value */
const header = (name, value) => `[${name} ${JSON.stringify(value)}]`;

/** A record of what this browser saw and what the server has shown since, for `empedocles verify`. @param {TableState} state */
function proof({ options, moves: played, commitment, secret, shuffle, imported }) {
  const { values = {}, commitments = {} } = shuffle ?? {};
  const promised = Object.entries(kept.commitments ?? commitments).filter(([, one]) => one);
  const lines = [
    header("Game", facts.game),
    ...Object.entries(options).map(([name, value]) => header(`Option ${name}`, String(value))),
    ...(facts.start ? [header("Position", facts.start)] : []),
    header("Commitment", kept.commitment ?? commitment),
    ...promised.map(([seat, one]) => header(`Promise ${seat}`, one)),
    header("Secret", secret ?? ""),
    ...Object.entries(values).map(([seat, value]) => header(`Value ${seat}`, value)),
    ...(imported ? [header("Elsewhere", String(imported))] : []),
  ];
  const seen = played.map((move, ply) => (ply >= imported && kept.draws?.[ply]) || move);
  return `${[...lines, "", ...seen, "end"].join("\n")}\n`;
}

function saveProof() {
  if (!now.state) return;
  const href = URL.createObjectURL(new Blob([proof(now.state)], { type: "text/plain" }));
  make("a", { href, download: `${facts.game}-${facts.id}-proof.emp` }).click();
  setTimeout(() => URL.revokeObjectURL(href), 1000);
}

// ── Checking, under "More": possible once the server has opened its secret ───────────────────────────────────────────

if (facts.chance) {
  find("check").addEventListener("click", trying(checkShuffles));
  find("proof").addEventListener("click", saveProof);
  whenChanged(({ status, ending }) => {
    find("checking").hidden = status !== "over" || ending === "cancelled";
  });
}
