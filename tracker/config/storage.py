"""How the files that pages need are collected: as small as they can be, and named by what is in them."""

import re
from pathlib import Path
from typing import Any

import rjsmin
from django.conf import settings
from django.contrib.staticfiles.apps import StaticFilesConfig
from django.core.files.base import ContentFile
from django.core.files.storage import FileSystemStorage
from whitenoise.storage import CompressedManifestStaticFilesStorage

# A string or an address, which stay; a comment; a sign that needs no blanks around it; blanks.
_PART_OF_CSS = re.compile(
    r"""("[^"]*"|'[^']*'|url\([^)]*\))|/\*.*?\*/\s*|\s*([{};,])\s*|\s+""", re.DOTALL
)


class CollectedFiles(StaticFilesConfig):
    # htmx's extensions import it by a bare name, which no file answers to; none is used here.
    ignore_patterns = [*StaticFilesConfig.ignore_patterns, "django_htmx/ext/*"]


def squeezed(css: str) -> str:
    """Return a stylesheet without comments and without blanks that say nothing.

    Not rcssmin: inside two at-rules it takes a descendant, ``.a :is(b)``, for a declaration.

    >>> squeezed('/* why */ @layer a { @media print { .a :is(b, c) { content: "x;  y" / ""; } } }')
    '@layer a{@media print{.a :is(b,c){content: "x;  y" / "";}}}'
    """
    return _PART_OF_CSS.sub(_kept, css).strip()


def _kept(part: re.Match[str]) -> str:
    if part[1] or part[2]:
        return part[1] or part[2]
    return "" if part[0].startswith("/*") else " "


_SMALLER = {".css": squeezed, ".js": rjsmin.jsmin}


class HashedFiles(CompressedManifestStaticFilesStorage):  # type: ignore[misc]
    # Without this, ``import "./pad.js"`` would go on naming the file without its hash.
    support_js_module_import_aggregation = True

    def __init__(self, location: str | None = None, base_url: str | None = None) -> None:
        # The manifest lies beside the files: whatever lies among them is served to anybody.
        beside = FileSystemStorage(Path(location or settings.STATIC_ROOT).parent)
        super().__init__(location, base_url, manifest_storage=beside)

    def _save(self, name: str, content: Any) -> str:
        """Keep a file, of those that browsers read without what only their writers do."""
        if smaller := _SMALLER.get(name[name.rfind(".") :]):
            content.seek(0)
            text = content.read()
            text = text.decode() if isinstance(text, bytes) else text
            content = ContentFile(smaller(text).encode())
        saved: str = super()._save(name, content)
        return saved
