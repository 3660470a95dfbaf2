"""Two sides agree: who confirms a hand, for whom it waits, and what its last word is."""

from datetime import timedelta
from typing import Any

import pytest
from django.db import connection

from tests import make
from tests.one_file import file_from_elsewhere
from tracker.common.errors import Refused
from tracker.models import (
    Confirm,
    Hand,
    Issue,
    LogEntry,
    Report,
    ResultType,
    Round,
    RoundState,
    Sitting,
    Tally,
    Tournament,
    Verdict,
)
from tracker.results.services.confirming import confirm_hand, confirm_table
from tracker.results.services.corrections import STRIKE, correct_sitting
from tracker.results.services.paper import Paper, write_down
from tracker.results.services.recount import recount
from tracker.results.services.report_hand import SubmissionResult
from tracker.results.services.result_only import record_result_type, record_wins
from tracker.results.services.settling import IssueOutcome, settle
from tracker.results.services.table_actions import take_back
from tracker.tournament_files.services.importing import import_tournament

pytestmark = pytest.mark.django_db
WON = {"eaten": [70, 50]}
LOST = {"eaten": [50, 70]}


def both(game: str = "albastini", mode: str = "", **more: Any) -> Sitting:
    tournament = make.tournament(game, mode, confirm=Confirm.BOTH, **more)
    return make.sitting("Asha", "Neema", "Juma", "Baraka", at=tournament)


def yes(
    sitting: Sitting, number: int = 1, *, device: str = "b", side: int | None = 1, **more: Any
) -> SubmissionResult:
    return confirm_hand(
        token=sitting.token, number=number, by=make.actor(device=device), side=side, **more
    )


def unconfirmed() -> list[int]:
    return [*Hand.objects.unconfirmed().order_by("number").values_list("number", flat=True)]


def test_reported_hand_counts_at_once_and_waits_for_the_other_side() -> None:
    sitting = both()

    make.report(sitting, WON, device="a", side=0)
    make.report(sitting, LOST, device="a", side=0)  # nobody waits to play on

    assert unconfirmed() == [1, 2]
    assert Tally.objects.get(entrant__player__name="Asha", key="eaten").amount == 120


def test_other_side_confirms_by_one_word_which_is_kept_as_its_report() -> None:
    sitting = both()
    make.report(sitting, WON, device="a", side=0)

    answer = yes(sitting)

    hand = Hand.objects.get()
    report = Report.objects.order_by("-pk").first()
    assert report is not None
    assert (answer.verdict, answer.number, answer.report_id) == ("agrees", 1, report.pk)
    assert (report.verdict, report.side, report.device) == (Verdict.AGREES, 1, "b")
    assert report.sheet == hand.sheet
    assert (hand.confirmed_at, unconfirmed()) == (make.NOON, [])
    entry = LogEntry.objects.get()
    assert (entry.verb, entry.on["hand"], entry.club_id) == (
        "hand-confirmed",
        1,
        sitting.round.tournament.club_id,
    )


def test_said_twice_it_is_said_once() -> None:
    sitting = both()
    make.report(sitting, WON, device="a", side=0)
    yes(sitting)
    reports = Report.objects.count()

    assert yes(sitting).verdict == "agrees"
    assert (Report.objects.count(), LogEntry.objects.count()) == (reports, 1)


@pytest.mark.parametrize(
    ("device", "side", "code"),
    [
        ("a", 1, "own-hand"),  # the same phone, whatever it says it is
        ("b", 0, "own-hand"),  # another phone of the same side
        ("", 0, "own-hand"),  # a phone that keeps no cookies
        ("b", None, "side-unknown"),
        ("b", 7, "side-unknown"),
    ],
)
def test_own_side_and_own_phone_confirm_nothing(device: str, side: int | None, code: str) -> None:
    sitting = both()
    make.report(sitting, WON, device="a", side=0)

    with pytest.raises(Refused) as refusal:
        yes(sitting, device=device, side=side)

    assert (refusal.value.code, unconfirmed()) == (code, [1])


def test_same_sheet_from_the_same_side_confirms_nothing() -> None:
    sitting = both()
    make.report(sitting, WON, device="a", side=0)

    make.report(sitting, WON, number=1, device="b", side=0)
    make.report(sitting, WON, number=1, device="a", side=1)

    assert unconfirmed() == [1]


def test_where_everybody_scores_alone_any_other_seat_confirms() -> None:
    sitting = both("dalmuti", "4i")
    make.report(sitting, {"order": [0, 1, 2, 3]}, device="a", side=2)

    yes(sitting, side=3)

    assert unconfirmed() == []


def test_hand_of_nobody_knows_which_side_is_the_organisers() -> None:
    sitting = both()
    make.report(sitting, WON, device="a")

    with pytest.raises(Refused) as refusal:
        yes(sitting)

    assert refusal.value.code == "side-unknown"
    assert confirm_table(sitting_id=sitting.pk, by=make.actor(make.user())) == (1,)
    assert unconfirmed() == []


