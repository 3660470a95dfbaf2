"""The keyboard alone: where Tab leads on a page, and what of it an eye can follow."""

from playwright.sync_api import Page

from tests.browser.rest import settle

MOST = 400  # stops of one page
# Whatever Tab should reach: of radio buttons of one name a single one, as browsers have it.
_STOPS = """
() => {
  const seen = new Set();
  const stops = [...document.querySelectorAll(
    "a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex='0']")]
    .filter((each) => !each.disabled && !each.closest("[inert]") && each.tabIndex >= 0)
    .filter((each) => each.checkVisibility({visibilityProperty: true}) && each.getClientRects().length)
    .filter((each) => {
      if (each.type !== "radio") return true;
      const group = `${each.form?.id} ${each.name}`;
      const first = !seen.has(group);
      seen.add(group);
      return first;
    });
  stops.forEach((each, at) => { each.dataset.stop = at; });
  window.scrollTo(0, 0);
  // Trap: after a blur alone Tab goes on from what had the focus.
  document.body.tabIndex = -1;
  document.body.focus();
  document.body.removeAttribute("tabindex");
  return stops.map((each) => each.outerHTML.slice(0, 110));
}
"""
_HERE = """
() => {
  const here = document.activeElement;
  if (!here || here === document.body) return null;
  const radio = here.type === "radio"
    && document.querySelector(`input[type=radio][name="${CSS.escape(here.name)}"][data-stop]`);
  const drawn = here.matches(".tap > input, .pick > input") ? here.nextElementSibling ?? here : here;
  const box = drawn.getBoundingClientRect();
  const ring = [here, drawn, here.parentElement].some((each) => {
    const style = getComputedStyle(each);
    return style.outlineStyle !== "none" && parseFloat(style.outlineWidth) > 0;
  });
  const points = [[.5, .5], [.1, .5], [.9, .5], [.5, .15], [.5, .85]].map(([x, y]) =>
    [box.left + box.width * x, box.top + box.height * y]);
  const onTop = points.some(([x, y]) => {
    const top = document.elementFromPoint(x, y);
    return top && (drawn.contains(top) || top.contains(drawn) || here.contains(top)
      || top.closest("label")?.contains(here));
  });
  return {stop: (radio || here).dataset.stop ?? null, ring, onTop, what: here.outerHTML.slice(0, 110)};
}
"""


def by_keyboard(page: Page) -> list[str]:
    """Return what Tab never reaches, reaches without showing it, or reaches below something else."""
    settle(page)
    waiting = dict(enumerate(page.evaluate(_STOPS)))
    amiss: list[str] = []
    for _ in range(MOST):
        page.keyboard.press("Tab")
        here = page.evaluate(_HERE)
        if here is None:
            break
        if not here["ring"]:
            amiss.append(f"no ring: {here['what']}")
        if not here["onTop"]:
            amiss.append(f"covered: {here['what']}")
        if here["stop"] is not None:
            waiting.pop(int(here["stop"]), None)
    else:
        amiss.append(f"goes round more than {MOST} stops")
    return [*dict.fromkeys(amiss), *(f"never reached: {what}" for what in waiting.values())]
