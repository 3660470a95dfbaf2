"""Putting right what was reported: all of it or nothing, and logged."""

from collections.abc import Mapping
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest

from games.errors import SheetError
from games.sheet import Sheet
from tests import make
from tracker.common.errors import Refused
from tracker.models import (
    Confirm,
    Hand,
    HandKind,
    Issue,
    IssueKind,
    LogEntry,
    Report,
    RoundState,
    SeatTally,
    Sitting,
    Tally,
    Tournament,
    Verdict,
)
from tracker.results.services.corrections import RESTORE, STRIKE, Change, correct_sitting
from tracker.results.services.issues import query_hand
from tracker.results.services.settling import IssueOutcome, settle
from tracker.tables.replay import ReplayRefused

pytestmark = pytest.mark.django_db

SEVENTY_FIFTY = {"eaten": [70, 50]}
FIFTY_SEVENTY = {"eaten": [50, 70]}
LATER = make.NOON + timedelta(hours=1)


def four(at: Tournament | None = None) -> Sitting:
    return make.sitting("Asha", "Neema", "Juma", "Baraka", at=at)


def three_hands() -> Sitting:
    """Asha & Juma win hands 1 and 3, Neema & Baraka hand 2."""
    sitting = four()
    for sheet in (SEVENTY_FIFTY, FIFTY_SEVENTY, SEVENTY_FIFTY):
        make.report(sitting, sheet, device="a")
    return sitting


def correct(
    sitting: Sitting,
    changes: Mapping[int, Sheet | Change],
    *,
    user_id: int | None = None,
) -> None:
    correct_sitting(
        sitting_id=sitting.pk,
        changes=changes,
        reason="Counted again",
        by=make.actor(user_id, at=LATER, device="desk"),
    )


def settled(
    outcome: IssueOutcome, *, sheet: Sheet | None = None, user_id: int | None = None
) -> None:
    """Settle the only open issue."""
    settle(
        issue_id=Issue.objects.get(settled_at=None).pk,
        outcome=outcome,
        sheet=sheet,
        reason="Both sides agree",
        by=make.actor(user_id, at=LATER, device="desk"),
    )


def points(name: str, key: str = "victory_points") -> int:
    return sum(
        Tally.objects.filter(entrant__player__name=name, key=key).values_list("amount", flat=True)
    )


def everything() -> dict[str, list[Any]]:
    """Return every row that a correction could touch."""
    models = (Report, Hand, Issue, SeatTally, Tally, LogEntry, Sitting)
    return {model.__name__: [*model.objects.order_by("pk").values()] for model in models}


def entrant(name: str) -> int:
    return Tally.objects.filter(entrant__player__name=name)[0].entrant_id


# Correcting ----------------------------------------------------------------------------------


def test_corrected_sheet_moves_the_points_and_is_in_the_log() -> None:
    sitting, owner = three_hands(), make.user()

    correct(sitting, {2: SEVENTY_FIFTY}, user_id=owner.pk)

    hand = Hand.objects.get(number=2)
    assert (hand.sheet, hand.confirmed_at) == ({"eaten": [70, 50], "dealer": 2}, LATER)
    assert (hand.accepted_report.verdict, hand.accepted_report.sheet) == (
        Verdict.CORRECTION,
        SEVENTY_FIFTY,
    )
    assert (hand.accepted_report.sent_by, hand.accepted_report.device) == (owner, "desk")
    assert (points("Asha"), points("Neema")) == (3, 0)
    assert (points("Asha", "eaten"), points("Neema", "eaten")) == (210, 150)
    assert Hand.objects.get(number=3).warnings  # Neema dealt it: now Asha or Juma was due
    log_entry = LogEntry.objects.get()
    assert (log_entry.verb, log_entry.user, log_entry.reason) == (
        "sitting-corrected",
        owner,
        "Counted again",
    )
    assert log_entry.on["hands"] == [2]
    assert log_entry.numbers["before"] == {"2": {"eaten": [50, 70], "dealer": 2}}
    assert log_entry.numbers["after"] == {"2": SEVENTY_FIFTY}
    assert log_entry.numbers["points"][str(entrant("Asha"))]["victory_points"] == [2, 3]


def test_dealer_of_a_later_hand_is_a_fact() -> None:
    sitting = three_hands()
    dealers = [hand.dealer for hand in Hand.objects.order_by("number")]

    correct(sitting, {1: FIFTY_SEVENTY})

    assert [hand.dealer for hand in Hand.objects.order_by("number")] == dealers
    assert Hand.objects.get(number=2).warnings[0]["code"] == "dealer-not-by-rule"


