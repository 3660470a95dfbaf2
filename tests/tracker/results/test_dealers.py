"""The tap "Asha deals instead": for one hand, among those whom the rules allow."""

from datetime import timedelta
from typing import Any

import pytest

from tests import act, make
from tests.make import NOON
from tracker.models import Hand, LogEntry, Sitting, TokenState
from tracker.results.services.submissions import MOST_ACTS
from tracker.results.services.table_actions import choose_dealer

pytestmark = pytest.mark.django_db
WON = {"eaten": [70, 50]}


@pytest.fixture
def table() -> Sitting:
    """Return a table where seats 0 and 2 may deal, and 2 is due (A-13)."""
    sitting = make.sitting("Asha", "Neema", "Juma", "Baraka")
    make.report(sitting, WON)
    return sitting


def choose(table: Sitting, place: int | None, **by: Any) -> int | None:
    return choose_dealer(token=table.token, place=place, by=make.actor(**by))


def chosen() -> tuple[int | None, int | None]:
    """Return who was chosen, and after which hand."""
    table = Sitting.objects.get()
    return table.chosen_dealer, table.chosen_after


def test_chosen_dealer_deals_the_coming_hand_and_is_in_the_log(table: Sitting) -> None:
    assert choose(table, 0, device="a") == make.coming_dealer(table) == 0
    assert chosen() == (0, 1)
    entry = LogEntry.objects.get()
    assert (entry.verb, entry.device) == ("dealer-chosen", "a")
    assert entry.numbers == {"after_hand": 1, "place": 0}
    assert make.report(table, WON, number=1, device="b").next_dealer == 0
    make.report(table, WON)
    assert Hand.objects.get(number=2).dealer == 0


@pytest.mark.parametrize("place", [2, None])
def test_choice_can_be_taken_back(table: Sitting, place: int | None) -> None:
    choose(table, 0)
    assert choose(table, place) == 2
    assert chosen() == (None, None)


@pytest.mark.parametrize(
    ("state", "place", "code"),
    [(TokenState.OPEN, 1, "dealer-not-allowed"), (TokenState.CLOSED, 0, "round-closed")],
)
def test_others_may_not_deal(table: Sitting, state: TokenState, place: int, code: str) -> None:
    Sitting.objects.update(token_state=state)
    with act.refused(code):
        choose(table, place)
    assert not LogEntry.objects.exists()


def test_choice_is_dropped_when_the_hand_before_it_changes(table: Sitting) -> None:
    choose(table, 0)
    act.correct(table, {1: {"eaten": [71, 49]}})
    assert (chosen(), make.coming_dealer(table)) == ((None, None), 2)


@pytest.mark.parametrize("first", [[80, 40], [40, 80]], ids=["same winner", "other winner"])
def test_choice_outlives_a_change_of_an_earlier_hand(table: Sitting, first: list[int]) -> None:
    make.report(table, WON)
    table.refresh_from_db()
    other = next(seat for seat in table.may_deal if seat != table.next_dealer)
    choose(table, other)
    act.correct(table, {1: {"eaten": first}})
    assert chosen() == (other, 2)


@pytest.mark.parametrize("before", [None, 0])
def test_who_deals_already_is_not_chosen_again(table: Sitting, before: int | None) -> None:
    choose(table, before)
    entries, dealer = LogEntry.objects.count(), make.coming_dealer(table)
    assert choose(table, dealer) == choose(table, dealer) == dealer
    assert LogEntry.objects.count() == entries
    assert make.coming_dealer(table) == dealer


def test_a_script_that_chooses_on_and_on_is_stopped(table: Sitting) -> None:
    for time in range(MOST_ACTS):
        choose(table, 2 * (time % 2))
    with act.refused("too-many-reports"):
        choose(table, 0)
    assert choose(table, 0, at=NOON + timedelta(minutes=2)) == 0
