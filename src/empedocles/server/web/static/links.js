// Links to copy, to share or to scan, such as invitations.
import { show } from "./dialog.js";
import { button, make } from "./dom.js";
import { Refusal, notice, reached } from "./http.js";
import { recall } from "./storage.js";
import { problemWords, say } from "./words.js";

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

/** A link with what can be done with it. @param {string} label @param {string} address */
export function linkLine(label, address) {
  const input = make("input", { type: "text", readOnly: true, value: address, ariaLabel: label, onfocus: () => input.select() });
  const copying = button(say("copy"), async () => {
    if (await copy(address)) notice(say("copied"));
    else input.select(); // to be copied by hand
  });
  const share = button(say("share"), () => navigator.share({ url: address }).catch(() => {}));
  const scan = button(say("qr"), () => showCode(label, address).catch((problem) => notice(problemWords(problem))));
  const buttons = make("span", { className: "buttons" }, copying, ...("share" in navigator ? [share] : []), scan);
  return make("div", { className: "link" }, make("span", { className: "name", textContent: label }), buttons, input);
}

/** Show a link as a QR code, for a device with a camera. @param {string} label @param {string} address */
async function showCode(label, address) {
  const headers = { "content-type": "application/json" };
  const response = await reached(fetch("/qr", { method: "POST", headers, body: JSON.stringify({ link: address }) }));
  if (!response.ok) throw Object.assign(new Refusal(), await response.json());
  const src = URL.createObjectURL(await reached(response.blob()));
  const code = make("img", { className: "code", src, alt: say("qrOf", { link: address }), width: 260, height: 260 });
  await show(label || say("qr"), make("p", { textContent: say("scan") }), code);
  URL.revokeObjectURL(src);
}

/** The parameter's value in the address's fragment. @param {string} name */
export const addressed = (name) => new URLSearchParams(location.hash.slice(1)).get(name);

/** The invitations in the address, where new.js could not store them. @returns {Record<number, string>} */
function addressedInvites() {
  const secrets = addressed("invites")?.split(",") ?? [];
  return Object.fromEntries(secrets.map((pair) => pair.split(":")));
}

/** The secrets of a table's invitations that this browser knows, by seat. @param {string} id @returns {Record<number, string>} */
const invitesOf = (id) => recall(`invites:${id}`, addressedInvites());

/** The seats to which this browser knows the links. @param {string} id */
export const invitedSeats = (id) => new Set(Object.keys(invitesOf(id)).map(Number));

/**
 * The links to a table's free seats: of its own for each that was invited, and one for seats that anyone may take.
 * @param {string} id @param {string[]} names of the seats @param {Set<number>} free seats @param {boolean} open to anyone
 * @returns {{seat: number | null, label: string, address: string}[]}
 */
export function invitations(id, names, free, open) {
  const page = `${location.origin}/t/${id}`;
  const own = Object.entries(invitesOf(id)).map(([seat, invite]) => ({
    seat: Number(seat), label: say("link", { seat: names[Number(seat)] }), address: `${page}#join=${invite}&seat=${seat}`,
  }));
  const anyone = { seat: null, label: say("openLink"), address: `${page}#sit` };
  return [...own.filter(({ seat }) => free.has(seat)), ...(open ? [anyone] : [])];
}
