"""Whoever is put right sits there as if it had been so from the start: dealers and memory as well."""

from collections import defaultdict
from contextlib import suppress
from random import Random
from typing import Any

import pytest

from games import catalogue
from games.errors import RuleError
from tests import act, make
from tests.drilled import FULL
from tests.tracker.seating.evening import (
    ROUNDS,
    TABLES,
    Chair,
    Evening,
    Mend,
    People,
    Sheets,
    TakesOver,
    differences,
    everything,
)
from tests.tracker.sheets import MAKERS, Sheet
from tracker.models import Hand, SeatTally, Sitting, Tally
from tracker.results.services.recount import recount
from tracker.seating.services.player_replacement import Reach, replace_player
from tracker.seating.services.seat_swaps import swap_seats

pytestmark = pytest.mark.django_db

KINDS = [
    (game.slug, mode.code)
    for game in catalogue.GAMES.values()
    for mode in game.modes(game.complete_options({}))
]
CORE = [
    ("albastini", "4t2"),
    ("albastini", "5i"),
    ("briscola", "2i"),
    ("dalmuti", "4i"),
    ("mambassa", "3i"),
]


def seats_of(game: str, mode: str) -> int:
    rules = catalogue.GAMES[game]
    return rules.mode(mode, rules.complete_options({})).seats


