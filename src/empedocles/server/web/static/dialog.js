// The app's own questions, in place of the browser's: they look like the page, and speak its language.
import { button, make } from "./dom.js";
import { say } from "./words.js";

/** Show a dialog until it is closed, by Escape too. @param {HTMLDialogElement} dialog @returns {Promise<string>} its answer */
export function opened(dialog) {
  document.body.append(dialog);
  dialog.returnValue = "";
  dialog.showModal();
  return new Promise((done) => {
    dialog.onclose = () => {
      dialog.remove();
      done(dialog.returnValue);
    };
  });
}

/**
 * Ask a question that has two answers; Escape means no.
 * @param {string} question @param {string} yes @param {string} [no] @returns {Promise<boolean>}
 */
export async function ask(question, yes, no = say("cancel")) {
  const text = make("p", { id: "question", textContent: question });
  const answers = [make("button", { value: "yes", className: "primary", textContent: yes }), make("button", { value: "no", textContent: no, autofocus: true })];
  const form = make("form", { method: "dialog" }, text, make("p", { className: "buttons" }, ...answers));
  const dialog = make("dialog", { id: "asking" }, form);
  dialog.setAttribute("aria-labelledby", "question");
  return (await opened(dialog)) === "yes";
}

/** Show something until the reader has seen it. @param {string} title @param {(Node | string)[]} parts */
export function show(title, ...parts) {
  const heading = make("h2", { id: "showing", textContent: title });
  const dialog = make("dialog", {}, heading, ...parts, make("p", { className: "buttons" }, button(say("close"), () => dialog.close())));
  dialog.setAttribute("aria-labelledby", "showing");
  dialog.addEventListener("click", (event) => event.target === dialog && dialog.close()); // beside it
  return opened(dialog);
}
