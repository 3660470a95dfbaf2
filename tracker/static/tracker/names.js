// Among many names: typing leaves those that are meant, and Enter ticks the only one left. On a
// night's page the field for whoever has just arrived opens with one tap, ready to type in.
const FEW = 12; // names that are seen at a glance

const plain = (words) => words.normalize("NFD").replace(/\p{M}/gu, "").trim().toLowerCase();

function find(form) {
  const place = form.querySelector("[data-find]");
  const boxes = [...form.querySelectorAll(".tap [type=checkbox], .taps > [name=player]")];
  if (!place || boxes.length <= FEW) return;
  const [field, said] = [place.querySelector("input"), place.querySelector("[data-nobody]")];
  place.hidden = false;

  function show() {
    const wanted = plain(field.value);
    const left = boxes.filter((box) => {
      const tap = box.closest(".tap") ?? box;
      tap.hidden = wanted !== "" && !plain(tap.textContent).includes(wanted);
      return !tap.hidden;
    });
    said.textContent = left.length ? "" : said.dataset.nobody;
    return left;
  }

  field.addEventListener("input", (event) => {
    event.stopPropagation(); // it is no answer
    show();
  });
  field.addEventListener("keydown", (event) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    const left = show().filter((box) => !box.disabled);
    if (field.value === "" || left.length !== 1) return;
    left[0].click();
    field.value = "";
    show();
  });
}

for (const form of document.querySelectorAll("[data-names]")) find(form);

document.addEventListener("click", (event) => {
  const summary = event.target.closest("[data-arrive] > summary");
  if (!summary) return;
  event.preventDefault();
  const details = summary.parentElement;
  details.open = !details.open;
  if (details.open) details.querySelector("[name=names]").focus();
});
