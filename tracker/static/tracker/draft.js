// A sheet begun during the hand is still there when the phone wakes up.

const KEPT_BACK = new Set(["csrfmiddlewaretoken", "entry", "number", "shown", "dealer"]);

function store() {
  try {
    return window.localStorage;
  } catch {
    return null; // a browser that keeps nothing
  }
}

function answers(sheet) {
  return [...new FormData(sheet)].filter(([name, value]) => value && !KEPT_BACK.has(name));
}

function fill(sheet, told) {
  for (const field of sheet.elements) {
    if (!field.name || KEPT_BACK.has(field.name) || field.type === "submit") continue;
    const values = told.filter(([name]) => name === field.name).map(([, value]) => value);
    if (field.type === "radio" || field.type === "checkbox") {
      if (values.length || field.type === "checkbox") field.checked = values.includes(field.value);
    } else if (values.length) {
      [field.value] = values;
    }
  }
}

export function draft(sheet) {
  const kept = store();
  const path = `kula${window.location.pathname}`;
  const key = `${path}#${sheet.dataset.draft}`;
  if (!kept || sheet.dataset.draft.endsWith("change")) return;
  for (const old of Object.keys(kept)) {
    if (old.startsWith(path) && old !== key) kept.removeItem(old);
  }
  const told = kept.getItem(key);
  if (told && !sheet.querySelector(".error-summary")) fill(sheet, JSON.parse(told));
  sheet.addEventListener("input", () => kept.setItem(key, JSON.stringify(answers(sheet))));
}
