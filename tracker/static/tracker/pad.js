// The number pad, and the return key: from one count to the next, then Save.

function counts(sheet) {
  return [...sheet.querySelectorAll(".scores input")].filter((field) => !field.closest("details"));
}

function changed(field) {
  field.dispatchEvent(new Event("input", { bubbles: true }));
}

function type(field, digit, anew) {
  const value = (anew ? "" : field.value) + digit;
  if (Number(value) > Number(field.dataset.most)) return;
  field.value = String(Number(value));
  changed(field);
}

export function pad(sheet) {
  const fields = counts(sheet);
  if (!fields.length) return;

  let current = fields[0];
  // A count that stood there already is written anew, not added to.
  let anew = true;

  function goTo(field) {
    field.focus({ preventScroll: true });
    current = field;
    anew = true;
  }

  for (const field of fields) {
    field.addEventListener("focus", () => {
      if (field !== current) anew = true;
      current = field;
    });
    field.addEventListener("input", () => { anew = false; });
    field.addEventListener("keydown", (event) => {
      const next = fields[fields.indexOf(field) + 1];
      if (event.key !== "Enter" || !next) return;
      event.preventDefault();
      goTo(next);
      next.select();
    });
  }

  const box = sheet.querySelector("[data-pad]");
  if (!box || !matchMedia("(pointer: coarse), (max-width: 48rem)").matches) return;
  box.hidden = false;
  // The phone's own keyboard would cover half the page.
  for (const field of fields) field.inputMode = "none";
  // The finger stays on the pad, the caret in the count.
  box.addEventListener("pointerdown", (event) => event.preventDefault());
  box.addEventListener("click", (event) => {
    const { key } = event.target.closest("[data-key]")?.dataset ?? {};
    if (!key) return;
    if (key === "next") {
      goTo(fields[(fields.indexOf(current) + 1) % fields.length]);
      return;
    }
    if (document.activeElement !== current && !box.contains(document.activeElement)) {
      current.focus({ preventScroll: true });
    }
    if (key === "back") {
      current.value = current.value.slice(0, -1);
      changed(current);
    } else {
      type(current, key, anew);
    }
  });
}
