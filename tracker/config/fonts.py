"""Subsets of the site's typeface, made when Django first lists or finds them, as at a start.

Bitter (SIL Open Font License) comes as a package with a variable font of 900 glyphs. Most pages
need one weight and a tenth of the glyphs: 8 kB, and 11 kB more for letters beyond A to Z.
"""

import hashlib
from collections.abc import Iterable, Iterator
from importlib.metadata import version
from pathlib import Path
from typing import Any

import fontpkg
from django.conf import settings
from django.contrib.staticfiles.finders import BaseFinder
from django.core.files.storage import FileSystemStorage

from tracker.common.files import write_whole

FAMILY, WEIGHT = "Bitter", 650  # between semibold and bold
_FEATURES = ["kern", "tnum"]  # kerning, and figures of equal width for columns
# The entries that are kept of the font's name table: its names, version and licence.
_NAME_IDS = [0, 1, 2, 3, 4, 5, 6, 13, 14]
# ASCII that is in no heading or figure, but perhaps in a name; so it is in the second file.
_RARE = [*map(ord, '"#$*<>@[\\]^_`{|}~')]
_PLAIN = [*sorted({*range(0x20, 0x7F)} - {*_RARE}), *map(ord, "\u00a0·½×–—‘’“”…−")]
# The code points in each file; the second has letters of European languages. ``unicode-range`` in
# kula.css has the same, so that browsers fetch the second file only for a page that needs it.
SUBSETS: dict[str, Iterable[int]] = {
    "bitter.woff2": _PLAIN,
    "bitter-more.woff2": [*_RARE, *(code for code in range(0xA1, 0x180) if code not in _PLAIN)],
}


class FontFinder(BaseFinder):
    """Finds the subsets as ``tracker/<name>``, beside the site's other static files."""

    def find(self, path: str, find_all: bool = False, **_older_names: Any) -> Any:
        is_subset = path in {f"tracker/{name}" for name in SUBSETS}
        if not is_subset or (home := _subsets_folder()) is None:
            return []
        return [str(home / path)] if find_all else str(home / path)

    def list(self, _ignore: Iterable[str] | None) -> Iterator[tuple[str, FileSystemStorage]]:
        if home := _subsets_folder():
            storage = FileSystemStorage(location=home)
            for name in SUBSETS:
                yield f"tracker/{name}", storage


def _subsets_folder() -> Path | None:
    """Return the folder of the subsets, which are made first if they are missing or damaged.

    Return ``None`` if they cannot be written: the site runs all the same, with a system font.
    """
    # A folder for each version of this module and the packages, so that its files never change.
    digest = hashlib.sha256(Path(__file__).read_bytes())
    digest.update(f"{version('fontpkg-bitter')} {version('fonttools')}".encode())
    folder = settings.FONTS_HOME / digest.hexdigest()[:16]
    try:
        for name, code_points in SUBSETS.items():
            file = folder / "tracker" / name
            checksum = file.with_name(f"{name}.sha256")
            stored = file.read_bytes() if file.exists() and checksum.exists() else b""
            if not stored or checksum.read_bytes() != hashlib.sha256(stored).hexdigest().encode():
                content = subset_font(code_points)
                file.parent.mkdir(parents=True, exist_ok=True)
                write_whole(file, content)
                write_whole(checksum, hashlib.sha256(content).hexdigest().encode())
    except OSError:
        return None
    return folder


def subset_font(code_points: Iterable[int]) -> bytes:
    """Return the font as WOFF2, in one weight and with these code points only."""
    # Imported here: it takes half a second, needed only at the first start of a version.
    from io import BytesIO

    from fontTools import subset
    from fontTools.ttLib import TTFont
    from fontTools.varLib import instancer

    options = subset.Options(layout_features=_FEATURES, hinting=False, name_IDs=_NAME_IDS)
    subsetter = subset.Subsetter(options)
    subsetter.populate(unicodes=list(code_points))
    font = TTFont(fontpkg.path(FAMILY), recalcTimestamp=False)
    subsetter.subset(font)
    font = instancer.instantiateVariableFont(font, {"wght": WEIGHT})
    font.flavor = "woff2"
    file = BytesIO()
    font.save(file)
    return file.getvalue()
