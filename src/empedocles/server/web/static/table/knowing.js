// “I know these games”: nothing is gentle any more, and a match that nobody has begun to play begins anew, as usual.
import { make } from "../dom.js";
import { introduce, introduceOnce } from "../introduction.js";
import { moves } from "./position.js";
import { facts, now } from "./state.js";
import { endGentle } from "./switches.js";

/** @param {boolean} knowsAll what an introduction has answered */
function answered(knowsAll) {
  if (!knowsAll) return;
  endGentle();
  const touched = !facts.untouched || moves.movers.some((seat) => seat !== null && now.state?.mine.includes(seat));
  if (touched) return;
  now.leaving = true;
  const form = make("form", { method: "post", action: `/play/${facts.game}?instead=${facts.id}`, hidden: true });
  document.body.append(form);
  form.submit();
}

/** Introduce the game to whoever does not know it. */
export const welcome = async () => answered(await introduceOnce());

document.getElementById("introduce")?.addEventListener("click", async () => answered(await introduce()));
