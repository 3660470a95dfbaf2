// The page's side of the worker: it is registered here, and a page that is a copy says so.
import { isAway, listed } from "./kept.js";
import { all, watch } from "./queue.js";

const PAUSE = 3000;

async function worker() {
  try {
    await navigator.serviceWorker.register("/worker.js", { type: "module" });
    return await navigator.serviceWorker.ready;
  } catch {
    return null; // everything goes on without
  }
}

const asked = new Set(); // for these the browser wakes the worker when there is a network

// Once for each hand: asked again after every try that failed, a browser would try without a pause.
async function askToSend(sync) {
  const waiting = (await all()).filter(({ state, entry }) => state === "queued" && !asked.has(entry));
  for (const { entry } of waiting) asked.add(entry);
  try {
    if (waiting.length) await sync.register("reports");
  } catch (forbidden) {
    for (const { entry } of waiting) asked.delete(entry);
    throw forbidden;
  }
}

// A page that follows what is played says so itself (live.js).
function sayAsOf(when) {
  const said = document.querySelector("body:not(:has([data-live-mark])) #as-of");
  if (!said || !when) return null;
  const time = said.querySelector("time");
  const date = new Date(Number(when));
  time.dateTime = date.toISOString();
  const { lang } = document.documentElement;
  time.textContent = date.toLocaleTimeString(lang, { timeStyle: "short", hourCycle: "h23" });
  said.hidden = false;
  return said;
}

async function listKept(section) {
  const [list] = section.getElementsByTagName("ul");
  for (const [address, title] of await listed()) {
    const link = document.createElement("a");
    link.href = address;
    link.textContent = title;
    list.appendChild(document.createElement("li")).append(link);
    section.hidden = false;
  }
}

// Looks whether the page can be had again; one that is being filled in stays.
function waitForNetwork(said) {
  const stays = document.querySelector("[data-sheet]");
  const look = async () => {
    try {
      if (document.hidden) throw new Error("nobody looks");
      const answer = await fetch(window.location.href, { cache: "no-store" });
      if (await isAway(answer)) throw new Error("nobody answers");
      if (!stays) window.location.reload();
      else if (said) said.hidden = true;
    } catch {
      setTimeout(look, PAUSE);
    }
  };
  setTimeout(look, PAUSE);
}

if ("serviceWorker" in navigator) {
  const said = sayAsOf(document.documentElement.dataset.asOf);
  const section = document.getElementById("kept");
  if (section) listKept(section);
  if (said || section) waitForNetwork(said);
  const registered = await worker();
  if (registered?.sync) {
    const { dataset } = document.documentElement;
    const ask = async () => {
      try {
        await askToSend(registered.sync);
        dataset.sends = ""; // no page need be kept open
      } catch {
        delete dataset.sends; // somebody forbade it
      }
    };
    watch(ask);
    ask();
  }
}
