"""The markup of a table: ``django_tables2`` has its columns, and a column's tags are written once.

Its own rows and a template would ask for them in every cell, which is three fifths of a page of
forty rows.

Attributes are those a column is given for ``th`` and ``td``, the same in all rows; a row's own
may be functions of ``record``. No column of ours is a link or a template of the library's.

On a narrow screen a row is folded (``.folds`` in kula.css): whom it is about, its place and its
strong figure in one line, and below it every other cell with its heading as a label, but for those
whose class is ``plain``, which speak for themselves, and those with ``data-after``, a word to stand
after the figure. Those of class ``rest`` are shown once the row is opened. A cell with nothing in it
is left out there.
Laid out so, rows and cells are no table to some browsers any more, and say by their role what they are.
"""

from collections.abc import Iterator, Mapping
from html import escape
from typing import Any, NamedTuple

import django_tables2 as tables
from django.conf import settings
from django.db.models import Model
from django.utils.formats import localize
from django.utils.html import conditional_escape
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django_tables2.columns.base import BoundColumn
from django_tables2.utils import signature

_MORE = '<td role="cell" class="tap"><details><summary aria-label="%s"></summary></details></td>'


class Head(NamedTuple):
    """The heading of a column; ``next`` is the order that a click on it asks for, if any."""

    attributes: SafeString
    header: str
    sorted: str  # as ``aria-sort`` says it
    next: str | None


def heads_of(table: tables.Table) -> Iterator[Head]:
    """Yield the heading of each column."""
    for column in table.columns:
        order = column.order_by_alias if column.orderable else None
        way = "descending" if order and order.is_descending else "ascending"
        attributes = column.column.attrs.get("th", {})
        if "scope" in column.column.attrs.get("td", {}):
            attributes = {**attributes, "class": f"{attributes.get('class', '')} lead".lstrip()}
        yield Head(
            attributes=SafeString(_in_tag(attributes)),
            header=column.header,
            sorted=way if column.is_ordered else "",
            next=order.next if order else None,
        )


def rows_of(table: tables.Table) -> SafeString:
    """Return the rows of the page that is shown, as ``django_tables2`` would fill their cells."""
    columns = [_ColumnMarkup(table, column) for column in table.columns]
    folded = any("rest" in column.classes for column in columns)
    more = _MORE % gettext("More") if folded else ""
    return SafeString(
        "".join(
            f'<tr role="row"{_in_tag(table.row_attrs, record=record)}>'
            f"{''.join(column.cell_of(record) for column in columns)}{more}</tr>\n"
            for record in table.paginated_rows.data
        )
    )


class _ColumnMarkup:
    """A column with its tags, ready to write its cell of any row."""

    def __init__(self, table: tables.Table, column: BoundColumn) -> None:
        self.accessor, self.render = column.accessor, column.render
        self.empty = column.column.empty_values
        self.asked, _ = signature(column.render)
        if not {"value", "record"}.issuperset(self.asked):
            raise TypeError(
                f"{type(table).__name__}.{column.name} asks for more than value and record"
            )
        attributes = column.column.attrs.get("td", {})
        self.classes = attributes.get("class", "").split()
        tag, role = ("th", "rowheader") if "scope" in attributes else ("td", "cell")
        # What a folded cell needs before it, unless it speaks for itself.
        speaks = tag == "th" or {"rank", "strong", "plain"}.intersection(self.classes)
        label = {} if speaks or "data-after" in attributes else {"data-label": column.header}
        empty = {**attributes, "class": " ".join([*self.classes, "nil"])}
        self.opening = f'<{tag} role="{role}"{_in_tag({**attributes, **label})}>'
        self.opening_empty = f'<{tag} role="{role}"{_in_tag(empty)}>'
        self.closing = f"</{tag}>"
        self.default = shown(column.default)

    def cell_of(self, record: object) -> str:
        in_words = None
        if isinstance(record, Model):
            of, name = self.accessor.penultimate(record)
            in_words = getattr(of, f"get_{name}_display", None)  # a choice is shown in words
        value = in_words() if in_words else self.accessor.resolve(record, quiet=True)
        # What is true is not empty, and to compare fractions takes longer than the rest of a cell.
        if not value and value in self.empty:
            return f"{self.opening_empty}{self.default}{self.closing}"
        given = {"value": value, "record": record}
        text = shown(self.render(**{name: given[name] for name in self.asked}))
        opening = self.opening_empty if text in {"", self.default} else self.opening
        return f"{opening}{text}{self.closing}"


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


def _in_tag(attributes: Mapping[str, Any], **record: object) -> str:
    """Return attributes with a space before each; those that are empty are left out.

    A function among them is asked about the record.
    """
    values = (
        (name, value(**record) if callable(value) else value) for name, value in attributes.items()
    )
    return "".join(f' {name}="{shown(value)}"' for name, value in values if value)
