// On a page to read: a phone on which hands were typed shows and sends here too what waits on it,
// and whoever never typed one fetches nothing for that.
async function typedHere() {
  if (!window.indexedDB) return false;
  if (!indexedDB.databases) return true; // an older browser does not tell
  return (await indexedDB.databases()).some(({ name }) => name === "kula");
}

if (await typedHere().catch(() => true)) await import("./kula.js");
