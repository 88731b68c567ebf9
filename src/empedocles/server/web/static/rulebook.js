// The contents are open beside the book, and closed above it on a narrow screen; the section in view is marked.
import { every, find, one } from "./dom.js";

/** @type {HTMLDetailsElement} */
const contents = one(".contents");
const narrow = matchMedia("(max-width: 60rem)");
const fold = () => (contents.open = !narrow.matches);
narrow.addEventListener("change", fold);
fold();
one("nav", contents).addEventListener("click", () => narrow.matches && (contents.open = false));

const links = new Map(every("nav a", contents).map((link) => [link.getAttribute("href")?.slice(1) ?? "", link]));
const headings = [...links.keys()].map((id) => find(id));
let waiting = false;
function mark() {
  waiting = false;
  const above = headings.filter((heading) => heading.getBoundingClientRect().top < innerHeight / 3);
  const current = (above.at(-1) ?? headings[0]).id;
  for (const [id, link] of links) {
    if (id === current) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
  }
}
addEventListener("scroll", () => {
  if (!waiting) requestAnimationFrame(mark);
  waiting = true;
}, { passive: true });
mark();
