// The answers on a sheet: read from its form, and laid back into it.

// What belongs to a sheet and not to what people answered.
const OWN = new Set(["csrfmiddlewaretoken", "entry", "number", "shown"]);

// As the form would send them, with the button that was pressed.
export function sent(form, button) {
  const answers = [...new FormData(form)];
  if (button?.name) answers.push([button.name, button.value]);
  return answers.filter(([name]) => name !== "csrfmiddlewaretoken");
}

// What somebody typed; the dealer of the next hand is not theirs to remember.
export function typed(sheet) {
  return [...new FormData(sheet)].filter(([name, value]) => value && !OWN.has(name) && name !== "dealer");
}

export function fill(sheet, answers) {
  for (const field of sheet.elements) {
    if (!field.name || OWN.has(field.name) || field.type === "submit") continue;
    const values = answers.filter(([name]) => name === field.name).map(([, value]) => value);
    if (field.type === "radio" || field.type === "checkbox") {
      if (values.length || field.type === "checkbox") field.checked = values.includes(field.value);
    } else if (values.length) {
      [field.value] = values;
    }
  }
}

export function empty(sheet) {
  for (const field of sheet.elements) {
    if (!field.name || OWN.has(field.name) || field.type === "submit" || field.name === "side") continue;
    if (field.type === "radio" || field.type === "checkbox") field.checked = false;
    else field.value = "";
  }
}

// "70–50", or what the button says of a sheet that has no such counts.
export function inShort(sheet) {
  const counts = [...sheet.querySelectorAll(".scores input")].map((field) => field.value.trim());
  if (counts.length && counts.every(Boolean)) return counts.join("–");
  return sheet.querySelector(".save-says")?.textContent ?? "";
}
