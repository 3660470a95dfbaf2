// Pages as this browser saw them last, for when there is no network: for a day at most, and only
// those that the site lets a phone keep (header "Kula-Keep", in seconds).

const PAGES = "pages";
const MOST = 40;
const SELDOM = 30_000;
const LED_ELSEWHERE = 0;
const GONE = new Set([403, 404, 410]);
const OURS = '<main id="main"';

const SAID_BESIDES = ["saved", "as", "side"];
const isOver = (copy) => Number(copy.headers.get("X-Until")) < Date.now();

// A table's page is the same whether it says besides what was saved, and by whom, or not.
function bare(url) {
  const address = new URL(url);
  address.hash = "";
  for (const name of SAID_BESIDES) address.searchParams.delete(name);
  return address.href;
}

let drops = 0; // a page asked for before somebody signed out is not kept after it

async function put(url, copy) {
  const pages = await caches.open(PAGES);
  await pages.put(url, copy); // in place of an older one, and last
  const all = await pages.keys();
  await Promise.all(all.slice(0, -MOST).map((old) => pages.delete(old)));
}

async function find(url) {
  const copy = await (await caches.open(PAGES)).match(bare(url), { ignoreVary: true });
  return copy && !isOver(copy) ? copy : null;
}

function stamped(answer) {
  const headers = new Headers(answer.headers);
  headers.delete("Content-Encoding");
  headers.delete("Content-Length");
  headers.set("X-As-Of", Date.now());
  headers.set("X-Until", Date.now() + 1000 * Number(headers.get("Kula-Keep")));
  return headers;
}

// A page that has not changed is as of now; it is asked for often, and written seldom.
async function renew(url) {
  const copy = await find(url);
  if (copy?.status !== 200 || Date.now() - Number(copy.headers.get("X-As-Of")) < SELDOM) return;
  await put(url, new Response(await copy.text(), { headers: stamped(copy) }));
}

// Says whether an answer is of whatever stands before a site that is away: a proxy says so, or that
// there is nothing at the address. What the site itself says of an address comes as a page.
export async function isAway(answer) {
  if (answer.status >= 502) return true;
  return GONE.has(answer.status) && !(await answer.clone().text()).includes(OURS);
}

// Returns what keeps the answer to a request, or drops the copy of what is not to be seen any
// more. Whoever was led there from the *asked* address is led there again.
export function keeping(asked) {
  const before = drops;
  return async (answer, url) => {
    if (answer.status === 304) await renew(bare(url));
    const gone = GONE.has(answer.status) && !(await isAway(answer));
    if (gone || answer.status === LED_ELSEWHERE) await (await caches.open(PAGES)).delete(bare(url));
    const seconds = Number(answer.headers.get("Kula-Keep"));
    if (answer.status !== 200 || !seconds) return;
    const page = await answer.text();
    if (before !== drops || !/^\s*<!doctype/i.test(page)) return; // a part of a page
    const headers = stamped(answer);
    await put(bare(url), new Response(page, { headers }));
    if (bare(asked) === bare(url)) return;
    const there = { Location: url, "X-Until": headers.get("X-Until") };
    await put(bare(asked), new Response(null, { status: 302, headers: there }));
  };
}

// Returns the copy of a page, which says from when it is, or null.
export async function copyOf(url) {
  const copy = await find(url);
  if (copy?.status !== 200) return copy;
  const when = copy.headers.get("X-As-Of");
  const page = (await copy.text()).replace("<html ", `<html data-as-of="${when}" `);
  return new Response(page, { headers: copy.headers });
}

// Lists [address, title] of every copy, the newest first.
export async function listed() {
  const all = await (await caches.open(PAGES)).keys();
  const rows = all.reverse().map(async ({ url }) => {
    const copy = await find(url);
    if (copy?.status !== 200) return null;
    const { title } = new DOMParser().parseFromString(await copy.text(), "text/html");
    return [url, title.replace(/ · Kula$/, "")];
  });
  return (await Promise.all(rows)).filter(Boolean);
}

export async function sweep() {
  const pages = await caches.open(PAGES);
  for (const { url } of await pages.keys()) {
    if (!(await find(url))) await pages.delete(url);
  }
}

export function drop() {
  drops += 1;
  return caches.delete(PAGES);
}
