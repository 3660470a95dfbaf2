"""The base class of all django-tables2 tables: cells, markup, and values in exported files.

The markup is written here because django_tables2 computes attributes for every cell, which takes
three fifths of the time of a page of forty rows. Here the attributes of a column (``th`` of its
heading, ``td`` of its cells) are the same in all rows; those of a row may be functions of
``record``. ``LinkColumn`` and ``TemplateColumn`` are not supported.

On a narrow screen a row is folded (``.folds`` in kula.css): the place, the name and the figure of
class ``strong`` are one line, and every other cell is below that line with its heading as a label.
A cell of class ``plain`` has no label, one with ``data-after`` has that word after its number, one
of class ``rest`` is shown once the row is opened, an empty one (class ``nil``) is left out. Some
browsers hide such a table from screen readers unless its rows and cells have ``role`` attributes.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import datetime
from decimal import Decimal
from fractions import Fraction
from html import escape
from typing import Any, NamedTuple

import django_tables2 as tables
from django.conf import settings
from django.db.models import Model
from django.urls import reverse
from django.utils.formats import date_format, localize
from django.utils.html import conditional_escape, format_html
from django.utils.safestring import SafeString
from django.utils.timezone import localtime
from django.utils.translation import gettext, gettext_lazy as _
from django_tables2.columns.base import BoundColumn
from django_tables2.utils import signature

# The ``attrs`` of columns.
NUMBER = {"th": {"class": "num"}, "td": {"class": "num"}}
RANK = {"th": {"class": "num rank"}, "td": {"class": "num rank"}}  # the place in a standing
HIDDEN_ON_PHONE = {"td": {"class": "rest"}}  # until the row is opened
WRAP = {"td": {"class": "wrap"}}  # a text that may wrap
PLAIN = {"td": {"class": "plain"}}  # understood without its heading
STRONG = {"th": {"class": "num figure"}, "td": {"class": "num strong"}}  # the row's main figure
_ANY_KEY = 987654321  # ``links_to`` replaces it in a URL by the keys of rows
# A spreadsheet takes a text that begins with one of these for a formula.
_FORMULA_SIGNS = ("=", "+", "-", "@", "\t", "\r", "\n")
# The cell that opens a folded row.
_MORE = '<td role="cell" class="tap"><details><summary aria-label="%s"></summary></details></td>'


class Head(NamedTuple):
    """The heading of a column; ``next`` is the sort order that a click on it asks for, if any.

    ``sorted`` is the value of ``aria-sort``: how the table is sorted by this column, or "".
    """

    attributes: SafeString
    header: str
    sorted: str
    next: str | None


class FileColumn(tables.Column):  # type: ignore[misc]
    """A column of exported files only, where the page shows the same in another form."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(visible=False, **kwargs)


class ChangeColumn(tables.Column):  # type: ignore[misc]
    """Column that links to the page that changes a row; *page* is the name of its URL."""

    def __init__(self, page: str) -> None:
        fixed = {"orderable": False, "exclude_from_export": True, "attrs": PLAIN}
        # No value is empty, as the link is shown without one.
        super().__init__(verbose_name=_("Change"), empty_values=(), **fixed)
        self.page = page

    def render(self, record: Any) -> SafeString:
        return format_html(
            '<a href="{}" aria-label="{}">{}</a>',
            reverse(self.page, args=[record.pk]),
            gettext("Change %(name)s") % {"name": record.name},
            gettext("Change"),
        )


