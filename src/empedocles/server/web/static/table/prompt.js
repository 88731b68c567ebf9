// What to do next: a sentence, a line about what was chosen or is pointed at, and the buttons. One of them at most plays a move.
/** @import { TableState } from "../../messages" */
import { CONFIRM } from "../choosing.js";
import { button, find } from "../dom.js";
import { problemWords, say } from "../words.js";
import { endedBy, resultText } from "./afterwards.js";
import { go } from "./connection.js";
import { entry } from "./entering.js";
import { mayOpen, openResult } from "./result.js";
import { shuffleText } from "./shuffle.js";
import { legend } from "./switches.js";
import { mayChoose, nameOf, now, whenChanged, whenPointing } from "./state.js";

/** @param {TableState} state */
function promptText(state) {
  const due = now.frame?.status.at(-1) ?? "";
  if (!now.connected) return now.closed ? problemWords({ code: now.closed }) : say("offline");
  if (now.viewing !== null) return say("earlier");
  if (now.pause) return say("paused");
  if (state.status === "over") return endedBy(state)?.words ?? (state.ending ? resultText(state) : due);
  if (state.status === "waiting" || state.to_move === null) return shuffleText(state);
  if (state.your_turn) return asked() || due;
  const bot = state.seats[state.to_move].kind === "bot";
  const turn = say(bot ? "waitingFor" : "waitingPerson", { name: nameOf(state, state.to_move) });
  return state.mine.length ? turn : `${turn} · ${say("watching")}`;
}

/** What to choose next; the move in words, once it is one or on its way. */
function asked() {
  const { chosen, targets } = entry.choosing;
  if (now.asking) return find("prompt").textContent; // until the answer comes
  if (now.pending || now.held || (chosen.length && !targets.size)) return now.preview || now.prompt;
  return (chosen.length && now.next) || now.prompt;
}

/** @param {TableState} state */
function detailText(state) {
  const { chosen, whole, targets } = entry.choosing;
  if (now.weighing) return say("weighing");
  if (!mayChoose() || !now.connected) return now.connected && state.status === "playing" && !now.pause ? marksText() : "";
  if (now.hover) return now.hover;
  if (now.asking) return find("detail").textContent ?? "";
  if (whole && !targets.size) return say("again");
  if (chosen.length) return now.preview;
  const who = state.mine.length > 1 && state.to_move !== null ? nameOf(state, state.to_move) : "";
  return [who, marksText()].filter(Boolean).join(" · ") || say("yourMove");
}

/** What the marks on the board mean. */
function marksText() {
  const what = legend();
  return what && say("legend", { what });
}

function promptButtons() {
  if (now.viewing !== null) return [button(say("backToGame"), () => go(null), "primary")];
  if (mayOpen()) return [button(say("result"), openResult)];
  if (!mayChoose()) return [];
  const { chosen, whole } = entry.choosing, found = [];
  if (whole) found.push(button(say("play"), () => entry.page.play(whole), "primary"));
  const hidden = entry.board.missing.filter((target) => target !== CONFIRM);
  for (const target of hidden) found.push(button(now.names[target] ?? target, () => entry.take(target)));
  if (chosen.length) found.push(button(say("cancel"), () => entry.again()));
  return found;
}

/** Say only what has changed: screen readers read all of it. @param {string} name @param {string} text */
function write(name, text) {
  const place = find(name);
  if (place.textContent !== text) place.textContent = text;
}

/** @param {TableState} state */
function showDetail(state) {
  const text = detailText(state), marks = marksText();
  find("detail").classList.toggle("marks", Boolean(marks) && text.endsWith(marks));
  write("detail", text);
}
whenPointing(showDetail);

let signature = ""; // of the buttons shown: a new button would lose the focus

whenChanged((state) => {
  write("prompt", promptText(state));
  showDetail(state);
  find("bar").classList.toggle("call", mayChoose());
  find("bar").classList.toggle("busy", Boolean(now.pending || now.held || entry.choosing.chosen.length)); // with a move, more than with a hint
  const key = [state.number, now.viewing, mayChoose(), mayOpen(), ...entry.choosing.chosen].join(" ");
  if (key === signature) return;
  signature = key;
  const choices = find("choices"), focused = choices.contains(document.activeElement);
  choices.replaceChildren(...promptButtons());
  if (focused) entry.board.place.focus({ preventScroll: true }); // the button that was pressed is gone
});
