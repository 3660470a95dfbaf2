// A pile tapped card by card: what it counts stands in the sheet at once.

export function pile(sheet) {
  const box = sheet.querySelector("[data-pile]");
  if (!box) return;
  const cards = [...box.querySelectorAll("[data-points]")];
  const sum = box.querySelector("[data-pile-sum]");
  box.querySelector("[data-pile-write]").hidden = true;

  let whose = box.querySelector("[data-fills]:checked");

  function count() {
    const there = cards.filter((card) => card.checked);
    sum.textContent = there.reduce((before, card) => before + Number(card.dataset.points), 0);
  }

  function fill() {
    if (!whose) return;
    const field = sheet.elements[whose.dataset.fills];
    field.value = sum.textContent;
    field.dispatchEvent(new Event("input", { bubbles: true }));
  }

  box.addEventListener("input", ({ target }) => {
    // Another side's pile is counted from nothing; a pile begun before is whoever's is named.
    const another = Boolean(target.dataset.fills && whose);
    if (another) for (const card of cards) card.checked = false;
    if (target.dataset.fills) whose = target;
    count();
    if (target.dataset.points || (!another && cards.some((card) => card.checked))) fill();
  });
  count();
}
