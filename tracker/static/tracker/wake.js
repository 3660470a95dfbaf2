// The screen stays awake while a round is played, where a browser can do that: not on plain http.

const AGAIN = 60_000;
let lock = null;
let asking = false;

async function look() {
  const wanted = document.visibilityState === "visible" && document.querySelector("[data-awake]");
  if (!wanted) {
    lock?.release();
    lock = null;
  } else if (!lock && !asking) {
    asking = true;
    lock = await navigator.wakeLock.request("screen").catch(() => null); // a battery that is low
    asking = false;
    lock?.addEventListener("release", () => { lock = null; });
  }
}

export function stayAwake() {
  if (!("wakeLock" in navigator)) return;
  document.addEventListener("visibilitychange", look);
  document.addEventListener("kula:shown", look);
  setInterval(look, AGAIN); // a round that is over lets the screen sleep
  look();
}
