"""A page of every kind of the demo: for every eye, screen and browser."""

from collections.abc import Iterator, Mapping

import pytest
from playwright.sync_api import Browser, Page

from tests.browser import looks, toured
from tests.browser.visiting import Visitors, sign_in
from tests.serving import serving
from tracker.management.demo.evening import OWNER, PASSWORD

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

    scripted = people.laptop()
    plain = people.laptop(java_script_enabled=False)
    for page in (scripted, plain):
        sign_in(page, OWNER, PASSWORD)

    assert len(pages) > 50
    every_way = (note, looks.by_day, looks.by_night, looks.enlarged, looks.narrow)
    assert looks.walk(scripted, pages, *every_way) == {}
    assert looks.walk(plain, pages, missing, looks.narrow) == {}
