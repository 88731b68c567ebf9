// A private link: the token is in the fragment. The page asks first, since it replaces this browser's player.
import { find } from "./dom.js";
import { notice, request } from "./http.js";
import { problemWords } from "./words.js";

let token = "";

function read() {
  token = new URLSearchParams(location.hash.slice(1)).get("token") || token;
  history.replaceState(null, "", location.pathname);
  find("arriving").hidden = !token;
  find("needed").hidden = Boolean(token);
}
addEventListener("hashchange", read);
read();

find("arrive").addEventListener("click", async () => {
  try {
    await request("POST", "/players/here", { token });
    location.replace("/me");
  } catch (problem) {
    notice(problemWords(problem));
  }
});
