"""People before their screens: laptops and phones, whose complaints are all kept."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias
from urllib.parse import urlsplit

from axe_playwright_python.base import AXE_SCRIPT  # type: ignore[import-untyped]
from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Page,
    Request,
    sync_playwright,
)

from tests import machine
from tests.browser import rest

# Two cores serve a site, show it and test something else besides, and perhaps a third job runs there:
# what a page should show may take its time, and no test is about how long.
PATIENCE = 60_000  # milliseconds
HALL = "kula.test"  # a name reached by plain http: not a secure context, as in a club's hall
Scheme: TypeAlias = Literal["light", "dark"]
_ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--in-process-gpu",  # one process less for every page to pass through
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--disable-quic",
    f"--host-resolver-rules=MAP {HALL} 127.0.0.1",
)
_ACCESSIBLE = {
    "runOnly": {
        "type": "tag",
        "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"],
    },
    "rules": {"landmark-unique": {"enabled": True}},  # best practice: no two of one name
    "resultTypes": ["violations"],
}
# The rules that look at colours: in the dark a page differs in nothing else.
_OF_COLOURS = {
    "runOnly": {"type": "rule", "values": ["color-contrast", "link-in-text-block"]},
    "resultTypes": ["violations"],
}
_VIOLATIONS = """
async (options) => (await axe.run(options)).violations.flatMap((rule) =>
  rule.nodes.map((node) => `${rule.id}: ${node.target} ${node.failureSummary ?? ""}`))
"""
# What htmx says of a request of its own when its page is left.
_LEFT = ("htmx:afterRequest", "htmx:sendAbort")
# A page that says that a card was replaced is a page, whatever its status; and a sheet that is sent
# by script may be refused, or asked about.
_ANSWERS = ("410 (Gone)", "409 (Conflict)", "422 (Unprocessable")
LAPTOP: dict[str, Any] = {"viewport": {"width": 1280, "height": 800}}
PHONE: dict[str, Any] = {
    "viewport": {"width": 390, "height": 844},
    "is_mobile": True,
    "has_touch": True,
    "device_scale_factor": 2,
}


def arguments() -> list[str]:
    """Return with what every browser is started."""
    return list(_ARGUMENTS)


@contextmanager
def chromium() -> Iterator[Browser]:
    """Run the browser."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=machine.chromium(), args=arguments())
        try:
            yield browser
        finally:
            browser.close()


@dataclass
class Visitors:
    """Everybody who looks at one site, and whatever their browsers complained of."""

    browser: Browser
    port: int
    complaints: list[str] = field(default_factory=list)
    contexts: list[BrowserContext] = field(default_factory=list)

    def address(self, host: str) -> str:
        return f"http://{host}:{self.port}"

    def come(self, *, host: str = "127.0.0.1", **device: Any) -> Page:
        """Open an empty page in a browser that nobody has used before."""
        context = self.browser.new_context(
            base_url=self.address(host),
            reduced_motion="reduce",  # a colour that fades is no colour yet
            **device,
        )
        context.set_default_timeout(PATIENCE)
        context.add_init_script(rest.WATCH)
        context.on("console", self._note_console)
        context.on("weberror", lambda error: self._complain("script", error.error, error.page))
        context.on("request", self._check_host)
        context.on("requestfailed", self._note_failure)
        self.contexts.append(context)
        return context.new_page()

    def phone(self, *, host: str = HALL, **device: Any) -> Page:
        """Open a phone in the hall."""
        return self.come(host=host, **{**PHONE, **device})

    def laptop(self, *, host: str = "127.0.0.1", **device: Any) -> Page:
        """Open the organiser's laptop."""
        return self.come(host=host, **{**LAPTOP, **device})

    def leave(self) -> None:
        """Close every browser, and fail if one of them complained of anything."""
        while self.contexts:
            self.contexts.pop().close()
        complaints, self.complaints = self.complaints, []
        assert not complaints, "\n".join(complaints)

    def expect_complaint(self, words: str) -> None:
        """Take back the one complaint that was meant to come."""
        (said,) = self.complaints
        assert words in said
        self.complaints.clear()

    def _note_console(self, said: ConsoleMessage) -> None:
        # A request that failed is said to be a ``sendError`` besides.
        if not said.text.startswith(_LEFT) and not any(each in said.text for each in _ANSWERS):
            self._complain("console", said.text, said.page)

    def _complain(self, kind: str, words: object, page: Page | None) -> None:
        self.complaints.append(f"{kind} at {page.url if page else '?'}: {words}")

    def _check_host(self, request: Request) -> None:
        parts = urlsplit(request.url)
        if parts.scheme not in {"http", "data", "blob"} or (
            parts.scheme == "http" and parts.netloc not in self._own()
        ):
            self.complaints.append(f"request to another host: {request.url}")

    def _own(self) -> set[str]:
        return {f"{host}:{self.port}" for host in (HALL, "127.0.0.1")}

    def _note_failure(self, request: Request) -> None:
        # A page left while something of it still loads is no failure.
        if request.failure != "net::ERR_ABORTED":
            self.complaints.append(f"failed: {request.url} ({request.failure})")


def sign_in(page: Page, username: str, password: str) -> None:
    page.goto("/sign-in/")
    page.get_by_label("User name").fill(username)
    page.get_by_label("Password").fill(password)
    page.get_by_role("main").get_by_role("button", name="Sign in").click()
    page.wait_for_url(lambda url: "/sign-in/" not in url)


def violations(page: Page, *, of_colours: bool = False) -> list[str]:
    """Return what axe-core finds against WCAG 2.2 AA on the page, once it is at rest.

    With *of_colours* only what its colours do.
    """
    rest.settle(page)
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE_SCRIPT)
    violations: list[str] = page.evaluate(_VIOLATIONS, _OF_COLOURS if of_colours else _ACCESSIBLE)
    return violations
