// The reader's preferences: overlays on the board, and switches stored in this browser.
import { every } from "../dom.js";
import { isGentle } from "../gentle.js";
import { notice } from "../http.js";
import { recall, store } from "../storage.js";
import { say } from "../words.js";
import { greet, tell } from "./connection.js";
import { keep, kept, mayNotify } from "./signals.js";
import { coarse, facts, now } from "./state.js";

const overlayKey = `overlays:${facts.game}`;
/** @type {HTMLInputElement[]} */
const overlays = every("[data-overlay]");
const overlayOf = (/** @type {HTMLInputElement} */ box) => box.dataset.overlay ?? "";

/** What the marks on the board mean; "" if there are none. */
export const legend = () => overlays.filter((box) => box.checked).map((box) => box.parentElement?.textContent?.trim()).join("; ");

/** It is said where the game is explained, too; a game may have no introduction. */
function explain() {
  const what = legend();
  const place = document.getElementById("marks");
  place?.toggleAttribute("hidden", !what);
  place?.replaceChildren(say("marks", { what }));
}

now.overlays = recall(overlayKey, isGentle() ? facts.overlays : now.overlays);
for (const box of overlays) {
  box.checked = now.overlays.includes(overlayOf(box));
  box.addEventListener("change", () => {
    now.overlays = overlays.filter((one) => one.checked).map(overlayOf);
    store(overlayKey, now.overlays);
    explain();
    greet();
    if (now.viewing !== null) tell({ kind: "show", ply: now.viewing });
  });
}

explain();

/** Turn off whatever was on only because the first matches are gentle, or by a choice made for them. */
export function endGentle() {
  now.overlays = [];
  store(overlayKey, null);
  for (const box of overlays) box.checked = false;
  explain();
  greet();
  for (const box of /** @type {HTMLInputElement[]} */ (every("[data-keep=warn]"))) box.checked = false;
  keep("warn", false);
}

/** @param {HTMLInputElement} box */
async function remember(box) {
  const name = box.dataset.keep ?? "";
  keep(name, box.checked);
  if (name !== "notify" || !box.checked || (await mayNotify())) return;
  box.checked = false;
  keep(name, false);
  notice(say("notifyDenied"));
}

for (const box of /** @type {HTMLInputElement[]} */ (every("[data-keep]"))) {
  const name = box.dataset.keep ?? "";
  box.checked = kept(name, name === "confirm" ? coarse : name === "talk" || name === "turn" || (name === "warn" && isGentle()));
  box.addEventListener("change", () => remember(box));
}
