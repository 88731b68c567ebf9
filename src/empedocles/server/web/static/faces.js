// The portraits of opponents, which the server draws in the reader's colours.
import { make } from "./dom.js";

/** Decorative: the name is beside it. @param {string} game @param {number} level @param {number} size in pixels */
export function portrait(game, level, size) {
  const { theme } = document.documentElement.dataset, address = `/opponents/${game}/${level}.svg?theme=`;
  const image = make("img", { alt: "", width: size, height: size, src: address + (theme ?? "light") });
  image.dataset.themed = "";
  if (theme) return make("span", { className: "face" }, image);
  const dark = make("source", { media: "(prefers-color-scheme: dark)", srcset: `${address}dark` });
  return make("span", { className: "face" }, make("picture", {}, dark, image));
}
