"""Take a picture of every kind of page, on a phone and a laptop, in light and dark.

``python -m tests.browser.shots`` lays the tests' club, takes every page of it and the main pages
of the demo, and writes ``index.html`` beside them, to leaf through. ``--main`` takes the
demo's main pages alone. Pages are taken whole; with ``--fold`` only what is seen without scrolling.
``--only WORD`` takes the pages whose name has the word.
"""

import re
import tempfile
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from collections.abc import Iterator
from contextlib import contextmanager
from html import escape
from pathlib import Path
from urllib.parse import urlsplit

from playwright.sync_api import Page

from tests.browser import laid
from tests.browser.visiting import Scheme, Visitors, chromium, sign_in
from tests.serving import ROOT, Site, serving

OF_STRANGERS = ("home", "sign-in")  # which lead whoever is signed in on to the club
SCHEMES: tuple[Scheme, ...] = ("light", "dark")


def main() -> None:
    asked = ArgumentParser(description=__doc__, formatter_class=RawDescriptionHelpFormatter)
    asked.add_argument("folder", type=Path, nargs="?", default=ROOT / ".artifacts/shots")
    asked.add_argument("--main", action="store_true")
    asked.add_argument("--fold", action="store_true")
    asked.add_argument("--only", default="")
    given = asked.parse_args()
    taken: list[str] = []
    for demo in (True,) if given.main else (True, False):
        with chromium() as browser, _open(demo=demo) as site:
            visitors = Visitors(browser, site.port)
            if demo:
                organiser = _whom_the_demo_names(site)
                pages = {
                    f"demo, {name}": path
                    for name, path in _find_main_pages(visitors, organiser).items()
                }
            else:
                organiser, pages = laid.ORGANISER, laid.lay(site.data, "").pages
            pages = {name: path for name, path in pages.items() if given.only in name}
            _take_all(visitors, organiser, pages, given.folder, whole=not given.fold)
            visitors.leave()
            taken += pages
    _write_index(given.folder, taken)
    print(f"{4 * len(taken)} pictures; leaf through {given.folder / 'index.html'}")


@contextmanager
def _open(*, demo: bool) -> Iterator[Site]:
    """Serve the demo, or an empty site, from a folder that is gone afterwards."""
    arguments = ["--workers", "2", *(["--demo"] if demo else [])]
    with (
        tempfile.TemporaryDirectory() as data,
        serving(Path(data), *arguments, environment={"DATABASE_URL": ""}) as site,
    ):
        yield site


def _whom_the_demo_names(site: Site) -> tuple[str, str]:
    """Return the user name and the password that it prints when it opens."""
    said = re.search(r"Sign in as (\S+) with the password (\S+)", "".join(site.said))
    assert said, "".join(site.said)
    return said[1], said[2]


def _find_main_pages(visitors: Visitors, organiser: tuple[str, str]) -> dict[str, str]:
    """Return the main pages of the demo, found by the links that lead people there."""
    page = visitors.laptop()
    sign_in(page, *organiser)
    page.goto("/")  # which leads on to one's only club
    club = urlsplit(page.url).path
    standing = _leading_to(page, r"^/tournaments/\d+/$", "Albastini")
    page.goto(standing)
    desk, story, entrant, display = (
        _leading_to(page, pattern)
        for pattern in ("/desk/$", "/story/$", r"/entrants/\d+/$", "/display/$")
    )
    page.goto(f"{club}players/")
    player = _leading_to(page, r"^/players/\d+/$")
    page.goto(desk)
    evening = _leading_to(page, r"^/nights/\d+/$")
    table = _paths(page, "/t/")[-1]  # the first are those that need the organiser
    page.goto(f"{club}tournaments/")
    between, swiss, knockout = (
        _leading_to(page, r"^/tournaments/\d+/$", words)
        for words in ("Briscola by the window", "Albastini in pairs", "Briscola knock-out")
    )
    page.goto(f"{club}seasons/")
    season = _leading_to(page, r"^/seasons/\d+/$")
    page.goto(swiss)
    explained = _leading_to(page, r"/entrants/\d+/$")
    return {
        "club": club,
        "evening": evening,
        "table": table,
        "standing": standing,
        "entrant": entrant,
        "story": story,
        "player": player,
        "season": season,
        "display": display,
        "draw": f"{between}draw/",
        "swiss": swiss,
        "entrant in a Swiss": explained,
        "who met whom": f"{swiss}who-met-whom/",
        "bracket": f"{knockout}bracket/",
    }


