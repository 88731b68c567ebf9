// A link to copy or to share.
import { button, make } from "./dom.js";
import { notice } from "./http.js";
import { say } from "./words.js";

/** @param {string} text @returns {Promise<boolean>} whether it was copied */
export async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copySelected(text); // browsers allow the clipboard only over HTTPS or on this machine
  }
}

/** @param {string} text */
function copySelected(text) {
  const before = document.activeElement, area = make("textarea", { className: "hidden", readOnly: true, value: text });
  document.body.append(area);
  area.focus({ preventScroll: true });
  area.select();
  const done = document.execCommand("copy");
  area.remove();
  if (before instanceof HTMLElement) before.focus({ preventScroll: true });
  return done;
}

/** @param {string} label @param {string} address */
export function linkLine(label, address) {
  const input = make("input", { type: "text", readOnly: true, value: address, onfocus: () => input.select() });
  const copying = button(say("copy"), async () => {
    if (await copy(address)) notice(say("copied"));
    else input.select(); // to be copied by hand
  });
  const share = button(say("share"), () => navigator.share({ url: address }).catch(() => {}));
  return make("label", { className: "link" }, label, make("span", {}, input, copying, ...("share" in navigator ? [share] : [])));
}
