"""A table reports its hands: accepted once, agreed with, mended, disputed, parked or late."""

from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests import act, make
from tests.make import NOON
from tracker.models import (
    Hand,
    HandKind,
    Issue,
    IssueKind,
    LogEntry,
    Report,
    Round,
    RoundState,
    SeatTally,
    Sitting,
    Tally,
    TokenState,
    Verdict,
)
from tracker.results.services.corrections import STRIKE
from tracker.results.services.issues import MOST_QUERIES
from tracker.results.services.report_hand import ASK, SubmissionResult
from tracker.results.services.submissions import MOST_LATE
from tracker.tables.writing import AT_ONCE, SECONDS_A_HAND

pytestmark = pytest.mark.django_db
WON, LOST, TIE = {"eaten": [70, 50]}, {"eaten": [50, 70]}, {"eaten": [60, 60]}
OURS: dict[str, Any] = {"device": "a", "side": 0}
THEIRS: dict[str, Any] = {"device": "b", "side": 1}


@pytest.fixture
def sitting() -> Sitting:
    return make.sitting("Asha", "Neema", "Juma", "Baraka")


@pytest.fixture
def reported(sitting: Sitting) -> Sitting:
    """Return the table, whose first hand side 0 has won by its own report from phone a."""
    make.report(sitting, WON, **OURS)
    return sitting


@pytest.fixture
def disputed(reported: Sitting) -> Sitting:
    """Return the table, of whose first hand side 1 has another count."""
    make.report(reported, LOST, number=1, is_next=False, **THEIRS)
    return reported


def tallies_of(name: str) -> dict[str, int]:
    """Return what the entrant of this name has, what is nothing left out."""
    rows = Tally.objects.filter(entrant__player__name=name)
    return {row.key: row.amount for row in rows if row.amount}


def rows() -> dict[str, int]:
    """Count all that a report could leave behind."""
    models = (Report, Hand, Issue, SeatTally, Tally, LogEntry)
    return {model.__name__: model.objects.count() for model in models}


def test_first_hand_is_accepted_and_everything_follows_it(sitting: Sitting) -> None:
    answer = make.report(sitting, {**WON, "dealer": 0}, **OURS)

    hand, report = Hand.objects.get(), Report.objects.get()
    assert answer == SubmissionResult(
        verdict="accepted",
        number=1,
        report_id=report.pk,
        next_dealer=2,  # of the winners Juma has not dealt yet
        may_deal=(0, 2),
        over=False,
    )
    assert (hand.accepted_report, hand.number, hand.dealer) == (report, 1, 0)
    assert (hand.kind, hand.warnings, hand.confirmed_at) == (HandKind.COUNTED, [], None)
    assert hand.sheet == report.sheet == {"eaten": [70, 50], "dealer": 0}
    assert hand.marks is not None
    assert [marks["victory_points"] for marks in hand.marks] == [1, 0, 1, 0]
    assert (report.device, report.side, report.verdict) == ("a", 0, Verdict.ACCEPTED)
    sitting.refresh_from_db()
    assert (sitting.last_number, sitting.last_at, sitting.next_dealer) == (1, NOON, 2)
    assert (sitting.may_deal, sitting.over, sitting.finished_at) == ([0, 2], False, None)
    won = {"victory_points": 1, "eaten": 70, "won": 1, "there": 120, "hands": 1}
    assert tallies_of("Asha") == {**won, "dealt": 1, "opened": 1}
    assert tallies_of("Neema") == {"eaten": 50, "there": 120, "hands": 1}


def test_second_hand_is_added_to_the_tallies_of_the_first(reported: Sitting) -> None:
    make.report(reported, {"eaten": [105, 15]})
    won = {"victory_points": 3, "eaten": 175, "won": 2, "twos": 1, "there": 240}
    assert tallies_of("Juma") == {**won, "hands": 2, "dealt": 1}


