// Remembers in which order names were tapped, and shows it; without it the list's order holds.
const form = document.querySelector("[data-tonight]");
const tapped = form?.elements.namedItem("tapped");
const boxes = form ? [...form.querySelectorAll("[name=people]")] : [];

function show(order) {
  for (const box of boxes) {
    const face = box.nextElementSibling;
    face.querySelector(".count")?.remove();
    const turn = order.indexOf(box.value) + 1;
    if (!turn) continue;
    const count = document.createElement("span");
    count.className = "count";
    count.textContent = turn;
    face.append(" ", count);
  }
}

if (tapped) {
  const ticked = boxes.filter((box) => box.checked).map((box) => box.value);
  const remembered = tapped.value.split(",").filter((value) => ticked.includes(value));
  const order = new Set([...remembered, ...ticked]);
  const keep = () => {
    tapped.value = [...order].join(",");
    show([...order]);
  };
  form.addEventListener("input", ({ target }) => {
    if (target.name !== "people") return;
    order.delete(target.value);
    if (target.checked) order.add(target.value);
    keep();
  });
  keep();
}
