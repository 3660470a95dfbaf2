// Remembers in which order names were tapped; without it the order of the list holds.
const form = document.querySelector("[data-tonight]");
const tapped = form?.elements.namedItem("tapped");

if (form && tapped) {
  const order = new Set(tapped.value.split(",").filter(Boolean));
  form.addEventListener("input", ({ target }) => {
    if (target.name !== "people") return;
    order.delete(target.value);
    if (target.checked) order.add(target.value);
    tapped.value = [...order].join(",");
  });
}