def _leading_to(page: Page, pattern: str, words: str = "") -> str:
    return _paths(page, pattern, words)[0]


def _paths(page: Page, pattern: str, words: str = "") -> list[str]:
    """Return the paths of all links that have this pattern, and these words on them."""
    links = page.locator("main a[href]").filter(has_text=words)  # also those folded away
    paths = [(link.get_attribute("href") or "") for link in links.all()]
    ours = [re.sub(r"^https?://[^/]+", "", path) for path in paths]
    chosen = [path for path in ours if re.search(pattern, path)]
    assert chosen, f"{page.url} leads nowhere like {pattern}: {ours}"
    return chosen


def _take_all(
    visitors: Visitors,
    organiser: tuple[str, str],
    pages: dict[str, str],
    folder: Path,
    *,
    whole: bool,
) -> None:
    for scheme in SCHEMES:
        for device in (visitors.phone, visitors.laptop):
            page, look = device(color_scheme=scheme), folder / f"{device.__name__}-{scheme}"
            strange = {name: path for name, path in pages.items() if name in OF_STRANGERS}
            take(page, strange, look, whole=whole)
            sign_in(page, *organiser)
            ours = {name: path for name, path in pages.items() if name not in strange}
            take(page, ours, look, whole=whole)


def take(page: Page, pages: dict[str, str], folder: Path, *, whole: bool) -> None:
    """Go through pages and put a picture of each into *folder*."""
    folder.mkdir(parents=True, exist_ok=True)
    assert page.viewport_size is not None
    wide, tall = page.viewport_size["width"], page.viewport_size["height"]
    for name, path in pages.items():
        page.goto(path)
        if whole:  # so that what sticks to the end of the screen does not lie upon the page
            high = page.evaluate("document.scrollingElement.scrollHeight")
            page.set_viewport_size({"width": wide, "height": max(tall, high)})
        page.screenshot(path=folder / _file(name), full_page=whole)
        page.set_viewport_size({"width": wide, "height": tall})


def _file(name: str) -> str:
    return f"{re.sub('[^a-z0-9]+', '-', name)}.png"


def _write_index(folder: Path, names: list[str]) -> None:
    """Write a page with every picture: a row a page, and a list of the rows to jump to."""
    looks = [f"{device}-{scheme}" for scheme in SCHEMES for device in ("phone", "laptop")]
    jumps = "".join(f'<a href="#{_file(name)}">{escape(name)}</a> ' for name in names)
    rows = "".join(
        f'<section id="{_file(name)}"><h2>{escape(name)}</h2><div>'
        + "".join(
            f'<a href="{look}/{_file(name)}"><img loading="lazy" alt="{escape(name)}, {look}"'
            f' src="{look}/{_file(name)}"></a>'
            for look in looks
        )
        + "</div></section>"
        for name in names
    )
    style = (
        "body{font:16px system-ui;margin:1rem;background:#ddd}nav{columns:14rem;font-size:14px}"
        "nav a{display:block}section div{display:flex;gap:.5rem;overflow-x:auto;align-items:start}"
        "img{block-size:70vh;inline-size:auto;max-inline-size:90vw;object-fit:cover;object-position:top}"
    )
    page = (
        f"<!doctype html><meta charset=utf-8><title>Kula, page by page</title><style>{style}</style>"
        f"<h1>Kula, page by page</h1><nav>{jumps}</nav>{rows}"
    )
    (folder / "index.html").write_text(page, encoding="utf-8")


if __name__ == "__main__":
    main()
