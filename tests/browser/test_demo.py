"""A page of every kind of the demo: for every eye, screen and browser."""

from collections.abc import Iterator, Mapping

import pytest
from playwright.sync_api import Browser, Page

from tests.browser import looks, toured
from tests.browser.visiting import COLOURS, LAPTOP, Visitors, sign_in, violations
from tests.serving import serving
from tracker.management.demo.cast import OWNER, PASSWORD

Demo = tuple[Visitors, Mapping[str, str]]


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory, browser: Browser) -> Iterator[Demo]:
    """Serve the demo; return who may look at it, and a path for every kind of page."""
    data = tmp_path_factory.mktemp("demo")
    with serving(data, "--workers", "2", environment={"DATABASE_URL": ""}) as site:
        pages = toured.make(data)
        people = Visitors(browser, site.port)
        yield people, pages
        people.leave()
        assert "Traceback" not in "".join(site.said)


def by_day(page: Page) -> list[str]:
    page.set_viewport_size(LAPTOP["viewport"])
    page.emulate_media(color_scheme="light")
    return violations(page)


def by_night(page: Page) -> list[str]:
    page.emulate_media(color_scheme="dark")
    return [f"in the dark {what}" for what in violations(page, COLOURS)]


def test_the_demo_is_for_everybody(demo: Demo) -> None:
    """No barrier in light and dark; nothing sticks out at 200 %, nor at 320 pixels.

    And without JavaScript every page leads wherever it does with it, and asks for the same.
    """
    people, pages = demo
    with_script: dict[str, set[str]] = {}

    def note(page: Page) -> list[str]:
        with_script[page.url] = looks.offers(page)
        return []

    def missing(page: Page) -> list[str]:
        return [f"without JavaScript no {it}" for it in with_script[page.url] - looks.offers(page)]

    scripted = people.laptop(reduced_motion="reduce")  # colours that do not fade
    plain = people.laptop(java_script_enabled=False)
    for page in (scripted, plain):
        sign_in(page, OWNER, PASSWORD)

    assert len(pages) > 50
    assert looks.walk(scripted, pages, note, by_day, by_night, looks.enlarged, looks.narrow) == {}
    assert looks.walk(plain, pages, missing, looks.narrow) == {}
