// Where two are to be tapped: a third lets the first go, and a pair says so by the event "two".
for (const form of document.querySelectorAll("[data-two]")) {
  const tapped = [];
  form.addEventListener("change", ({ target }) => {
    if (target.name !== form.dataset.two) return;
    const at = tapped.indexOf(target);
    if (at >= 0) tapped.splice(at, 1);
    if (target.checked) tapped.push(target);
    if (tapped.length > 2) tapped.shift().checked = false;
    if (tapped.length === 2) form.dispatchEvent(new CustomEvent("two"));
  });
}
