"""Putting right what was reported: all of it or nothing, and logged."""

from datetime import timedelta
from typing import Any

import pytest

from games.errors import SheetError
from tests import act, make
from tests.make import NOON
from tests.tracker.results.stored import eaten, everything, points
from tracker.models import (
    Confirm,
    Hand,
    HandKind,
    Issue,
    IssueKind,
    LogEntry,
    Report,
    Round,
    RoundState,
    Sitting,
    Tally,
    User,
    Verdict,
)
from tracker.results.services.corrections import RESTORE, STRIKE
from tracker.results.services.issues import query_hand
from tracker.tables.replay import ReplayRefused

pytestmark = pytest.mark.django_db
WON, LOST, TIE = {"eaten": [70, 50]}, {"eaten": [50, 70]}, {"eaten": [60, 60]}
PARKED = {"bare": 0, "eaten": [70, 48]}
LATER = NOON + timedelta(hours=1)
PAYS = {who: {"event": "normal", "payers": [who]} for who in range(3)}


@pytest.fixture
def table() -> Sitting:
    return make.sitting("Asha", "Neema", "Juma", "Baraka")


@pytest.fixture
def three(table: Sitting) -> Sitting:
    """Return a table where Asha & Juma have won hands 1 and 3, Neema & Baraka hand 2."""
    for sheet in (WON, LOST, WON):
        make.report(table, sheet, device="a")
    return table


@pytest.fixture
def disputed(table: Sitting) -> Sitting:
    """Return a table with two hands: of the first 70-50 stands, and 50-70 was said as well."""
    make.report(table, WON, device="a", side=0)
    make.report(table, {"eaten": [80, 40]}, device="a", side=0)
    make.report(table, LOST, number=1, device="b", side=1, is_next=False)
    return table


@pytest.fixture
def one_out() -> Sitting:
    """Return a table of three at Mambassa: seat 0 has paid three times and is out, then seat 1."""
    table = make.sitting("Asha", "Neema", "Juma", at=make.tournament("mambassa", "3i"))
    for payer in (0, 0, 0, 1):
        make.report(table, PAYS[payer])
    return table


def correct(table: Sitting, changes: dict[int, Any], who: User | None = None) -> None:
    act.correct(table, changes, who=who, at=LATER, device="desk")


def settle(outcome: str, issue: Issue | None = None, **more: Any) -> None:
    act.settle(outcome, issue, by=make.actor(at=LATER, device="desk"), **more)


def conflicts() -> int:
    return Sitting.objects.get().open_conflicts


# Correcting ----------------------------------------------------------------------------------


def test_corrected_sheet_moves_the_points_and_is_in_the_log(three: Sitting) -> None:
    owner = make.user()
    correct(three, {2: WON}, owner)

    hand = Hand.objects.get(number=2)
    report = hand.accepted_report
    assert (hand.sheet, hand.confirmed_at) == ({"eaten": [70, 50], "dealer": 2}, LATER)
    assert (report.verdict, report.sheet) == (Verdict.CORRECTION, WON)
    assert (report.sent_by, report.device) == (owner, "desk")
    assert (points("Asha"), points("Neema")) == (3, 0)
    assert (points("Asha", "eaten"), points("Neema", "eaten")) == (210, 150)
    assert Hand.objects.get(number=3).warnings  # Neema dealt it: now Asha or Juma was due
    entry = LogEntry.objects.get()
    assert (entry.verb, entry.user) == ("sitting-corrected", owner)
    assert (entry.reason, entry.on["hands"]) == ("Counted again", [2])
    assert entry.numbers["before"] == {"2": {"eaten": [50, 70], "dealer": 2}}
    assert entry.numbers["after"] == {"2": WON}
    asha = three.seats.get(player__name="Asha").entrant_id
    assert entry.numbers["points"][str(asha)]["victory_points"] == [2, 3]


def test_dealer_of_a_later_hand_is_a_fact(three: Sitting) -> None:
    dealers = [*Hand.objects.order_by("number").values_list("dealer", flat=True)]
    correct(three, {1: LOST})
    assert [*Hand.objects.order_by("number").values_list("dealer", flat=True)] == dealers
    assert Hand.objects.get(number=2).warnings[0]["code"] == "dealer-not-by-rule"


