// Returns the page that an answer brings. Rejects where none of ours does: a proxy or a Wi-Fi in the
// site's place answers, too, with any status.
export async function pageIn(answer) {
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  if (!page.querySelector("main#main")) throw new Error("no page of ours");
  return page;
}
