"""``recount`` finds whatever is not what the sheets make it, and mends it when told to."""

from collections.abc import Callable
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from tests import make
from tracker.models import Hand, RoundState, SeatTally, Sitting, Tally
from tracker.results.services.corrections import STRIKE, correct_sitting
from tracker.tables.tallies import subtract_round

pytestmark = pytest.mark.django_db


def lines(*options: str) -> list[str]:
    """Run the command and return what it says, with what it fails with at the end."""
    out = StringIO()
    try:
        call_command("recount", *options, stdout=out)
    except CommandError as failure:
        return [*out.getvalue().splitlines(), f"{failure} ({failure.returncode})"]
    return out.getvalue().splitlines()


def played() -> Sitting:
    sitting = make.sitting("Asha", "Neema", "Juma", "Baraka")
    for eaten in ([70, 50], [50, 70], [60, 60]):
        make.report(sitting, {"eaten": eaten}, device="a")
    return sitting


def test_nothing_is_found_where_nothing_differs() -> None:
    played()
    other = make.sitting(at=make.tournament("dalmuti", "3i"))
    make.report(other, {"order": [2, 0]})

    assert lines("--check") == ["4 hands, 0 differences."]


def test_a_warning_in_the_words_of_an_earlier_version_is_no_difference() -> None:
    sitting = make.sitting("Asha", "Neema", "Juma", "Baraka")
    make.report(sitting, {"eaten": [70, 50]})
    make.report(sitting, {"eaten": [70, 50], "dealer": 3})
    hand = sitting.hands.get(number=2)
    (warning,) = hand.warnings
    was = {**warning, "template": warning["template"].replace("’", "'")}
    Hand.objects.filter(pk=hand.pk).update(warnings=[was])

    assert lines("--check") == ["2 hands, 0 differences."]

    Hand.objects.filter(pk=hand.pk).update(warnings=[{**was, "code": "another"}])

    assert "hand 2: warnings" in lines("--check")[0]


TAMPERED: dict[str, Callable[[], Any]] = {
    "hand 2: sheet": lambda: Hand.objects.filter(number=2).update(
        sheet={"eaten": (50, 70)}  # without its dealer
    ),
    "hand 1: marks": lambda: Hand.objects.filter(number=1).update(marks=None),
    "hand 1: kind": lambda: Hand.objects.filter(number=1).update(kind="bare"),
    "hand 1: warnings": lambda: Hand.objects.filter(number=1).update(warnings=[1]),
    "session": lambda: Sitting.objects.update(session={"dealer": 3}),
    "next_dealer": lambda: Sitting.objects.update(next_dealer=0),
    "may_deal": lambda: Sitting.objects.update(may_deal=[0]),
    "over": lambda: Sitting.objects.update(over=True),
    "last_number": lambda: Sitting.objects.update(last_number=7),
    "games_over": lambda: Sitting.objects.update(games_over=1),
    "finished": lambda: Sitting.objects.update(finished_at=make.NOON),
    "open_conflicts": lambda: Sitting.objects.update(open_conflicts=2),
    "won of seat": lambda: SeatTally.objects.filter(key="won").delete(),
    "hands of entrant": lambda: Tally.objects.filter(key="hands").update(amount=4),
}


@pytest.mark.parametrize("what", TAMPERED)
def test_every_difference_is_found_and_mended(what: str) -> None:
    sitting = played()
    TAMPERED[what]()

    printed = lines()
    written = lines("--write")

    assert any(what in line for line in printed)
    assert printed[-1].endswith(" in 3 hands. (1)")
    assert written[:-1] == printed[:-1]
    assert lines("--check") == ["3 hands, 0 differences."]
    sitting.refresh_from_db()
    assert (sitting.last_number, sitting.next_dealer) == (3, 3)


def test_difference_says_what_is_kept_and_what_was_counted() -> None:
    sitting = played()
    Sitting.objects.update(next_dealer=0)

    assert lines() == [
        f"sitting {sitting.pk}: next_dealer is 0, counted 3",
        "1 differences in 3 hands. (1)",
    ]


def test_dealer_beside_its_sheet_is_compared() -> None:
    sitting = played()
    Hand.objects.filter(number=1).update(dealer=3)

    assert f"sitting {sitting.pk} hand 1: dealer is 3, counted 0" in lines()


def test_sheet_that_the_rules_refuse_is_named_and_left_alone() -> None:
    sitting = played()
    Hand.objects.filter(number=2).update(sheet={"eaten": [9, 9], "dealer": 2})

    printed = lines("--write")

    assert printed[0].startswith(f"sitting {sitting.pk}: hand 2 is 'accepted', counted 'refused: ")
    assert Hand.objects.get(number=2).sheet == {"eaten": [9, 9], "dealer": 2}
    assert lines()[-1] == "1 differences in 3 hands. (1)"


def test_struck_hands_and_undone_rounds_are_not_in_the_sums() -> None:
    sitting = played()
    struck = make.sitting(at=make.tournament())
    make.report(struck, {"eaten": [70, 50]})
    correct_sitting(
        sitting_id=struck.pk,
        changes={1: STRIKE},
        reason="Not played",
        by=make.actor(),
    )
    subtract_round(sitting.round_id)
    sitting.round.state = RoundState.UNDONE
    sitting.round.save()

    assert lines() == ["4 hands, 0 differences."]


def test_table_of_a_closed_round_is_finished_however_much_is_missing() -> None:
    sitting = make.sitting(at=make.tournament(hands=8))
    make.report(sitting, {"eaten": [70, 50]})
    Sitting.objects.update(finished_at=make.NOON, token_state="closed")

    assert lines() == ["1 hands, 0 differences."]


def test_choice_of_a_dealer_survives_the_mending() -> None:
    played()
    Sitting.objects.update(chosen_dealer=1, chosen_after=3, over=True)

    lines("--write")

    sitting = Sitting.objects.get()
    assert (sitting.chosen_dealer, sitting.chosen_after, sitting.over) == (1, 3, False)


def test_refused_sheet_of_an_undone_round_is_named_and_not_in_the_sums() -> None:
    sitting = played()
    subtract_round(sitting.round_id)
    sitting.round.state = RoundState.UNDONE
    sitting.round.save()
    Hand.objects.filter(number=2).update(sheet={"eaten": [9, 9], "dealer": 2})

    (refused, last) = lines()

    assert refused.startswith(f"sitting {sitting.pk}: hand 2 is 'accepted', counted 'refused: ")
    assert last == "1 differences in 3 hands. (1)"
