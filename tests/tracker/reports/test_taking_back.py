"""A table takes its own last hand back: struck, dealt again by the same, and brought back."""

from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest

from tests import make
from tracker.common.errors import Refused
from tracker.models import (
    Hand,
    Issue,
    LogEntry,
    Report,
    Round,
    RoundState,
    SeatTally,
    Sitting,
    Tally,
)
from tracker.reports.services.corrections import RESTORE, STRIKE, correct_sitting
from tracker.reports.services.dealers import choose_dealer
from tracker.reports.services.recount import recount
from tracker.reports.services.report_hand import ASK, Answer
from tracker.reports.services.submissions import MOST_ACTS
from tracker.reports.services.taking_back import bring_back, take_back

pytestmark = pytest.mark.django_db
WON = {"eaten": [70, 50]}
LOST = {"eaten": [50, 70]}


@pytest.fixture
def sitting() -> Sitting:
    return make.sitting("Asha", "Neema", "Juma", "Baraka", at=make.tournament(hands=4))


def take(sitting: Sitting, number: int, *, device: str = "a", **more: Any) -> None:
    take_back(token=sitting.token, number=number, by=make.actor(device=device), **more)


def bring(sitting: Sitting, number: int, *, device: str = "a", **more: Any) -> None:
    bring_back(token=sitting.token, number=number, by=make.actor(device=device), **more)


def sums() -> list[Any]:
    """Return every sum that is not nothing."""
    return [
        sorted(model.objects.exclude(amount=0).values_list(owner, "key", "amount"))
        for model, owner in ((Tally, "entrant"), (SeatTally, "seat"))
    ]


def kept(sitting: Sitting) -> dict[str, Any]:
    names = ("session", "next_dealer", "hands_standing", "finished_at", "may_deal", "over")
    row: dict[str, Any] = Sitting.objects.values(*names).get(pk=sitting.pk)
    return row


def test_taken_back_it_is_as_though_it_had_not_been_but_for_its_number(sitting: Sitting) -> None:
    make.report(sitting, WON, device="a")
    before, counted = kept(sitting), sums()
    make.report(sitting, LOST, device="a")

    take(sitting, 2)

    assert (kept(sitting), sums()) == (before, counted)
    entry = LogEntry.objects.get()
    assert (entry.verb, entry.device, entry.on["hand"]) == ("hand-taken-back", "a", 2)
    assert entry.numbers["before"]["2"]["eaten"] == [50, 70]
    answer = make.report(sitting, WON, device="a")
    assert (answer.verdict, answer.number) == ("accepted", 3)
    assert recount(tournament_id=sitting.round.tournament_id, by=make.actor()).findings == ()


def test_last_hand_of_a_full_round_is_owed_again(sitting: Sitting) -> None:
    for _ in range(4):
        make.report(sitting, WON, device="a")

    take(sitting, 4)

    assert kept(sitting)["finished_at"] is None


@pytest.mark.parametrize("chosen", [None, 0])
def test_who_dealt_it_deals_again(sitting: Sitting, chosen: int | None) -> None:
    make.report(sitting, WON, device="a")  # Juma is next, or Asha by their own choice
    choose_dealer(token=sitting.token, place=chosen, by=make.actor())
    make.report(sitting, LOST, device="a")
    dealt = Hand.objects.get(number=2).dealer

    take(sitting, 2)

    assert dealt == (2 if chosen is None else chosen)
    assert Sitting.objects.get().coming_dealer == dealt
    make.report(sitting, LOST, device="a")
    assert Hand.objects.get(number=3).dealer == dealt
    assert recount(tournament_id=sitting.round.tournament_id, by=make.actor()).findings == ()


def test_brought_back_it_is_as_before(sitting: Sitting) -> None:
    make.report(sitting, WON, device="a")
    choose_dealer(token=sitting.token, place=0, by=make.actor())
    make.report(sitting, LOST, device="a")
    before, counted = kept(sitting), sums()
    take(sitting, 2)

    for _ in range(2):  # done twice it is done
        bring(sitting, 2)

    assert (kept(sitting), sums()) == (before, counted)
    assert Hand.objects.filter(struck_at=None).count() == 2
    verbs = LogEntry.objects.order_by("pk").values_list("verb", flat=True)
    assert [*verbs] == ["dealer-chosen", "hand-taken-back", "hand-brought-back"]
    assert recount(tournament_id=sitting.round.tournament_id, by=make.actor()).findings == ()


