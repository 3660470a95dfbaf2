"""Files that people hand in: read as text within limits, and line by line."""

import io

import pytest
from openpyxl import Workbook

from tracker.common.uploads import lines_of, text_in


def workbook(**cells: object) -> bytes:
    """Return an XLSX file whose first sheet has these cells, as ``A1=...``."""
    book, file = Workbook(), io.BytesIO()
    sheet = book.active
    assert sheet is not None
    for cell, value in cells.items():
        sheet[cell] = value
    book.create_sheet("Another")
    book.save(file)
    return file.getvalue()


def read(content: bytes) -> str:
    return text_in(content, most_bytes=100_000, most_lines=3)


def test_a_workbook_is_read_as_it_is_seen() -> None:
    content = workbook(A1="Round", B1="  Eaten\u00a0A ", A2=1.0, B2=70.5, B3="Asha")

    assert read(content) == "Round\tEaten A\n1\t70.5\n\tAsha\n"


def test_a_small_workbook_cannot_say_that_it_is_a_huge_one() -> None:
    content = workbook(A1="Name", A2="Asha", XFD1048576="far away")

    assert read(content) == 'Name\nAsha\n""\n""\n""\n'


@pytest.mark.parametrize("content", [b"x" * 100_001, b"PK", b"a\0b", b"\x81"], ids=repr)
def test_what_is_no_text_or_too_much_of_it_is_refused(content: bytes) -> None:
    with pytest.raises(ValueError, match=r"too large|no workbook|no text"):
        read(content)


@pytest.mark.parametrize("between", [",", ";", "\t"])
def test_lines_are_numbered_as_an_editor_counts_them(between: str) -> None:
    rows = [["Name", "Note"], ["Asha", '"two\nlines"'], [], ["Juma", ""]]
    text = "\n".join(between.join(row) for row in rows)
    lines = [(2, ["Name", "Note"]), (3, ["Asha", "two\nlines"]), (6, ["Juma", ""])]

    assert list(lines_of(f"\ufeffsep={between}\n{text}")) == lines
    assert list(lines_of(text)) == [(number - 1, cells) for number, cells in lines]
