"""Take a picture of every page, on a phone and a laptop, in light and dark.

``python -m tests.browser.shots FOLDER`` takes whole pages; with ``--fold`` only what
is seen without scrolling. ``--only WORD`` takes the pages whose name has the word.
"""

import re
import tempfile
from argparse import ArgumentParser
from pathlib import Path

from playwright.sync_api import Page

from tests.browser import laid
from tests.browser.visiting import Scheme, Visitors, chromium, sign_in
from tests.serving import serving

SCHEMES: tuple[Scheme, ...] = ("light", "dark")


def main() -> None:
    asked = ArgumentParser(description=__doc__)
    asked.add_argument("folder", type=Path)
    asked.add_argument("--fold", action="store_true")
    asked.add_argument("--only", default="")
    given = asked.parse_args()
    with tempfile.TemporaryDirectory() as data, chromium() as browser:
        alone = {"DATABASE_URL": ""}
        with serving(Path(data), "--workers", "2", environment=alone) as site:
            club = laid.lay(Path(data), "")
            pages = {name: path for name, path in club.pages.items() if given.only in name}
            visitors = Visitors(browser, site.port)
            for scheme in SCHEMES:
                for device in (visitors.phone, visitors.laptop):
                    page = device(color_scheme=scheme)
                    sign_in(page, *laid.ORGANISER)
                    folder = given.folder / f"{device.__name__}-{scheme}"
                    take(page, pages, folder, whole=not given.fold)
            visitors.leave()
    print(f"{4 * len(pages)} pictures are in {given.folder}")


def take(page: Page, pages: dict[str, str], folder: Path, *, whole: bool) -> None:
    """Go through pages and put a picture of each into *folder*."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, path in pages.items():
        page.goto(path)
        page.screenshot(path=folder / f"{re.sub('[^a-z]+', '-', name)}.png", full_page=whole)


if __name__ == "__main__":
    main()
