// Signals that call a player back: the tab's title, a notification; and the reader's switches.
import { recall, store } from "../storage.js";

/** @type {Map<string, boolean>} */
const chosen = new Map(); // for browsers without storage

/** @param {string} name @param {boolean} otherwise */
export const kept = (name, otherwise = false) => chosen.get(name) ?? recall(name, otherwise);

/** @param {string} name @param {boolean} value */
export function keep(name, value) {
  chosen.set(name, value);
  store(name, value);
}

const title = document.title;

/** @param {string} text "" for nothing to tell */
export function setTitle(text) {
  document.title = text ? `● ${text} – ${title}` : title;
}

/** @param {string} text */
export function notify(text) {
  if (!kept("notify") || !document.hidden || !("Notification" in window) || Notification.permission !== "granted") return;
  const note = new Notification(title, { body: text, tag: location.pathname, icon: "/static/icon.svg" });
  note.onclick = () => {
    focus();
    note.close();
  };
}

/** @returns {Promise<boolean>} whether the browser allows notifications */
export async function mayNotify() {
  return "Notification" in window && (await Notification.requestPermission()) === "granted";
}
