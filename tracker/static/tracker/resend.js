// When to send what waits: at once, when the network or somebody comes back, and after a while.
import { send } from "./queue.js";

const LEAST = 200;
let timer = null;

// Sends what is due, by default without waiting for its time; resolves when all has been tried.
export async function resend({ eager = true } = {}) {
  clearTimeout(timer);
  const { next } = await send(null, { eager });
  clearTimeout(timer);
  if (next !== null) timer = setTimeout(() => again({ eager: false }), Math.max(LEAST, next));
}

function again(how) {
  resend(how).catch(() => {}); // a browser that keeps nothing
}

export function keepSending() {
  again();
  window.addEventListener("online", () => again());
  window.addEventListener("pageshow", ({ persisted }) => { if (persisted) again(); });
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "visible") again();
  });
}
