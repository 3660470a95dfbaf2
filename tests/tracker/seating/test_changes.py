"""A seating changed by hand: who deals first then, and which wishes it breaks."""

from dataclasses import replace

import pytest

from tests.tracker.movements.evenings import PAIRS, club
from tracker.movements.types import DealCounts, OpenedBy, RoundSeating, TableSeating, Wishes
from tracker.seating.logic.seatings import broken_wish, swap_units, with_opener

TABLE = TableSeating(shape=PAIRS, units=(1, 2, 3, 4), opener=0)
ROUND = RoundSeating(tables=(TABLE,), resting=(5,))


def test_two_change_places_and_one_of_them_may_rest() -> None:
    changed = swap_units(ROUND, (2, 5))

    assert (changed.tables[0].units, changed.resting) == ((1, 5, 3, 4), (2,))


def test_whoever_opened_least_opens_where_that_goes_by_turns() -> None:
    dealt = {
        1: DealCounts(opened=2),
        2: DealCounts(opened=1),
        3: DealCounts(),
        4: DealCounts(opened=1),
    }
    question = replace(club([(1, 2, 3, 4, 5)]), deal_counts=dealt)

    assert with_opener(TABLE, question).opener == 2
    assert with_opener(TABLE, replace(question, opened_by=OpenedBy.LOT)) is TABLE


@pytest.mark.parametrize(
    ("wishes", "units"),
    [
        (Wishes(apart=frozenset({frozenset({1, 2})})), (1, 2)),
        (Wishes(not_partners=frozenset({frozenset({2, 4})})), (2, 4)),
        (Wishes(not_partners=frozenset({frozenset({1, 2})})), None),
        (Wishes(apart=frozenset({frozenset({1, 5})})), None),
    ],
)
def test_a_wish_is_broken_at_one_table_or_on_one_side(
    wishes: Wishes, units: tuple[int, int] | None
) -> None:
    broken = broken_wish(ROUND, wishes)

    assert (broken.units if broken else None) == units
