"""Writing down what stands on paper: all hands of a table at once, or none."""

from collections.abc import Mapping
from typing import Any

import pytest

from games.sheet import VOID, Sheet
from tests import act, make
from tests.tracker.results.stored import points
from tracker.models import (
    Hand,
    Issue,
    LogEntry,
    Report,
    ResultType,
    Round,
    RoundState,
    Sitting,
    Tally,
    TokenState,
    Verdict,
)
from tracker.results.services.corrections import STRIKE
from tracker.results.services.paper import Paper, PaperRefused, PaperResult, write_down
from tracker.results.services.result_only import record_result_type
from tracker.results.services.table_actions import choose_dealer

pytestmark = pytest.mark.django_db
WON: Sheet = {"eaten": [70, 50]}
LOST: Sheet = {"eaten": [50, 70]}
TIE: Sheet = {"eaten": [60, 60]}
EVENING: dict[int, Sheet] = {1: WON, 2: {"eaten": [110, 10]}, 3: TIE}


@pytest.fixture
def table() -> Sitting:
    return make.sitting("Asha", "Neema", "Juma", "Baraka", at=make.tournament(hands=4))


@pytest.fixture
def briscola() -> Sitting:
    """Return a table of one game, which is won by three deals (R12)."""
    return make.sitting(at=make.tournament("briscola", "2i", games=1))


def write(
    table: Sitting, sheets: Mapping[int, Sheet], *, keep: bool = True, **seen: Any
) -> PaperResult:
    """Write this paper down, as somebody who sees the table as it now is."""
    papers = {table.pk: Paper(sheets=sheets, seen=seen.get("seen", looked_at(table)))}
    [taken] = write_down(papers, reason="From paper", by=make.actor(), keep=keep).values()
    return taken


def looked_at(table: Sitting) -> dict[int, int | None]:
    return dict(Hand.objects.filter(sitting=table).values_list("number", "accepted_report_id"))


def refused(table: Sitting, sheets: Mapping[int, Sheet], **seen: Any) -> dict[int, str]:
    with pytest.raises(PaperRefused) as refusal:
        write(table, sheets, **seen)
    return {number: error.code for number, error in refusal.value.refusals[table.pk].items()}


def test_a_whole_table_is_written_down_at_once(table: Sitting) -> None:
    user = make.user()
    taken = write_down({table.pk: Paper(sheets=EVENING)}, reason="From paper", by=make.actor(user))

    assert taken == {table.pk: PaperResult(added=(1, 2, 3))}
    hands = {hand.number: hand.sheet["eaten"] for hand in Hand.objects.all()}
    assert hands == {number: sheet["eaten"] for number, sheet in EVENING.items()}
    assert (points("Asha"), points("Neema")) == (3, 0)  # R10: under 20 is 2 points
    reports = {(report.verdict, report.sent_by_id) for report in Report.objects.all()}
    assert reports == {(Verdict.ACCEPTED, user.pk)}
    entry = LogEntry.objects.get()
    assert (entry.verb, entry.on["hands"]) == ("paper-written-down", [1, 2, 3])
    assert entry.reason == "From paper"
    assert act.is_as_its_sheets_say(table)
    assert write(table, EVENING, seen={}) == PaperResult(same=(1, 2, 3))  # it is sent twice
    assert (Report.objects.count(), LogEntry.objects.count()) == (3, 1)


def test_nothing_is_kept_of_a_paper_that_is_only_looked_at(table: Sitting) -> None:
    assert write(table, EVENING, keep=False) == PaperResult(added=(1, 2, 3))
    assert (Hand.objects.count(), Report.objects.count(), Tally.objects.count()) == (0, 0, 0)


@pytest.mark.parametrize(
    ("sheets", "codes"),
    [
        # Everything that cannot be is told at once.
        (
            {1: {"eaten": [70, 48]}, 2: TIE, 3: {"eaten": [119, 1]}, 4: {"eaten": [1]}},
            {1: "total", 3: "side-on-one", 4: "sides"},
        ),
        ({2: WON}, {2: "hand-missing"}),
        ({0: WON}, {0: "hand-number"}),
        ({1000: WON}, {1000: "hand-number"}),
        (dict.fromkeys(range(1, 6), WON), {5: "round-full"}),
    ],
)
def test_a_paper_that_cannot_be_is_refused_line_by_line_and_nothing_is_stored(
    table: Sitting, sheets: Mapping[int, Sheet], codes: dict[int, str]
) -> None:
    assert refused(table, sheets) == codes
    assert not Report.objects.exists()


