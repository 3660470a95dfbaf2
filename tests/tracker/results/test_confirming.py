"""Two sides agree: who confirms a hand, for whom it waits, and what its last word is."""

from datetime import timedelta
from typing import Any

import pytest
from django.db import connection

from tests import act, make
from tests.make import NOON
from tests.one_file import file_from_elsewhere
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
from tracker.results.services.corrections import STRIKE
from tracker.results.services.paper import Paper, write_down
from tracker.results.services.recount import recount
from tracker.results.services.report_hand import SubmissionResult
from tracker.results.services.result_only import record_result_type, record_wins
from tracker.results.services.table_actions import take_back
from tracker.tournament_files.services.importing import import_tournament

pytestmark = pytest.mark.django_db
WON, LOST = {"eaten": [70, 50]}, {"eaten": [50, 70]}


@pytest.fixture
def sitting() -> Sitting:
    """Return a table both of whose sides must agree, with a hand that side 0 wrote on phone a."""
    made = both()
    ours(made)
    return made


def both(game: str = "albastini", mode: str = "", **more: Any) -> Sitting:
    tournament = make.tournament(game, mode, confirm=Confirm.BOTH, **more)
    return make.sitting("Asha", "Neema", "Juma", "Baraka", at=tournament)


def ours(sitting: Sitting, sheet: dict[str, Any] = WON, number: int | None = None) -> int:
    """Report as side 0 does, and return the report."""
    return make.report(sitting, sheet, number=number, device="a", side=0).report_id or 0


def theirs(sitting: Sitting, sheet: dict[str, Any]) -> None:
    make.report(sitting, sheet, number=1, device="b", side=1, is_next=False)


def yes(
    sitting: Sitting, number: int = 1, *, device: str = "b", side: int | None = 1, **more: Any
) -> SubmissionResult:
    by = make.actor(device=device)
    return confirm_hand(token=sitting.token, number=number, by=by, side=side, **more)


def organiser_confirms(sitting: Sitting, at: Any = NOON, **which: Any) -> tuple[int, ...]:
    return confirm_table(sitting_id=sitting.pk, by=make.actor(make.user(), at=at), **which)


def unconfirmed() -> list[int]:
    return [*Hand.objects.unconfirmed().order_by("number").values_list("number", flat=True)]


def test_reported_hand_counts_at_once_and_waits_for_the_other_side(sitting: Sitting) -> None:
    ours(sitting, LOST)  # nobody waits to play on
    assert unconfirmed() == [1, 2]
    assert Tally.objects.get(entrant__player__name="Asha", key="eaten").amount == 120


def test_other_side_confirms_by_one_word_which_is_kept_once_as_its_report(sitting: Sitting) -> None:
    answer = yes(sitting)
    hand, report = Hand.objects.get(), Report.objects.latest("pk")
    assert (answer.verdict, answer.number, answer.report_id) == ("agrees", 1, report.pk)
    assert (report.verdict, report.side, report.device) == (Verdict.AGREES, 1, "b")
    assert report.sheet == hand.sheet
    assert (hand.confirmed_at, unconfirmed()) == (NOON, [])
    entry = LogEntry.objects.get()
    assert (entry.verb, entry.on["hand"], entry.club) == ("hand-confirmed", 1, act.club_of(sitting))
    assert yes(sitting).verdict == "agrees"
    assert (Report.objects.count(), LogEntry.objects.count()) == (2, 1)


def changed(sitting: Sitting) -> None:
    ours(sitting, LOST, number=1)


def closed(sitting: Sitting) -> None:
    Round.objects.update(state=RoundState.CLOSED)


def struck(sitting: Sitting) -> None:
    act.correct(sitting, {1: STRIKE})


def nothing(sitting: Sitting) -> None:
    pass


