// Counts the clocks down between two looks at the site. What is left comes from there,
// so that it does not matter what time this phone thinks it is.
const seen = new WeakMap();

function face(seconds) {
  const whole = Math.abs(Math.trunc(seconds));
  const sign = seconds < 0 && whole ? "\u2212" : "";
  return `${sign}${Math.trunc(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}

function tick() {
  for (const time of document.querySelectorAll("[data-clock]")) {
    if (!seen.has(time)) seen.set(time, Date.now() + Number(time.dataset.clock) * 1000);
    const left = Math.ceil((seen.get(time) - Date.now()) / 1000);
    time.textContent = face(left);
    if (left > 0) continue;
    time.closest(".clock")?.classList.add("over");
    time.closest("#clock")?.querySelector("[data-bell]")?.removeAttribute("hidden");
  }
}

export function clocks() {
  tick();
  setInterval(tick, 1000);
}
