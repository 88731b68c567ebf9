// The line that says what to do next, with its buttons.
/** @import { TableState } from "../../messages" */
import { CONFIRM } from "../choosing.js";
import { button, find } from "../dom.js";
import { problemWords, say } from "../words.js";
import { resultText } from "./afterwards.js";
import { go, play } from "./connection.js";
import { entry } from "./entering.js";
import { shuffleText } from "./shuffle.js";
import { mayChoose, nameOf, now, whenChanged } from "./state.js";

/** @param {TableState} state */
function promptText(state) {
  const due = now.frame?.status.at(-1) ?? "";
  if (!now.connected) return now.closed ? problemWords({ code: now.closed }) : say("offline");
  if (now.viewing !== null) return say("earlier");
  if (state.status === "over") return state.ending ? resultText(state) : due;
  if (state.status === "waiting" || state.to_move === null) return shuffleText(state);
  if (now.preview && (entry.choosing.chosen.length || now.pending)) return now.preview;
  if (state.your_turn) return [say("yourMove"), due].filter(Boolean).join(" · ");
  const bot = state.seats[state.to_move].kind === "bot";
  const turn = say(bot ? "waitingFor" : "waitingPerson", { name: nameOf(state, state.to_move) });
  return state.mine.length ? turn : `${turn} · ${say("watching")}`;
}

function promptButtons() {
  if (now.viewing !== null) return [button(say("backToGame"), () => go(null), "primary")];
  if (!mayChoose()) return [];
  const { targets, chosen, move } = entry.choosing, found = [];
  if (move) found.push(button(say("play"), () => play(move), "primary"));
  if (targets.has(CONFIRM)) found.push(button(say("done"), () => entry.take(CONFIRM), "primary"));
  const hidden = entry.board.missing.filter((target) => target !== CONFIRM);
  for (const target of hidden) found.push(button(target, () => entry.take(target)));
  if (chosen.length) found.push(button(say("cancel"), () => entry.again()));
  return found;
}

whenChanged((state) => {
  const place = find("prompt"), text = promptText(state);
  if (place.textContent !== text) place.textContent = text;
  find("bar").classList.toggle("call", mayChoose());
  const signs = promptButtons();
  if (signs.length || find("choices").children.length) find("choices").replaceChildren(...signs);
});
