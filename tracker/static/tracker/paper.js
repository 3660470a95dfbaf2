// A paper typed line by line: return goes on to the next cell, and every line shows its sum.

function cells(form) {
  const fields = form.querySelectorAll("[data-line] input, [data-line] select");
  return [...fields].filter((field) => field.type !== "hidden");
}

function goOn(form) {
  form.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.target.matches("button, textarea")) return;
    event.preventDefault();
    if (event.target.type === "checkbox") event.target.checked = !event.target.checked;
    const fields = cells(form);
    const at = fields.indexOf(event.target);
    // Who deals, and that nobody counted, is written seldom: only Tab goes there.
    const next = fields.slice(at + 1).find((field) => !field.closest("[data-seldom]"));
    const there = next ?? form.querySelector("button");
    there.focus();
    if (there.select) there.select();
  });
}

function add(line) {
  const sum = line.querySelector("[data-line-sum]");
  if (!sum) return;
  const numbers = [...line.querySelectorAll("input[inputmode=numeric]")].map(({ value }) => value.trim());
  // Only when every count is in: what is left would be an echo, and no check.
  const whole = numbers.length && numbers.every((number) => /^\d+$/.test(number));
  const made = whole ? numbers.reduce((before, number) => before + Number(number), 0) : "";
  sum.textContent = made;
  const { total } = line.closest("[data-total]")?.dataset ?? {};
  sum.classList.toggle("good", Boolean(whole && total) && made === Number(total));
  sum.classList.toggle("bad", Boolean(whole && total) && made !== Number(total));
}

for (const form of document.querySelectorAll("[data-paper]")) {
  goOn(form);
  for (const line of form.querySelectorAll("[data-line]")) {
    line.addEventListener("input", () => add(line));
    add(line);
  }
}
