// The practice table, move by move: what is tapped is sent without leaving the page, what the others then
// do is shown one move after another, and a finished trick lies there until it was seen. Without this
// script the site shows the same tricks, and "Go on" leads from one to the next.
import { arrive, lying, sweep } from "./practice_cards.js";
import { play, soundOf } from "./practice_sound.js";

const KEPT = "kula.practice.pace";
const PACES = {
  calm: { move: 600, trick: Infinity },
  quick: { move: 380, trick: 900 },
  none: { move: 0, trick: 0 },
};
const PATIENCE = 15_000;
const PATIENCE_AFTER = 60_000; // with what is worth knowing of a hand that is over: nobody waits for it
const MOMENT = 800; // whoever plays on at once does not wait for what is worth knowing

const table = document.querySelector("#practice");
const heard = document.querySelector("#heard");
const settings = document.querySelector("#pace");
let goOn = null; // while something is shown that a tap leads on from
let busy = false;
let shown = window.location.search;

const pace = () => PACES[settings.elements.pace.value];

function wait(duration) {
  if (!duration) return Promise.resolve();
  return new Promise((resolve) => {
    const timer = Number.isFinite(duration) ? setTimeout(resolve, duration) : 0;
    goOn = () => {
      clearTimeout(timer);
      resolve();
    };
  }).finally(() => {
    goOn = null;
  });
}

function say(sentence) {
  heard.textContent = sentence;
  const asks = table.querySelector(".mine .asks");
  if (asks) asks.textContent = sentence;
}

// Puts what has happened before what was told of until now.
function tell(sentence) {
  const line = document.createElement("li");
  line.textContent = sentence;
  table.querySelector(".told > ol")?.prepend(line);
}

// A move of picked cards waits for as many as it takes; the site would refuse it in words.
function count() {
  const picked = (name) => table.querySelectorAll(`input[name=${name}]:checked`).length;
  const given = picked("give");
  for (const button of table.querySelectorAll("button[name=gather]")) {
    const fits = given > 0 && given <= Number(button.dataset.most);
    button.disabled = !fits || ("taking" in button.dataset && given !== picked("take"));
  }
}

// Lays in what one move has changed.
function change(frame, duration) {
  const before = lying(table);
  const felt = table.querySelector(".felt");
  felt.classList.toggle("cleared", "cleared" in frame.dataset);
  felt.dataset.taker = frame.dataset.taker ?? "";
  for (const part of [...frame.content.children]) {
    const now = document.adoptNode(part);
    table.querySelector(`#${part.id}`)?.replaceWith(now);
    if (now.isConnected) arrive(now, table, before, duration);
  }
}

// Shows a finished trick until it was seen.
async function hold(link) {
  const spread = table.querySelector(".mine > .ask-line");
  const button = link && document.importNode(link, true);
  spread?.querySelector(".button")?.remove();
  if (spread && button) {
    spread.append(button);
    button.focus({ preventScroll: true });
  }
  await wait(pace().trick);
  button?.remove();
}

function still() {
  const mine = table.querySelector(".mine");
  mine?.classList.add("waiting");
  const spread = mine?.querySelector(".ask-line");
  if (spread) spread.style.minBlockSize = `${spread.offsetHeight}px`; // the hand stays where it is
  spread?.querySelector(".button")?.remove();
  mine?.querySelectorAll(".note").forEach((part) => part.remove());
  mine?.querySelectorAll(".own-cards, .offers").forEach((part) => part.toggleAttribute("inert", true));
}

async function showAll(frames, link) {
  still();
  for (const [place, frame] of frames.entries()) {
    const felt = table.querySelector(".felt");
    const { move } = pace();
    if (felt.dataset.taker && !("cleared" in frame.dataset)) {
      if (move) play("take");
      await sweep(table, felt.dataset.taker, move * 0.6);
    }
    change(frame, move * 0.7);
    say(frame.dataset.says);
    tell(frame.dataset.says);
    if (move) play("card");
    if ("holds" in frame.dataset) await hold(link);
    else await wait(place + 1 < frames.length ? move : move * 0.7);
  }
}

