// Language and colours, stored in cookies that the server reads, so that a page is right from its first byte.
import { every } from "./dom.js";

/** @type {HTMLSelectElement[]} */
const selects = every("[data-setting]");
for (const select of selects) {
  select.addEventListener("change", () => {
    document.cookie = `${select.dataset.setting}=${select.value};path=/;max-age=31536000;samesite=lax`;
    if (select.dataset.setting === "language") location.reload();
    else if (select.value) document.documentElement.dataset.theme = select.value;
    else delete document.documentElement.dataset.theme;
  });
}