def test_team_gets_what_its_side_earned_once() -> None:
    people = ("Asha", "Neema", "Juma", "Baraka")
    make.report(make.sitting(*people, at=make.tournament(teams=True)), WON)
    pair = Tally.objects.filter(entrant__team__name="Asha & Juma")
    won = {"victory_points": 1, "eaten": 70, "won": 1, "there": 120}
    assert dict(pair.values_list("key", "amount")) == {**won, "hands": 1, "dealt": 1, "opened": 1}
    assert SeatTally.objects.get(seat__player__name="Juma", key="victory_points").amount == 1


def sent(captured: CaptureQueriesContext) -> list[str]:
    """Return every statement by itself, also where several travelled together."""
    return [sql for query in captured.captured_queries for sql in query["sql"].split("; ")]


# On PostgreSQL the lock is a statement of its own; a transaction of SQLite has the whole file.
LOCK = ["SELECT"] * (connection.vendor == "postgresql")


@pytest.mark.parametrize("hands", [1, 12])
def test_accepted_report_costs_the_same_however_many_hands(sitting: Sitting, hands: int) -> None:
    for _ in range(hands):
        make.report(sitting, WON)

    with CaptureQueriesContext(connection) as captured:
        make.report(sitting, WON, number=hands + 1)

    statements = [sql.split(" ")[:3] for sql in sent(captured)[1:-1]]  # BEGIN and COMMIT aside
    assert [" ".join(words if words[0] == "INSERT" else words[:1]) for words in statements] == [
        *LOCK,
        "SELECT",  # the table: sitting, round, tournament and seats
        "INSERT INTO tracker_report",
        "INSERT INTO tracker_hand",
        "INSERT INTO tracker_seattally",
        "INSERT INTO tracker_tally",
        "UPDATE",  # the sitting
    ]


def test_repeat_answers_as_the_first_time_and_stores_nothing(sitting: Sitting) -> None:
    """Also of another content under a known entry, which is a submission of its own."""
    entry = uuid4()
    sheets = ((1, WON), (2, LOST))

    def send() -> list[SubmissionResult]:
        return [make.report(sitting, sheet, number=number, entry=entry) for number, sheet in sheets]

    first, before = send(), rows()

    assert [(answer.verdict, answer.number) for answer in first] == [
        ("accepted", 1),
        ("accepted", 2),
    ]
    assert send() == first
    assert rows() == before


def test_entry_known_from_another_table_is_no_repeat() -> None:
    tournament, entry = make.tournament(), uuid4()
    for table in (make.sitting(at=tournament), make.sitting(at=tournament)):
        assert make.report(table, WON, number=1, entry=entry).verdict == "accepted"
        assert Hand.objects.filter(sitting=table).count() == 1


@pytest.mark.parametrize(
    ("sheet", "more", "code"),
    [
        ({"eaten": [70, 40]}, {}, "total"),  # S11c
        ({"eaten": [119, 1]}, {}, "side-on-one"),  # S11d
        ({"eaten": [70]}, {}, "sides"),  # S11a
        ({**WON, "dealer": 9}, {}, "seat-unknown"),
        (WON, {"number": 0}, "hand-number"),
        (WON, {"number": -1}, "hand-number"),
        (WON, {"number": 1000}, "hand-number"),
        (WON, {"number": 3}, "hand-missing"),
    ],
)
def test_refusal_leaves_no_trace(reported: Sitting, sheet: Any, more: Any, code: str) -> None:
    before = rows()
    with act.refused(code):
        make.report(reported, sheet, **more)
    assert rows() == before


def test_hand_beyond_the_next_says_which_is_missing(reported: Sitting) -> None:
    missing = {"hand": "Hand 2", "missing": 2, "number": 3}
    with act.refused("hand-missing", params=missing):
        make.report(reported, WON, number=3)


def test_unknown_and_revoked_tokens_are_refused(sitting: Sitting) -> None:
    Sitting.objects.update(token_state=TokenState.REVOKED)
    for token, code in (("nowhere", "token-unknown"), (sitting.token, "token-revoked")):
        with act.refused(code):
            make.report(Sitting(token=token), WON, number=1)


