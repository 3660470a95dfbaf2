// The worker of an installed site: it shows pages as they were while there is no network, and sends
// what waits on the phone when no page is open. Only what was asked for by GET has copies.
import { copyOf, drop, isAway, keeping, sweep } from "./kept.js";
import { send } from "./queue.js";

const PATIENCE = 3000;
const SHELL = "files ";

// A browser gives a page that it is led to the same client as the one that was asked for.
const asked = new Map();

const late = () => new Promise((_resolve, reject) => { setTimeout(reject, PATIENCE); });

// A browser tries again, ever later, as long as something waits.
async function empty() {
  const { waiting } = await send(null, { eager: true });
  if (waiting) throw new Error("no network yet");
}

async function file(address) {
  return (await caches.match(address, { ignoreVary: true })) ?? fetch(address);
}

// Files of the version before go on being needed by copies of pages.
async function begin() {
  const shells = (await caches.keys()).filter((name) => name.startsWith(SHELL));
  await Promise.all(shells.slice(0, -2).map((name) => caches.delete(name)));
  await sweep();
  await self.clients.claim(); // what waits is sent by the page that waits for this to end
}

// Asks the network, and keeps what it answers.
function ask(event) {
  const { request, resultingClientId: client } = event;
  const answering = fetch(request);
  const first = asked.get(client) ?? request.url;
  const keep = keeping(first);
  event.waitUntil(answering.then((answer) => {
    if (client && answer.type === "opaqueredirect") asked.set(client, first);
    else asked.delete(client);
    return keep(answer.clone(), answer.url || request.url);
  }).catch(() => {}));
  return answering;
}

export function work({ version, files, folder, manifest, noNetwork, leaving }) {
  // The next version has its files here before its worker takes over.
  const isFile = (pathname) => pathname === manifest || pathname.startsWith(folder);

  async function install() {
    const shell = await caches.open(SHELL + version);
    const anybodys = { credentials: "omit", cache: "reload" };
    await shell.addAll([...files, ...[manifest, noNetwork].map((url) => new Request(url, anybodys))]);
    // It waits until no page is open: Chromium never answers who opens one while a worker is put
    // in the place of another.
  }

  async function page(address, answering) {
    const copy = await copyOf(address);
    try {
      const answer = await (copy ? Promise.race([answering, late()]) : answering);
      return copy && (await isAway(answer)) ? copy : answer;
    } catch {
      return copy ?? file(noNetwork);
    }
  }

  function look(event) {
    const { request } = event;
    const { origin, pathname } = new URL(request.url);
    if (origin !== self.location.origin) return;
    if (request.method === "POST" && leaving.includes(pathname)) event.waitUntil(drop());
    if (request.method !== "GET") return;
    if (isFile(pathname)) {
      event.respondWith(file(pathname));
    } else if (request.mode === "navigate") {
      event.respondWith(page(request.url, ask(event)));
      event.waitUntil(send());
    } else if (!request.destination && !request.headers.has("HX-Request")) {
      // A page that asks whether it is still so: whatever is said passes, 304 too.
      event.respondWith(ask(event));
    }
  }

  self.addEventListener("install", (event) => event.waitUntil(install()));
  self.addEventListener("activate", (event) => event.waitUntil(begin()));
  self.addEventListener("fetch", look);
  self.addEventListener("sync", (event) => {
    if (event.tag === "reports") event.waitUntil(empty());
  });
}
