"""The typeface: cut once, with the signs that the stylesheet says are in it."""

import re
from io import BytesIO
from pathlib import Path

import pytest
from django.contrib.staticfiles import finders
from fontTools.ttLib import TTFont
from pytest_django import Settings

from tracker.config import fonts

STYLES = Path("tracker/static/tracker/kula.css")


def ranges_of(name: str) -> set[int]:
    """Return the code points for which browsers fetch this file."""
    (said,) = re.findall(rf'{re.escape(name)}"\).*?unicode-range: ([^;]+);', STYLES.read_text())
    ends = [each.strip().removeprefix("U+").partition("-") for each in said.split(",")]
    return {
        code
        for first, _, last in ends
        for code in range(int(first, 16), int(last or first, 16) + 1)
    }


@pytest.mark.parametrize("name", fonts.SUBSETS)
def test_browsers_fetch_a_cut_for_what_is_in_it(name: str) -> None:
    path = finders.find(f"tracker/{name}")

    assert path is not None
    held = set(TTFont(path).getBestCmap())
    assert held <= ranges_of(name)
    assert {ord(sign) for sign in "Aza09&·" if ord(sign) in ranges_of(name)} <= held


def test_the_two_cuts_hold_every_letter_once() -> None:
    first, second = (ranges_of(name) for name in fonts.SUBSETS)

    assert first & second == set()
    assert {*map(ord, "Kula 7–3 · “Äänekoski” Đorđe Žižek")} <= first | second


def test_one_weight_is_left() -> None:
    font = TTFont(BytesIO(fonts.subset_font(map(ord, "Kula"))))

    assert "fvar" not in font
    assert font["OS/2"].usWeightClass == fonts.WEIGHT


def test_a_cut_that_is_there_is_not_made_again(monkeypatch: pytest.MonkeyPatch) -> None:
    path = finders.find("tracker/bitter.woff2")
    monkeypatch.setattr(fonts, "subset_font", lambda _: pytest.fail("cut again"))

    assert finders.find("tracker/bitter.woff2") == path


def test_a_damaged_cut_is_made_anew(settings: Settings, tmp_path: Path) -> None:
    settings.FONTS_HOME = tmp_path
    file = Path(finders.find("tracker/bitter.woff2") or "")
    whole = file.read_bytes()
    there = sorted(tmp_path.rglob("*"))

    for damaged in (b"", whole[:4096], bytes(len(whole)), None):
        file.unlink() if damaged is None else file.write_bytes(damaged)

        assert finders.find("tracker/bitter.woff2") == str(file)
        assert file.read_bytes() == whole
        assert sorted(tmp_path.rglob("*")) == there


def test_where_nothing_can_be_written_pages_do_without(settings: Settings, tmp_path: Path) -> None:
    (tmp_path / "full").touch()
    settings.FONTS_HOME = tmp_path / "full" / "fonts"

    assert finders.find("tracker/bitter.woff2") is None
    assert list(fonts.FontFinder().list([])) == []