def test_correction_may_name_another_dealer() -> None:
    sitting = three_hands()

    correct(sitting, {1: {**SEVENTY_FIFTY, "dealer": 3}})

    assert Hand.objects.get(number=1).dealer == 3
    assert (points("Asha", "opened"), points("Baraka", "opened")) == (0, 1)


def test_struck_hand_is_left_out_and_keeps_its_number() -> None:
    sitting = three_hands()

    correct(sitting, {2: STRIKE})

    sitting.refresh_from_db()
    assert Hand.objects.get(number=2).struck_at == LATER
    assert (sitting.last_number, points("Neema"), points("Neema", "hands")) == (3, 0, 2)
    assert Report.objects.filter(verdict=Verdict.CORRECTION).count() == 0
    assert LogEntry.objects.get().numbers["after"] == {"2": "struck"}


def test_a_struck_hand_is_not_struck_again() -> None:
    sitting = three_hands()
    correct(sitting, {2: STRIKE})
    before = everything()

    with pytest.raises(Refused) as refusal:
        correct(sitting, {2: STRIKE})

    assert refusal.value.code == "nothing-changed"
    assert everything() == before


def test_first_hand_struck_leaves_nobody_who_opened() -> None:
    sitting = three_hands()

    correct(sitting, {1: STRIKE})

    assert points("Asha", "opened") == 0


def test_restored_hand_counts_as_before() -> None:
    sitting = three_hands()
    before = {(row.entrant_id, row.key): row.amount for row in Tally.objects.all()}
    session = Sitting.objects.get().session
    correct(sitting, {2: STRIKE})

    correct(sitting, {2: RESTORE})

    hand = Hand.objects.get(number=2)
    assert (hand.struck_at, hand.accepted_report.verdict) == (None, Verdict.ACCEPTED)
    assert {(row.entrant_id, row.key): row.amount for row in Tally.objects.all()} == before
    assert Sitting.objects.get().session == session


def test_new_sheet_for_a_struck_hand_restores_it() -> None:
    sitting = three_hands()
    correct(sitting, {2: STRIKE})

    correct(sitting, {2: SEVENTY_FIFTY})

    assert Hand.objects.get(number=2).struck_at is None
    assert points("Asha") == 3


def test_clock_behind_the_hands_strikes_them_all_the_same() -> None:
    sitting = three_hands()

    correct_sitting(
        sitting_id=sitting.pk,
        changes={1: STRIKE},
        reason="Twice",
        by=make.actor(at=make.NOON - timedelta(seconds=1)),
    )

    assert Hand.objects.get(number=1).struck_at == make.NOON


def test_correction_that_the_rules_refuse_leaves_no_trace() -> None:
    sitting = three_hands()
    before = everything()

    with pytest.raises(SheetError) as refusal:
        correct(sitting, {2: {"eaten": [70, 40]}})

    assert (refusal.value.code, type(refusal.value)) == ("total", SheetError)
    assert everything() == before


def mambassa_with_one_out() -> Sitting:
    """Three at Mambassa; seat 0 pays three times and is out, then seat 1 pays."""
    sitting = make.sitting("Asha", "Neema", "Juma", at=make.tournament("mambassa", "3i"))
    for payer in (0, 0, 0, 1):
        make.report(sitting, {"event": "normal", "payers": [payer]})
    return sitting


def test_later_hand_that_cannot_follow_is_named_and_nothing_is_kept() -> None:
    sitting = mambassa_with_one_out()
    before = everything()

    with pytest.raises(ReplayRefused) as refusal:
        correct(
            sitting,
            {
                1: {"event": "normal", "payers": [1]},
                2: {"event": "normal", "payers": [1]},
                3: {"event": "normal", "payers": [1]},
            },
        )

    assert refusal.value.number == 4
    assert refusal.value.code == "dealer-out"  # S31h: seat 1 dealt it, and would be out now
    assert everything() == before


def test_later_hand_is_mended_in_the_same_act() -> None:
    sitting = mambassa_with_one_out()
    pays = {who: {"event": "normal", "payers": [who]} for who in range(3)}

    correct(sitting, {1: pays[1], 2: pays[1], 3: pays[1], 4: {**pays[2], "dealer": 0}})

    sitting.refresh_from_db()
    assert sitting.session["tokens"] == [3, 0, 2]
    assert sum(sitting.session["tokens"]) + sitting.session["pool"] == 12  # S31g


