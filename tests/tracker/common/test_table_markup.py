"""Tables are written as their columns say, whatever stands in their rows."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

import django_tables2 as tables
import pytest
from django.utils.html import format_html
from django.utils.safestring import SafeString

from tests import make
from tracker.common.columns import NUMBER, PLAIN, ClubTable

pytestmark = pytest.mark.django_db


@dataclass(frozen=True, slots=True)
class Row:
    name: str
    figures: dict[str, Fraction]
    points: tuple[int, ...] = ()
    note: str | None = None


class Rows(ClubTable):
    name = tables.Column(verbose_name="<Name>", attrs={"td": {"scope": "row", "class": "wrap"}})
    won = tables.Column(accessor="figures__won", attrs=NUMBER)
    last = tables.Column(accessor="points__1", default="<none>", orderable=False)
    note = tables.Column(empty_values=())
    both = tables.Column(accessor="name", attrs=PLAIN)

    class Meta:
        row_attrs: ClassVar = {"class": lambda record: "first" if record.name == "Asha" else ""}

    def render_both(self, value: str, record: Row) -> SafeString:
        return format_html("<b>{}</b> {}", value, record.note)

    def render_note(self, record: Row) -> str:
        return f"<{record.note}>"


def test_a_row_is_written_as_its_columns_say() -> None:
    table = Rows([Row("Asha", {"won": Fraction(3)}, (1, 20)), Row("Juma & co", {}, note="x")])

    first, second = table.body.splitlines()
    assert first == (
        '<tr role="row" class="first"><th role="rowheader" scope="row" class="wrap">Asha</th>'
        '<td role="cell" class="num" data-label="Won">3</td><td role="cell" data-label="Last">20</td>'
        '<td role="cell" data-label="Note">&lt;None&gt;</td>'
        '<td role="cell" class="plain"><b>Asha</b> None</td></tr>'
    )
    assert second == (
        '<tr role="row"><th role="rowheader" scope="row" class="wrap">Juma &amp; co</th>'
        '<td role="cell" class="num nil">—</td><td role="cell" class="nil">&lt;none&gt;</td>'
        '<td role="cell" data-label="Note">&lt;x&gt;</td>'
        '<td role="cell" class="plain"><b>Juma &amp; co</b> x</td></tr>'
    )


def test_heads_tell_how_the_rows_would_be_sorted_next() -> None:
    table = Rows([], order_by="-won")
    heads = {str(head.header): head for head in table.heads}

    assert [head.next for head in heads.values()] == ["name", "won", None, "note", "both"]
    assert [head.sorted for head in heads.values()] == ["", "descending", "", "", ""]
    assert heads["Won"].attributes == ' class="num"'


def test_rows_of_the_database_show_choices_in_words() -> None:
    class Tournaments(ClubTable):
        movement = tables.Column()
        club = tables.Column(accessor="club__name")

    tournament = make.tournament()
    assert Tournaments([tournament]).body.strip() == (
        '<tr role="row"><td role="cell" data-label="Movement">'
        f"{tournament.get_movement_display()}</td>"
        f'<td role="cell" data-label="Club">{tournament.club.name}</td></tr>'
    )


def test_a_column_that_asks_for_more_is_refused_at_once() -> None:
    class Odd(ClubTable):
        name = tables.Column()

        def render_name(self, bound_row: Any) -> str:
            return str(bound_row)

    with pytest.raises(TypeError, match=r"Odd\.name takes more"):
        _ = Odd([]).body
