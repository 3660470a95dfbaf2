"""What is measured of a page: its barriers, its width, and what fingers have to hit."""

from collections.abc import Callable, Mapping
from typing import TypeAlias

from playwright.sync_api import Page

from tests.browser.rest import settle
from tests.browser.visiting import violations

FINGERTIP = 44
_TOO_WIDE = """
width => {
  const page = document.scrollingElement;
  if (page.scrollWidth <= width) return [];
  const outside = [...document.body.querySelectorAll("*")]
    .filter(element => element.getBoundingClientRect().right > width + 1)
    .filter(element => !element.closest(".scroll"))
    .slice(0, 4)
    .map(element => element.outerHTML.slice(0, 90));
  return [`${page.scrollWidth} wide`, ...outside];
}
"""
GONE = 410  # what a card that was replaced answers, with a page
_SMALL = """
least => {
  const fingers = "button, a.button, summary, .tap, select, textarea, .site-nav a, .rows a, a.tile,"
    + " a.pill, .field > label:has(> input), input:not([type=hidden], [type=checkbox], [type=radio])";
  return [...document.querySelectorAll(fingers)]
    .filter(element => element.checkVisibility({visibilityProperty: true}))
    .filter(element => !element.matches(".visually-hidden, .skip"))
    .map(element => [element, element.getBoundingClientRect()])
    .filter(([, box]) => box.width && (box.height < least - 0.5 || box.width < least - 0.5))
    .map(([element, box]) =>
      `${Math.round(box.width)}x${Math.round(box.height)} ${element.outerHTML.slice(0, 90)}`);
}
"""
_OFFERS = """
() => [...document.querySelectorAll("main a[href], main [name]")]
  .filter(element => !element.closest("[hidden]"))
  .map(element => element.getAttribute("href")?.replace(/hand=[^&]*/, "hand=") || element.name)
"""
_FINE_PRINT = """
least => {
  const said = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const small = [];
  while (said.nextNode()) {
    const element = said.currentNode.parentElement;
    if (!said.currentNode.data.trim() || element.closest(".visually-hidden, .skip, noscript, [hidden]")) continue;
    const size = parseFloat(getComputedStyle(element).fontSize);
    if (size && size < least) small.push(`${size}px ${element.outerHTML.slice(0, 90)}`);
  }
  return small;
}
"""

Look: TypeAlias = Callable[[Page], list[str]]


def walk(page: Page, paths: Mapping[str, str], *looking: Look) -> dict[str, list[str]]:
    """Go through pages and return what is amiss on each, in any of these ways of looking."""

    def look(page: Page) -> list[str]:
        return [what for each in looking for what in each(page)]

    return walk_once(page, paths, {"": look})[""]


def walk_once(
    page: Page, paths: Mapping[str, str], ways: Mapping[str, Look]
) -> dict[str, dict[str, list[str]]]:
    """Go through pages, and return by way of looking what is amiss on each.

    Every page is opened once, on the screen that was there at first, and looked at
    when it has come to rest.
    """
    screen = page.viewport_size
    assert screen is not None
    amiss: dict[str, dict[str, list[str]]] = {way: {} for way in ways}
    for name, path in paths.items():
        page.set_viewport_size(screen)
        answer = page.goto(path)
        assert answer is not None
        not_there = [] if answer.ok or answer.status == GONE else [f"answers {answer.status}"]
        settle(page)
        for way, look in ways.items():
            if wrong := [*not_there, *look(page)]:
                amiss[way][name] = wrong
    return amiss


def by_day(page: Page) -> list[str]:
    """Return the barriers that a page in light colours has."""
    page.emulate_media(color_scheme="light")
    return violations(page)


def by_night(page: Page) -> list[str]:
    """Return the barriers that the colours of a page are in the dark; all else is as by day."""
    page.emulate_media(color_scheme="dark")
    return [f"in the dark {what}" for what in violations(page, of_colours=True)]


def narrow(page: Page) -> list[str]:
    return [what for width in (390, 360, 320) for what in too_wide(page, width)]


def enlarged(page: Page) -> list[str]:
    """Look at a laptop's page at 200 %: half the pixels, and then twice the letters."""
    return [*too_wide(page, 640), *too_wide_with_large_text(page)]


def fine_print(page: Page, least: float) -> list[str]:
    """Return what is written in smaller letters than *least* pixels."""
    small: list[str] = page.evaluate(_FINE_PRINT, least)
    return small


def too_wide(page: Page, width: int) -> list[str]:
    """Return what sticks out sideways at this width."""
    page.set_viewport_size({"width": width, "height": 844})
    wide: list[str] = page.evaluate(_TOO_WIDE, width)
    return [f"at {width}: {what}" for what in wide]


def too_wide_with_large_text(page: Page) -> list[str]:
    """Return what sticks out when letters are twice as large."""
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    wide = too_wide(page, 1280)
    page.evaluate("document.documentElement.style.fontSize = ''")
    return [f"large text {what}" for what in wide]


def offers(page: Page) -> set[str]:
    """Return where the middle of a page leads, and what it asks for; a played hand is signed anew."""
    places: list[str] = page.evaluate(_OFFERS)
    return set(places)


def too_small(page: Page) -> list[str]:
    """Return what a fingertip would miss."""
    small: list[str] = page.evaluate(_SMALL, FINGERTIP)
    return small
