"""The tap "Asha deals instead": for one hand, among those whom the rules allow."""

from datetime import timedelta

import pytest

from tests import make
from tracker.common.errors import Refused
from tracker.models import Hand, LogEntry, Sitting, TokenState
from tracker.results.services.corrections import correct_sitting
from tracker.results.services.submissions import MOST_ACTS
from tracker.results.services.table_actions import choose_dealer

pytestmark = pytest.mark.django_db


def table_after_a_hand() -> Sitting:
    """Return a table where seats 0 and 2 may deal, and 2 is due (A-13)."""
    sitting = make.sitting("Asha", "Neema", "Juma", "Baraka")
    make.report(sitting, {"eaten": [70, 50]})
    return sitting


def test_chosen_dealer_deals_the_coming_hand_and_is_in_the_log() -> None:
    sitting = table_after_a_hand()

    dealer = choose_dealer(token=sitting.token, place=0, by=make.actor(device="a"))

    sitting.refresh_from_db()
    assert (dealer, make.coming_dealer(sitting)) == (0, 0)
    assert (sitting.chosen_dealer, sitting.chosen_after) == (0, 1)
    log_entry = LogEntry.objects.get()
    assert (log_entry.verb, log_entry.device) == ("dealer-chosen", "a")
    assert log_entry.numbers == {"after_hand": 1, "place": 0}
    make.report(sitting, {"eaten": [70, 50]})
    assert Hand.objects.get(number=2).dealer == 0


def test_answers_name_the_chosen_dealer() -> None:
    sitting = table_after_a_hand()
    choose_dealer(token=sitting.token, place=0, by=make.actor())

    answer = make.report(sitting, {"eaten": [70, 50]}, number=1, device="b")

    assert answer.next_dealer == 0


@pytest.mark.parametrize("place", [2, None])
def test_choice_can_be_taken_back(place: int | None) -> None:
    sitting = table_after_a_hand()
    choose_dealer(token=sitting.token, place=0, by=make.actor())

    dealer = choose_dealer(token=sitting.token, place=place, by=make.actor())

    sitting.refresh_from_db()
    assert (dealer, sitting.chosen_dealer, sitting.chosen_after) == (2, None, None)


def test_seat_that_may_not_deal_is_refused() -> None:
    sitting = table_after_a_hand()

    with pytest.raises(Refused) as refusal:
        choose_dealer(token=sitting.token, place=1, by=make.actor())

    assert refusal.value.code == "dealer-not-allowed"
    assert LogEntry.objects.count() == 0


def test_closed_table_chooses_nobody() -> None:
    sitting = table_after_a_hand()
    Sitting.objects.update(token_state=TokenState.CLOSED)

    with pytest.raises(Refused) as refusal:
        choose_dealer(token=sitting.token, place=0, by=make.actor())

    assert refusal.value.code == "round-closed"


def test_choice_is_dropped_when_the_hand_before_it_changes() -> None:
    sitting = table_after_a_hand()
    choose_dealer(token=sitting.token, place=0, by=make.actor())

    correct_sitting(
        sitting_id=sitting.pk,
        changes={1: {"eaten": [71, 49]}},
        reason="Counted again",
        by=make.actor(),
    )

    sitting.refresh_from_db()
    assert (sitting.chosen_dealer, make.coming_dealer(sitting)) == (None, 2)


@pytest.mark.parametrize(
    ("first", "chosen"), [([80, 40], 0), ([40, 80], 0)], ids=["same winner", "other winner"]
)
def test_choice_outlives_a_change_of_an_earlier_hand(first: list[int], chosen: int) -> None:
    sitting = table_after_a_hand()
    make.report(sitting, {"eaten": [70, 50]})
    sitting.refresh_from_db()
    other = next(seat for seat in sitting.may_deal if seat != sitting.next_dealer)
    choose_dealer(token=sitting.token, place=other, by=make.actor())

    correct_sitting(
        sitting_id=sitting.pk,
        changes={1: {"eaten": first}},
        reason="Counted again",
        by=make.actor(),
    )

    sitting.refresh_from_db()
    assert (sitting.chosen_dealer, sitting.chosen_after) == (other, 2)


@pytest.mark.parametrize("chosen", [None, 0])
def test_who_deals_already_is_not_chosen_again(chosen: int | None) -> None:
    sitting = table_after_a_hand()
    choose_dealer(token=sitting.token, place=chosen, by=make.actor())
    before = LogEntry.objects.count()
    dealer = make.coming_dealer(Sitting.objects.get())

    for _ in range(2):
        assert choose_dealer(token=sitting.token, place=dealer, by=make.actor()) == dealer

    assert LogEntry.objects.count() == before
    assert make.coming_dealer(Sitting.objects.get()) == dealer


def test_a_script_that_chooses_on_and_on_is_stopped() -> None:
    sitting = table_after_a_hand()
    for time in range(MOST_ACTS):
        choose_dealer(token=sitting.token, place=2 * (time % 2), by=make.actor())

    with pytest.raises(Refused) as refusal:
        choose_dealer(token=sitting.token, place=0, by=make.actor())
    later = make.actor(at=make.NOON + timedelta(minutes=2))
    dealer = choose_dealer(token=sitting.token, place=0, by=later)

    assert refusal.value.code == "too-many-reports"
    assert dealer == 0