def test_hands_are_taken_back_from_the_last_and_brought_back_in_their_order(
    sitting: Sitting,
) -> None:
    for _ in range(3):
        make.report(sitting, WON, device="a")

    with pytest.raises(Refused) as refusal:
        take(sitting, 2)
    take(sitting, 3)
    take(sitting, 3)  # once more it stays so
    take(sitting, 2)

    assert refusal.value.code == "hand-not-last"
    assert [hand.number for hand in Hand.objects.filter(struck_at=None).order_by("number")] == [1]
    bring(sitting, 2)
    bring(sitting, 3)
    with pytest.raises(Refused) as refusal:
        take(sitting, 1)
    assert refusal.value.code == "hand-not-last"
    assert [hand.number for hand in Hand.objects.filter(struck_at=None).order_by("number")] == [
        1,
        2,
        3,
    ]


def test_next_hand_ends_what_could_be_brought_back(sitting: Sitting) -> None:
    make.report(sitting, WON, device="a")
    take(sitting, 1)
    make.report(sitting, WON, device="a")

    with pytest.raises(Refused) as refusal:
        bring(sitting, 1)

    assert refusal.value.code == "hand-not-last"


@pytest.mark.parametrize(
    ("device", "side", "may"),
    [("a", None, True), ("b", 0, True), ("b", 1, False), ("b", None, False), ("", None, False)],
)
def test_phone_that_sent_it_or_one_of_its_side_takes_it_back(
    sitting: Sitting, device: str, side: int | None, may: bool
) -> None:
    make.report(sitting, WON, device="a", side=0)
    said = ""

    try:
        take(sitting, 1, device=device, side=side)
    except Refused as refusal:
        said = refusal.code

    assert said == ("" if may else "not-yours")
    assert (Hand.objects.get().struck_at is not None) is may


def test_what_the_organiser_struck_only_they_restore(sitting: Sitting) -> None:
    make.report(sitting, WON, device="a")
    take(sitting, 1)
    later = make.actor(at=make.NOON + timedelta(minutes=1))
    for change in (RESTORE, STRIKE):
        correct_sitting(sitting_id=sitting.pk, changes={1: change}, reason="No", by=later)

    with pytest.raises(Refused) as refusal:
        bring(sitting, 1)

    assert refusal.value.code == "hand-struck"


def test_closed_round_is_the_organisers(sitting: Sitting) -> None:
    make.report(sitting, WON, device="a")
    Round.objects.update(state=RoundState.CLOSED)

    for act in (take, bring):
        with pytest.raises(Refused) as refusal:
            act(sitting, 1)
        assert refusal.value.code == "round-closed"


def test_hand_that_is_not_there_cannot_be_taken_back(sitting: Sitting) -> None:
    with pytest.raises(Refused) as refusal:
        take(sitting, 1)

    assert refusal.value.code == "hand-unknown"


def test_two_counts_of_it_are_settled_with_it(sitting: Sitting) -> None:
    make.report(sitting, WON, device="a")
    make.report(sitting, LOST, number=1, device="b", is_next=False)

    take(sitting, 1)

    assert Issue.objects.get().outcome == "struck"
    assert Sitting.objects.get().open_conflicts == 0


def test_what_was_open_about_it_comes_back_with_it(sitting: Sitting) -> None:
    make.report(sitting, {"bare": 0, "eaten": [70, 48]}, device="a", parked=True)
    make.report(sitting, LOST, number=1, device="b", is_next=False)

    take(sitting, 1)
    bring(sitting, 1)

    waiting = Issue.objects.filter(settled_at=None, outcome="")
    assert {issue.kind for issue in waiting} == {"parked", "conflict"}
    assert Sitting.objects.get().open_conflicts == 1