def test_correction_may_name_another_dealer(three: Sitting) -> None:
    correct(three, {1: {**WON, "dealer": 3}})
    assert Hand.objects.get(number=1).dealer == 3
    assert (points("Asha", "opened"), points("Baraka", "opened")) == (0, 1)


def test_struck_hand_is_left_out_and_keeps_its_number(three: Sitting) -> None:
    correct(three, {2: STRIKE})
    three.refresh_from_db()
    assert Hand.objects.get(number=2).struck_at == LATER
    assert (three.last_number, points("Neema"), points("Neema", "hands")) == (3, 0, 2)
    assert not Report.objects.filter(verdict=Verdict.CORRECTION).exists()
    assert LogEntry.objects.get().numbers["after"] == {"2": "struck"}


def test_first_hand_struck_leaves_nobody_who_opened(three: Sitting) -> None:
    correct(three, {1: STRIKE})
    assert points("Asha", "opened") == 0


def test_restored_hand_counts_as_before(three: Sitting) -> None:
    def counted() -> tuple[Any, Any]:
        sums = Tally.objects.order_by("entrant", "key").values_list("entrant", "key", "amount")
        return [*sums], Sitting.objects.get().session

    before = counted()
    correct(three, {2: STRIKE})

    correct(three, {2: RESTORE})

    hand = Hand.objects.get(number=2)
    assert (hand.struck_at, hand.accepted_report.verdict) == (None, Verdict.ACCEPTED)
    assert counted() == before


def test_new_sheet_for_a_struck_hand_restores_it(three: Sitting) -> None:
    correct(three, {2: STRIKE})
    correct(three, {2: WON})
    assert Hand.objects.get(number=2).struck_at is None
    assert points("Asha") == 3


def test_clock_behind_the_hands_strikes_them_all_the_same(three: Sitting) -> None:
    act.correct(three, {1: STRIKE}, at=NOON - timedelta(seconds=1))
    assert Hand.objects.get(number=1).struck_at == NOON


@pytest.mark.parametrize(
    ("before", "changes", "code"),
    [
        ({}, {2: {"eaten": [70, 40]}}, "total"),
        ({}, {4: WON}, "hand-unknown"),
        ({}, {}, "nothing-changed"),
        ({}, {2: LOST}, "nothing-changed"),  # as it is
        ({2: STRIKE}, {2: STRIKE}, "nothing-changed"),
    ],
)
def test_correction_that_cannot_be_leaves_no_trace(
    three: Sitting, before: dict[int, Any], changes: dict[int, Any], code: str
) -> None:
    if before:
        correct(three, before)
    stored = everything()
    with act.refused(code) as refusal:
        correct(three, changes)
    assert isinstance(refusal.value, SheetError) == (code == "total")  # and of no later hand
    assert not isinstance(refusal.value, ReplayRefused)
    assert everything() == stored


def test_hand_that_stands_as_it_was_is_not_restored(three: Sitting) -> None:
    for change in (STRIKE, RESTORE):
        correct(three, {1: change})
    with act.refused("nothing-changed"):
        correct(three, {1: RESTORE})
    assert LogEntry.objects.count() == 2


def test_later_hand_that_cannot_follow_is_named_and_nothing_is_kept(one_out: Sitting) -> None:
    before = everything()
    with act.refused("dealer-out", number=4):  # S31h: seat 1 dealt it, and would be out now
        correct(one_out, dict.fromkeys((1, 2, 3), PAYS[1]))
    assert everything() == before


def test_later_hand_is_mended_in_the_same_act(one_out: Sitting) -> None:
    correct(one_out, {**dict.fromkeys((1, 2, 3), PAYS[1]), 4: {**PAYS[2], "dealer": 0}})
    one_out.refresh_from_db()
    assert one_out.session["tokens"] == [3, 0, 2]
    assert sum(one_out.session["tokens"]) + one_out.session["pool"] == 12  # S31g


def test_finished_games_are_counted_anew() -> None:
    table = make.sitting(at=make.tournament("briscola", "2i", games=1))
    for _ in range(3):
        make.report(table, {"points": [70, 50]})
    assert Sitting.objects.get().finished_at == NOON
    correct(table, {3: {"points": [60, 60]}})
    table.refresh_from_db()
    assert (table.games_over, table.over, table.finished_at) == (0, False, None)
    assert make.report(table, {"points": [70, 50]}).over