def test_finished_games_are_counted_anew() -> None:
    sitting = make.sitting(at=make.tournament("briscola", "2i", games=1))
    for _ in range(3):
        make.report(sitting, {"points": [70, 50]})
    assert Sitting.objects.get().finished_at == make.NOON

    correct(sitting, {3: {"points": [60, 60]}})

    sitting.refresh_from_db()
    assert (sitting.games_over, sitting.over, sitting.finished_at) == (0, False, None)
    assert make.report(sitting, {"points": [70, 50]}).over


def test_void_deal_after_a_game_does_not_end_it_again() -> None:
    sitting = make.sitting(at=make.tournament("mambassa", "3i"))
    make.report(sitting, {"bare": [0, 1, 2]})

    make.report(sitting, {"bare": "void"})

    assert Sitting.objects.get().games_over == 1


def test_hand_nobody_played_cannot_be_corrected() -> None:
    sitting = three_hands()

    with pytest.raises(Refused) as refusal:
        correct(sitting, {4: SEVENTY_FIFTY})

    assert refusal.value.code == "hand-unknown"


def test_correction_without_a_change_is_refused() -> None:
    sitting = three_hands()

    with pytest.raises(Refused) as refusal:
        correct(sitting, {})

    assert refusal.value.code == "nothing-changed"


def test_hand_is_not_corrected_to_what_it_is() -> None:
    sitting = three_hands()
    before = everything()

    with pytest.raises(Refused) as refusal:
        correct(sitting, {2: FIFTY_SEVENTY})

    assert refusal.value.code == "nothing-changed"
    assert everything() == before


def test_hand_that_waits_for_the_other_side_is_confirmed_by_the_same_sheet() -> None:
    sitting = four(make.tournament(confirm=Confirm.BOTH))
    make.report(sitting, SEVENTY_FIFTY, side=0)

    correct(sitting, {1: SEVENTY_FIFTY}, user_id=make.user().pk)

    assert Hand.objects.get().confirmed_at == LATER


def test_sitting_that_is_not_there_is_a_mistake() -> None:
    with pytest.raises(LookupError):
        correct(Sitting(pk=404), {1: STRIKE})


def test_hands_of_a_closed_round_can_still_be_corrected() -> None:
    sitting = three_hands()
    sitting.round.state = RoundState.CLOSED
    sitting.round.save()
    Sitting.objects.update(finished_at=make.NOON)

    correct(sitting, {2: SEVENTY_FIFTY})

    assert points("Asha") == 3
    assert Sitting.objects.get().finished_at == make.NOON  # it still is


def test_correction_in_an_undone_round_moves_no_points() -> None:
    sitting = three_hands()
    sitting.round.state = RoundState.UNDONE
    sitting.round.save()
    before = everything()["Tally"]

    correct(sitting, {2: SEVENTY_FIFTY})

    assert everything()["Tally"] == before
    assert LogEntry.objects.get().numbers["points"] == {}
    assert Hand.objects.get(number=2).sheet["eaten"] == [70, 50]


def test_correction_is_not_a_mend_for_the_phone_that_sent_the_hand() -> None:
    sitting = three_hands()
    correct(sitting, {2: SEVENTY_FIFTY})

    answer = make.report(sitting, {"eaten": [60, 60]}, number=2, device="a")

    assert answer.verdict == "ask"


# Settling ------------------------------------------------------------------------------------


def two_counts() -> Sitting:
    """Hand 1 of two: 70-50 stands, 50-70 was said as well."""
    sitting = four()
    make.report(sitting, SEVENTY_FIFTY, device="a", side=0)
    make.report(sitting, {"eaten": [80, 40]}, device="a", side=0)
    make.report(sitting, FIFTY_SEVENTY, number=1, device="b", side=1, is_next=False)
    return sitting


@pytest.mark.parametrize("outcome", [IssueOutcome.KEEP, IssueOutcome.DISMISS])
def test_conflict_kept_leaves_the_hand_as_it_stands(outcome: IssueOutcome) -> None:
    two_counts()

    settled(outcome)

    issue, log_entry = Issue.objects.get(), LogEntry.objects.get()
    assert (issue.outcome, issue.settled_at) == (outcome.value, LATER)
    assert Sitting.objects.get().open_conflicts == 0
    assert (log_entry.verb, log_entry.on["issue"], log_entry.reason) == (
        "issue-settled",
        issue.pk,
        "Both sides agree",
    )
    assert log_entry.numbers == {"kind": "conflict", "outcome": outcome.value}
    assert points("Asha") == 2