def test_of_another_result_than_was_looked_at_nothing_was_said() -> None:
    sitting = both()
    seen = make.report(sitting, WON, device="a", side=0).report_id
    make.report(sitting, LOST, number=1, device="a", side=0)

    with pytest.raises(Refused) as refusal:
        yes(sitting, seen=seen)

    assert (refusal.value.code, unconfirmed()) == ("hand-otherwise", [1])


@pytest.mark.parametrize("number", [0, 2])
def test_hand_that_is_not_there_cannot_be_confirmed(number: int) -> None:
    sitting = both()
    make.report(sitting, WON, device="a", side=0)

    with pytest.raises(Refused) as refusal:
        yes(sitting, number)

    assert refusal.value.code == "hand-unknown"


def test_closed_round_is_confirmed_by_the_organiser() -> None:
    sitting = both()
    make.report(sitting, WON, device="a", side=0)
    Round.objects.update(state=RoundState.CLOSED)

    with pytest.raises(Refused) as refusal:
        yes(sitting)

    assert refusal.value.code == "round-closed"
    assert confirm_table(sitting_id=sitting.pk, by=make.actor(make.user())) == (1,)


def test_struck_hand_is_not_confirmed() -> None:
    sitting = both()
    make.report(sitting, WON, device="a", side=0)
    correct_sitting(sitting_id=sitting.pk, changes={1: STRIKE}, reason="No", by=make.actor())

    with pytest.raises(Refused) as refusal:
        yes(sitting)

    assert (refusal.value.code, unconfirmed()) == ("hand-struck", [])


def test_changed_hand_waits_again() -> None:
    sitting = both()
    make.report(sitting, WON, device="a", side=0)
    yes(sitting)

    make.report(sitting, LOST, number=1, device="a", side=0)

    assert unconfirmed() == [1]


def test_other_count_conflicts_and_waits_to_be_settled_not_confirmed() -> None:
    sitting = both()
    make.report(sitting, WON, device="a", side=0)

    make.report(sitting, LOST, number=1, device="b", side=1, is_next=False)

    assert (Issue.objects.get().kind, unconfirmed()) == ("conflict", [])


def test_changed_to_what_the_other_side_counted_both_have_said_it() -> None:
    sitting = both()
    make.report(sitting, WON, device="a", side=0)
    make.report(sitting, LOST, number=1, device="b", side=1, is_next=False)

    make.report(sitting, LOST, number=1, device="a", side=0)

    assert unconfirmed() == []
    assert LogEntry.objects.filter(verb="hand-confirmed").count() == 1


def test_what_the_table_takes_of_two_counts_waits_and_what_the_organiser_takes_does_not() -> None:
    for at_table, waits in ((True, [1]), (False, [])):
        sitting = both()
        make.report(sitting, WON, device="a", side=0)
        make.report(sitting, LOST, number=1, device="b", side=1, is_next=False)

        settle(
            issue_id=Issue.objects.get(settled_at=None).pk,
            outcome=IssueOutcome.TAKE,
            reason="So it was",
            by=make.actor(None if at_table else make.user()),
            at_table=at_table,
        )

        waiting = Hand.objects.unconfirmed().filter(sitting=sitting)
        assert [hand.number for hand in waiting] == waits


@pytest.mark.parametrize("outcome", [IssueOutcome.KEEP, IssueOutcome.TAKE])
def test_two_counts_of_an_older_hand_are_settled_by_the_organiser(outcome: IssueOutcome) -> None:
    sitting = both()
    make.report(sitting, WON, device="a", side=0)
    make.report(sitting, LOST, number=1, device="b", side=1, is_next=False)
    make.report(sitting, WON, number=2, device="a", side=0)
    issue = Issue.objects.get().pk

    with pytest.raises(Refused) as refusal:
        settle(issue_id=issue, outcome=outcome, reason="", by=make.actor(), at_table=True)
    settle(issue_id=issue, outcome=outcome, reason="I looked", by=make.actor(make.user()))

    assert refusal.value.code == "hand-not-last"
    assert unconfirmed() == [2]


def test_organisers_entries_are_confirmed_by_their_hand() -> None:
    sitting, scorer = both(hands=6), make.actor(make.user())
    make.report(sitting, WON, device="a", side=0)

    correct_sitting(sitting_id=sitting.pk, changes={1: LOST}, reason="Paper", by=scorer)
    write_down({sitting.pk: Paper(sheets={2: WON, 3: WON})}, reason="Paper", by=scorer)
    record_result_type(
        sitting_id=sitting.pk,
        result_type=ResultType.WALKOVER,
        bare=0,
        times=1,
        reason="Nobody came",
        by=scorer,
    )

    assert unconfirmed() == []
    assert Hand.objects.exclude(confirmed_at=None).count() == 4


def test_who_is_signed_in_at_a_table_is_one_of_the_table() -> None:
    sitting, player = both(hands=6), make.actor(make.user(), device="a")

    record_wins(token=sitting.token, first=1, wins=[1, 1], ties=0, by=player)

    assert unconfirmed() == [1, 2]


