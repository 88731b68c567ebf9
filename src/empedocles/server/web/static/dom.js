// Finding elements of the page, and making new ones.

/** @template {HTMLElement} [T=HTMLElement] @param {string} id @returns {T} */
export const find = (id) => /** @type {T} */ (document.getElementById(id));

/** A form field. @param {string} id @returns {HTMLInputElement} */
export const field = (id) => find(id);

/** @template {Element} [T=HTMLElement] @param {string} looks @param {ParentNode} [place] @returns {T[]} */
export const every = (looks, place = document) => /** @type {T[]} */ ([...place.querySelectorAll(looks)]);

/** The first match, which must exist. @template {Element} [T=HTMLElement] @param {string} looks @param {ParentNode} [place] @returns {T} */
export const one = (looks, place = document) => /** @type {T} */ (place.querySelector(looks));

/**
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag @param {Partial<HTMLElementTagNameMap[T]>} [values] @param {(Node | string)[]} children
 * @returns {HTMLElementTagNameMap[T]}
 */
export function make(tag, values = {}, ...children) {
  const element = Object.assign(document.createElement(tag), values);
  element.append(...children);
  return element;
}

/** @param {string} text @param {() => void} onclick @param {string} [className] */
export const button = (text, onclick, className = "") =>
  make("button", { type: "button", textContent: text, onclick, className });
