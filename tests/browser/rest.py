"""Rest: a page that has loaded everything, asked what it wanted to ask, and moves no more.

A page is judged at rest. On a busy machine it may look finished long before: the
button still asks the server what it is about to save, and its bar grows with the answer.
"""

from playwright.sync_api import Page

# Run before a page's own scripts: what it is to do within a second is under way, and not the
# next look at the site. Without JavaScript nothing ever is.
WATCH = """
(() => {
  const underWay = new Set();
  const { setTimeout: later, clearTimeout: never, fetch: ask } = window;
  const { send } = XMLHttpRequest.prototype;
  window.setTimeout = (act, after = 0, ...given) => {
    if (typeof act !== "function" || after >= 1000) return later(act, after, ...given);
    const timer = later(() => {
      underWay.delete(timer);
      act(...given);
    }, after);
    underWay.add(timer);
    return timer;
  };
  window.clearTimeout = (timer) => {
    underWay.delete(timer);
    never(timer);
  };
  window.fetch = async (...asked) => {
    if (asked[1]?.headers?.["X-Look"]) return ask(...asked);
    const question = {};
    underWay.add(question);
    try {
      const answer = await ask(...asked);
      await answer.clone().text().catch(() => "");
      return answer;
    } finally {
      later(() => underWay.delete(question));
    }
  };
  XMLHttpRequest.prototype.send = function (...sent) {
    underWay.add(this);
    this.addEventListener("loadend", () => later(() => underWay.delete(this)));
    return send.apply(this, sent);
  };
  window.underWay = underWay;
})();
"""
_REST = """
async () => {
  const moves = (each) => each.playState === "running"
    && each.effect.getComputedTiming().iterations !== Infinity;
  const busy = () => Boolean(window.underWay?.size) || document.getAnimations().some(moves);
  await document.fonts.ready;
  // What has come is on the page two frames later.
  for (let frames = busy() ? 2 : 0; frames; frames = busy() ? 2 : frames - 1) {
    await new Promise(requestAnimationFrame);
  }
}
"""


def settle(page: Page) -> None:
    """Wait until a page is at rest."""
    page.wait_for_load_state()
    page.evaluate(_REST)
