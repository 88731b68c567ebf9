// A record from elsewhere becomes a table of one's own, with a link to share.

import { notice, player, request } from "../http.js";

const words = JSON.parse(document.getElementById("words").textContent);
const form = document.getElementById("import"), text = document.getElementById("record");

document.getElementById("file").addEventListener("change", async (event) => {
  const file = event.target.files[0];
  if (file) text.value = await file.text();
});

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const problem = document.getElementById("problem");
  problem.textContent = "";
  try {
    await player(words.guest);
    const made = await request("POST", "/imports", { record: text.value });
    location.href = `/review/${made.id}`;
  } catch (error) {
    if (error.code) problem.textContent = error.message;
    else notice(words.offline);
  }
});
