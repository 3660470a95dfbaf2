// Another page of the site laid into this one, so that a network that fails leaves this one standing.
import { pageIn } from "./page_in.js";
import { csrf } from "./queue.js";

const PATIENCE = 5_000;

// What comes into a page is read aloud only where the place stays while pages come and go. It is in
// a tree of its own, so that nobody who looks for words in the page finds them twice.
const said = document.createElement("p");
said.setAttribute("role", "status");
const place = document.createElement("div");
place.className = "visually-hidden";
place.attachShadow({ mode: "closed" }).append(said);
document.body.append(place);

let covered = null; // the page with a sheet over which another was laid last

// Shows the page at *address*, or the one that answers *answers* sent there.
// Rejects, with nothing changed, where no page of ours comes in time. Nothing
// changes either where *unless* holds once the page is there.
export async function show(address, answers = null, { unless = () => false } = {}) {
  const control = new AbortController();
  const timer = setTimeout(() => control.abort(), PATIENCE);
  try {
    const asked = { headers: { Accept: "text/html" }, signal: control.signal };
    if (answers) {
      const token = await csrf(address);
      asked.method = "POST";
      asked.body = new URLSearchParams([...answers, ["csrfmiddlewaretoken", token]]);
    }
    const answer = await fetch(address, asked);
    const page = await pageIn(answer);
    if (answer.status >= 500 || answer.status === 403) throw new Error(String(answer.status));
    if (!unless()) lay(page, page.querySelector("main"), answers && !answer.redirected ? address : answer.url);
    return answer;
  } finally {
    clearTimeout(timer);
  }
}

// Returns as which hand the page that answered says it was taken in, or 0.
export function takenAs(answer) {
  return Number(new URL(answer.url).searchParams.get("saved"));
}

// Puts back the page with a sheet that a question was laid over. Returns its sheet, or null where
// there is none.
export function uncover() {
  if (!covered) return null;
  const { title, body, main, address } = covered;
  lay({ title, body }, main, address);
  return main.querySelector("[data-sheet]");
}

function lay(page, main, address) {
  const before = document.querySelector("main");
  for (const style of page.querySelectorAll?.("link[rel=stylesheet]") ?? []) {
    if (!document.querySelector(`link[href="${style.getAttribute("href")}"]`)) document.head.append(style);
  }
  covered = before.querySelector("[data-sheet]") && {
    title: document.title,
    body: { className: document.body.className },
    main: before,
    address: window.location.href,
  };
  document.title = page.title;
  document.body.className = page.body.className;
  before.replaceWith(document.adoptNode(main));
  window.history.replaceState(null, "", address);
  window.scrollTo(0, 0);
  main.focus({ preventScroll: true });
  said.textContent = [...main.querySelectorAll("[data-announce], .messages .note")]
    .map(({ textContent }) => textContent.trim().replace(/\s+/g, " ")).join(" ");
  window.htmx?.process(main);
  document.dispatchEvent(new Event("kula:shown"));
}
