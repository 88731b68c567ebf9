// The review page: its keys and buttons.
import { field, find } from "../dom.js";
import { recall, store } from "../storage.js";
import { analyse } from "./analysis.js";
import "./describing.js";
import { plyAt } from "./graph.js";
import { keeping } from "./keeping.js";
import { answerHere, cancel, fail, point } from "./position.js";
import { facts, mistakes, state } from "./state.js";
import { compare, jump, leave, play, reroll, step, walkTo } from "./walking.js";

/** @type {Record<string, () => void>} */
const keys = {
  ArrowLeft: () => step(-1), ArrowRight: () => step(1), Home: () => jump(0), End: () => jump(facts.plies), Escape: cancel,
};
addEventListener("keydown", (event) => {
  const typing = event.target instanceof Element && event.target.matches("input, select, textarea");
  if (event.defaultPrevented || typing || event.altKey || event.ctrlKey || event.metaKey || !(event.key in keys)) return;
  event.preventDefault();
  keys[event.key]();
});

/** By the id of a button. @type {Record<string, () => void | Promise<void>>} */
const actions = {
  first: () => jump(0), back: () => step(-1), play, next: () => step(1), end: () => jump(facts.plies),
  "mistake-back": () => jump(mistakes().findLast((ply) => ply < state.ply) ?? mistakes().at(-1) ?? 0),
  "mistake-next": () => jump(mistakes().find((ply) => ply > state.ply) ?? mistakes()[0]),
  leave,
  "line-back": () => walkTo(state.at - 1),
  "line-next": () => walkTo(state.at + 1),
  compare,
  again: reroll,
  answer: answerHere,
  retry: analyse,
  ...keeping,
};
for (const [id, action] of Object.entries(actions))
  find(id).addEventListener("click", async () => {
    try {
      await action();
    } catch (problem) {
      fail(problem);
    }
  });

field("slider").addEventListener("input", () => jump(Number(field("slider").value)));
find("graph").addEventListener("click", (event) => jump(plyAt(find("graph"), facts.plies, event)));
find("moves").addEventListener("click", (event) => {
  const row = event.target instanceof Element ? event.target.closest("li") : null;
  if (row) jump(Number(row.dataset.ply));
});
const notation = field("notation"), coded = () => find("review").classList.toggle("coded", notation.checked);
notation.checked = recall("notation", false);
notation.addEventListener("change", () => (store("notation", notation.checked), coded()));
coded();
find("arrows").addEventListener("change", point);
addEventListener("hashchange", () => {
  const ply = Number(location.hash.slice(1)) || 0;
  if (ply !== state.ply) jump(ply);
});

/** Where a review begins if its address does not say: when the deal is over, and somebody has to decide. */
const firstDecision = () => Math.max(0, facts.movers.findIndex((mover) => mover !== null));

jump(location.hash ? Number(location.hash.slice(1)) || 0 : firstDecision());
analyse();
document.dispatchEvent(new Event("ready")); // see early.js
