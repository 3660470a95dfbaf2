// The page follows what is played: it asks for itself again, and puts in what has changed. Where
// somebody types or has marked a text it waits; what is open, focused or scrolled to stays.
import { morph } from "./morph.js";
import { pageIn } from "./page_in.js";

const PLAYING = 1250; // milliseconds from one look to the next: 95 of 100 see a hand within 2 s
const QUIET = 5000; // while nobody plays
const SLEEPY = 10000; // and nothing has happened for so long:
const SLEEPS_AFTER = 5 * 60 * 1000;
const LONGEST = 30000; // after failing several times
const PATIENCE = 8000;
const TYPED = "input:not([type=hidden], [type=submit], [type=button]), select, textarea";
const GONE = [401, 403, 404, 410];
const BEGUN = "[data-touched], [data-sending], [data-instead], [data-laid]";
// Another one on every page, whatever happened.
const VOLATILE = "[name=csrfmiddlewaretoken], [name=entry]";

const mark = document.querySelector("[data-live-mark]");
const shown = new Map(); // by id: a region as the site wrote it
const waiting = new Map(); // by id: a region that has changed, but somebody is at it
let main = null;
let address = "";
let tag = "";
let playing = false;
let failures = 0;
let changedAt = Date.now();
// A copy that the site's worker showed (worker.js) is true as of when it was made.
let trueAt = Number(document.documentElement.dataset.asOf) || Date.now();
let turnedAt = Date.now();
let timer = 0;
let asking = null;

const regions = (page) => [...page.querySelectorAll("[data-live][id]")];
const isSheet = (region) => region.dataset.live === "sheet";
// Its words follow the sheet that lies there (lay.js).
const isOfSheet = (region) => isSheet(region) || region.dataset.live === "beside-sheet";
const sheetIn = (region) => region.querySelector("[data-sheet]");
const numberIn = (region) => Number(sheetIn(region)?.elements.number?.value ?? Infinity);

function written(region) {
  const copy = region.cloneNode(true);
  for (const field of copy.querySelectorAll(VOLATILE)) field.removeAttribute("value");
  for (const time of copy.querySelectorAll("[data-clock]")) {
    time.dataset.clock = "";
    time.textContent = "";
  }
  return copy.outerHTML;
}

function isTyped(field) {
  if (field.type === "checkbox" || field.type === "radio") {
    return field.checked !== field.defaultChecked;
  }
  if (field.options) {
    const first = [...field.options].find((option) => option.defaultSelected) ?? field.options[0];
    return field.value !== first?.value;
  }
  return field.value !== field.defaultValue;
}

// Somebody has begun to write something there.
function typed(region) {
  const sheet = sheetIn(region);
  if (sheet?.matches(BEGUN) || sheet?.querySelector("[role=alert]")) return true;
  return [...region.querySelectorAll(TYPED)].some(isTyped);
}

function isHeld(region) {
  const selection = document.getSelection();
  const marked = selection && !selection.isCollapsed && selection.containsNode(region, true);
  if (marked || typed(region)) return true;
  const { activeElement } = document;
  return !isSheet(region) && region.contains(activeElement) && activeElement.matches(TYPED);
}

function put(region, fresh) {
  const { activeElement } = document;
  const within = region.contains(activeElement);
  if (isSheet(region)) {
    region.replaceChildren(...[...fresh.childNodes].map((node) => document.importNode(node, true)));
  } else {
    morph(region, fresh);
  }
  if (within && document.activeElement !== activeElement) {
    const { id, name, isConnected } = activeElement;
    const like = id ? `#${CSS.escape(id)}` : name && `[name="${CSS.escape(name)}"]`;
    const again = isConnected ? activeElement : region.querySelector(like || TYPED);
    again?.focus({ preventScroll: true });
  }
  document.dispatchEvent(new CustomEvent("live", { detail: region }));
}

// Over a sheet that somebody fills in: its hand has come from elsewhere.
function tell(region, fresh) {
  const place = region.querySelector("[data-moved]");
  const news = fresh.querySelector("[data-moved] template");
  const sending = "sending" in (sheetIn(region)?.dataset ?? {});
  if (!place || !news || sending || numberIn(region) >= numberIn(fresh)) return;
  const copy = document.importNode(news.content, true);
  if (place.textContent.trim() === copy.textContent.trim()) return;
  place.replaceChildren(copy);
}

// Hands wait on this phone, and the sheet on the page is already for one that comes after them.
function isAhead() {
  return regions(document).filter(isSheet).some((region) => {
    const sheet = sheetIn(region);
    const { fresh: whole, coming } = sheet?.dataset ?? {};
    const [fresh] = waiting.get(region.id) ?? [];
    if (fresh && sheetIn(fresh)?.matches("[data-again]") && !sheet?.matches(BEGUN)) return false;
    return whole !== undefined && numberIn(region) > (fresh ? numberIn(fresh) : Number(coming));
  });
}