def test_void_deal_after_a_game_does_not_end_it_again() -> None:
    table = make.sitting(at=make.tournament("mambassa", "3i"))
    for bare in ([0, 1, 2], "void"):
        make.report(table, {"bare": bare})
    assert Sitting.objects.get().games_over == 1


def test_hand_that_waits_for_the_other_side_is_confirmed_by_the_same_sheet() -> None:
    table = make.sitting(at=make.tournament(confirm=Confirm.BOTH))
    make.report(table, WON, side=0)
    correct(table, {1: WON}, make.user())
    assert Hand.objects.get().confirmed_at == LATER


def test_sitting_that_is_not_there_is_a_mistake() -> None:
    with pytest.raises(LookupError):
        correct(Sitting(pk=404), {1: STRIKE})


def test_hands_of_a_closed_round_can_still_be_corrected(three: Sitting) -> None:
    Round.objects.update(state=RoundState.CLOSED)
    Sitting.objects.update(finished_at=NOON)
    correct(three, {2: WON})
    assert points("Asha") == 3
    assert Sitting.objects.get().finished_at == NOON  # it still is


def test_correction_in_an_undone_round_moves_no_points(three: Sitting) -> None:
    Round.objects.update(state=RoundState.UNDONE)
    before = everything()["Tally"]
    correct(three, {2: WON})
    assert everything()["Tally"] == before
    assert LogEntry.objects.get().numbers["points"] == {}
    assert eaten(2) == [70, 50]


def test_correction_is_not_a_mend_for_the_phone_that_sent_the_hand(three: Sitting) -> None:
    correct(three, {2: WON})
    assert make.report(three, TIE, number=2, device="a").verdict == "ask"


# Settling ------------------------------------------------------------------------------------


@pytest.mark.parametrize("outcome", ["keep", "dismiss"])
def test_conflict_kept_leaves_the_hand_as_it_stands(disputed: Sitting, outcome: str) -> None:
    settle(outcome)
    issue, entry = Issue.objects.get(), LogEntry.objects.get()
    assert (issue.outcome, issue.settled_at, conflicts()) == (outcome, LATER, 0)
    assert (entry.verb, entry.on["issue"]) == ("issue-settled", issue.pk)
    assert entry.reason == "Both sides agree"
    assert entry.numbers == {"kind": "conflict", "outcome": outcome}
    assert points("Asha") == 2


def test_other_count_is_taken_and_stands_by_the_report_that_said_it(disputed: Sitting) -> None:
    settle("take")
    report = Hand.objects.get(number=1).accepted_report
    assert (eaten(), report.device, report.verdict) == ([50, 70], "b", Verdict.CONFLICTS)
    assert (points("Asha"), points("Neema")) == (1, 1)
    assert (Issue.objects.get().outcome, conflicts()) == ("take", 0)
    entry = LogEntry.objects.get()
    assert (entry.verb, entry.on["hand"]) == ("issue-settled", 1)
    assert entry.numbers["outcome"] == "take"
    assert entry.numbers["before"] == {"1": {"eaten": [70, 50], "dealer": 0}}


def test_two_hands_make_the_other_the_one_after_the_last(disputed: Sitting) -> None:
    settle("two")
    disputed.refresh_from_db()
    hand = Hand.objects.get(number=3)
    assert (eaten(3), hand.accepted_report.device, hand.dealer) == ([50, 70], "b", 0)
    assert (disputed.last_number, disputed.last_at, disputed.open_conflicts) == (3, LATER, 0)
    assert (points("Asha"), points("Neema")) == (2, 1)
    assert make.report(disputed, WON).number == 4


def test_conflict_settled_by_a_third_sheet(disputed: Sitting) -> None:
    settle("mended", sheet=TIE)
    assert eaten() == [60, 60]
    assert Hand.objects.get(number=1).accepted_report.verdict == Verdict.CORRECTION
    assert Issue.objects.get().outcome == "mended"


def test_hand_settled_as_void_counts_for_nothing(disputed: Sitting) -> None:
    settle("void")
    hand = Hand.objects.get(number=1)
    assert (hand.marks, hand.kind) == (None, HandKind.BARE)
    assert hand.sheet == {"bare": "void", "dealer": 0}
    assert points("Asha", "hands") == 1


