// The number pad, and the return key: from one count to the next, then Save.

const SPARE = 8; // pixels

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

// Scrolls only where a field is out of sight, or lies under the keys, where there are any.
function uncover(field, bar) {
  const { top, bottom } = field.getBoundingClientRect();
  const edge = Math.min(bar?.getBoundingClientRect().top ?? Infinity, window.innerHeight);
  if (top < 0) window.scrollBy(0, top - SPARE);
  else if (bottom > edge) window.scrollBy(0, bottom - edge + SPARE);
}

export function pad(sheet) {
  const fields = counts(sheet);
  if (!fields.length) return;

  let current = fields[0];
  // A count that stood there already is written anew, not added to.
  let anew = true;

  function goTo(field) {
    field.focus({ preventScroll: true });
    uncover(field, sheet.querySelector(".save-bar"));
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
  const shown = box && matchMedia("(pointer: coarse), (max-width: 48rem)").matches;
  // The phone's own keyboard would cover half the page.
  if (shown) for (const field of fields) field.inputMode = "none";
  // On a page that was laid into the one before it people type on.
  if (document.activeElement?.matches("main")) {
    goTo(fields.find((field) => field.matches("[aria-invalid]")) ?? current);
  }
  if (!shown) return;
  box.hidden = false;
  // The finger stays on the pad, the caret in the count.
  box.addEventListener("pointerdown", (event) => event.preventDefault());
  box.addEventListener("click", (event) => {
    const { key } = event.target.closest("[data-key]")?.dataset ?? {};
    if (!key || "sending" in sheet.dataset) return;
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
