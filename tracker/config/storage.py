"""How the files that pages need are collected: as small as they can be, and named by what is in them."""

from typing import Any

import rcssmin
import rjsmin
from django.contrib.staticfiles.apps import StaticFilesConfig
from django.core.files.base import ContentFile
from whitenoise.storage import CompressedManifestStaticFilesStorage

# Without comments and blanks a stylesheet is an eighth lighter on the wire, packed though it is.
_SMALLER = {".css": rcssmin.cssmin, ".js": rjsmin.jsmin}


class CollectedFiles(StaticFilesConfig):
    # htmx's extensions import it by a bare name, which no file answers to; none is used here.
    ignore_patterns = [*StaticFilesConfig.ignore_patterns, "django_htmx/ext/*"]


class HashedFiles(CompressedManifestStaticFilesStorage):  # type: ignore[misc]
    # Without this, ``import "./pad.js"`` would go on naming the file without its hash.
    support_js_module_import_aggregation = True

    def _save(self, name: str, content: Any) -> str:
        kind = name[name.rfind(".") :]
        if smaller := _SMALLER.get(kind):
            content.seek(0)
            text = content.read()
            text = text.decode() if isinstance(text, bytes) else text
            content = ContentFile(smaller(text).encode())
        saved: str = super()._save(name, content)
        return saved
