"""The markup of a table: what all its rows share is worked out once a column.

``django_tables2`` asks for every cell anew what its column looks like and what its ``render_...``
wants to be told, and a template walks over a dozen nodes to write it: three fifths of a page
of forty rows. Here columns and rows are the library's still, and only the writing is ours.

Attributes are those a column is given for ``th`` and ``td``, the same in all rows; a row's own
may be functions of ``record``. No column of ours is a link or a template of the library's.

On a narrow screen a row is folded (``.folds`` in kula.css): whom it is about, its place and its
strong figure in one line, and below it every other cell with its heading as a label, but for those
whose class is ``plain``, which speak for themselves, and those with ``data-after``, a word to stand
after the figure. Those of class ``rest`` are shown once the row is opened. A cell with nothing in it
is left out there.
Laid out so, rows and cells are no table to some browsers any more, and say by their role what they are.
"""

from collections.abc import Callable, Collection, Iterator, Mapping
from html import escape
from typing import Any, NamedTuple, TypeAlias

import django_tables2 as tables
from django.conf import settings
from django.db.models import Model
from django.utils.formats import localize
from django.utils.html import conditional_escape
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django_tables2.columns.base import BoundColumn, Column
from django_tables2.utils import Accessor, signature

_MORE = '<td role="cell" class="tap"><details><summary aria-label="%s"></summary></details></td>'
Render: TypeAlias = Callable[[Any, Any], object]  # of a record and the column's value in it


class Head(NamedTuple):
    """The heading of a column; ``next`` is the order that a click on it asks for, if any."""

    attributes: SafeString
    header: str
    sorted: str  # as ``aria-sort`` says it
    next: str | None


class _Cell(NamedTuple):
    """A column, ready to write its cell of any row."""

    opening: str
    opening_empty: str
    closing: str
    value: Callable[[Any], object]
    is_empty: Callable[[object], bool]
    default: str
    render: Render


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
    cells = [_cell(table, column) for column in table.columns]
    folded = any("rest" in _classes(column) for column in table.columns)
    more = _MORE % gettext("More") if folded else ""
    return SafeString(
        "".join(
            f'<tr role="row"{_in_tag(table.row_attrs, record=record)}>'
            f"{''.join(_written(cells, record))}{more}</tr>\n"
            for record in table.paginated_rows.data
        )
    )


def _written(cells: list[_Cell], record: object) -> Iterator[str]:
    for opening, opening_empty, closing, value_of, is_empty, default, render in cells:
        value = value_of(record)
        if is_empty(value):
            yield f"{opening_empty}{default}{closing}"
        else:
            text = shown(render(record, value))
            yield f"{opening if text else opening_empty}{text}{closing}"


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


def _cell(table: tables.Table, column: BoundColumn) -> _Cell:
    attributes = column.column.attrs.get("td", {})
    tag, role = ("th", "rowheader") if "scope" in attributes else ("td", "cell")
    classes = _classes(column)
    # What a folded cell needs before it, unless it speaks for itself.
    speaks = tag == "th" or {"rank", "strong", "plain"}.intersection(classes)
    label = {} if speaks or "data-after" in attributes else {"data-label": column.header}
    empty = {**attributes, "class": " ".join([*classes, "nil"])}
    return _Cell(
        opening=f'<{tag} role="{role}"{_in_tag(attributes)}{_in_tag(label)}>',
        opening_empty=f'<{tag} role="{role}"{_in_tag(empty)}>',
        closing=f"</{tag}>",
        value=_value(column),
        is_empty=_emptiness(column.column.empty_values),
        default=shown(column.default),
        render=_render(table, column),
    )


def _classes(column: BoundColumn) -> list[str]:
    classes: str = column.column.attrs.get("td", {}).get("class", "")
    return classes.split()


def _value(column: BoundColumn) -> Callable[[Any], object]:
    """Return how to find a column's value in a record; what is not to be found there is ``None``."""
    accessor = column.accessor
    first, _, rest = accessor.partition(accessor.SEPARATOR)

    def value(record: Any) -> object:
        if isinstance(record, Model):
            of, name = accessor.penultimate(record)
            in_words = getattr(of, f"get_{name}_display", None)
            return in_words() if in_words else accessor.resolve(record, quiet=True)
        attribute = getattr(record, first, None)  # the library would try ``record[first]`` before
        return (
            Accessor(rest).resolve(attribute, quiet=True)
            if rest and attribute is not None
            else attribute
        )

    return value


def _emptiness(empty: Collection[object]) -> Callable[[object], bool]:
    """Return how to tell whether there is nothing to show."""
    if empty == Column.empty_values:
        # A figure would be compared with each of them, which for a fraction takes its time.
        return lambda value: value is None or (isinstance(value, str) and not value)
    return lambda value: value in empty


def _render(table: tables.Table, column: BoundColumn) -> Render:
    """Return the column's ``render``, wrapped to take a record and a value."""
    render = column.render
    names, _ = signature(render)
    match names:
        case ("value",):
            return lambda _, value: render(value=value)
        case ("record",):
            return lambda record, _: render(record=record)
        case ("value", "record") | ("record", "value"):
            return lambda record, value: render(record=record, value=value)
    raise TypeError(f"{type(table).__name__}.{column.name} asks for more than value and record")


def _in_tag(attributes: Mapping[str, Any], **record: object) -> str:
    """Return attributes with a space before each; those that are empty are left out.

    A function among them is asked about the record.
    """
    values = (
        (name, value(**record) if callable(value) else value) for name, value in attributes.items()
    )
    return "".join(f' {name}="{shown(value)}"' for name, value in values if value)
