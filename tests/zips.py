"""Zips of a few texts, as another program packs them."""

import io
import zipfile


def zipped(texts: dict[str, str], how: int = zipfile.ZIP_DEFLATED) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", how) as packed:
        for name, text in texts.items():
            packed.writestr(name, text)
    return file.getvalue()
