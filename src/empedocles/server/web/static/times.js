// Dates and times in the reader's time zone and language.
import { every } from "./dom.js";

const { lang } = document.documentElement;
const local = navigator.languages.find((known) => known.startsWith(lang)) ?? lang; // with the country, if known
const looks = new Intl.DateTimeFormat(local, { dateStyle: "medium", timeStyle: "short" });

/** @type {HTMLTimeElement[]} */
const times = every("time[datetime]");
for (const time of times) time.textContent = looks.format(new Date(time.dateTime));
