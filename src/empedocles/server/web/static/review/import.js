// Importing a record as the reader's own table, with a link to share.
/** @import { NewTable } from "../../messages" */
import { field, find } from "../dom.js";
import { codeOf, player, request } from "../http.js";
import { problemWords, say } from "../words.js";

field("file").addEventListener("change", async () => {
  const file = field("file").files?.[0];
  if (file) field("record").value = await file.text();
});

find("import").addEventListener("submit", async (event) => {
  event.preventDefault();
  const problem = find("problem");
  problem.textContent = "";
  try {
    await player(say("guest"));
    /** @type {NewTable} */
    const made = await request("POST", "/imports", { record: field("record").value });
    location.href = `/review/${made.id}`;
  } catch (error) {
    problem.textContent = (codeOf(error) && problemWords(error)) || say("failed");
  }
});