def parked(table: Sitting) -> None:
    make.report(table, {"bare": 0}, parked=True)


def full_and_disputed(table: Sitting) -> None:
    Round.objects.update(hands=1)
    make.report(table, WON, device="a")
    make.report(table, LOST, number=1, device="b", is_next=False)


def already_settled(table: Sitting) -> None:
    full_and_disputed(table)
    settle("keep")


def late(table: Sitting, sheet: Any = LOST, number: int = 2) -> None:
    """Close the round of the table after a hand, and let another one come late."""
    make.report(table, WON)
    Round.objects.update(state=RoundState.CLOSED)
    make.report(table, sheet, number=number, device="b")


def impossible(table: Sitting) -> None:
    late(table, {"eaten": [9]})


def ahead(table: Sitting) -> None:
    late(table, number=3)


@pytest.mark.parametrize(
    ("waiting", "outcome", "code"),
    [
        (parked, "take", "outcome-unfit"),  # there is no other sheet
        (parked, "two", "outcome-unfit"),
        (full_and_disputed, "two", "round-full"),
        (full_and_disputed, "mended", "sheet-missing"),
        (already_settled, "take", "issue-settled"),
        (impossible, "take", "sides"),
        (ahead, "take", "hand-missing"),
    ],
)
def test_refused_settling_leaves_no_trace(
    table: Sitting, waiting: Any, outcome: str, code: str
) -> None:
    waiting(table)
    before = everything()
    with act.refused(code) as refusal:
        settle(outcome, Issue.objects.get())
    if code == "hand-missing":
        assert refusal.value.params == {"hand": "Hand 2", "missing": 2}
    assert everything() == before


def test_settling_one_conflict_settles_another_that_says_the_same(disputed: Sitting) -> None:
    for device, sheet in (("c", LOST), ("d", TIE)):
        make.report(disputed, sheet, number=1, device=device, is_next=False)
    settle("take", Issue.objects.earliest("pk"))
    outcomes = Issue.objects.order_by("pk").values_list("outcome", flat=True)
    assert [*outcomes] == ["take", "agreed", ""]
    assert conflicts() == 1


def test_count_that_no_longer_fits_stays_open(one_out: Sitting) -> None:
    make.report(one_out, PAYS[2], number=4, device="b", is_next=False)
    correct(one_out, {**dict.fromkeys((1, 2, 3), PAYS[2]), 4: PAYS[1]})
    assert Issue.objects.get().settled_at is None
    assert conflicts() == 1


@pytest.mark.parametrize(
    ("change", "waiting"), [(RESTORE, 1), ({"eaten": [50, 70]}, 0), ({"eaten": [90, 30]}, 0)]
)
def test_what_is_open_about_a_hand_is_settled_by_striking_it_and_waits_again_if_restored(
    disputed: Sitting, change: Any, waiting: int
) -> None:
    correct(disputed, {1: STRIKE})
    assert (Issue.objects.get().outcome, conflicts()) == ("struck", 0)
    correct(disputed, {1: change})
    assert Issue.objects.filter(settled_at=None, outcome="").count() == waiting
    assert conflicts() == waiting


def test_counts_that_differ_wait_again_when_what_settled_them_is_undone(disputed: Sitting) -> None:
    settle("take")
    correct(disputed, {1: RESTORE})
    assert Issue.objects.get().settled_at is None
    assert conflicts() == 1


def test_parked_hand_is_settled_by_its_count(table: Sitting) -> None:
    make.report(table, PARKED, parked=True)
    settle("mended", sheet={"eaten": [72, 48]})
    assert Issue.objects.get().outcome == "mended"
    assert Hand.objects.get().kind == HandKind.COUNTED
    assert points("Asha", "eaten") == 72


def test_parked_hand_that_was_voided_and_is_brought_back_waits_again(table: Sitting) -> None:
    make.report(table, PARKED, parked=True)
    settle("void")
    correct(table, {1: RESTORE})
    assert Hand.objects.get().sheet["bare"] == 0
    issue = Issue.objects.get()
    assert (issue.settled_at, issue.outcome) == (None, "")


def test_parked_sheet_in_conflict_is_taken_without_its_count(table: Sitting) -> None:
    make.report(table, WON, device="a")
    other = {"bare": 1, "eaten": [48, 70]}
    make.report(table, other, number=1, device="b", is_next=False, parked=True)
    settle("take")
    assert Hand.objects.get().sheet == {"bare": 1, "dealer": 0}