class ClubTable(tables.Table):  # type: ignore[misc]
    """A table with its own markup, and an export as a file.

    In a file, numbers stay numbers and times stay times; ``value_...`` of a column replaces what
    ``render_...`` shows. A text that a spreadsheet would take for a formula is escaped.
    """

    most_a_page = 100  # rows

    def as_is(self, value: object) -> object:
        """Return the value itself: after ``value_x = as_is`` files do not use ``render_x``."""
        return value

    @property
    def heads(self) -> Iterator[Head]:
        """Yield the column headings, for ``parts/table.html``."""
        for column in self.columns:
            order = column.order_by_alias if column.orderable else None
            direction = "descending" if order and order.is_descending else "ascending"
            attributes = column.column.attrs.get("th", {})
            # Cells with a ``scope`` are the headings of their rows, such as names.
            if "scope" in column.column.attrs.get("td", {}):
                attributes = {**attributes, "class": f"{attributes.get('class', '')} lead".lstrip()}
            yield Head(
                attributes=SafeString(_attributes(attributes)),
                header=column.header,
                sorted=direction if column.is_ordered else "",
                next=order.next if order else None,
            )

    @property
    def sorts(self) -> list[Head]:
        """Return the headings by which the table can be sorted."""
        return [head for head in self.heads if head.next]

    @property
    def body(self) -> SafeString:
        """Return the markup of the current page's rows, for ``parts/table.html``."""
        columns = [_ColumnMarkup(self, column) for column in self.columns]
        hides_cells = any("rest" in column.classes for column in columns)
        more = _MORE % gettext("More") if hides_cells else ""
        return SafeString(
            "".join(
                f'<tr role="row"{_attributes(self.row_attrs, record=record)}>'
                f"{''.join(column.cell_of(record) for column in columns)}{more}</tr>\n"
                for record in self.paginated_rows.data
            )
        )

    def as_values(
        self,
        exclude_columns: object = None,  # noqa: ARG002 - the library's signature
        convert: Callable[[object], object] | None = None,
    ) -> Iterator[list[object]]:
        """Yield the headings of a file, then its rows; *convert* (``in_file``) changes values."""
        convert = convert or in_file
        for row in self.file_rows():
            yield [convert(value) for value in row]

    def file_rows(self) -> Iterator[Iterable[object]]:
        """Yield the headings of a file, a column's ``file_header`` if it has one; then its rows."""
        columns = [
            column for column in self.columns.iterall() if not column.column.exclude_from_export
        ]
        yield [getattr(column.column, "file_header", column.header) for column in columns]
        for row in self.rows:
            yield [row.get_cell_value(column.name) for column in columns]


class _ColumnMarkup:
    """The tags around the cells of a column, written once for all rows."""

    def __init__(self, table: tables.Table, column: BoundColumn) -> None:
        self.accessor, self.render = column.accessor, column.render
        self.empty_values = column.column.empty_values
        self.arguments, _ = signature(column.render)  # their names
        if not {"value", "record"}.issuperset(self.arguments):
            raise TypeError(
                f"{type(table).__name__}.{column.name} takes more than value and record"
            )
        attributes = column.column.attrs.get("td", {})
        self.classes = attributes.get("class", "").split()
        tag, role = ("th", "rowheader") if "scope" in attributes else ("td", "cell")
        # A folded cell has its heading as a label, unless it is understood without.
        is_clear = tag == "th" or {"rank", "strong", "plain"}.intersection(self.classes)
        label = {} if is_clear or "data-after" in attributes else {"data-label": column.header}
        attributes_of_empty = {**attributes, "class": " ".join([*self.classes, "nil"])}
        self.opening = f'<{tag} role="{role}"{_attributes({**attributes, **label})}>'
        self.opening_empty = f'<{tag} role="{role}"{_attributes(attributes_of_empty)}>'
        self.closing = f"</{tag}>"
        self.default = shown(column.default)  # the text of an empty cell

    def cell_of(self, record: object) -> str:
        """Return the markup of the cell of this column in a record's row."""
        # A model's field with choices shows the name of the choice: Django has a method for that.
        get_display = None
        if isinstance(record, Model):
            owner, field_name = self.accessor.penultimate(record)
            get_display = getattr(owner, f"get_{field_name}_display", None)
        value = get_display() if get_display else self.accessor.resolve(record, quiet=True)
        # ``not value`` first: to compare a fraction with them takes longer than all the rest.
        if not value and value in self.empty_values:
            return f"{self.opening_empty}{self.default}{self.closing}"
        given = {"value": value, "record": record}
        text = shown(self.render(**{name: given[name] for name in self.arguments}))
        opening = self.opening_empty if text in {"", self.default} else self.opening
        return f"{opening}{text}{self.closing}"


