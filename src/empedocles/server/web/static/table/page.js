// A table: shows what the server sends, and sends what the player chooses. It knows no rules.
/** @import { Heard, MovesMessage, PingMessage, ProblemMessage, StateMessage, TableState } from "../../messages" */
import { find } from "../dom.js";
import { notice } from "../http.js";
import { problemWords, say } from "../words.js";
import { showBanner } from "./banner.js";
import { showActions } from "./commands.js";
import { connect, greet, renumber, resend, restart, tell, whole } from "./connection.js";
import { complain, entry, startChoosing } from "./entering.js";
import { fit } from "./fitting.js";
import { hearMilestones } from "./interlude.js";
import { comeByLink } from "./joining.js";
import { welcome } from "./knowing.js";
import { isWide, moves } from "./position.js";
import "./prompt.js";
import "./result.js";
import "./score.js";
import { showClocks, showSeats } from "./seats.js";
import { notify, setTitle } from "./signals.js";
import { hearEnd } from "./sound.js";
import { changed, facts, nameOf, now } from "./state.js";
import "./switches.js";
import "./facing.js";
import "./talk.js";

const CLOSING = ["crowded", "replaced"]; // problems after which the server closes the connection
const GLANCE = 500; // milliseconds between updates of the clocks

/** @param {StateMessage} message */
function hearState({ state: situation, frame, picture, kept, moves: played, words, movers, choices, prompt, names, milestones = [], saying = null }) {
  const before = now.state;
  const state = { ...situation, moves: [...(before?.moves ?? []).slice(0, kept), ...played] };
  Object.assign(now, { state, since: performance.now(), frame: whole(frame), prompt, names, saying });
  if (picture) {
    entry.board.draw(picture);
    now.redraw = false;
  }
  moves.take(state.moves, kept, words, movers);
  if (before?.number !== state.number || before.your_turn !== state.your_turn) startChoosing(choices);
  if (now.viewing !== null && now.viewing >= state.plies) now.viewing = null;
  hearMilestones(milestones, state, before);
  if (now.viewing === null) now.shown = now.pause?.frame ?? now.frame;
  else if (now.shown?.ply !== now.viewing) tell({ kind: "show", ply: now.viewing }); // requested while offline
  signal(before, state);
  if (!resend()) complain({ code: "late" });
  changed();
}

/** More of a long match. @param {MovesMessage} message */
function hearMoves({ kept, moves: played, words, movers }) {
  if (!now.state) return;
  now.state = { ...now.state, moves: [...now.state.moves.slice(0, kept), ...played] };
  moves.take(now.state.moves, kept, words, movers);
  if (!resend()) complain({ code: "late" });
  changed();
}

/** @param {TableState | null} before @param {TableState} state */
function signal(before, state) {
  if (state.status !== "over") setTitle(state.my_move ? say("yourMove") : "");
  if (!before || state.number === before.number) return;
  if (state.plies > before.plies) {
    notice(""); // an earlier refusal no longer matters
    find("say").textContent = moves.words.slice(before.plies).join(". ");
  }
  if (state.status === "over" && before.status !== "over") hearEnd(state);
  if (state.my_move && !before.my_move) notify(say("yourMove"));
  const gone = before.seats.findIndex((seat, number) => seat.kind === "person" && state.seats[number].kind === "bot");
  if (gone >= 0) notice(say("replaced", { name: nameOf(before, gone) }));
}

/** @param {PingMessage} message */
function hearPing({ here }) {
  if (!now.state || !here) return;
  now.state.here = here;
  showSeats(now.state);
}

/** @param {ProblemMessage} problem */
function hearProblem(problem) {
  if (problem.code === "late" && renumber()) return;
  now.pending = null;
  if (problem.code === "no-match") return void (now.leaving || (location.href = "/me"));
  if (CLOSING.includes(problem.code)) return hearClosing(problem);
  startChoosing(entry.choosing.choices);
  complain(problem);
  changed();
}

/** @param {ProblemMessage} problem */
function hearClosing(problem) {
  now.closed = problem.code;
  if (!now.state) find("prompt").textContent = problemWords(problem); // nothing else is shown yet
}

/** @param {Heard} message */
function hear(message) {
  if (message.kind === "state") hearState(message);
  else if (message.kind === "moves") hearMoves(message);
  else if (message.kind === "ping") hearPing(message);
  else if (message.kind === "problem") hearProblem(message);
  else if (message.kind === "frame") {
    const frame = whole(message.frame);
    if (frame.ply !== now.viewing) return;
    now.shown = frame;
    changed();
  }
}

now.wide = isWide();
fit();
connect(hear);

addEventListener("resize", () => {
  fit();
  if (isWide() === now.wide) return;
  Object.assign(now, { wide: isWide(), redraw: true, viewing: null });
  fit();
  greet();
});

setInterval(() => {
  if (!now.state) return;
  showClocks(now.state);
  showActions(now.state);
  showBanner(now.state);
}, GLANCE);

/** Whoever comes by a link learns what the game is about before they sit down, and so before any clock runs. */
const arrive = () => welcome().then(() => comeByLink(facts, restart));
addEventListener("hashchange", arrive);
arrive();
