// Times of day, as the reader's clock and language have them.
import { every } from "./dom.js";

const { lang } = document.documentElement;
const local = navigator.languages.find((known) => known.startsWith(lang)) ?? lang; // that of a country, if it is known
const looks = new Intl.DateTimeFormat(local, { dateStyle: "medium", timeStyle: "short" });

/** @type {HTMLTimeElement[]} */
const times = every("time[datetime]");
for (const time of times) time.textContent = looks.format(new Date(time.dateTime));