def test_dealer_the_table_chose_is_filled_in_and_the_choice_is_used_up(reported: Sitting) -> None:
    Sitting.objects.update(chosen_dealer=0, chosen_after=1)
    make.report(reported, LOST)
    reported.refresh_from_db()
    assert Hand.objects.get(number=2).dealer == 0
    assert (reported.chosen_dealer, reported.chosen_after) == (None, None)


def test_warnings_are_kept_with_the_hand(reported: Sitting) -> None:
    make.report(reported, {**LOST, "dealer": 1})
    [warning] = Hand.objects.get(number=2).warnings
    assert warning == {
        "code": "dealer-not-by-rule",
        "template": "%(dealer)s dealt, but it was %(due)s’s turn to deal.",
        "params": {"dealer": {"seat": 1}, "due": {"seat": 2}},
    }


def test_round_has_its_hands_and_no_more() -> None:
    sitting, entry, late = make.sitting(at=make.tournament(hands=2)), uuid4(), timedelta(minutes=9)
    make.report(sitting, WON)
    assert Sitting.objects.get().finished_at is None
    last = make.report(sitting, WON, number=2, entry=entry, now=NOON + late)
    assert Sitting.objects.get().finished_at == NOON + late
    with act.refused("round-full"):
        make.report(sitting, WON)
    assert make.report(sitting, WON, number=2, entry=entry) == last
    assert Hand.objects.count() == 2


def test_struck_hand_leaves_room_for_another() -> None:
    sitting = make.sitting(at=make.tournament(hands=2))
    for _ in range(2):
        make.report(sitting, WON)
    act.correct(sitting, {1: STRIKE})
    answer = make.report(sitting, WON)
    assert (answer.verdict, answer.number) == ("accepted", 3)
    assert Sitting.objects.get().finished_at == NOON


def test_briscola_match_is_over_and_the_round_finished_with_it() -> None:
    sitting = make.sitting(at=make.tournament("briscola", "2i", games=1))
    overs = [make.report(sitting, {"points": [70, 50]}).over for _ in range(3)]  # R12: to three
    sitting.refresh_from_db()
    assert overs == [False, False, True]
    assert (sitting.games_over, sitting.over, sitting.finished_at) == (1, True, NOON)
    with act.refused("round-full"):
        make.report(sitting, {"points": [70, 50]})


# The hand is there already -------------------------------------------------------------------


def test_same_sheet_from_the_other_side_agrees_and_confirms(reported: Sitting) -> None:
    later = NOON + timedelta(minutes=1)
    answer = make.report(reported, WON, number=1, now=later, **THEIRS)
    hand = Hand.objects.get()
    assert (answer.verdict, answer.number) == ("agrees", 1)
    assert (hand.confirmed_at, hand.accepted_report.device) == (later, "a")
    assert tallies_of("Asha")["hands"] == 1


@pytest.mark.parametrize(
    ("first", "second", "verdict", "kept"),
    [
        ({**WON, "trump": "S"}, {**WON, "dealer": 0}, "agrees", {"trump": "S"}),
        # A card of another suit does not go with the trumps.
        ({**WON, "trump": "S"}, {**WON, "indicator": "7H"}, "agrees", {"trump": "S"}),
        ({"bare": 1}, {"bare": 1}, "agrees", {}),
        ({"bare": 1}, LOST, ASK, {}),
    ],
)
def test_what_must_be_answered_decides_whether_two_sheets_agree(
    sitting: Sitting, first: Any, second: Any, verdict: str, kept: dict[str, str]
) -> None:
    make.report(sitting, first, **OURS)
    assert make.report(sitting, second, number=1, **THEIRS).verdict == verdict
    optional = {"trump", "indicator"}
    sheet = {key: answer for key, answer in Hand.objects.get().sheet.items() if key in optional}
    assert sheet == kept


