// Cards that move: from whoever plays them to the table, from the table to whoever takes them.
const still = window.matchMedia("(prefers-reduced-motion: reduce)");
const EASE = "cubic-bezier(.2, .7, .3, 1)";

function centre(box) {
  return [box.left + box.width / 2, box.top + box.height / 2];
}

function between(from, to) {
  const [[x, y], [left, top]] = [centre(from), centre(to)];
  return `translate(${x - left}px, ${y - top}px) scale(${Math.max(0.4, Math.min(1.6, from.width / to.width))})`;
}

function zoneOf(card) {
  return card.closest("#own, #middle, .seat")?.id ?? "";
}

// Returns where every card lies: by whose it is, and its code.
export function lying(table) {
  const places = new Map();
  for (const card of table.querySelectorAll("[data-card]")) {
    places.set(`${zoneOf(card)} ${card.dataset.card}`, card.getBoundingClientRect());
  }
  return places;
}

// Returns from where a card comes that did not lie there, or null.
function origin(card, table, before) {
  const { card: code } = card.dataset;
  const zone = zoneOf(card);
  if (zone === "own") return before.get(`middle ${code}`) ?? table.querySelector(".back")?.getBoundingClientRect();
  if (zone === "middle") {
    const whose = [...before.keys()].find((key) => key.endsWith(` ${code}`));
    return before.get(`own ${code}`) ?? before.get(whose) ?? null;
  }
  const seat = card.closest(".seat");
  const own = seat?.matches(".me") ? before.get(`own ${code}`) : null;
  return own ?? before.get(`middle ${code}`) ?? seat?.querySelector(".seat-name").getBoundingClientRect();
}

// Moves in every card of *within* that did not lie there *before*.
export function arrive(within, table, before, duration) {
  if (still.matches || !duration) return;
  let late = 0;
  for (const card of within.querySelectorAll("[data-card]")) {
    if (before.has(`${zoneOf(card)} ${card.dataset.card}`)) continue;
    const from = origin(card, table, before);
    if (!from?.width) continue;
    const away = between(from, card.getBoundingClientRect());
    card.animate([{ transform: away, opacity: 0.6 }, { transform: "none", opacity: 1 }], {
      duration, delay: late, easing: EASE, fill: "backwards",
    });
    late += card.closest("#own") ? 50 : 0;
  }
}

// Moves all that lies before the seats to whoever took it.
export async function sweep(table, taker, duration) {
  const to = table.querySelector(`#seat-${taker} .seat-name`)?.getBoundingClientRect();
  if (still.matches || !duration || !to) return;
  const moving = [...table.querySelectorAll(".before > .playing-card")].map((card) => card.animate(
    [{ transform: "none" }, { transform: between(to, card.getBoundingClientRect()), opacity: 0 }],
    { duration, easing: EASE, fill: "forwards" },
  ).finished);
  await Promise.allSettled(moving);
}
