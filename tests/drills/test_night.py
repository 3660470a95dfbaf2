"""A short night in which phones drop in and out: what each was told is what stands.

Only in full; an hour of it by hand: ``python -m tests.drills.night --minutes 60 --seed 7``.
"""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from tests.browser.visiting import chromium
from tests.drilled import FULL
from tests.drills import night
from tests.serving import Site, serving

HEAVY = pytest.mark.skipif(not FULL, reason="heavy: only in full")
SECONDS = 25


@pytest.fixture
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with serving(tmp_path_factory.mktemp("night"), "--workers", "2") as served:
        yield served


@pytest.fixture
def browser() -> Iterator[Browser]:
    with chromium() as running:
        yield running


@HEAVY
def test_what_phones_were_told_is_what_stands(site: Site, browser: Browser) -> None:
    seen = night.hold(site, browser, seconds=SECONDS, rounds=2, seed=7)

    assert " accepted" in seen
    assert "0 differences" in seen
