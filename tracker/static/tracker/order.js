// Names tapped one after another; the places they get are written into the fields behind them.

export function order(asked) {
  const fields = [...asked.querySelectorAll("select")];
  const chosen = fields.filter((field) => field.value);
  if (new Set(chosen.map((field) => field.value)).size < chosen.length) return; // they share a place

  const rows = new Map();
  let gone = chosen.sort((field, other) => Number(field.value) - Number(other.value));

  function row(field) {
    const item = field.closest("li");
    const label = item.querySelector("label");
    const button = document.createElement("button");
    const place = document.createElement("span");
    button.type = "button";
    button.className = "tap-order";
    place.className = "place";
    button.append(place, ` ${label.textContent}`);
    label.hidden = true;
    field.hidden = true;
    item.prepend(button);
    button.addEventListener("click", () => tap(field));
    rows.set(field, { button, place, label });
  }

  function tap(field) {
    if (gone.length === fields.length && gone.at(-1) !== field) gone.pop(); // it had filled itself
    gone = gone.includes(field) ? gone.filter((other) => other !== field) : [...gone, field];
    const left = fields.filter((other) => !gone.includes(other));
    if (left.length === 1 && Number(asked.dataset.least) < fields.length && left[0] !== field) {
      gone.push(left[0]);
    }
    show();
    asked.dispatchEvent(new Event("input", { bubbles: true }));
  }

  function show() {
    for (const [field, { button, place }] of rows) {
      const at = gone.indexOf(field);
      field.value = at < 0 ? "" : String(at + 1);
      place.textContent = field.value;
      button.setAttribute("aria-pressed", String(at >= 0));
    }
  }

  // Who finished together shares a place, which no tap can say.
  const plain = document.createElement("button");
  plain.type = "button";
  plain.className = "button link";
  plain.textContent = asked.dataset.plain;
  plain.addEventListener("click", () => {
    for (const [field, { button, label }] of rows) {
      button.remove();
      label.hidden = false;
      field.hidden = false;
    }
    plain.remove();
    fields[0].focus();
  });

  fields.forEach(row);
  asked.append(plain);
  show();
}