@pytest.mark.parametrize("first_is_wrong", [True, False])
def test_tables_stand_or_fall_together(table: Sitting, *, first_is_wrong: bool) -> None:
    other = make.sitting(at=table.round.tournament)
    wrong, right = (table, other) if first_is_wrong else (other, table)
    papers = {right.pk: Paper(sheets=EVENING), wrong.pk: Paper(sheets={1: {"eaten": [1, 2]}})}
    with pytest.raises(PaperRefused) as refusal:
        write_down(papers, reason="From paper", by=make.actor())
    assert {table: [*of] for table, of in refusal.value.refusals.items()} == {wrong.pk: [1]}
    assert not Hand.objects.exists()


def test_what_changed_is_changed_and_the_rest_left_alone(table: Sitting) -> None:
    make.report(table, {**WON, "trump": "H"})
    make.report(table, WON)
    taken = write(table, {1: LOST, 2: WON, 3: {"eaten": [80, 40]}})
    assert taken == PaperResult(added=(3,), changed=(1,), same=(2,))
    first = Hand.objects.get(number=1)
    assert (first.sheet["eaten"], first.sheet["trump"]) == ([50, 70], "H")
    assert first.accepted_report.verdict == Verdict.CORRECTION
    assert (points("Asha"), points("Neema")) == (2, 1)
    assert act.is_as_its_sheets_say(table)


def test_a_count_that_becomes_bare_loses_its_cards(table: Sitting) -> None:
    make.report(table, {**WON, "trump": "H"})
    write(table, {1: {"bare": 1}})
    assert Hand.objects.get().sheet == {"bare": 1, "dealer": 0}


def test_a_hand_that_arrived_meanwhile_is_not_written_over(table: Sitting) -> None:
    before = looked_at(table)
    make.report(table, WON)
    assert refused(table, {1: LOST}, seen=before) == {1: "hand-otherwise"}


def test_the_dealer_stays_a_fact_and_a_chosen_one_deals(table: Sitting) -> None:
    make.report(table, {**WON, "dealer": 2})
    choose_dealer(token=table.token, place=0, by=make.actor())
    write(table, {1: {"eaten": [80, 40]}, 2: TIE})
    assert list(Hand.objects.order_by("number").values_list("dealer", flat=True)) == [2, 0]


def test_a_struck_hand_is_restored_elsewhere(table: Sitting) -> None:
    write(table, EVENING)
    act.correct(table, {2: STRIKE})
    assert refused(table, {2: WON}) == {2: "hand-struck"}
    assert write(table, {4: WON}) == PaperResult(added=(4,))


def test_what_was_written_before_something_else_is_written_again(table: Sitting) -> None:
    """Its report has the name of the first one, which stands for nothing any more."""
    write(table, {1: WON})
    Hand.objects.all().delete()
    Sitting.objects.update(last_number=0, hands_standing=0)
    assert write(table, {1: WON}) == PaperResult(added=(1,))
    assert Report.objects.count() == 2


def test_paper_comes_in_after_the_round_has_closed(table: Sitting) -> None:
    Round.objects.update(state=RoundState.CLOSED)
    Sitting.objects.update(token_state=TokenState.CLOSED)
    make.report(table, WON)  # late: it waits for the organiser
    write(table, EVENING)
    assert points("Asha") == 3
    assert not Issue.objects.filter(settled_at=None).exists()
    assert act.is_as_its_sheets_say(table)


def test_games_end_a_round_as_hands_do(briscola: Sitting) -> None:
    won: Sheet = {"points": [80, 40]}
    assert refused(briscola, dict.fromkeys(range(1, 5), won)) == {4: "round-full"}
    assert write(briscola, dict.fromkeys(range(1, 4), won)).added == (1, 2, 3)


def test_a_game_that_was_played_after_all_makes_room_for_its_deals(briscola: Sitting) -> None:
    record_result_type(
        sitting_id=briscola.pk,
        result_type=ResultType.GAME_NOT_PLAYED,
        bare=VOID,
        times=1,
        reason="Nobody came",
        by=make.actor(),
    )
    won: Sheet = {"points": [80, 40]}
    taken = write(briscola, dict.fromkeys(range(1, 4), won))

    assert taken == PaperResult(added=(2, 3), changed=(1,))
    assert act.is_as_its_sheets_say(briscola)


def test_hand_that_is_not_on_the_paper_is_named_if_it_cannot_follow() -> None:
    table = make.sitting(at=make.tournament("mambassa", "3i"))
    for _ in range(3):
        make.report(table, {"event": "normal", "payers": [1]})
    Hand.objects.filter(number=3).update(sheet={"event": "normal", "payers": [9], "dealer": 0})
    assert refused(table, {2: {"event": "normal", "payers": [0]}}).keys() == {3}