@pytest.mark.parametrize(
    ("meanwhile", "said", "code"),
    [
        (nothing, {"device": "a"}, "own-hand"),  # the same phone, whatever it says it is
        (nothing, {"side": 0}, "own-hand"),  # another phone of the same side
        (nothing, {"device": "", "side": 0}, "own-hand"),  # a phone that keeps no cookies
        (nothing, {"side": None}, "side-unknown"),
        (nothing, {"side": 7}, "side-unknown"),
        (nothing, {"number": 0}, "hand-unknown"),
        (nothing, {"number": 2}, "hand-unknown"),
        (changed, {}, "hand-otherwise"),  # nothing was said of another result than was looked at
        (closed, {}, "round-closed"),
        (struck, {}, "hand-struck"),
    ],
)
def test_others_may_not_confirm(sitting: Sitting, meanwhile: Any, said: Any, code: str) -> None:
    seen = Hand.objects.get().accepted_report_id
    meanwhile(sitting)
    with act.refused(code):
        yes(sitting, **{"seen": seen, **said})
    assert not Hand.objects.exclude(confirmed_at=None).exists()


def test_where_everybody_scores_alone_any_other_seat_confirms() -> None:
    sitting = both("dalmuti", "4i")
    make.report(sitting, {"order": [0, 1, 2, 3]}, device="a", side=2)
    yes(sitting, side=3)
    assert unconfirmed() == []


def test_hand_of_nobody_knows_which_side_is_the_organisers() -> None:
    sitting = both()
    make.report(sitting, WON, device="a")
    with act.refused("side-unknown"):
        yes(sitting)
    assert (organiser_confirms(sitting), unconfirmed()) == ((1,), [])


def test_hand_of_a_closed_round_is_the_organisers(sitting: Sitting) -> None:
    closed(sitting)
    assert organiser_confirms(sitting) == (1,)


def test_other_count_is_settled_or_given_way_to_and_not_confirmed(sitting: Sitting) -> None:
    theirs(sitting, LOST)
    assert (Issue.objects.get().kind, unconfirmed()) == ("conflict", [])
    ours(sitting, LOST, number=1)
    assert unconfirmed() == []  # both have said it
    assert LogEntry.objects.filter(verb="hand-confirmed").count() == 1


@pytest.mark.parametrize(("at_table", "waits"), [(True, [1]), (False, [])])
def test_what_the_table_takes_of_two_counts_waits_and_what_the_organiser_takes_does_not(
    sitting: Sitting, at_table: bool, waits: list[int]
) -> None:
    theirs(sitting, LOST)
    act.settle("take", who=None if at_table else make.user(), at_table=at_table)
    assert unconfirmed() == waits


@pytest.mark.parametrize("outcome", ["keep", "take"])
def test_two_counts_of_an_older_hand_are_the_organisers(sitting: Sitting, outcome: str) -> None:
    theirs(sitting, LOST)
    ours(sitting, number=2)
    with act.refused("hand-not-last"):
        act.settle(outcome, at_table=True)
    act.settle(outcome, who=make.user())
    assert unconfirmed() == [2]


def test_organisers_entries_are_confirmed_by_their_hand() -> None:
    sitting, user = both(hands=6), make.user()
    ours(sitting)
    act.correct(sitting, {1: LOST}, who=user)
    scorer = make.actor(user)
    write_down({sitting.pk: Paper(sheets={2: WON, 3: WON})}, reason="Paper", by=scorer)
    how = {"result_type": ResultType.WALKOVER, "bare": 0, "times": 1, "reason": "Nobody came"}
    record_result_type(sitting_id=sitting.pk, by=scorer, **how)  # type: ignore[arg-type]
    assert unconfirmed() == []
    assert Hand.objects.exclude(confirmed_at=None).count() == 4


def test_who_is_signed_in_at_a_table_is_one_of_the_table() -> None:
    sitting, player = both(hands=6), make.actor(make.user(), device="a")
    record_wins(token=sitting.token, first=1, wins=[1, 1], ties=0, by=player)
    assert unconfirmed() == [1, 2]


def test_parked_hand_waits_for_the_organiser_who_confirms_it_by_settling() -> None:
    sheet = {"bare": 0, "eaten": [70, 48]}
    make.report(both(), sheet, device="a", side=0, parked=True)
    assert unconfirmed() == []
    act.settle("keep", who=make.user())
    assert Hand.objects.get().confirmed_at == NOON