def people_of(seats: int) -> People:
    """Return who sits where: from round to round everybody goes a chair on, over both tables."""
    names = [f"Player {at:02}" for at in range(TABLES * seats)]
    return {
        (number, at % TABLES, at // TABLES): name
        for number in range(1, ROUNDS + 1)
        for at, name in enumerate(names[number:] + names[:number])
    }


class Slips:
    """What was so, what somebody wrote down instead, and how it is put right, round by round."""

    def __init__(self, seats: int) -> None:
        self.so = people_of(seats)
        self.written = dict(self.so)
        self.takes_over: list[TakesOver] = []  # in truth
        self.takeovers_written: list[TakesOver] = []
        self.mend: dict[int, list[Mend]] = defaultdict(list)

    def swap(self, chair: Chair, other: Chair) -> None:
        """Two people sat the other way round."""
        self.written[chair], self.written[other] = self.written[other], self.written[chair]
        other_one = {chair: other, other: chair}
        self.takeovers_written = [
            each._replace(chair=other_one.get(each.chair, each.chair))
            for each in self.takeovers_written
        ]

        def mend(evening: Evening) -> object:
            seats = (evening.seat(*chair).pk, evening.seat(*other).pk)
            return swap_seats(seats=seats, by=make.actor())

        self.mend[chair[0]].append(mend)

    def substitute(self, chair: Chair, hand: int, name: str, *, announced: bool = False) -> None:
        """Somebody took over; unless it was told then, it is put right later."""
        takes_over = TakesOver(chair, hand, name)
        self.takes_over.append(takes_over)
        if announced:
            self.takeovers_written.append(takes_over)
            return

        def mend(evening: Evening) -> object:
            seat = evening.seat(*chair).pk
            return _replace(evening, seat, name, reach=Reach.HANDS, from_hand=hand)

        self.mend[chair[0]].append(mend)

    def wrong_person(self, chair: Chair, wrong: str) -> None:
        """Somebody who was not there was written down in a round."""
        self.written[chair] = wrong
        self._put_right(chair[0], wrong, self.so[chair], Reach.ROUND)

    def never_here(self, right: str, wrong: str) -> None:
        """Somebody who was not there was written down in all rounds."""
        for chair, name in self.written.items():
            if name == right:
                self.written[chair] = wrong
        self._put_right(ROUNDS, wrong, right, Reach.TOURNAMENT)

    def _put_right(self, number: int, wrong: str, right: str, reach: Reach) -> None:
        self.mend[number].append(
            lambda evening: _replace(evening, evening.somewhere(number, wrong), right, reach=reach)
        )


def _replace(evening: Evening, seat: int, right: str, **more: Any) -> object:
    return replace_player(seat_id=seat, player_id=evening.player(right), by=make.actor(), **more)


def all_slips(seats: int) -> Slips:
    """Return an evening on which all of it was written down wrongly, in round 1 and in round 3."""
    slips = Slips(seats)
    for number in (1, 3):
        slips.swap((number, 0, 0), (number, 0, seats - 1))
        slips.substitute((number, 1, 0), 3, f"Sub {number}")
        slips.wrong_person((number, 1, 1), f"Wrong {number}")
    slips.substitute((2, 0, 0), 3, "Sub 2", announced=True)
    slips.swap((2, 0, 0), (2, 1, seats - 1))
    slips.never_here(slips.so[2, 0, 1], "Nobody")
    return slips


def some_slips(seats: int) -> Slips:
    """Return an evening whose slips mean the same for teams, and whoever plays for the absent."""
    slips = Slips(seats)
    for number in (1, 3):
        slips.swap((number, 0, 0), (number, 0, seats - 1))
        slips.substitute((number, 1, 0), 3, f"Sub {number}")
    slips.substitute((2, 0, 0), 3, "Sub 2", announced=True)
    slips.swap((2, 0, 0), (2, 0, seats - 1))
    slips.wrong_person((2, 1, 1), "Wrong 2")
    return slips


ALONE: dict[str, Any] = {}
AT_ONCE_OR_LATE = [
    # After five hands of its round, or late, after those of round 3.
    *((*kind, False) for kind in (KINDS if FULL else [("albastini", "4t2"), ("dalmuti", "4i")])),
    *((*kind, True) for kind in (KINDS if FULL else CORE)),
]
WHOEVER_SCORES = [
    (*each, more)
    for more in ({"teams": True}, {"substitution": "absent"})
    for each in (AT_ONCE_OR_LATE if FULL else [("albastini", "4t2", True)])
]


@pytest.mark.parametrize(
    ("game", "mode", "late", "more"),
    [*((*each, ALONE) for each in AT_ONCE_OR_LATE), *WHOEVER_SCORES],
    ids=str,
)
def test_put_right_is_right_from_the_start_whoever_scores(
    game: str, mode: str, more: dict[str, Any], *, late: bool
) -> None:
    """Play the evening as it was, and as it was written down and put right."""
    slips = (some_slips if more else all_slips)(seats_of(game, mode))
    wrong = Evening(game, mode, slips.written, slips.takeovers_written, more, in_truth=slips.so)
    right = Evening(game, mode, slips.so, slips.takes_over, more)
    script: Sheets = {}
    wrong.play(script, slips.mend, late=late)
    right.play(script)

    mended = everything(wrong)
    assert differences(everything(right), mended) == {}
    assert mended["findings"] == []


# A correction


@pytest.mark.parametrize(("game", "mode"), KINDS if FULL else CORE[1:])
def test_a_late_correction_equals_a_recount_from_nothing(game: str, mode: str) -> None:
    script: Sheets = {}
    evening = Evening(game, mode, people_of(seats_of(game, mode)))
    evening.play(script)
    script[1, 0, 2] = corrected(evening, evening.sitting(1, 0))

    as_corrected = everything(evening)
    forget_all_that_is_counted()
    assert everything(evening)["findings"]
    recount(tournament_id=evening.tournament.pk, by=make.actor(), write=True)
    assert differences(everything(evening), as_corrected) == {}
    assert as_corrected["findings"] == []
    again = Evening(game, mode, people_of(seats_of(game, mode)))
    again.play(script)
    assert differences(everything(again), as_corrected) == {}


def corrected(evening: Evening, sitting: Sitting) -> Sheet:
    """Let hand 2 have been another, with which the rules let those after it stand."""
    hand = Hand.objects.get(sitting=sitting, number=2)
    before = evening.played.sides, hand.session_before
    for seed in range(100):
        sheet = {**MAKERS[evening.game](Random(seed), *before), "dealer": hand.dealer}
        with suppress(RuleError):
            act.correct(sitting, {2: sheet})
            if Hand.objects.get(pk=hand.pk).sheet != hand.sheet:
                return sheet
    raise AssertionError("no other sheet can stand")


def forget_all_that_is_counted() -> None:
    """Leave the sheets, who dealt, and who sat where; nothing that follows from them."""
    for model in (SeatTally, Tally):
        model.objects.all().delete()
    Hand.objects.update(marks=None, warnings=[], session_before={}, ends_game=False)
    counts = ("next_dealer", "last_number", "hands_standing", "games_over", "not_played")
    Sitting.objects.update(
        session={}, dealt_before=[], may_deal=[], over=False, **dict.fromkeys(counts, 0)
    )
