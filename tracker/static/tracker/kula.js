// What every page loads. It fetches the rest where there is something for it to do; no page needs it.

const once = new Set();

async function fetchWhere(what, fetchIt) {
  if (once.has(what) || !document.querySelector(what)) return;
  once.add(what);
  await fetchIt();
}

function look() {
  fetchWhere("[data-clock]", async () => (await import("./clock.js")).clocks());
  fetchWhere("[data-awake]", async () => (await import("./wake.js")).stayAwake());
  fetchWhere("[data-sheet], [data-send], [data-in-place]", () => import("./sheets.js"));
}

// A phone on which hands were typed shows and sends on every page what waits on it, and whoever
// never typed one fetches nothing for that.
async function typedHere() {
  if (!window.indexedDB) return false;
  if (!indexedDB.databases) return true; // an older browser does not tell
  return (await indexedDB.databases()).some(({ name }) => name === "kula");
}

// Shares the page as the phone does it, or copies its address. Plain http allows neither: then the link
// leads to the picture. It is here because a file of its own costs another request.
document.addEventListener("click", async (event) => {
  const link = event.target.closest("[data-share]");
  if (!link || !(navigator.share || navigator.clipboard)) return;
  event.preventDefault();
  const { title } = document;
  const url = window.location.href;
  if (navigator.share) {
    await navigator.share({ title, url }).catch(() => {}); // thought better of it
  } else {
    const copied = await navigator.clipboard.writeText(url).then(() => true, () => false);
    if (copied) link.textContent = link.dataset.copied;
    else window.location = link.href;
  }
});

look();
for (const event of ["kula:shown", "live"]) document.addEventListener(event, look);
if (await typedHere().catch(() => true)) await import("./sheets.js");