def test_organiser_confirms_those_they_looked_at(sitting: Sitting) -> None:
    later = NOON + timedelta(hours=1)
    for _ in range(2):
        ours(sitting)
    assert organiser_confirms(sitting, later, numbers=[1, 3, 9]) == (1, 3)
    entry = LogEntry.objects.get()
    assert (entry.verb, entry.on["hands"], unconfirmed()) == ("hands-confirmed", [1, 3], [2])
    assert Hand.objects.get(number=1).confirmed_at == later


def test_organiser_confirms_nothing_that_was_changed_since_they_looked(sitting: Sitting) -> None:
    ours(sitting)
    seen = [*Hand.objects.values_list("accepted_report", flat=True)]
    ours(sitting, LOST, number=2)
    assert organiser_confirms(sitting, numbers=[1, 2], seen=seen) == (1,)
    assert unconfirmed() == [2]


@pytest.mark.parametrize("ahead", [timedelta(microseconds=1), timedelta(), timedelta(seconds=-1)])
def test_organiser_confirms_no_hand_before_it_was_recorded(ahead: timedelta) -> None:
    sitting = both()
    make.report(sitting, WON, device="a", side=0, now=NOON + ahead)
    assert organiser_confirms(sitting) == (1,)
    assert Hand.objects.get().confirmed_at == max(NOON, NOON + ahead)


def test_the_hands_that_are_confirmed_are_those_that_are_named(sitting: Sitting) -> None:
    def changed_after_reading(execute: Any, sql: str, *more: Any) -> Any:
        """Say that one report is enough, as another request can as soon as the hands are read."""
        answer = execute(sql, *more)
        if sql.startswith('SELECT "tracker_hand"'):
            Tournament.objects.update(confirm="one")
        return answer

    with connection.execute_wrapper(changed_after_reading):
        assert organiser_confirms(sitting) == (1,)

    assert Hand.objects.get().confirmed_at is not None


def test_where_one_report_is_enough_nothing_waits() -> None:
    sitting = make.sitting()
    ours(sitting)
    write_down({sitting.pk: Paper(sheets={2: WON})}, reason="", by=make.actor(make.user()))
    assert unconfirmed() == []
    assert not Hand.objects.exclude(confirmed_at=None).exists()


def test_recount_leaves_what_was_confirmed(sitting: Sitting) -> None:
    ours(sitting)
    yes(sitting)
    Hand.objects.filter(number=1).update(marks=None)  # something is wrong
    recount(tournament_id=sitting.round.tournament_id, by=make.actor(), write=True)
    assert unconfirmed() == [2]
    assert Hand.objects.get(number=1).marks is not None


def test_a_tournament_taken_elsewhere_keeps_what_waits_and_what_was_done() -> None:
    sitting, phone = both(hands=6, movement="in_order"), make.actor(device="a")
    for _ in range(3):
        ours(sitting)
    yes(sitting)
    ours(sitting, LOST, number=1)  # it asks to change it
    take_back(token=sitting.token, number=3, by=phone)
    organiser_confirms(sitting, numbers=[2])
    ours(sitting)
    ours(sitting, LOST)
    take_back(token=sitting.token, number=4, by=phone)
    file = file_from_elsewhere(sitting.round.tournament)
    there = import_tournament(
        content=file, choices=None, club_id=make.club("Ilala").pk, by=make.actor()
    )

    taken = Sitting.objects.get(round__tournament=there)
    waiting = Hand.objects.unconfirmed().filter(sitting=taken)
    assert [*waiting.values_list("number", flat=True)] == [3]
    assert [*taken.issues.values_list("kind", "number")] == [("change", 1)]
    verbs = LogEntry.objects.filter(on__sitting=taken.pk).order_by("pk")
    assert " ".join(verbs.values_list("verb", flat=True)) == (
        "hand-confirmed change-asked hand-taken-back hands-confirmed hand-amended hand-taken-back"
    )
    assert make.undone_report(taken) is not None
    assert taken.last_number == 3
    assert act.is_as_its_sheets_say(there)
