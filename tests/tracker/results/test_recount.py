"""``recount`` finds whatever is not what the sheets make it, and mends it when told to."""

from collections.abc import Callable
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from tests import act, make
from tests.make import NOON
from tracker.models import Hand, Round, RoundState, SeatTally, Sitting, Tally
from tracker.results.services.corrections import STRIKE
from tracker.tables.tallies import subtract_round

pytestmark = pytest.mark.django_db
BAD = {"eaten": [9, 9], "dealer": 2}


def lines(*options: str) -> list[str]:
    """Run the command and return what it says, with what it fails with at the end."""
    out = StringIO()
    try:
        call_command("recount", *options, stdout=out)
    except CommandError as failure:
        return [*out.getvalue().splitlines(), f"{failure} ({failure.returncode})"]
    return out.getvalue().splitlines()


@pytest.fixture
def played() -> Sitting:
    sitting = make.sitting("Asha", "Neema", "Juma", "Baraka")
    for eaten in ([70, 50], [50, 70], [60, 60]):
        make.report(sitting, {"eaten": eaten}, device="a")
    return sitting


def undo(table: Sitting) -> None:
    subtract_round(table.round_id)
    Round.objects.filter(pk=table.round_id).update(state=RoundState.UNDONE)


def test_nothing_is_found_where_nothing_differs(played: Sitting) -> None:
    """Struck hands and undone rounds are in no sum; a closed table is finished, whatever is missing."""
    short = make.sitting(at=make.tournament(hands=8))
    make.report(short, {"eaten": [70, 50]})
    Sitting.objects.filter(pk=short.pk).update(finished_at=NOON, token_state="closed")
    struck = make.sitting(at=make.tournament("dalmuti", "3i"))
    make.report(struck, {"order": [2, 0]})
    assert lines("--check") == ["5 hands, 0 differences."]
    act.correct(struck, {1: STRIKE})
    undo(played)
    assert lines() == ["5 hands, 0 differences."]


def test_a_warning_in_the_words_of_an_earlier_version_is_no_difference() -> None:
    sitting = make.sitting()
    make.report(sitting, {"eaten": [70, 50]})
    make.report(sitting, {"eaten": [70, 50], "dealer": 3})
    hand = sitting.hands.get(number=2)
    [warning] = hand.warnings
    was = {**warning, "template": warning["template"].replace("’", "'")}
    Hand.objects.filter(pk=hand.pk).update(warnings=[was])
    assert lines("--check") == ["2 hands, 0 differences."]
    Hand.objects.filter(pk=hand.pk).update(warnings=[{**was, "code": "another"}])
    assert "hand 2: warnings" in lines("--check")[0]


def of_hand(number: int, **values: Any) -> Callable[[], object]:
    return lambda: Hand.objects.filter(number=number).update(**values)


def of_table(**values: Any) -> Callable[[], object]:
    return lambda: Sitting.objects.update(**values)


TAMPERED: dict[str, Callable[[], object]] = {
    "hand 2: sheet": of_hand(2, sheet={"eaten": (50, 70)}),  # without its dealer
    "hand 1: marks": of_hand(1, marks=None),
    "hand 1: kind": of_hand(1, kind="bare"),
    "hand 1: warnings": of_hand(1, warnings=[1]),
    "hand 1: dealer is 3, counted 0": of_hand(1, dealer=3),  # beside its sheet
    "session": of_table(session={"dealer": 3}),
    "next_dealer is 0, counted 3": of_table(next_dealer=0),
    "may_deal": of_table(may_deal=[0]),
    "over": of_table(over=True, chosen_dealer=1, chosen_after=3),
    "last_number": of_table(last_number=7),
    "games_over": of_table(games_over=1),
    "finished": of_table(finished_at=NOON),
    "open_conflicts": of_table(open_conflicts=2),
    "won of seat": lambda: SeatTally.objects.filter(key="won").delete(),
    "hands of entrant": lambda: Tally.objects.filter(key="hands").update(amount=4),
}


@pytest.mark.parametrize("what", TAMPERED)
def test_every_difference_is_found_and_mended(played: Sitting, what: str) -> None:
    TAMPERED[what]()
    choice = Sitting.objects.values_list("chosen_dealer", "chosen_after").get()
    printed = lines()
    written = lines("--write")

    assert any(what in line for line in printed)
    if " of " not in what:
        assert printed[0].startswith(f"sitting {played.pk}")
    assert printed[-1] == f"{len(printed) - 1} differences in 3 hands. (1)"
    assert written[:-1] == printed[:-1]
    assert lines("--check") == ["3 hands, 0 differences."]
    played.refresh_from_db()
    assert (played.last_number, played.next_dealer) == (3, 3)
    assert (played.chosen_dealer, played.chosen_after) == choice  # it survives the mending


@pytest.mark.parametrize("undone", [False, True])
def test_sheet_that_rules_refuse_is_named_and_left_alone(played: Sitting, *, undone: bool) -> None:
    """The sheets of an undone round are in no sum."""
    if undone:
        undo(played)
    Hand.objects.filter(number=2).update(sheet=BAD)

    before, written, after = lines(), lines("--write"), lines()

    refused = f"sitting {played.pk}: hand 2 is 'accepted', counted 'refused: "
    assert before[0].startswith(refused)
    assert written[0] == after[0] == before[0]
    assert after[1:] == ["1 differences in 3 hands. (1)"]
    assert not undone or before == after
    assert Hand.objects.get(number=2).sheet == BAD