def test_other_count_is_taken_and_stands_by_the_report_that_said_it() -> None:
    two_counts()

    settled(IssueOutcome.TAKE)

    hand = Hand.objects.get(number=1)
    assert (hand.sheet["eaten"], hand.accepted_report.device) == ([50, 70], "b")
    assert hand.accepted_report.verdict == Verdict.CONFLICTS
    assert (points("Asha"), points("Neema")) == (1, 1)
    assert Issue.objects.get().outcome == "take"
    log_entry = LogEntry.objects.get()
    assert (log_entry.verb, log_entry.on["hand"], log_entry.numbers["outcome"]) == (
        "issue-settled",
        1,
        "take",
    )
    assert log_entry.numbers["before"] == {"1": {"eaten": [70, 50], "dealer": 0}}
    assert Sitting.objects.get().open_conflicts == 0


def test_two_hands_make_the_other_the_one_after_the_last() -> None:
    sitting = two_counts()

    settled(IssueOutcome.TWO)

    sitting.refresh_from_db()
    hand = Hand.objects.get(number=3)
    assert (hand.sheet["eaten"], hand.accepted_report.device, hand.dealer) == ([50, 70], "b", 0)
    assert (sitting.last_number, sitting.last_at, sitting.open_conflicts) == (3, LATER, 0)
    assert (points("Asha"), points("Neema")) == (2, 1)
    assert make.report(sitting, SEVENTY_FIFTY).number == 4


def test_two_hands_of_a_full_round_are_refused() -> None:
    sitting = four(make.tournament(hands=1))
    make.report(sitting, SEVENTY_FIFTY, device="a")
    make.report(sitting, FIFTY_SEVENTY, number=1, device="b", is_next=False)
    before = everything()

    with pytest.raises(Refused) as refusal:
        settled(IssueOutcome.TWO)

    assert refusal.value.code == "round-full"
    assert everything() == before


def test_conflict_settled_by_a_third_sheet() -> None:
    two_counts()

    settled(IssueOutcome.MENDED, sheet={"eaten": [60, 60]})

    assert Hand.objects.get(number=1).sheet["eaten"] == [60, 60]
    assert Hand.objects.get(number=1).accepted_report.verdict == Verdict.CORRECTION
    assert Issue.objects.get().outcome == "mended"


def test_mended_needs_a_sheet() -> None:
    two_counts()

    with pytest.raises(Refused) as refusal:
        settled(IssueOutcome.MENDED)

    assert refusal.value.code == "sheet-missing"


def test_hand_settled_as_void_counts_for_nothing() -> None:
    two_counts()

    settled(IssueOutcome.VOID)

    hand = Hand.objects.get(number=1)
    assert (hand.marks, hand.kind, hand.sheet) == (
        None,
        HandKind.BARE,
        {"bare": "void", "dealer": 0},
    )
    assert points("Asha", "hands") == 1


def test_settled_issue_cannot_be_settled_again() -> None:
    two_counts()
    settled(IssueOutcome.KEEP)

    with pytest.raises(Refused) as refusal:
        settle(
            issue_id=Issue.objects.get().pk,
            outcome=IssueOutcome.TAKE,
            reason="",
            by=make.actor(at=LATER),
        )

    assert refusal.value.code == "issue-settled"


def test_settling_one_of_two_conflicts_settles_the_one_that_says_the_same() -> None:
    sitting = two_counts()
    make.report(sitting, FIFTY_SEVENTY, number=1, device="c", is_next=False)
    make.report(sitting, {"eaten": [60, 60]}, number=1, device="d", is_next=False)
    first = Issue.objects.order_by("pk")[0]

    settle(
        issue_id=first.pk,
        outcome=IssueOutcome.TAKE,
        reason="",
        by=make.actor(at=LATER),
    )

    outcomes = Issue.objects.order_by("pk").values_list("outcome", flat=True)
    assert [*outcomes] == ["take", "agreed", ""]
    assert Sitting.objects.get().open_conflicts == 1


def test_count_that_no_longer_fits_stays_open() -> None:
    sitting = mambassa_with_one_out()
    make.report(sitting, {"event": "normal", "payers": [2]}, number=4, device="b", is_next=False)
    pays = {who: {"event": "normal", "payers": [who]} for who in range(3)}

    correct(sitting, {1: pays[2], 2: pays[2], 3: pays[2], 4: pays[1]})

    assert Issue.objects.get().settled_at is None
    assert Sitting.objects.get().open_conflicts == 1


