"""Files that people hand in: read as text within limits, and line by line."""

import io
import warnings
import zipfile
from contextlib import suppress
from random import Random

import pytest
from openpyxl import Workbook

from tests.drilled import FULL
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


def test_the_line_ends_of_an_old_mac_are_line_ends() -> None:
    text = 'Name,Note\rAsha,"two\rlines"\r\rJuma,\r'

    assert list(lines_of(text)) == [
        (1, ["Name", "Note"]),
        (2, ["Asha", "two\nlines"]),
        (5, ["Juma", ""]),
    ]


def test_a_cell_may_be_longer_than_any_name() -> None:
    long = "x" * 200_000

    assert list(lines_of(f"Name,Note\n{long},"))[1] == (2, [long, ""])


# What befalls a workbook on its way -----------------------------------------------------------


def packed_otherwise(how: int) -> bytes:
    """Return a workbook packed in a way that spreadsheets do not use."""
    file = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(workbook(A1="Name"))) as usual,
        zipfile.ZipFile(file, "w", how) as packed,
    ):
        for name in usual.namelist():
            packed.writestr(name, usual.read(name))
    return file.getvalue()


def locked() -> bytes:
    """Return a workbook whose parts all say that a password keeps them."""
    content = bytearray(workbook(A1="Name"))
    for mark, flags in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        at = content.find(mark)
        while at >= 0:
            content[at + flags] |= 1
            at = content.find(mark, at + 1)
    return bytes(content)


def packed_as(method: int) -> bytes:
    """Return a workbook that says it is packed in some way that nobody here knows."""
    content = bytearray(workbook(A1="Name"))
    for mark, place in ((b"PK\x03\x04", 8), (b"PK\x01\x02", 10)):
        at = content.find(mark)
        while at >= 0:
            content[at + place] = method
            at = content.find(mark, at + 1)
    return bytes(content)


@pytest.mark.parametrize("content", [locked(), packed_as(9), packed_as(99)], ids=["lock", "9", "?"])
def test_a_workbook_that_cannot_be_unpacked_is_refused(content: bytes) -> None:
    with pytest.raises(ValueError, match="no workbook"):
        read(content)


@pytest.mark.parametrize("how", [zipfile.ZIP_STORED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_a_workbook_packed_otherwise_is_read(how: int) -> None:
    assert read(packed_otherwise(how)) == "Name\n"


def test_a_damaged_workbook_is_read_or_refused() -> None:
    rng, whole = Random(7), workbook(A1="Name", A2="Asha", B2=3)
    for _ in range(500 if FULL else 200):
        damaged = bytearray(whole)
        for _ in range(rng.choice((1, 1, 3, 20))):
            damaged[rng.randrange(2, len(whole))] = rng.randrange(256)
        cut = rng.choice((len(whole), rng.randrange(2, len(whole))))
        with warnings.catch_warnings(), suppress(ValueError):
            warnings.simplefilter("ignore")
            assert isinstance(read(bytes(damaged[:cut])), str)
