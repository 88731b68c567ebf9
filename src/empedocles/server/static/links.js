// A link to copy or to share.
import { button, make } from "./dom.js";
import { notice } from "./http.js";
import { say } from "./words.js";

/** @param {string} label @param {string} address */
export function linkLine(label, address) {
  const input = make("input", { type: "text", readOnly: true, value: address, onfocus: () => input.select() });
  const copy = button(say("copy"), async () => {
    input.select();
    await navigator.clipboard?.writeText(address).then(() => notice(say("copied")));
  });
  const share = button(say("share"), () => navigator.share({ url: address }).catch(() => {}));
  return make("label", { className: "link" }, label, make("span", {}, input, copy, ...("share" in navigator ? [share] : [])));
}
