"""Uploaded files, read as text and as lines: CSV of any spreadsheet, or XLSX."""

import csv
import io
import zipfile
from collections.abc import Iterator
from contextlib import suppress

from openpyxl import load_workbook

from tracker.common.names import tidy

_MOST_UNPACKED = 40_000_000
_MOST_COLUMNS = 50
# A cell may be as long as a whole file: how large that is says each form, and how long a name is.
csv.field_size_limit(_MOST_UNPACKED)


def text_in(content: bytes, *, most_bytes: int, most_lines: int) -> str:
    """Return what a file says; of a workbook its first sheet, with tabs between the cells.

    Of a workbook only a little more than *most_lines* are read.

    :raises ValueError: if it is neither CSV nor XLSX, or too large.
    """
    if len(content) > most_bytes:
        raise ValueError("too large")
    if content.startswith(b"PK"):  # packed, as the files of spreadsheets are
        return _first_sheet(content, most_lines + 2)
    # The last is what a spreadsheet writes on an old Windows.
    encodings = ["utf-8-sig", "cp1252"]
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        encodings.insert(0, "utf-16")
    for encoding in encodings:
        with suppress(UnicodeDecodeError):
            text = content.decode(encoding)
            if "\0" not in text:
                return text
    raise ValueError("no text")


def lines_of(text: str) -> Iterator[tuple[int, list[str]]]:
    r"""Yield the lines that say anything, with their numbers as an editor counts them.

    >>> list(lines_of("Name;Home club\nAsha;\n\nJuma;Ilala"))
    [(1, ['Name', 'Home club']), (2, ['Asha', '']), (4, ['Juma', 'Ilala'])]
    """
    # An old Mac ends its lines with a lone return, at which ``csv`` stumbles.
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    before, line = 0, 0
    if text[:4].casefold() == "sep=":  # how Excel says what stands between
        before, text = 1, text.partition("\n")[2]
    first = next((line for line in text.splitlines() if line.strip()), "")
    delimiter = max(",;\t", key=first.count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    for cells in reader:
        if any(cell.strip() for cell in cells):
            yield before + line + 1, cells
        line = reader.line_num


def _first_sheet(content: bytes, most_rows: int) -> str:
    # Without these limits a small file could say that it has a million rows of thousands of
    # columns; that is why no library reads it whole.
    try:
        _check_unpacked(content)
        sheet = load_workbook(io.BytesIO(content), read_only=True, data_only=True).worksheets[0]
        values = sheet.iter_rows(max_row=most_rows, max_col=_MOST_COLUMNS, values_only=True)
        rows = [[_as_text(value) for value in row] for row in values]
    except Exception as error:
        # A damaged, locked or oddly packed file makes its readers raise whatever they stumble
        # over: errors of zip, zlib and XML, and those of a program that meets what cannot be.
        raise ValueError("no workbook") from error
    width = max((at for row in rows for at, cell in enumerate(row, start=1) if cell), default=0)
    text = io.StringIO()
    csv.writer(text, delimiter="\t", lineterminator="\n").writerows(row[:width] for row in rows)
    return text.getvalue()


def _check_unpacked(content: bytes) -> None:
    """Make sure that what is packed is not far larger than it looks.

    :raises ValueError: if it is.
    """
    with zipfile.ZipFile(io.BytesIO(content)) as packed:
        if sum(part.file_size for part in packed.infolist()) > _MOST_UNPACKED:
            raise ValueError("too large")


def _as_text(value: object) -> str:
    # Some spreadsheets keep every number as a fraction.
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return "" if value is None else tidy(str(value))
