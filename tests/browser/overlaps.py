"""Large letters: what covers something, is cut off or falls apart when a reader's own size is large."""

from playwright.sync_api import CDPSession, Page

from tests.browser.rest import settle

USUAL, LARGER, LARGEST = 16, 24, 32  # pixels: what people set for all pages in their browser
WIDE = 390
# Text is measured by the letters of each line, not by the lines' boxes, which may touch. What the page
# pins to an edge is asked where it rests: the screen is as high as the page.
_OVERLAPS = """
wide => {
  const SLACK = 2;
  const LONG = 12; // letters; what is longer may be broken
  const CONTROLS = "button, .button, input:not([type=hidden]), select, textarea, summary, .face, .pill,"
    + " .dealer-badge, .side";
  const BOXES = `${CONTROLS}, td, th, .note, .tile, .panel, .field, .score, .tap, .page-head, li, dt, dd`;
  const IGNORED = ".visually-hidden, .skip, noscript, script, style, option, svg, [hidden]";

  const isSeen = element => element.checkVisibility({visibilityProperty: true, opacityProperty: true})
    && !element.closest(IGNORED);
  const isFixed = element => {
    for (let each = element; each; each = each.parentElement) {
      if (getComputedStyle(each).position === "fixed") return true;
    }
    return false;
  };
  // What of a box is seen through those around it that scroll or cut off; and whether one cuts off.
  function through(box, element) {
    const {left, top, right, bottom} = box;
    const seen = {left, top, right, bottom, cut: null};
    for (let each = element; each && each !== document.body; each = each.parentElement) {
      const {overflowX, overflowY} = getComputedStyle(each);
      if (overflowX === "visible" && overflowY === "visible") continue;
      const around = each.getBoundingClientRect();
      const scrolls = /auto|scroll/.test(overflowX + overflowY);
      if (!scrolls && (seen.left < around.left - SLACK || seen.right > around.right + SLACK
        || seen.top < around.top - SLACK || seen.bottom > around.bottom + SLACK)) seen.cut = each;
      seen.left = Math.max(seen.left, around.left);
      seen.right = Math.min(seen.right, around.right);
      seen.top = Math.max(seen.top, around.top);
      seen.bottom = Math.min(seen.bottom, around.bottom);
    }
    return seen;
  }
  const said = text => text.trim().replace(/\\s+/g, " ").slice(0, 40);
  const called = element => {
    const name = element.tagName.toLowerCase() + (element.id ? `#${element.id}` : "")
      + (typeof element.className === "string" && element.className
        ? `.${element.className.trim().split(/\\s+/).join(".")}` : "");
    return `${name} “${said(element.textContent || element.value || "")}”`;
  };

  const amiss = new Set();
  const things = [];
  const lines = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (lines.nextNode()) {
    const node = lines.currentNode;
    const element = node.parentElement;
    if (!node.data.trim() || !isSeen(element) || isFixed(element)) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const letters = parseFloat(getComputedStyle(element).fontSize);
    const rects = [...range.getClientRects()].filter(({width, height}) => width > 1 && height > 1);
    const box = element.closest(BOXES);
    for (const rect of rects) {
      const spare = Math.max(0, (rect.height - 0.7 * letters) / 2);
      const line = {left: rect.left, right: rect.right, top: rect.top + spare, bottom: rect.bottom - spare};
      const seen = through(line, element);
      if (seen.cut) amiss.add(`cut off by ${called(seen.cut)}: “${said(node.data)}”`);
      if (seen.right - seen.left <= SLACK || seen.bottom - seen.top <= SLACK) continue;
      things.push({...seen, element, text: true, name: `“${said(node.data)}”`});
      if (!box || getComputedStyle(element).display === "inline" && !box.contains(element)) continue;
      const around = box.getBoundingClientRect();
      if (seen.left < around.left - SLACK || seen.right > around.right + SLACK
        || seen.top < around.top - SLACK || seen.bottom > around.bottom + SLACK) {
        amiss.add(`sticks out of ${called(box)}: “${said(node.data)}”`);
      }
    }
    if (new Set(rects.map(({top}) => Math.round(top))).size < 2) continue;
    for (const {0: word, index} of node.data.matchAll(/[\\p{L}\\p{N}]+/gu)) {
      // Of a path or an address no part is a word that has to stay whole.
      if (word.length > LONG || /[/_]/.test(node.data.slice(Math.max(0, index - 1), index + word.length + 1))) continue;
      range.setStart(node, index);
      range.setEnd(node, index + word.length);
      const tops = new Set([...range.getClientRects()].filter(({width}) => width > 1).map(({top}) => Math.round(top)));
      if (tops.size > 1) amiss.add(`broken: “${word}” of ${called(element)}`);
    }
  }
  for (const element of document.body.querySelectorAll(CONTROLS)) {
    if (!isSeen(element) || isFixed(element)) continue;
    const rect = element.getBoundingClientRect();
    if (rect.width < 2 || rect.height < 2) continue;
    const seen = through(rect, element);
    if (seen.cut) amiss.add(`cut off by ${called(seen.cut)}: ${called(element)}`);
    if (seen.right - seen.left <= SLACK || seen.bottom - seen.top <= SLACK) continue;
    things.push({...seen, element, text: false, name: called(element)});
    // A text scrolls in its field; of a figure nothing may be missing.
    if (element.matches("input[inputmode], input[type=number]") && element.scrollWidth > element.clientWidth + SLACK) {
      amiss.add(`too narrow for what is written: ${called(element)}`);
    }
  }
  things.sort((one, other) => one.top - other.top);
  for (const [place, one] of things.entries()) {
    for (let next = place + 1; next < things.length && things[next].top < one.bottom - SLACK; next += 1) {
      const other = things[next];
      if (Math.min(one.right, other.right) - Math.max(one.left, other.left) <= SLACK) continue;
      if (Math.min(one.bottom, other.bottom) - other.top <= SLACK) continue;
      if (one.element.contains(other.element) || other.element.contains(one.element)) {
        if (!(one.text && other.text)) continue;
        if (one.element === other.element) continue;
      }
      // What is tapped is drawn by what stands beside it.
      const tap = one.element.closest(".tap");
      if (tap && tap === other.element.closest(".tap") && !(one.text && other.text)) continue;
      amiss.add(`${[one.name, other.name].sort().join(" and ")} overlap`);
    }
  }
  const page = document.scrollingElement;
  if (page.scrollWidth > wide) {
    const out = [...document.body.querySelectorAll("*")]
      .filter(element => element.getBoundingClientRect().right > wide + 1)
      .filter(element => !element.closest(".scroll") && isSeen(element));
    amiss.add(`${page.scrollWidth} wide: ${out.slice(0, 3).map(called).join("; ")}`);
  }
  return [...amiss];
}
"""


def in_large_letters(page: Page) -> list[str]:
    """Return what is amiss on a phone's page in the usual letters and in two larger sizes."""
    return [
        f"at {size} px {what}" for size in (USUAL, LARGER, LARGEST) for what in overlaps(page, size)
    ]


def overlaps(page: Page, size: int = USUAL) -> list[str]:
    """Return what overlaps, is cut off, sticks out or is broken where letters are of this *size*."""
    screen = page.viewport_size
    assert screen is not None
    browser = page.context.new_cdp_session(page)
    _set_letters(browser, size)
    try:
        page.set_viewport_size({"width": WIDE, "height": 844})
        settle(page)
        high = page.evaluate("document.scrollingElement.scrollHeight")
        page.set_viewport_size({"width": WIDE, "height": max(844, high)})
        settle(page)
        amiss: list[str] = page.evaluate(_OVERLAPS, WIDE)
        return amiss
    finally:
        _set_letters(browser, USUAL)
        browser.detach()
        page.set_viewport_size(screen)


def _set_letters(browser: CDPSession, size: int) -> None:
    """Set the size of letters as a reader does, for all pages: media queries follow it, too."""
    browser.send("Page.setFontSizes", {"fontSizes": {"standard": size, "fixed": size}})
