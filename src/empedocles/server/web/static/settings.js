// Language and colours, stored in cookies that the server reads, so that a page is right from its first byte.
import { every } from "./dom.js";

/** @type {HTMLSelectElement[]} */
const selects = every("[data-setting]");
const dark = matchMedia("(prefers-color-scheme: dark)");

/** Pictures that the server draws in the reader's colours. @param {string} theme "" for the device's */
function recolour(theme) {
  for (const image of /** @type {HTMLImageElement[]} */ (every("img[data-themed]"))) {
    if (image.parentElement instanceof HTMLPictureElement) image.previousElementSibling?.remove();
    image.src = image.src.replace(/theme=\w+/, `theme=${theme || (dark.matches ? "dark" : "light")}`);
  }
}

for (const select of selects) {
  select.addEventListener("change", () => {
    document.cookie = `${select.dataset.setting}=${select.value};path=/;max-age=31536000;samesite=lax`;
    if (select.dataset.setting === "language") return location.reload();
    recolour(select.value);
    if (select.value) document.documentElement.dataset.theme = select.value;
    else delete document.documentElement.dataset.theme;
  });
}