def test_striking_a_hand_settles_what_was_about_it() -> None:
    sitting = two_counts()

    correct(sitting, {1: STRIKE})

    assert Issue.objects.get().outcome == "struck"
    assert Sitting.objects.get().open_conflicts == 0


@pytest.mark.parametrize(
    ("change", "waiting"), [(RESTORE, 1), ({"eaten": [50, 70]}, 0), ({"eaten": [90, 30]}, 0)]
)
def test_restored_as_it_was_it_waits_again_for_what_was_open_about_it(
    change: Any, waiting: int
) -> None:
    sitting = two_counts()
    correct(sitting, {1: STRIKE})

    correct(sitting, {1: change})

    assert Issue.objects.filter(settled_at=None, outcome="").count() == waiting
    assert Sitting.objects.get().open_conflicts == waiting


def test_parked_hand_is_settled_by_its_count() -> None:
    sitting = four()
    make.report(sitting, {"bare": 0, "eaten": [70, 48]}, parked=True)

    settled(IssueOutcome.MENDED, sheet={"eaten": [72, 48]})

    assert Issue.objects.get().outcome == "mended"
    assert Hand.objects.get().kind == HandKind.COUNTED
    assert points("Asha", "eaten") == 72


def test_parked_hand_that_was_voided_and_is_brought_back_waits_again() -> None:
    sitting = four()
    make.report(sitting, {"bare": 0, "eaten": [70, 48]}, parked=True)
    settled(IssueOutcome.VOID)

    correct(sitting, {1: RESTORE})

    assert Hand.objects.get().sheet["bare"] == 0
    issue = Issue.objects.get()
    assert (issue.settled_at, issue.outcome) == (None, "")


def test_counts_that_differ_wait_again_when_what_settled_them_is_undone() -> None:
    sitting = two_counts()
    settled(IssueOutcome.TAKE)

    correct(sitting, {1: RESTORE})

    assert Issue.objects.get().settled_at is None
    assert Sitting.objects.get().open_conflicts == 1


def test_hand_that_stands_as_it_was_is_not_restored() -> None:
    sitting = three_hands()
    for change in (STRIKE, RESTORE):
        correct(sitting, {1: change})

    with pytest.raises(Refused) as refusal:
        correct(sitting, {1: RESTORE})

    assert refusal.value.code == "nothing-changed"
    assert LogEntry.objects.count() == 2


@pytest.mark.parametrize("outcome", [IssueOutcome.TAKE, IssueOutcome.TWO])
def test_parked_hand_has_no_other_sheet_to_take(outcome: IssueOutcome) -> None:
    make.report(four(), {"bare": 0}, parked=True)

    with pytest.raises(Refused) as refusal:
        settled(outcome)

    assert refusal.value.code == "outcome-unfit"


def test_parked_sheet_in_conflict_is_taken_without_its_count() -> None:
    sitting = four()
    make.report(sitting, SEVENTY_FIFTY, device="a")
    make.report(
        sitting,
        {"bare": 1, "eaten": [48, 70]},
        number=1,
        device="b",
        is_next=False,
        parked=True,
    )

    settled(IssueOutcome.TAKE)

    assert Hand.objects.get().sheet == {"bare": 1, "dealer": 0}


def late(sheet: Sheet, number: int) -> Sitting:
    """Return a table of a closed round with one hand, and a late report."""
    sitting = four()
    make.report(sitting, SEVENTY_FIFTY)
    sitting.round.state = RoundState.CLOSED
    sitting.round.save()
    make.report(sitting, sheet, number=number, device="b")
    return sitting


def test_late_hand_is_taken_in() -> None:
    sitting = late(FIFTY_SEVENTY, 2)

    settled(IssueOutcome.TAKE)

    sitting.refresh_from_db()
    assert (sitting.last_number, points("Neema")) == (2, 1)
    assert Hand.objects.get(number=2).accepted_report.verdict == Verdict.LATE
    assert Hand.objects.get(number=2).dealer == 2


def test_late_hand_replaces_the_one_of_its_number() -> None:
    late(FIFTY_SEVENTY, 1)

    settled(IssueOutcome.TAKE)

    assert Hand.objects.get().sheet["eaten"] == [50, 70]


def test_late_hand_is_dismissed() -> None:
    late(FIFTY_SEVENTY, 2)

    settled(IssueOutcome.DISMISS)

    assert Hand.objects.count() == 1
    assert Issue.objects.get().outcome == "dismiss"


