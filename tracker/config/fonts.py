"""The site's own typeface: what its pages use of it, cut out when static files are gathered.

Bitter (SIL Open Font License) comes as a package, variable and with some nine hundred signs. A page
of names and figures needs one weight, and a tenth of the signs: 8 kB, and 11 more where a name asks for letters beyond A to Z.
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

FAMILY, WEIGHT = "Bitter", 650
_FEATURES = ["kern", "tnum"]
# Signs of ASCII that no heading and no figure has, but perhaps a name.
_RARE = [*map(ord, '"#$*<>@[\\]^_`{|}~')]
_PLAIN = [*sorted({*range(0x20, 0x7F)} - {*_RARE}), *map(ord, "\u00a0·½×–—‘’“”…−")]
# By name of the file; ``unicode-range`` in kula.css says the same to browsers, which fetch the
# second only where a page needs a letter of it.
CUTS: dict[str, Iterable[int]] = {
    "bitter.woff2": _PLAIN,
    "bitter-more.woff2": [*_RARE, *(code for code in range(0xA1, 0x180) if code not in _PLAIN)],
}


class FontFinder(BaseFinder):
    """Finds the cuts of the typeface as if they lay in ``tracker/`` among the other static files."""

    def find(self, path: str, find_all: bool = False, **_: Any) -> Any:
        folder, slash, name = path.rpartition("/")
        if f"{folder}{slash}" != "tracker/" or name not in CUTS or (home := _cuts()) is None:
            return []
        found = str(home / "tracker" / name)
        return [found] if find_all else found

    def list(self, _: Iterable[str] | None) -> Iterator[tuple[str, FileSystemStorage]]:
        if home := _cuts():
            storage = FileSystemStorage(location=home)
            for name in CUTS:
                yield f"tracker/{name}", storage


def _cuts() -> Path | None:
    """Return the folder of the cuts, which are made first if this version has not made them yet.

    ``None`` where they are missing and cannot be written: pages are then set in a face of the
    machine that shows them.
    """
    digest = hashlib.sha256(Path(__file__).read_bytes())
    digest.update(f"{version('fontpkg-bitter')} {version('fonttools')}".encode())
    folder = settings.FONTS_HOME / digest.hexdigest()[:16]
    try:
        for name, signs in CUTS.items():
            if not _is_whole(file := folder / "tracker" / name):
                file.parent.mkdir(parents=True, exist_ok=True)
                content = cut(signs)
                write_whole(file, content)
                write_whole(_sum_of(file), hashlib.sha256(content).hexdigest().encode())
    except OSError:
        return None
    return folder


def _sum_of(file: Path) -> Path:
    return file.with_name(f"{file.name}.sha256")


def _is_whole(file: Path) -> bool:
    """Say whether a cut is as it was written, whatever became of the disk since."""
    try:
        noted = _sum_of(file).read_bytes()
        return noted == hashlib.sha256(file.read_bytes()).hexdigest().encode()
    except FileNotFoundError:
        return False


def cut(signs: Iterable[int]) -> bytes:
    """Return the typeface in one weight and with these code points only, as WOFF2."""
    # Half a second that only a start with a new version spends.
    from io import BytesIO

    from fontTools import subset
    from fontTools.ttLib import TTFont
    from fontTools.varLib import instancer

    options = subset.Options(
        layout_features=_FEATURES, hinting=False, name_IDs=[0, 1, 2, 3, 4, 5, 6, 13, 14]
    )
    subsetter = subset.Subsetter(options)
    subsetter.populate(unicodes=list(signs))
    font = TTFont(fontpkg.path(FAMILY), recalcTimestamp=False)
    subsetter.subset(font)
    font = instancer.instantiateVariableFont(font, {"wght": WEIGHT})
    font.flavor = "woff2"
    written = BytesIO()
    font.save(written)
    return written.getvalue()
