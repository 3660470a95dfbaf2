// Counts the clocks down between two looks at the site. What is left comes from there,
// so that it does not matter what time this phone thinks it is.
const seen = new WeakMap(); // what the site last said is left, and when that ends
const watchers = [];
const LONG = 60; // minutes past the bell, after which nobody counts them

function face(time, left) {
  if (left > 0) return `${Math.trunc(left / 60)}:${String(left % 60).padStart(2, "0")}`;
  const late = Math.trunc(-left / 60);
  if (late >= LONG) return time.dataset.long;
  return late ? time.dataset.over.replace("{minutes}", late) : time.dataset.up;
}

function tick() {
  for (const time of document.querySelectorAll("[data-clock]")) {
    const { clock } = time.dataset;
    if (seen.get(time)?.clock !== clock) {
      seen.set(time, { clock, ends: Date.now() + Number(clock) * 1000 });
    }
    const left = Math.ceil((seen.get(time).ends - Date.now()) / 1000);
    time.textContent = face(time, left);
    for (const watcher of watchers) watcher(time, left);
    const box = time.closest("[role=timer]");
    if (!box) continue;
    box.classList.toggle("near", left > 0 && left <= Number(time.dataset.warned));
    box.classList.toggle("over", left <= 0);
    box.classList.toggle("long", left <= -LONG * 60);
    if (left > 0) continue;
    box.querySelector("[data-left]")?.setAttribute("hidden", "");
    time.closest("#clock")?.querySelector("[data-bell]")?.removeAttribute("hidden");
  }
}

// Calls *watcher* every second with each clock that runs, and the seconds it has left.
export function watch(watcher) {
  watchers.push(watcher);
}

export function clocks() {
  tick();
  setInterval(tick, 1000);
  document.addEventListener("live", tick);
}