def test_late_hand_that_cannot_be_is_refused() -> None:
    late({"eaten": [9]}, 2)
    before = everything()

    with pytest.raises(SheetError):
        settled(IssueOutcome.TAKE)

    assert everything() == before


def test_late_hand_after_a_missing_one_has_to_wait() -> None:
    late(FIFTY_SEVENTY, 3)

    with pytest.raises(Refused) as refusal:
        settled(IssueOutcome.TAKE)

    assert (refusal.value.code, refusal.value.params) == (
        "hand-missing",
        {"hand": "Hand 2", "missing": 2},
    )


def test_late_hand_gets_the_dealer_the_table_had_chosen() -> None:
    sitting = late(FIFTY_SEVENTY, 2)
    Sitting.objects.filter(pk=sitting.pk).update(chosen_dealer=0, chosen_after=1)

    settled(IssueOutcome.TAKE)

    assert Hand.objects.get(number=2).dealer == 0


# Queries -------------------------------------------------------------------------------------


def query(sitting: Sitting, number: int, note: str = "I had the ace") -> Issue:
    return query_hand(
        token=sitting.token,
        number=number,
        note=note,
        by=make.actor(at=LATER, device="b"),
    )


def test_queried_hand_waits_for_the_organiser() -> None:
    sitting = three_hands()

    issue = query(sitting, 2)

    assert (issue.kind, issue.number, issue.note) == (IssueKind.QUERY, 2, "I had the ace")
    assert (issue.raised_at, issue.report, issue.settled_at) == (LATER, None, None)
    log_entry = LogEntry.objects.get()
    assert (log_entry.verb, log_entry.device, log_entry.on["issue"]) == (
        "hand-queried",
        "b",
        issue.pk,
    )
    assert Sitting.objects.get().open_conflicts == 0


def test_long_note_of_a_query_is_cut() -> None:
    sitting = three_hands()

    issue = query_hand(
        token=sitting.token, number=1, note="n" * 201, by=make.actor(at=LATER, device="d" * 41)
    )

    issue.refresh_from_db()
    assert len(issue.note) == 200


def test_query_is_answered_by_correcting_the_hand() -> None:
    sitting = three_hands()
    query(sitting, 2)

    correct(sitting, {2: SEVENTY_FIFTY})

    assert Issue.objects.get().outcome == "mended"


def test_query_without_reason_is_dismissed() -> None:
    query(three_hands(), 2)

    settled(IssueOutcome.DISMISS)
    assert Issue.objects.get().outcome == "dismiss"


def test_hand_nobody_played_cannot_be_queried() -> None:
    with pytest.raises(Refused) as refusal:
        query(three_hands(), 4)

    assert refusal.value.code == "hand-unknown"


def test_hand_queried_often_enough_takes_no_more_queries() -> None:
    sitting = three_hands()
    for time in range(5):
        query(sitting, 2, f"I had the ace, {time}")

    with pytest.raises(Refused) as refusal:
        query(sitting, 2, "I had it")

    assert refusal.value.code == "too-many-queries"


def test_same_query_again_is_that_query_until_it_is_settled() -> None:
    sitting = three_hands()

    issues = [
        query(sitting, number, note) for number, note in [(2, ""), (2, ""), (2, "?"), (1, "")]
    ]

    assert issues[0] == issues[1]
    assert Issue.objects.count() == LogEntry.objects.count() == 3
    Issue.objects.filter(pk=issues[0].pk).update(settled_at=LATER, outcome="dismiss")
    assert query(sitting, 2, "").pk not in {issue.pk for issue in issues}


def test_change_that_a_later_hand_cannot_follow_is_not_taken() -> None:
    sitting = make.sitting("Asha", "Neema", "Juma", at=make.tournament("mambassa", "3i"))
    pays = {who: {"event": "normal", "payers": [who]} for who in range(3)}
    for payer in (0, 0, 1, 1, 1, 0):
        make.report(sitting, pays[payer], device="a")
        if Sitting.objects.get().over:
            break
    make.report(sitting, pays[2], device="a")
    asked = make.report(sitting, pays[0], number=3, device="a", entry=uuid4())
    before = everything()

    with pytest.raises(ReplayRefused) as refusal:
        settle(
            issue_id=Issue.objects.get(report=asked.report_id).pk,
            outcome=IssueOutcome.TAKE,
            reason="As they ask",
            by=make.actor(),
        )

    assert refusal.value.number > 3
    assert everything() == before