def test_what_an_agreeing_sheet_says_besides_is_taken_in(sitting: Sitting) -> None:
    make.report(sitting, {**WON, "trump": "S"}, **OURS)

    def indicated(card: str, who: dict[str, Any]) -> tuple[str, str]:
        answer = make.report(sitting, {**WON, "indicator": card}, number=1, **who)
        return answer.verdict, Hand.objects.get().sheet["indicator"]

    assert indicated("7S", THEIRS) == ("agrees", "7S")
    hand = Hand.objects.get()
    assert (hand.sheet["trump"], hand.accepted_report.device, hand.confirmed_at) == ("S", "a", NOON)
    assert indicated("JS", THEIRS)[1] == "7S"  # it is there: another's word does not move it
    assert indicated("JS", OURS)[1] == "JS"  # whose hand it is puts it right
    log_entry = LogEntry.objects.get(verb="hand-amended")
    assert log_entry.numbers["before"]["indicator"] == "7S"
    assert log_entry.numbers["after"]["indicator"] == "JS"
    assert Hand.objects.get().confirmed_at == NOON  # what was agreed to is the same


def test_rank_alone_is_the_same_as_its_card() -> None:
    sitting = make.sitting(at=make.tournament("albastini", "5i"))
    counted = {"eaten": [60, 20, 20, 10, 7]}
    make.report(sitting, {**counted, "face_up": "J"}, **OURS)
    answer = make.report(sitting, {**counted, "face_up": "JH"}, number=1, **THEIRS)
    assert answer.verdict == "agrees"


@pytest.mark.parametrize(("device", "side"), [("b", 0), ("a", 1), ("b", None), ("b", 7)], ids=str)
def test_same_side_confirms_nothing(reported: Sitting, device: str, side: int | None) -> None:
    assert make.report(reported, WON, number=1, device=device, side=side).verdict == "agrees"
    assert Hand.objects.get().confirmed_at is None


def test_clock_read_before_the_hand_was_written_confirms_it_all_the_same(reported: Sitting) -> None:
    make.report(reported, WON, number=1, now=NOON - timedelta(milliseconds=1), **THEIRS)
    assert Hand.objects.get().confirmed_at == NOON


def test_other_sheet_from_the_same_device_amends(reported: Sitting) -> None:
    make.report(reported, WON, number=1, **THEIRS)
    answer = make.report(reported, LOST, number=1, **OURS)

    hand = Hand.objects.get(number=1)
    assert (answer.verdict, answer.number) == ("amends", 1)
    assert (hand.sheet["eaten"], hand.accepted_report.verdict) == ([50, 70], Verdict.AMENDS)
    assert hand.confirmed_at is None  # nobody has agreed to that
    assert tallies_of("Asha")["eaten"] == 50
    assert "victory_points" not in tallies_of("Asha")
    assert tallies_of("Neema")["victory_points"] == 1
    log_entry = LogEntry.objects.get(verb="hand-amended")
    assert (log_entry.device, log_entry.on["hand"]) == ("a", 1)
    assert log_entry.numbers["before"]["eaten"] == [70, 50]
    assert log_entry.numbers["after"]["eaten"] == [50, 70]


def test_hand_that_is_not_the_last_is_changed_by_the_organiser_alone(reported: Sitting) -> None:
    make.report(reported, TIE, **OURS)
    answer = make.report(reported, LOST, number=1, **OURS)

    issue, log_entry = Issue.objects.get(), LogEntry.objects.get()
    assert (answer.verdict, answer.number, answer.report_id) == ("proposes", 1, issue.report_id)
    assert (issue.kind, issue.number, issue.settled_at) == (IssueKind.CHANGE, 1, None)
    assert Hand.objects.get(number=1).sheet["eaten"] == [70, 50]  # it counts meanwhile
    assert tallies_of("Asha")["eaten"] == 130
    assert (log_entry.verb, log_entry.on["hand"]) == ("change-asked", 1)
    assert log_entry.on["issue"] == issue.pk
    assert log_entry.numbers["before"]["eaten"] == [70, 50]
    assert log_entry.numbers["after"]["eaten"] == [50, 70]