function lay(page, past) {
  const old = { own: Boolean(table.querySelector("#own")), places: lying(table) };
  const parts = past ? page.querySelector("template#now")?.content : null;
  document.title = page.title;
  table.replaceChildren(...document.adoptNode(parts ?? page.querySelector("#practice")).childNodes);
  const own = table.querySelector("#own");
  if (own) arrive(own, table, old.own ? old.places : new Map(), pace().move * 0.7);
  count();
  const result = table.querySelector(".result");
  if (result) play(result.matches(".won") ? "won" : "over");
  const sentence = table.querySelector("[role=alert], .mine .note, .mine .asks, #result")?.textContent ?? "";
  if (heard.textContent !== sentence) heard.textContent = sentence;
  const first = table.querySelector("#go-on, .mine :is(.own-cards, .offers) :is(button, a, input):not(.not-now), .next-deal button");
  first?.focus({ preventScroll: true });
  if (result) window.scrollTo(0, 0);
  lookCloser();
}

async function fetched(address, options = {}, patience = PATIENCE) {
  const control = new AbortController();
  const timer = setTimeout(() => control.abort(), patience);
  try {
    const answer = await fetch(address, { ...options, headers: { Accept: "text/html" }, signal: control.signal });
    if (answer.status >= 500 || answer.status === 403) throw new Error(String(answer.status));
    return [answer, new DOMParser().parseFromString(await answer.text(), "text/html")];
  } finally {
    clearTimeout(timer);
  }
}

// Goes where a tap leads, and shows what happens on the way.
async function go(address, options, { push = true } = {}) {
  if (busy) return;
  busy = true;
  table.dataset.busy = "";
  try {
    const [answer, page] = await fetched(address, options);
    if (!page.querySelector("#practice")) {
      window.location.assign(answer.url);
      return;
    }
    const url = new URL(answer.url);
    url.searchParams.delete("after");
    shown = url.search;
    if (push) window.history.pushState(null, "", url);
    const frames = [...page.querySelectorAll("template[data-frame]")];
    const going = Boolean(table.querySelector("#mine")); // a hand that is over leads to another
    if (going && frames.length) await showAll(frames, page.querySelector("#go-on"));
    lay(page, going);
  } catch {
    const note = document.createElement("p");
    note.className = "note warn";
    note.setAttribute("role", "alert");
    note.textContent = heard.dataset.noAnswer;
    table.querySelector(".note.warn")?.remove();
    table.querySelector(".mine, .result")?.prepend(note);
  } finally {
    busy = false;
    delete table.dataset.busy;
  }
}

// After a hand, what is worth knowing of it comes by itself, as it takes a while to find.
async function lookCloser() {
  const link = table.querySelector("#closer a");
  if (!link) return;
  await new Promise((resolve) => setTimeout(resolve, MOMENT));
  if (!link.isConnected) return;
  try {
    const [, page] = await fetched(link.href, {}, PATIENCE_AFTER);
    const said = page.querySelector("#closer");
    if (said && link.isConnected) link.closest("#closer").replaceWith(document.adoptNode(said));
  } catch {
    // The link still leads there.
  }
}

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (!table.contains(form) || !form.getAttribute("action")?.startsWith("?hand=")) return;
  event.preventDefault();
  const body = new URLSearchParams(new FormData(form, event.submitter));
  go(form.action, { method: "POST", body });
});

document.addEventListener("click", (event) => {
  if (goOn && event.target.closest?.(".felt, .mine")) {
    event.preventDefault();
    goOn();
    return;
  }
  const link = event.target.closest?.("#practice a[href^='?hand=']:not([download])");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  go(link.href);
});

window.addEventListener("popstate", () => {
  if (window.location.search === shown) return;
  goOn?.();
  if (busy) window.location.reload();
  else go(window.location.href, {}, { push: false });
});

table.addEventListener("change", count);
window.addEventListener("pageshow", count);
count();
settings.hidden = false;
settings.elements.pace.value = window.localStorage.getItem(KEPT) ?? "calm";
if (!settings.elements.pace.value) settings.elements.pace.value = "calm";
settings.addEventListener("change", () => {
  window.localStorage.setItem(KEPT, settings.elements.pace.value);
});
settings.addEventListener("submit", (event) => event.preventDefault());
soundOf(settings.elements.sound);
lookCloser();
