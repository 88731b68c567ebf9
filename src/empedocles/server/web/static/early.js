// What a reader does before the page's script is loaded is kept, and done when it is ready. Not a module: those run late.
(() => {
  /** @type {(() => void)[]} */
  const kept = [];
  const waiting = new AbortController();
  const KEYS = ["ArrowLeft", "ArrowRight", "Home", "End"];

  /** @param {string} kind @param {(event: Event, target: Element) => (() => void) | null} keep returns what to do later */
  const listen = (kind, keep) =>
    document.addEventListener(kind, (event) => {
      const action = event.target instanceof Element ? keep(event, event.target) : null;
      if (action) kept.push(action);
    }, { signal: waiting.signal });

  listen("click", (event, target) => {
    const button = target.closest("main button");
    if (button instanceof HTMLButtonElement && button.type === "submit") event.preventDefault(); // the script sends it
    return button instanceof HTMLElement ? () => button.click() : null;
  });
  listen("input", (_, target) => {
    if (!(target instanceof HTMLInputElement) || target.type !== "range") return null;
    const { value } = target;
    return () => {
      target.value = value;
      target.dispatchEvent(new Event("input", { bubbles: true }));
    };
  });
  listen("keydown", (event, target) => {
    const key = event instanceof KeyboardEvent ? event.key : "";
    if (!KEYS.includes(key) || target.matches("input, select, textarea")) return null;
    return () => target.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
  });
  document.addEventListener("ready", () => {
    waiting.abort();
    for (const action of kept) action();
  }, { once: true });
})();