def test_what_nobody_must_answer_is_changed_there_by_the_organiser_alone(sitting: Sitting) -> None:
    for trump in "SH":
        make.report(sitting, {**WON, "trump": trump}, device="a")
    answer = make.report(sitting, {**WON, "trump": "D"}, number=1, device="a")
    added = make.report(sitting, {**WON, "indicator": "7S"}, number=1, device="a")
    sheet = Hand.objects.get(number=1).sheet
    assert (answer.verdict, added.verdict) == ("proposes", "agrees")
    assert (sheet["trump"], sheet["indicator"]) == ("S", "7S")


def test_change_asked_for_again_is_one_and_withdrawn_by_what_stands(reported: Sitting) -> None:
    make.report(reported, TIE, **OURS)
    for sheet in (LOST, {"eaten": [80, 40]}):
        make.report(reported, sheet, number=1, **OURS)
    (wanted,) = Issue.objects.filter(settled_at=None)
    revision = Sitting.objects.get().revision
    make.report(reported, WON, number=1, **OURS)
    assert wanted.report is not None
    assert wanted.report.sheet == {"eaten": [80, 40]}
    assert not Issue.objects.filter(settled_at=None).exists()
    assert Sitting.objects.get().revision > revision  # desks that watch it show it no more


def test_last_hand_is_the_last_that_stands(reported: Sitting) -> None:
    make.report(reported, WON, **OURS)
    act.correct(reported, {2: STRIKE})
    assert make.report(reported, LOST, number=1, **OURS).verdict == "amends"


@pytest.mark.parametrize(("outcome", "eaten"), [("take", [50, 70]), ("keep", [70, 50])])
def test_organiser_takes_or_keeps_what_a_table_asks_to_change(
    reported: Sitting, outcome: str, eaten: list[int]
) -> None:
    make.report(reported, WON, **OURS)
    make.report(reported, LOST, number=1, **OURS)
    act.settle(outcome, who=make.user())
    assert Hand.objects.get(number=1).sheet["eaten"] == eaten
    assert Issue.objects.get().outcome == outcome


def test_flood_of_changes_is_stopped_where_no_phone_is_known(sitting: Sitting) -> None:
    scorer = make.user()
    for _ in range(2):
        make.report(sitting, WON, user=scorer)
    for eaten in range(30, 30 + MOST_QUERIES):
        make.report(sitting, {"eaten": [eaten, 120 - eaten]}, number=1, user=scorer)
    before = rows()
    with act.refused("too-many-queries"):
        make.report(sitting, LOST, number=1, user=scorer)
    assert rows() == before


def test_scorer_without_a_device_amends_what_they_wrote_themselves(sitting: Sitting) -> None:
    scorer = make.user()
    make.report(sitting, WON, user=scorer)
    assert make.report(sitting, LOST, number=1, user=scorer).verdict == "amends"
    assert make.report(sitting, WON, number=1).verdict == ASK


def test_other_sheet_from_another_device_asks_first_and_stores_nothing(reported: Sitting) -> None:
    before = rows()
    answer = make.report(reported, LOST, number=1, **THEIRS)

    assert answer == SubmissionResult(
        verdict="ask",
        number=1,
        report_id=None,
        next_dealer=2,
        may_deal=(0, 2),
        over=False,
        asked_about=1,
    )
    assert rows() == before


def test_answered_as_the_next_it_is_the_next_and_repeats(reported: Sitting) -> None:
    entry = uuid4()

    def send() -> SubmissionResult:
        return make.report(reported, LOST, number=1, entry=entry, device="b", is_next=True)

    answer, before = send(), rows()

    assert (answer.verdict, answer.number) == ("accepted", 2)
    assert Hand.objects.get(number=2).sheet["dealer"] == 2
    assert send() == answer
    assert rows() == before


def test_two_counts_are_both_kept_and_the_standing_one_counts(reported: Sitting) -> None:
    answer = make.report(reported, LOST, number=1, is_next=False, **THEIRS)
    issue = Issue.objects.get()
    assert (answer.verdict, answer.report_id) == ("conflicts", issue.report_id)
    assert (issue.kind, issue.number, issue.settled_at) == (IssueKind.CONFLICT, 1, None)
    assert Sitting.objects.get().open_conflicts == 1
    assert Hand.objects.get().sheet["eaten"] == [70, 50]
    assert tallies_of("Asha")["eaten"] == 70


