"""What a spreadsheet's own file holds, as text."""

import io
import zipfile

from openpyxl import load_workbook

from tracker.people.logic.listing import written

_MOST_UNPACKED = 40_000_000
_MOST_COLUMNS = 50
_BROKEN = (zipfile.BadZipFile, KeyError, IndexError, OSError, SyntaxError, TypeError)


def is_workbook(content: bytes) -> bool:
    """Say whether a file is a packed one, as those of spreadsheets are."""
    return content.startswith(b"PK")


def text_of_workbook(content: bytes, *, most: int) -> str:
    """Return the first sheet of an XLSX file with tabs between, its first *most* rows.

    :raises ValueError: if it is no such file, or too large once it is unpacked.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as packed:
            if sum(part.file_size for part in packed.infolist()) > _MOST_UNPACKED:
                raise ValueError("too large")
        book = load_workbook(io.BytesIO(content), read_only=True, data_only=True)
        sheet = book.worksheets[0]
        return written(sheet.iter_rows(max_row=most, max_col=_MOST_COLUMNS, values_only=True))
    except _BROKEN as error:
        raise ValueError("no workbook") from error