function settle(forced = null) {
  const ahead = isAhead();
  for (const [id, [fresh, html]] of [...waiting]) {
    const region = document.getElementById(id);
    if (ahead && region && isOfSheet(region)) continue;
    if (region && id !== forced && isHeld(region)) {
      if (isSheet(region)) tell(region, fresh);
      continue;
    }
    waiting.delete(id);
    shown.set(id, html);
    if (region) put(region, fresh);
  }
}

function leave() {
  if (!regions(document).some(typed)) window.location.reload();
}

function take(page) {
  const main = page.querySelector("main[data-tag]");
  const updates = regions(document).map((region) => [region.id, page.getElementById(region.id)]);
  if (!main || !updates.some(([, fresh]) => fresh)) return leave();
  playing = main.dataset.playing === "yes";
  document.title = page.title;
  for (const [id, fresh] of updates) {
    if (!fresh) continue;
    const html = written(fresh);
    if (html === shown.get(id)) waiting.delete(id);
    else waiting.set(id, [fresh, html]);
  }
  return undefined;
}

function say(failed) {
  failures = failed ? failures + 1 : 0;
  if (!failed) trueAt = Date.now();
  if (!mark) return;
  mark.hidden = failures < 2;
  if (mark.hidden) return;
  const time = new Date(trueAt).toLocaleTimeString([], { timeStyle: "short", hourCycle: "h23" });
  mark.textContent = mark.dataset.liveMark.replace("{time}", time);
}

// The hall's display shows one thing after the other, each as long as it says.
function turn() {
  const { next, turn: seconds } = document.querySelector("[data-live][data-next]")?.dataset ?? {};
  if (!next || Date.now() < turnedAt + Number(seconds) * 1000) return;
  turnedAt = Date.now();
  const there = new URL(next, address).href;
  if (there === address) return;
  address = there;
  tag = "";
}

async function ask() {
  const control = new AbortController();
  const patience = setTimeout(() => control.abort("late"), PATIENCE);
  asking = control;
  try {
    const answer = await fetch(address, {
      headers: { "X-Look": "1", ...(tag ? { "If-None-Match": tag } : {}) },
      cache: "no-store",
      redirect: "manual",
      signal: control.signal,
    });
    if (answer.type === "opaqueredirect") {
      // To a page of ours; a Wi-Fi that wants to be signed in to sends people away as well.
      await pageIn(await fetch(address, { cache: "no-store", signal: control.signal }));
      return leave();
    }
    if (answer.status !== 304) {
      const page = await pageIn(answer);
      if (control !== asking) return undefined;
      if (GONE.includes(answer.status)) return leave();
      if (!answer.ok) throw new Error(String(answer.status));
      take(page);
      tag = answer.headers.get("ETag") ?? "";
      changedAt = Date.now();
    }
    say(false);
  } catch {
    if (control.signal.reason !== "left") say(true);
  } finally {
    clearTimeout(patience);
    if (control === asking) asking = null;
  }
  return undefined;
}

function pause() {
  if (failures) return Math.min(LONGEST, PLAYING * 2 ** failures);
  if (playing) return PLAYING;
  return Date.now() - changedAt > SLEEPS_AFTER ? SLEEPY : QUIET;
}

async function look() {
  clearTimeout(timer);
  if (asking || document.hidden || !shown.size) return;
  const begun = Date.now();
  turn();
  await ask(); // also where the browser knows of no network: this machine may be the club's
  settle();
  clearTimeout(timer);
  if (!document.hidden) timer = setTimeout(look, Math.max(300, pause() - (Date.now() - begun)));
}

function wake() {
  if (document.hidden) {
    clearTimeout(timer);
    asking?.abort("left");
  } else {
    look();
  }
}

// Begins with the page as the site wrote it; another may have been laid into this one.
function begin() {
  const there = document.querySelector("main");
  if (there === main) return;
  main = there;
  asking?.abort("left");
  asking = null;
  waiting.clear();
  shown.clear();
  for (const region of regions(document)) shown.set(region.id, written(region));
  [address] = window.location.href.split("#");
  tag = main.dataset.tag ?? "";
  playing = main.dataset.playing === "yes";
  clearTimeout(timer);
  if (shown.size && !document.hidden) timer = setTimeout(look, PLAYING);
}

// What is folded away comes once it is opened, and from then on with every look.
function unfold({ target }) {
  const link = target.open && target.querySelector("[data-unfold]");
  if (!link) return;
  address = link.href;
  tag = "";
  asking?.abort("left");
  asking = null;
  look();
}

begin();
if ("asOf" in document.documentElement.dataset) {
  failures = 1;
  say(true);
}
document.addEventListener("kula:shown", begin);
document.addEventListener("visibilitychange", wake);
document.addEventListener("toggle", unfold, true);
document.addEventListener("click", ({ target }) => {
  const region = target.closest?.("[data-look]")?.closest("[data-live]");
  if (region) settle(region.id);
});
window.addEventListener("online", look);
window.addEventListener("pageshow", ({ persisted }) => persisted && look());