def test_a_script_that_goes_on_and_on_is_stopped(sitting: Sitting) -> None:
    make.report(sitting, WON, device="a")
    for _ in range(MOST_ACTS // 2):
        take(sitting, 1)
        bring(sitting, 1)

    with pytest.raises(Refused) as refusal:
        take(sitting, 1)
    later = make.actor(at=make.NOON + timedelta(minutes=2), device="a")
    take_back(token=sitting.token, number=1, by=later)

    assert refusal.value.code == "too-many-reports"


def test_repeat_of_what_was_taken_back_is_no_new_hand(sitting: Sitting) -> None:
    make.report(sitting, WON, device="a")
    entry = Report.objects.get().entry
    take(sitting, 1)

    answer = make.report(sitting, WON, number=1, entry=entry, device="a")

    assert (answer.verdict, answer.number, Hand.objects.count()) == ("accepted", 1, 1)


# The number that a hand taken back has used up --------------------------------------------------


def settled_as(answer: Answer) -> tuple[str, int]:
    return answer.verdict, answer.number


def test_hand_that_waited_under_the_number_of_one_taken_back_is_the_next(sitting: Sitting) -> None:
    make.report(sitting, LOST, device="b")
    take(sitting, 1, device="b")
    entry = uuid4()

    answers = [make.report(sitting, WON, number=1, device="a", entry=entry) for _ in range(2)]
    behind = make.report(sitting, WON, number=3, device="a")  # it has heard of the number
    answers.append(make.report(sitting, WON, number=1, device="a", entry=entry))

    assert [settled_as(answer) for answer in answers] == [("accepted", 2)] * 3
    assert settled_as(behind) == ("accepted", 3)
    assert Hand.objects.count() == 3
    assert recount(tournament_id=sitting.round.tournament_id, by=make.actor()).findings == ()


def test_hand_that_was_written_anew_is_what_the_other_phone_waited_with(sitting: Sitting) -> None:
    make.report(sitting, LOST, device="b", side=1)
    take(sitting, 1, device="b")
    make.report(sitting, WON, device="b", side=1)
    entry = uuid4()

    answers = [
        make.report(sitting, WON, number=1, device="a", side=0, entry=entry) for _ in range(2)
    ]

    assert [settled_as(answer) for answer in answers] == [("agrees", 2)] * 2
    assert Hand.objects.get(number=2).confirmed_at is not None
    assert Hand.objects.count() == 2


def test_another_count_of_the_hand_written_anew_is_asked_about(sitting: Sitting) -> None:
    make.report(sitting, LOST, device="b")
    take(sitting, 1, device="b")
    make.report(sitting, WON, device="b")
    drawn = {"eaten": [60, 60]}

    asked = make.report(sitting, drawn, number=1, device="a")
    entry = uuid4()
    counted = [
        make.report(sitting, drawn, number=1, device="a", is_next=False, entry=entry)
        for _ in range(2)
    ]
    following = make.report(sitting, {"eaten": [80, 40]}, number=1, device="c", is_next=True)

    assert (asked.verdict, asked.asked_about) == (ASK, 2)
    assert [settled_as(answer) for answer in counted] == [("conflicts", 2)] * 2
    assert Issue.objects.get().number == 2
    assert settled_as(following) == ("accepted", 3)


@pytest.mark.parametrize(
    ("device", "sheet"),
    [("b", WON), ("a", LOST)],
    ids=["from the phone that took it back", "it says what was taken back"],
)
@pytest.mark.parametrize("is_next", [None, False])
def test_what_may_be_the_hand_taken_back_is_asked_about(
    sitting: Sitting, device: str, sheet: dict[str, Any], is_next: bool | None
) -> None:
    make.report(sitting, LOST, device="b")
    take(sitting, 1, device="b")

    asked = make.report(sitting, sheet, number=1, device=device, is_next=is_next)

    assert (asked.verdict, asked.asked_about) == (ASK, 1)
    assert Hand.objects.count() == 1
    entry = uuid4()
    for _ in range(2):
        answer = make.report(sitting, sheet, number=1, device=device, is_next=True, entry=entry)
        assert settled_as(answer) == ("accepted", 2)


def test_own_hand_written_anew_is_not_amended_by_what_waited_before(sitting: Sitting) -> None:
    make.report(sitting, LOST, device="a")
    take(sitting, 1, device="a")
    make.report(sitting, WON, device="b")

    asked = make.report(sitting, {"eaten": [60, 60]}, number=1, device="b")

    assert (asked.verdict, asked.asked_about) == (ASK, 2)
    assert Hand.objects.get(number=2).sheet["eaten"] == [70, 50]


def test_two_taken_back_are_both_passed_over(sitting: Sitting) -> None:
    for _ in range(2):
        make.report(sitting, LOST, device="b")
        take(sitting, Sitting.objects.get().last_number, device="b")

    assert settled_as(make.report(sitting, WON, number=1, device="a")) == ("accepted", 3)


def test_what_the_organiser_struck_takes_no_other_sheet(sitting: Sitting) -> None:
    make.report(sitting, LOST, device="b")
    take(sitting, 1, device="b")
    make.report(sitting, LOST, device="b")
    correct_sitting(sitting_id=sitting.pk, changes={2: STRIKE}, reason="No", by=make.actor())

    for number in (1, 2):
        with pytest.raises(Refused) as refusal:
            make.report(sitting, WON, number=number, device="a")
        assert refusal.value.code == "hand-struck"
