"""What the tables have in common: how cells look, and how they are taken away in a file."""

from collections.abc import Callable, Iterable, Iterator
from datetime import datetime
from decimal import Decimal
from fractions import Fraction
from html import escape
from typing import Any

import django_tables2 as tables
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.timezone import localtime

from tracker.common.table_markup import Head, heads_of, rows_of

NUMBER = {"th": {"class": "num"}, "td": {"class": "num"}}
RANK = {"th": {"class": "num rank"}, "td": {"class": "num rank"}}
HIDDEN_ON_PHONE = {"td": {"class": "rest"}}  # on a phone, shown once the row is opened
WRAP = {"td": {"class": "wrap"}}
PLAIN = {"td": {"class": "plain"}}  # a text that needs no heading to be understood
STRONG = {"th": {"class": "num figure"}, "td": {"class": "num strong"}}
_ANY_KEY = 987654321  # stands for a row's in an address
# What a spreadsheet takes for the beginning of a formula, or passes over before one.
_FORMULAS = ("=", "+", "-", "@", "\t", "\r", "\n")


def counted(after: object, *, hidden: bool = False) -> dict[str, dict[str, object]]:
    """Return the attributes of a figure that on a phone stands before a word, as in “10 won”.

    If *hidden*, it is shown there once the row is opened.
    """
    return {
        "th": {"class": "num"},
        "td": {"class": "num rest" if hidden else "num", "data-after": after},
    }


class FileColumn(tables.Column):  # type: ignore[misc]
    """A column that is only in the file, where the page tells the same in other words."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(visible=False, **kwargs)


class ClubTable(tables.Table):  # type: ignore[misc]
    """A table that can be taken away in a file.

    There numbers stay numbers and moments moments; what ``value_...`` of a column
    gives stands for what ``render_...`` shows. No text is left that a spreadsheet
    would take for a formula.
    """

    most_a_page = 100  # for more there is the file

    def as_is(self, value: object) -> object:
        """Return the value itself: as ``value_...`` of a column, it goes into the file unrendered."""
        return value

    @property
    def heads(self) -> Iterator[Head]:
        """Yield the column headings, for ``parts/table.html``."""
        return heads_of(self)

    @property
    def sorts(self) -> list[Head]:
        """Return the headings by which the table can be sorted."""
        return [head for head in heads_of(self) if head.next]

    @property
    def body(self) -> SafeString:
        """Return the rows of the page that is shown, for ``parts/table.html``."""
        return rows_of(self)

    def as_values(
        self,
        exclude_columns: object = None,  # noqa: ARG002 - the library's signature
        written: Callable[[object], object] | None = None,
    ) -> Iterator[list[object]]:
        """Yield heads and rows, with values as programs read them, or as *written* has them."""
        written = written or in_file
        for row in self.file_rows():
            yield [written(value) for value in row]

    def file_rows(self) -> Iterator[Iterable[object]]:
        """Yield the heads of a file, then its rows."""
        columns = [
            column for column in self.columns.iterall() if not column.column.exclude_from_export
        ]
        yield [getattr(each.column, "file_header", each.header) for each in columns]
        for row in self.rows:
            yield [row.get_cell_value(column.name) for column in columns]


def in_file(value: object) -> object:
    r"""Return what a cell of a file holds for this value.

    >>> in_file(Fraction(4)), in_file(Fraction(9, 2)), in_file("Asha"), in_file(None)
    (4, 4.5, 'Asha', '')
    >>> in_file("=1+1"), in_file("@SUM(A1)"), in_file("\tx"), in_file(-3)
    ("'=1+1", "'@SUM(A1)", "'\tx", -3)
    """
    match value:
        case None:
            return ""
        case int() | float():
            return value
        case Decimal():
            return float(value)
        case Fraction():
            return int(value) if value.denominator == 1 else round(float(value), 4)
        case datetime():
            # A spreadsheet knows no time zones: the club's own, without saying so.
            return localtime(value).replace(tzinfo=None, microsecond=0)
        case _:
            # A workbook cannot hold the other control characters at all.
            seen = "".join(sign for sign in str(value) if sign >= " " or sign in "\t\r\n")
            return f"'{seen}" if seen.startswith(_FORMULAS) else seen


def moment(value: datetime) -> str:
    """Return a day and a time of day, as the reader writes them."""
    return str(date_format(localtime(value), "DATETIME_FORMAT"))


def day(value: datetime) -> str:
    """Return a day, as the reader writes it."""
    return str(date_format(localtime(value), "DATE_FORMAT"))


def linked(name: str, address: str, *of: int) -> SafeString:
    """Return a name as a link to the page of the person or thing it names."""
    return format_html('<a href="{}">{}</a>', reverse(address, args=of), name)


def links_to(address: str) -> Callable[[str, int], SafeString]:
    """Return ``linked`` for all names of a column: ``reverse`` is asked once, not for every row.

    >>> links_to("player")("Asha & co", 7)
    '<a href="/players/7/">Asha &amp; co</a>'
    """
    before, after = reverse(address, args=[_ANY_KEY]).split(str(_ANY_KEY))

    def link(name: str, key: int) -> SafeString:
        return SafeString(f'<a href="{before}{key}{after}">{escape(name)}</a>')

    return link
