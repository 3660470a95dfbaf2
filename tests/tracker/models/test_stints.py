"""Stints: Python and the database agree on which hands one covers."""

import pytest
from django.db.models import F

from tests import make
from tracker.models import Hand, Seat
from tracker.models.stints import covering, covers, overlap

STINTS = [(1, None), (1, 0), (1, 2), (2, 2), (3, 2), (3, None)]
HANDS = range(1, 5)


@pytest.mark.django_db
@pytest.mark.parametrize("stint", STINTS)
def test_the_database_and_python_agree_on_what_a_stint_covers(
    stint: tuple[int, int | None],
) -> None:
    sitting = make.sitting("Asha", "Neema", "Juma", "Baraka")
    for _ in HANDS:
        make.report(sitting, {"eaten": [70, 50]})
    seats = Seat.objects.filter(player__name="Asha")
    seats.update(from_hand=stint[0], to_hand=stint[1])
    covered = [number for number in HANDS if covers(*stint, number)]

    assert [number for number in HANDS if seats.filter(covering(number)).exists()] == covered
    rows = Hand.objects.filter(
        covering(F("number"), "sitting__seats__"), sitting__seats__player__name="Asha"
    )
    assert list(rows.order_by("number").values_list("number", flat=True)) == covered


@pytest.mark.parametrize("other", STINTS)
@pytest.mark.parametrize("stint", STINTS)
def test_two_stints_overlap_in_the_hands_that_both_cover(
    stint: tuple[int, int | None], other: tuple[int, int | None]
) -> None:
    both = overlap(stint, other)

    assert [number for number in range(1, 9) if both and covers(*both, number)] == [
        number for number in range(1, 9) if covers(*stint, number) and covers(*other, number)
    ]
    assert overlap(other, stint) == both