def test_device_that_differs_again_has_one_count_and_is_not_asked_again(disputed: Sitting) -> None:
    assert make.report(disputed, TIE, number=1, device="b").verdict == "conflicts"
    assert Sitting.objects.get().open_conflicts == 1
    assert [*Issue.objects.filter(settled_at=None).values_list("report__sheet", flat=True)] == [TIE]


@pytest.mark.parametrize(
    ("sheet", "who", "verdict", "settled"),
    [
        (WON, THEIRS, "agrees", True),  # they come round
        (LOST, OURS, "amends", True),  # it is mended to what the other side said
        (TIE, OURS, "amends", False),  # to a third count
    ],
)
def test_two_counts_that_become_one_settle_the_conflict(
    disputed: Sitting, sheet: Any, who: dict[str, Any], verdict: str, settled: bool
) -> None:
    assert make.report(disputed, sheet, number=1, **who).verdict == verdict
    issue = Issue.objects.get()
    assert (issue.outcome, issue.settled_at is not None) == ("agreed" if settled else "", settled)
    assert Sitting.objects.get().open_conflicts == (not settled)
    assert (Hand.objects.get().confirmed_at == NOON) is (verdict == "agrees")


def test_struck_hand_takes_no_other_sheet(reported: Sitting) -> None:
    Hand.objects.update(struck_at=NOON)
    with act.refused("hand-struck"):
        make.report(reported, LOST, number=1)


def test_flood_of_second_reports_is_stopped(reported: Sitting) -> None:
    for _ in range(59):
        make.report(reported, WON, number=1, device="b")
    with act.refused("too-many-reports"):
        make.report(reported, WON, number=1, device="b")
    later = NOON + timedelta(minutes=2)
    assert make.report(reported, WON, number=1, device="b", now=later).verdict == "agrees"


def test_a_phone_cannot_fill_a_round_that_has_no_length(sitting: Sitting) -> None:
    """A repeat is answered however fast it comes."""
    entry = uuid4()
    for _ in range(AT_ONCE - 1):
        make.report(sitting, WON)
    last = make.report(sitting, WON, number=AT_ONCE, entry=entry)
    assert make.report(sitting, WON, number=AT_ONCE, entry=entry) == last

    with act.refused("too-many-reports"):
        make.report(sitting, WON)
    soon = NOON + timedelta(seconds=SECONDS_A_HAND)
    after = make.report(sitting, WON, now=soon)
    with act.refused("too-many-reports"):
        make.report(sitting, WON, now=soon)

    assert (after.verdict, after.number) == ("accepted", AT_ONCE + 1)
    assert Hand.objects.count() == AT_ONCE + 1


def test_a_whole_evening_of_hands_comes_at_the_pace_of_play(sitting: Sitting) -> None:
    for number in range(2 * AT_ONCE):
        at = NOON + timedelta(seconds=SECONDS_A_HAND * number)
        assert make.report(sitting, WON, now=at).verdict == "accepted"


def test_a_round_of_so_many_hands_takes_them_at_any_pace_and_no_more() -> None:
    sitting = make.sitting(at=make.tournament(hands=AT_ONCE + 5))
    for _ in range(AT_ONCE + 5):
        make.report(sitting, WON)
    with act.refused("round-full"):
        make.report(sitting, WON)


# Parked and late -----------------------------------------------------------------------------


def test_parked_hand_passes_the_deal_on_and_waits_for_the_organiser(sitting: Sitting) -> None:
    answer = make.report(sitting, {"bare": 0, "eaten": [70, 48]}, device="a", parked=True)

    hand, issue = Hand.objects.get(), Issue.objects.get()
    assert (answer.verdict, answer.next_dealer) == ("parked", 2)
    assert (hand.kind, hand.sheet) == (HandKind.BARE, {"bare": 0, "dealer": 0})
    assert (issue.kind, issue.number, issue.report) == (IssueKind.PARKED, 1, hand.accepted_report)
    assert hand.accepted_report.verdict == Verdict.PARKED
    assert hand.accepted_report.sheet == {"bare": 0, "eaten": [70, 48]}  # for the organiser to see
    assert tallies_of("Asha")["victory_points"] == 1

    assert make.report(sitting, WON, number=1, device="a").verdict == "amends"  # they count it
    assert Issue.objects.get().outcome == "mended"
    assert Hand.objects.get().kind == HandKind.COUNTED


