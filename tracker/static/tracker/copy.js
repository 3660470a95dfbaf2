// Copies an address that is to be passed on. On plain http the clipboard can only be asked the old
// way: by what is selected on the page.
async function copied(field) {
  field.select();
  try {
    await navigator.clipboard.writeText(field.value);
    return true;
  } catch {
    return document.execCommand("copy");
  }
}

for (const button of document.querySelectorAll("[data-copy]")) {
  const field = button.previousElementSibling;
  button.hidden = false;
  field.addEventListener("click", () => field.select());
  button.addEventListener("click", async () => {
    if (await copied(field)) button.textContent = button.dataset.copied;
  });
}
