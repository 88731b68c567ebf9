// All games with puzzles: the reader's rating in each, and the streaks.
import { ask } from "../dialog.js";
import { every, find, one } from "../dom.js";
import { say } from "../words.js";
import { forgetAll, isDone, isEmpty, run, skillIn, streak } from "./memory.js";

const streaks = one(".streaks"), day = streaks.dataset.day ?? "", reset = find("reset");

function show() {
  const days = streak(day), told = [];
  if (days) told.push(days > 1 ? say("days", { n: days }) : say("day"));
  if (run() > 1) told.push(say("run", { n: run() }));
  streaks.textContent = told.join(" · ");
  streaks.hidden = !told.length;
  if (reset) reset.hidden = isEmpty();
  for (const item of every("[data-game]")) {
    const game = item.dataset.game ?? "", skill = skillIn(game);
    one(".own", item).textContent = skill ? ` · ${say("rating", { rating: skill.rating })}` : "";
    item.classList.toggle("complete", isDone(game, day));
    one(".state", item).textContent = isDone(game, day) ? `, ${say("dayDone")}` : "";
  }
}

reset?.addEventListener("click", async () => {
  if (!(await ask(say("reallyReset"), say("reset")))) return;
  forgetAll();
  show();
});
show();