def counted(after: object, *, hidden: bool = False) -> dict[str, dict[str, object]]:
    """Return the attributes of a number that a phone shows before the word *after*, as in “10 won”.

    If *hidden*, a phone shows it only once the row is opened.
    """
    return {
        "th": {"class": "num"},
        "td": {"class": "num rest" if hidden else "num", "data-after": after},
    }


def in_file(value: object) -> object:
    r"""Return a value as a cell of an exported file has it.

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
            # A spreadsheet has no time zones: it gets the club's local time.
            return localtime(value).replace(tzinfo=None, microsecond=0)
        case _:
            # An XLSX file cannot contain the other control characters.
            text = "".join(sign for sign in str(value) if sign >= " " or sign in "\t\r\n")
            return f"'{text}" if text.startswith(_FORMULA_SIGNS) else text


def in_json(value: object) -> object:
    """Return a value as an exported JSON file has it, which no spreadsheet takes for a formula.

    >>> in_json(Fraction(9, 2)), in_json("=1+1"), in_json(""), in_json(None)
    (4.5, '=1+1', None, None)
    """
    if isinstance(value, datetime):
        return localtime(value).isoformat(timespec="seconds")
    if isinstance(value, int | float | Decimal | Fraction):
        return in_file(value)
    return None if value is None else str(value) or None


def moment(value: datetime) -> str:
    """Return a date and time in the reader's format."""
    return str(date_format(localtime(value), "DATETIME_FORMAT"))


def day(value: datetime) -> str:
    """Return a date in the reader's format."""
    return str(date_format(localtime(value), "DATE_FORMAT"))


def linked(name: str, url_name: str, *keys: int) -> SafeString:
    """Return a name as a link to the page of the person or thing it names."""
    return format_html('<a href="{}">{}</a>', reverse(url_name, args=keys), name)


def links_to(url_name: str, *args: int, query: str = "") -> Callable[[str, int], SafeString]:
    """Return a function that makes a name and a key a link to the page of this URL name.

    The key comes after the other *args* of the URL, and *query* at its end. It is faster than
    ``linked``: ``reverse`` is called once, not for every row of a column.

    >>> links_to("player")("Asha & co", 7)
    '<a href="/players/7/">Asha &amp; co</a>'
    """
    before, after = reverse(url_name, args=[*args, _ANY_KEY]).split(str(_ANY_KEY))
    after += escape(query)

    def link(name: str, key: int) -> SafeString:
        return SafeString(f'<a href="{before}{key}{after}">{escape(name)}</a>')

    return link


def shown(value: Any) -> str:
    """Return what a template writes for ``{{ value }}``.

    >>> shown("<b>"), shown(SafeString("<b>")), shown(1000), shown(None)
    ('&lt;b&gt;', '<b>', '1000', 'None')
    """
    if isinstance(value, str):
        return value if isinstance(value, SafeString) else escape(value)
    if type(value) is int and not settings.USE_THOUSAND_SEPARATOR:
        return str(value)
    return conditional_escape(localize(value))


def _attributes(attributes: Mapping[str, Any], **given: object) -> str:
    """Return the attributes of a tag with a space before each; empty ones are left out.

    A value may be a function of what is *given*: the ``record``, for the tag of a row.
    """
    values = (
        (name, value(**given) if callable(value) else value) for name, value in attributes.items()
    )
    return "".join(f' {name}="{shown(value)}"' for name, value in values if value)
