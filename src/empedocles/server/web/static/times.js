// Dates and times in the reader's time zone and language; what is recent, by its age.
import { every } from "./dom.js";

const { lang } = document.documentElement;
const local = navigator.languages.find((known) => known.startsWith(lang)) ?? lang; // with the country, if known
const looks = new Intl.DateTimeFormat(local, { dateStyle: "medium", timeStyle: "short" });
const ages = new Intl.RelativeTimeFormat(local, { numeric: "auto" });
/** @type {[seconds: number, unit: Intl.RelativeTimeFormatUnit][]} */
const UNITS = [[86400, "day"], [3600, "hour"], [60, "minute"]];

/** @type {HTMLElement | null} */
const made = document.querySelector("[data-now]");
const sent = Number(made?.dataset.now); // by the server's time: a browser's may be wrong

/** @param {Date} date */
function age(date) {
  const seconds = sent + performance.now() / 1000 - date.getTime() / 1000;
  const [long, unit] = UNITS.find(([long]) => seconds >= long) ?? [Infinity, "second"];
  return ages.format(-Math.floor(seconds / long) || 0, unit);
}

/** @param {ParentNode} [place] */
export function showTimes(place = document) {
  for (const time of /** @type {HTMLTimeElement[]} */ (every("time[datetime]", place))) {
    const date = new Date(time.dateTime), whole = looks.format(date);
    const text = "age" in time.dataset ? age(date) : whole;
    if (time.textContent === text) continue;
    time.textContent = text;
    time.title = text === whole ? "" : whole;
  }
}
showTimes();
