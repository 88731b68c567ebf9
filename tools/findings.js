// What is wrong with the looks of a page, as far as its boxes tell; and all its texts, for whoever has the pixels.
() => {
  const SLACK = 1.5; // pixels by which boxes may be wrong: letters are rarely as large as theirs
  const LINE = 0.3; // of a line's height above and below its letters
  const PLATES = "rect.e-plate, rect.e-plate-active, rect.e-button, rect.e-note-plate";
  const CONTROLS = "a[href], button, input, select, textarea, summary";
  const DECORATION = "[aria-hidden=true], .thumbnail, form > button > svg, a > svg, button > svg";

  const findings = [];
  const style = (element) => getComputedStyle(element);
  const chain = (element) => (element ? [element, ...chain(element.parentElement)] : []);
  const sides = ({ left, top, right, bottom }) => ({ left, top, right, bottom });
  const meet = (a, b) => ({
    left: Math.max(a.left, b.left), top: Math.max(a.top, b.top),
    right: Math.min(a.right, b.right), bottom: Math.min(a.bottom, b.bottom),
  });
  const empty = ({ left, top, right, bottom }) => right - left < 1 || bottom - top < 1;
  const deep = (a, b) => {
    const { left, top, right, bottom } = meet(a, b);
    return right - left > SLACK && bottom - top > SLACK;
  };
  const path = (element) => {
    const name = (one) => one.localName + (one.id ? `#${one.id}` : one.classList.length ? `.${[...one.classList].join(".")}` : "");
    return chain(element).slice(0, 3).reverse().map(name).join(" > ");
  };
  const complain = (check, element, what) => findings.push({ check, where: path(element), what });

  /** Artwork is drawn once and used often: put copies in the places where it is used, so that its texts are seen. */
  function expand(svg) {
    for (let depth = 0; depth < 5; depth++)
      for (const use of svg.querySelectorAll(":scope > g use")) {
        const art = document.getElementById(use.getAttribute("href").slice(1));
        if (!art) continue;
        const copy = document.createElementNS(svg.namespaceURI, "g");
        for (const { name, value } of use.attributes) if (name === "class") copy.setAttribute(name, value);
        const [x, y] = ["x", "y"].map((side) => use.getAttribute(side) ?? 0);
        copy.setAttribute("transform", `${use.getAttribute("transform") ?? ""} translate(${x} ${y})`);
        copy.append(art.cloneNode(true));
        for (const one of copy.querySelectorAll("[id]")) one.removeAttribute("id");
        use.replaceWith(copy);
      }
  }

  /** The part of a box that is not cut off by what it is in. */
  function shown(element, box) {
    for (const one of chain(element)) {
      const { overflowX, overflowY } = style(one);
      if (one !== document.body && one !== document.documentElement && (overflowX !== "visible" || overflowY !== "visible"))
        box = meet(box, one.getBoundingClientRect());
    }
    return sides(box);
  }

  const layerOf = (element) => element.closest("dialog[open], [popover]");
  const open = document.querySelector("dialog[open]:modal");
  const scrolls = document.documentElement.scrollHeight > innerHeight + 1;
  /** What an element is in, or is, below which other things can be scrolled into view. */
  const floats = (element) => chain(element).find((one) => ["fixed", "sticky"].includes(style(one).position)
    && (scrolls || chain(one.parentElement).some((around) => around.scrollHeight > around.clientHeight + 1 && style(around).overflowY !== "visible")));
  const seen = (element) => element.checkVisibility({ opacityProperty: true, visibilityProperty: true, contentVisibilityAuto: true })
    && (!open || open.contains(element));

  const pieces = [...document.querySelectorAll("[data-layer=pieces] > *")];

  function textsOf(node) {
    const element = node.parentElement, said = node.textContent.trim();
    if (!said || !element || /^(script|style|title|desc|noscript|option|template|textarea)$/i.test(element.localName)) return [];
    if (!seen(element) || element.closest("defs, .hidden, .skip:not(:focus)") || getComputedStyle(element).clipPath !== "none") return [];
    const range = document.createRange();
    range.selectNodeContents(node);
    const boxes = element.hasAttribute("textLength") ? [element.getBoundingClientRect()] : [...range.getClientRects()];
    return boxes.filter((box) => box.width > 2 && box.height > 2).map((box) => ({ node, element, said, box }));
  }

  function look({ element, said, box }) {
    const svg = element.closest("svg"), looks = style(element);
    const opacity = chain(element).reduce((all, one) => all * Number(style(one).opacity), svg ? Number(looks.fillOpacity) : 1);
    return {
      said: said.slice(0, 60), where: path(element), opacity,
      colour: svg ? looks.fill : looks.color,
      outline: svg && looks.stroke !== "none" && parseFloat(looks.strokeWidth) > 0 ? looks.stroke : "",
      size: parseFloat(looks.fontSize) * (svg ? Math.hypot(element.getScreenCTM()?.a ?? 1, element.getScreenCTM()?.b ?? 0) : 1),
      inactive: Boolean(element.closest(":disabled, [aria-disabled=true], .e-faded:not(.useful), [data-layer=ghost], [data-layer=hand]")),
      decoration: Boolean(svg?.closest(DECORATION) || svg?.parentElement?.closest("a, button")),
      picture: Boolean(svg),
      box: [box.left + scrollX, box.top + scrollY, box.right - box.left, box.bottom - box.top],
      core: [box.left + scrollX, box.top + scrollY + LINE * (box.bottom - box.top), box.right - box.left, (1 - 2 * LINE) * (box.bottom - box.top)],
      piece: pieces.indexOf(element.closest("[data-layer=pieces] > *")),
      layer: floats(element) ? path(floats(element)) : layerOf(element) ? "dialog" : "",
    };
  }

  for (const svg of document.querySelectorAll("svg.e-picture")) expand(svg);
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), found = [];
  while (walker.nextNode()) found.push(...textsOf(walker.currentNode));
  const texts = [];
  const lies = (one) => one.matches("dialog[open]") || (["fixed", "sticky"].includes(style(one).position) && floats(one));
  const covers = [...document.querySelectorAll("body *")].filter((one) => lies(one) && seen(one));
  const grounds = pieces.map((piece) => piece.getBoundingClientRect());
  /** Whether something that can be scrolled or closed, or another piece, lies on a text. */
  function covered(element, box) {
    const [x, y] = [(box.left + box.right) / 2, (box.top + box.bottom) / 2], svg = element.closest("svg");
    const own = pieces.findIndex((piece) => piece.contains(element));
    return covers.some((cover) => !cover.contains(element) && deep(box, cover.getBoundingClientRect()))
      || grounds.some(({ left, top, right, bottom }, number) => number > own && svg?.contains(pieces[number])
        && !element.closest("[data-layer=notes]") && left < x && x < right && top < y && y < bottom);
  }
  for (const one of found) {
    const cut = shown(one.element, one.box), svg = one.element.closest("svg.e-picture");
    if (empty(cut) || covered(one.element, cut)) continue;
    texts.push(look({ ...one, box: cut }));
    if (one.box.right > innerWidth + SLACK || one.box.left < -SLACK)
      if (Math.abs(cut.right - one.box.right) < 1 && Math.abs(cut.left - one.box.left) < 1) complain("sideways", one.element, one.said);
    if (!svg || texts.at(-1).decoration) continue;
    const ground = svg.getBoundingClientRect(), whole = Boolean(svg.closest(".board")); // others may be parts of pictures
    if (whole && (one.box.left < ground.left - SLACK || one.box.right > ground.right + SLACK || one.box.bottom > ground.bottom + 4))
      complain("clipped", one.element, `“${one.said}” leaves its picture`);
    const middle = { x: (one.box.left + one.box.right) / 2, y: (one.box.top + one.box.bottom) / 2 };
    const around = [...svg.querySelectorAll(PLATES)].map((plate) => plate.getBoundingClientRect())
      .filter((box) => box.left < middle.x && middle.x < box.right && box.top < middle.y && middle.y < box.bottom)
      .sort((a, b) => a.width * a.height - b.width * b.height)[0];
    if (around && (one.box.left < around.left - SLACK || one.box.right > around.right + SLACK))
      complain("clipped", one.element, `“${one.said}” leaves its plate`);
  }

  const controls = [...document.querySelectorAll(CONTROLS)].filter(seen)
    .map((element) => ({ element, box: shown(element.parentElement, element.getBoundingClientRect()) }))
    .filter(({ element, box }) => !empty(box) && box.right - box.left > 4 && !element.closest(".hidden, .skip:not(:focus)"));
  const apart = (a, b) => layerOf(a) === layerOf(b) && floats(a) === floats(b) && !a.contains(b) && !b.contains(a);
  const lines = (element) => [...element.getClientRects()]; // a link may begin on one line and end on the next
  controls.forEach((a, number) => {
    for (const b of controls.slice(number + 1))
      if (apart(a.element, b.element) && deep(a.box, b.box) && lines(a.element).some((one) => lines(b.element).some((other) => deep(one, other))))
        complain("overlap", a.element, `lies on ${path(b.element)}`);
    if (a.box.right > innerWidth + SLACK || a.box.left < -SLACK) complain("sideways", a.element, a.element.textContent.trim().slice(0, 60));
  });
  for (const { element, box, said } of found) {
    const cut = shown(element, box), inner = { ...cut, top: cut.top + LINE * (cut.bottom - cut.top), bottom: cut.bottom - LINE * (cut.bottom - cut.top) };
    if (empty(cut) || element.closest("svg")) continue;
    for (const control of controls)
      if (apart(element, control.element) && deep(inner, control.box) && lines(control.element).some((one) => deep(inner, one)))
        complain("overlap", control.element, `lies on “${said.slice(0, 60)}”`);
  }

  const canvas = document.createElement("canvas").getContext("2d");
  for (const element of document.querySelectorAll("body *")) {
    if (element.closest("svg, .hidden, .skip") || !seen(element) || !element.clientWidth) continue;
    const looks = style(element), said = element.textContent.trim().slice(0, 60);
    if (element.localName === "select") {
      canvas.font = `${looks.fontStyle} ${looks.fontWeight} ${looks.fontSize} ${looks.fontFamily}`;
      const word = element.selectedOptions[0]?.textContent.trim() ?? "";
      const room = element.clientWidth - parseFloat(looks.paddingLeft) - parseFloat(looks.paddingRight) - 20;
      if (canvas.measureText(word).width > room + 2 && looks.textOverflow !== "ellipsis") complain("clipped", element, word);
      continue;
    }
    if (!said || /^(input|textarea|pre)$/.test(element.localName)) continue;
    const cuts = (overflow) => ["hidden", "clip"].includes(overflow);
    const wide = element.scrollWidth > element.clientWidth + 2, high = element.scrollHeight > element.clientHeight + 3;
    if (looks.display === "inline" || element === document.body || element.matches("details:not([open]) > summary, .seat *")) continue; // names may be long
    if (wide && (cuts(looks.overflowX) || element.matches("button, .button"))) complain("clipped", element, said);
    else if (wide && ["auto", "scroll"].includes(looks.overflowX) && looks.maskImage === "none" && !element.matches("pre, .scrolls, :has(> table), :has(> svg)")) complain("sideways", element, `${said} has to be scrolled`);
    // Where there is no room for all phrases, whole ones are left out.
    if (high && cuts(looks.overflowY) && !element.matches(".phrases, :has(> svg), :has(svg.e-picture)")) complain("clipped", element, said);
  }
  const wide = document.documentElement.scrollWidth - document.documentElement.clientWidth;
  if (wide > 0) complain("sideways", document.body, `the page is ${wide} pixels too wide`);
  return { findings, texts };
}
