"""Reading uploaded CSV or XLSX files as text, and text as lines of cells."""

import csv
import io
import zipfile
from collections.abc import Iterator
from contextlib import suppress

from openpyxl import load_workbook

from tracker.common.names import tidy

_MOST_UNPACKED = 40_000_000  # bytes
_MOST_COLUMNS = 50
# A cell may be as long as a file; forms limit the size of files and the length of names.
csv.field_size_limit(_MOST_UNPACKED)


def text_in(content: bytes, *, most_bytes: int, most_lines: int) -> str:
    """Return the text of a file; of a workbook its first sheet, with tabs between the cells.

    The caller counts the lines and refuses too many. A workbook is read only as far as that needs:
    its headings, *most_lines* and one more.

    :raises ValueError: if the file is neither CSV nor XLSX, or too large: a caller says only that.
    """
    if len(content) > most_bytes:
        raise ValueError("too large")
    if content.startswith(b"PK"):  # a zip, as XLSX files are
        return _first_sheet(content, most_lines + 2)
    # Spreadsheets on old Windows systems write cp1252.
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
    r"""Yield the cells of lines that are not empty, with line numbers as in an editor.

    A cell may contain line breaks; then the number is that of its first line.

    >>> list(lines_of("Name;Home club\nAsha;\n\nJuma;Ilala"))
    [(1, ['Name', 'Home club']), (2, ['Asha', '']), (4, ['Juma', 'Ilala'])]
    """
    # Old Macs end lines with a lone return, which ``csv`` does not accept.
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    lines_before_cells = 0
    # The line in which Excel names the delimiter is dropped: counting finds the delimiter too.
    if text[:4].casefold() == "sep=":
        lines_before_cells, text = 1, text.partition("\n")[2]
    headings = next((line for line in text.splitlines() if line.strip()), "")
    delimiter = max(",;\t", key=headings.count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    first_line_of_row = lines_before_cells + 1
    for cells in reader:
        if any(cell.strip() for cell in cells):
            yield first_line_of_row, cells
        first_line_of_row = lines_before_cells + reader.line_num + 1


def _first_sheet(content: bytes, most_rows: int) -> str:
    # Trap: without these limits a small file could declare a million rows of thousands of columns.
    try:
        _check_unpacked(content)
        sheet = load_workbook(io.BytesIO(content), read_only=True, data_only=True).worksheets[0]
        values = sheet.iter_rows(max_row=most_rows, max_col=_MOST_COLUMNS, values_only=True)
        rows = [[_as_text(value) for value in row] for row in values]
    except Exception as error:
        # A damaged or encrypted file makes the library raise errors of zip, zlib and XML, and bugs.
        raise ValueError("no workbook") from error
    # The last column in which a cell is filled.
    width = max((at for row in rows for at, cell in enumerate(row, start=1) if cell), default=0)
    text = io.StringIO()
    csv.writer(text, delimiter="\t", lineterminator="\n").writerows(row[:width] for row in rows)
    return text.getvalue()


def _check_unpacked(content: bytes) -> None:
    with zipfile.ZipFile(io.BytesIO(content)) as packed:
        if sum(part.file_size for part in packed.infolist()) > _MOST_UNPACKED:
            raise ValueError("too large")


def _as_text(value: object) -> str:
    # Some spreadsheets store whole numbers as floats.
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return "" if value is None else tidy(str(value))
