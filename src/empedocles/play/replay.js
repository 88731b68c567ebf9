// Shows one ply of a match: pieces are kept by id, so that those that move glide.
const { texts, plies } = JSON.parse(document.getElementById("frames").textContent);
const board = document.querySelector(".board svg");
const layer = (name) => board.querySelector(`[data-layer=${name}]`);
const slider = document.querySelector("input"), words = document.querySelector(".words");
const number = document.querySelector(".number"), playing = document.querySelector(".play");
const list = document.querySelector("ol");
let ply = 0, timer = null;

function place(piece, [id, x, y, text]) {
  piece.id = id;
  piece.removeAttribute("transform");
  piece.style.transform = `translate(${x}px, ${y}px)`;
  if (piece.dataset.text !== String(text)) {
    piece.innerHTML = texts[text];
    piece.dataset.text = text;
  }
}

function show(next) {
  ply = Math.max(0, Math.min(plies.length - 1, next));
  const frame = plies[ply], pieces = layer("pieces");
  for (const name of ["panels", "last", "notes"]) layer(name).innerHTML = texts[frame[name]];
  const old = new Map([...pieces.children].map((piece) => [piece.id, piece]));
  frame.pieces.forEach((piece, index) => {
    const there = old.get(piece[0]) ?? document.createElementNS("http://www.w3.org/2000/svg", "g");
    old.delete(piece[0]);
    place(there, piece);
    if (pieces.children[index] !== there) pieces.insertBefore(there, pieces.children[index] ?? null);
  });
  for (const gone of old.values()) gone.remove();
  slider.value = ply;
  number.textContent = `${ply} / ${plies.length - 1}`;
  words.textContent = frame.words || words.dataset.start;
  for (const item of list.children) item.classList.toggle("now", Number(item.dataset.ply) === ply);
  list.querySelector(".now")?.scrollIntoView({ block: "nearest" });
}

function stop() {
  clearInterval(timer);
  timer = null;
  playing.textContent = "▶▶";
}

function start() {
  if (ply === plies.length - 1) show(0);
  playing.textContent = "❚❚";
  timer = setInterval(() => (ply < plies.length - 1 ? show(ply + 1) : stop()), 900);
}

function go(next) {
  stop();
  show(next);
}

plies.forEach((frame, number) => {
  if (!frame.words) return;
  const item = document.createElement("li");
  item.textContent = frame.words;
  item.dataset.ply = number;
  item.tabIndex = 0;
  item.onclick = () => go(number);
  item.onkeydown = (event) => event.key === "Enter" && go(number);
  list.append(item);
});
slider.max = plies.length - 1;
slider.oninput = () => go(Number(slider.value));
playing.onclick = () => (timer ? stop() : start());
document.querySelector(".first").onclick = () => go(0);
document.querySelector(".back").onclick = () => go(ply - 1);
document.querySelector(".next").onclick = () => go(ply + 1);
document.querySelector(".end").onclick = () => go(plies.length - 1);
const keys = { ArrowLeft: () => go(ply - 1), ArrowRight: () => go(ply + 1), Home: () => go(0), End: () => go(plies.length - 1) };
addEventListener("keydown", (event) => {
  if (event.target !== slider && keys[event.key]) {
    keys[event.key]();
    event.preventDefault();
  }
});
show(0);