def test_parked_hand_waits_for_the_organiser_who_confirms_it_by_settling() -> None:
    sitting = both()
    make.report(sitting, {"bare": 0, "eaten": [70, 48]}, device="a", side=0, parked=True)
    assert unconfirmed() == []

    settle(
        issue_id=Issue.objects.get().pk,
        outcome=IssueOutcome.KEEP,
        reason="",
        by=make.actor(make.user()),
    )

    assert Hand.objects.get().confirmed_at == make.NOON


def test_organiser_confirms_those_they_looked_at() -> None:
    sitting, organiser = both(), make.actor(make.user(), at=make.NOON + timedelta(hours=1))
    for _ in range(3):
        make.report(sitting, WON, device="a", side=0)

    assert confirm_table(sitting_id=sitting.pk, by=organiser, numbers=[1, 3, 9]) == (1, 3)

    entry = LogEntry.objects.get()
    assert (entry.verb, entry.on["hands"], unconfirmed()) == ("hands-confirmed", [1, 3], [2])
    assert Hand.objects.get(number=1).confirmed_at == organiser.at


@pytest.mark.parametrize("ahead", [timedelta(microseconds=1), timedelta(), timedelta(seconds=-1)])
def test_organiser_confirms_no_hand_before_it_was_recorded(ahead: timedelta) -> None:
    sitting, organiser = both(), make.actor(make.user())
    make.report(sitting, WON, device="a", side=0, now=organiser.at + ahead)

    assert confirm_table(sitting_id=sitting.pk, by=organiser) == (1,)

    assert Hand.objects.get().confirmed_at == max(organiser.at, organiser.at + ahead)


def test_the_hands_that_are_confirmed_are_those_that_are_named() -> None:
    sitting = both()
    make.report(sitting, WON, device="a", side=0)

    def changed_after_reading(execute: Any, sql: str, *more: Any) -> Any:
        """Say that one report is enough, as another request can as soon as the hands are read."""
        answer = execute(sql, *more)
        if sql.startswith('SELECT "tracker_hand"'):
            Tournament.objects.update(confirm="one")
        return answer

    with connection.execute_wrapper(changed_after_reading):
        numbers = confirm_table(sitting_id=sitting.pk, by=make.actor(make.user()))

    assert numbers == (1,)
    assert Hand.objects.get().confirmed_at is not None


def test_organiser_confirms_nothing_that_was_changed_since_they_looked() -> None:
    sitting, organiser = both(), make.actor(make.user(), at=make.NOON + timedelta(hours=1))
    for _ in range(2):
        make.report(sitting, WON, device="a", side=0)
    seen = [*Hand.objects.values_list("accepted_report", flat=True)]
    make.report(sitting, LOST, number=2, device="a", side=0)

    assert confirm_table(sitting_id=sitting.pk, by=organiser, numbers=[1, 2], seen=seen) == (1,)
    assert unconfirmed() == [2]


def test_where_one_report_is_enough_nothing_waits() -> None:
    sitting = make.sitting()
    make.report(sitting, WON, device="a", side=0)
    write_down({sitting.pk: Paper(sheets={2: WON})}, reason="", by=make.actor(make.user()))

    assert unconfirmed() == []
    assert not Hand.objects.exclude(confirmed_at=None).exists()


def test_recount_leaves_what_was_confirmed() -> None:
    sitting = both()
    for _ in range(2):
        make.report(sitting, WON, device="a", side=0)
    yes(sitting)
    Hand.objects.filter(number=1).update(marks=None)  # something is wrong

    recount(tournament_id=sitting.round.tournament_id, by=make.actor(), write=True)

    assert unconfirmed() == [2]
    assert Hand.objects.get(number=1).marks is not None


def test_a_tournament_taken_elsewhere_keeps_what_waits_and_what_was_done() -> None:
    sitting = both(hands=6, movement="in_order")
    for _ in range(3):
        make.report(sitting, WON, device="a", side=0)
    yes(sitting)
    make.report(sitting, LOST, number=1, device="a", side=0)  # it asks to change it
    take_back(token=sitting.token, number=3, by=make.actor(device="a"))
    confirm_table(sitting_id=sitting.pk, by=make.actor(make.user()), numbers=[2])
    make.report(sitting, WON, device="a", side=0)
    make.report(sitting, LOST, device="a", side=0)
    take_back(token=sitting.token, number=4, by=make.actor(device="a"))
    file = file_from_elsewhere(sitting.round.tournament)

    taken = import_tournament(
        content=file, choices=None, club_id=make.club("Ilala").pk, by=make.actor()
    )

    hands = Hand.objects.unconfirmed().filter(sitting__round__tournament=taken)
    assert [hand.number for hand in hands] == [3]
    there = Sitting.objects.get(round__tournament=taken)
    assert [*there.issues.values_list("kind", "number")] == [("change", 1)]
    verbs = LogEntry.objects.filter(on__sitting=there.pk).order_by("pk")
    assert [*verbs.values_list("verb", flat=True)] == [
        "hand-confirmed",
        "change-asked",
        "hand-taken-back",
        "hands-confirmed",
        "hand-amended",
        "hand-taken-back",
    ]
    assert make.undone_report(there) is not None
    assert there.last_number == 3
    assert recount(tournament_id=taken.pk, by=make.actor()).findings == ()
