// Language and colours: remembered in cookies that the server reads, so that a page is right from its first byte.
for (const select of document.querySelectorAll("[data-setting]")) {
  select.addEventListener("change", () => {
    document.cookie = `${select.dataset.setting}=${select.value};path=/;max-age=31536000;samesite=lax`;
    if (select.dataset.setting === "language") location.reload();
    else if (select.value) document.documentElement.dataset.theme = select.value;
    else delete document.documentElement.dataset.theme;
  });
}