def test_parked_hand_must_say_who_won(sitting: Sitting) -> None:
    with act.refused("answer-missing", question="bare"):
        make.report(sitting, {"eaten": [70, 48]}, parked=True)


def test_counted_hand_can_be_parked_afterwards(reported: Sitting) -> None:
    assert make.report(reported, {"bare": 1}, number=1, device="a", parked=True).verdict == "amends"
    assert Issue.objects.get().kind == IssueKind.PARKED
    assert Hand.objects.get().kind == HandKind.BARE


def test_void_hand_counts_for_nothing_but_the_deal(sitting: Sitting) -> None:
    answer = make.report(sitting, {"bare": "void"})
    assert (answer.verdict, answer.next_dealer) == ("accepted", 0)
    assert Hand.objects.get().marks is None
    assert (tallies_of("Asha"), tallies_of("Neema")) == ({"dealt": 1, "opened": 1}, {})


@pytest.mark.parametrize("state", [RoundState.CLOSED, RoundState.UNDONE])
def test_report_to_closed_round_moves_nothing(reported: Sitting, state: RoundState) -> None:
    Round.objects.update(state=state)
    before, entry = rows(), uuid4()
    answer = make.report(reported, LOST, number=2, entry=entry)
    assert (answer.verdict, answer.number) == ("late", 2)
    assert rows() == {**before, "Report": 2, "Issue": 1}
    issue = Issue.objects.get()
    assert (issue.kind, issue.number, issue.report_id) == (IssueKind.LATE, 2, answer.report_id)
    assert make.report(reported, LOST, number=2, entry=entry) == answer


def test_report_after_the_table_was_closed_is_late_too(sitting: Sitting) -> None:
    Sitting.objects.update(token_state=TokenState.CLOSED)
    assert make.report(sitting, WON).verdict == "late"


@pytest.mark.parametrize(("hands", "most"), [(8, 16), (None, MOST_LATE)])
def test_a_closed_round_takes_what_two_phones_kept_of_it_and_no_flood(
    sitting: Sitting, hands: int | None, most: int
) -> None:
    Round.objects.update(state=RoundState.CLOSED, hands=hands)
    entries, tomorrow = [uuid4() for _ in range(most)], NOON + timedelta(days=1)
    first, *_ = [
        make.report(sitting, WON, number=number, entry=entry)
        for number, entry in enumerate(entries, start=1)
    ]
    for now in (NOON, tomorrow):
        with act.refused("too-many-late"):
            make.report(sitting, WON, number=99, now=now)

    assert Issue.objects.count() == Report.objects.count() == most
    assert make.report(sitting, WON, number=1, entry=entries[0], now=tomorrow) == first


@pytest.mark.parametrize(("sheet", "issues"), [(WON, 0), (LOST, 1), ({"eaten": [9]}, 1)], ids=str)
def test_late_report_that_only_repeats_what_stands_bothers_nobody(
    reported: Sitting, sheet: dict[str, object], issues: int
) -> None:
    Round.objects.update(state=RoundState.CLOSED)
    assert make.report(reported, sheet, number=1).verdict == "late"
    assert Issue.objects.count() == issues


@pytest.mark.parametrize("sheet", [WON, {"eaten": [9]}], ids=str)
def test_late_report_is_answered_alike_in_a_reopened_round(sitting: Sitting, sheet: Any) -> None:
    entry, answers = uuid4(), []
    for state in (RoundState.CLOSED, RoundState.OPEN):
        Round.objects.update(state=state)
        answers.append(make.report(sitting, sheet, number=1, entry=entry))
    assert answers[0] == answers[1]