def test_late_hand_is_taken_in_as_the_table_would_have_played_it(table: Sitting) -> None:
    late(table)
    settle("take")
    table.refresh_from_db()
    hand = Hand.objects.get(number=2)
    assert (table.last_number, points("Neema")) == (2, 1)
    assert (hand.accepted_report.verdict, hand.dealer) == (Verdict.LATE, 2)


def test_late_hand_gets_the_dealer_the_table_had_chosen(table: Sitting) -> None:
    late(table)
    Sitting.objects.update(chosen_dealer=0, chosen_after=1)
    settle("take")
    assert Hand.objects.get(number=2).dealer == 0


def test_late_hand_replaces_the_one_of_its_number(table: Sitting) -> None:
    late(table, number=1)
    settle("take")
    assert eaten() == [50, 70]


def test_late_hand_is_dismissed(table: Sitting) -> None:
    late(table)
    settle("dismiss")
    assert (Hand.objects.count(), Issue.objects.get().outcome) == (1, "dismiss")


# Queries -------------------------------------------------------------------------------------


def query(table: Sitting, number: int, note: str = "I had the ace", device: str = "b") -> Issue:
    by = make.actor(at=LATER, device=device)
    return query_hand(token=table.token, number=number, note=note, by=by)


def test_queried_hand_waits_for_the_organiser(three: Sitting) -> None:
    issue = query(three, 2)
    assert (issue.kind, issue.number, issue.note) == (IssueKind.QUERY, 2, "I had the ace")
    assert (issue.raised_at, issue.report, issue.settled_at) == (LATER, None, None)
    entry = LogEntry.objects.get()
    assert (entry.verb, entry.device, entry.on["issue"]) == ("hand-queried", "b", issue.pk)
    assert conflicts() == 0


def test_long_note_of_a_query_is_cut(three: Sitting) -> None:
    issue = query(three, 1, "n" * 201, "d" * 41)
    issue.refresh_from_db()
    assert len(issue.note) == 200


def test_query_is_answered_by_correcting_the_hand_or_dismissed(three: Sitting) -> None:
    query(three, 2)
    correct(three, {2: WON})
    query(three, 1)
    settle("dismiss")
    assert [issue.outcome for issue in Issue.objects.order_by("pk")] == ["mended", "dismiss"]


def test_hand_nobody_played_cannot_be_queried_nor_any_too_often(three: Sitting) -> None:
    with act.refused("hand-unknown"):
        query(three, 4)
    for time in range(5):
        query(three, 2, f"I had the ace, {time}")
    with act.refused("too-many-queries"):
        query(three, 2, "I had it")


def test_same_query_again_is_that_query_until_it_is_settled(three: Sitting) -> None:
    issues = [query(three, number, note) for number, note in [(2, ""), (2, ""), (2, "?"), (1, "")]]
    assert issues[0] == issues[1]
    assert Issue.objects.count() == LogEntry.objects.count() == 3
    Issue.objects.filter(pk=issues[0].pk).update(settled_at=LATER, outcome="dismiss")
    assert query(three, 2, "") not in issues


def test_change_that_a_later_hand_cannot_follow_is_not_taken() -> None:
    table = make.sitting("Asha", "Neema", "Juma", at=make.tournament("mambassa", "3i"))
    for payer in (0, 0, 1, 1, 1, 0):
        make.report(table, PAYS[payer], device="a")
        if Sitting.objects.get().over:
            break
    make.report(table, PAYS[2], device="a")
    asked = make.report(table, PAYS[0], number=3, device="a")
    before = everything()

    with pytest.raises(ReplayRefused) as refusal:
        settle("take", Issue.objects.get(report=asked.report_id))

    assert refusal.value.number > 3
    assert everything() == before


def test_no_result_of_an_official_tournament_can_be_taken_out() -> None:
    tournament = make.tournament(hands=1)
    sitting = make.sitting(at=tournament)
    make.report(sitting, {"eaten": [70, 50]})
    act.close(sitting.round)
    act.finish(tournament)

    with act.refused("tournament-over"):
        act.correct(sitting, {1: STRIKE})
    act.correct(sitting, {1: {"eaten": [50, 70]}})
