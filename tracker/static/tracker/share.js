// Passes this page on as the phone does it, or copies its address. Plain http allows neither: then the
// link leads to the picture.
document.addEventListener("click", async (event) => {
  const link = event.target.closest("[data-share]");
  if (!link || !(navigator.share || navigator.clipboard)) return;
  event.preventDefault();
  const { title } = document;
  const url = window.location.href;
  if (navigator.share) {
    await navigator.share({ title, url }).catch(() => {}); // thought better of it
  } else {
    const copied = await navigator.clipboard.writeText(url).then(() => true, () => false);
    if (copied) link.textContent = link.dataset.copied;
    else window.location = link.href;
  }
});
