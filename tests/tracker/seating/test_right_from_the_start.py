"""Whoever is put right sits there as if it had been so from the start: dealers and memory as well."""

from collections import defaultdict
from collections.abc import Callable
from contextlib import suppress
from random import Random
from typing import Any, TypeAlias

import pytest

from games import catalogue
from games.errors import RuleError
from tests import make
from tests.drilled import FULL
from tests.tracker.seating.evening import (
    ROUNDS,
    TABLES,
    Chair,
    Evening,
    Evenings,
    People,
    Sheets,
    TakesOver,
    everything,
)
from tests.tracker.sheets import MAKERS, Sheet
from tracker.models import Hand, LogEntry, SeatTally, Sitting, Tally
from tracker.results.services.corrections import correct_sitting
from tracker.results.services.recount import recount
from tracker.seating.services.player_replacement import Reach, replace_player
from tracker.seating.services.seat_swaps import swap_seats

pytestmark = pytest.mark.django_db
Mend: TypeAlias = Callable[[Evening], None]

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
            TakesOver(other_one.get(each.chair, each.chair), each.hand, each.name)
            for each in self.takeovers_written
        ]
        self.mend[chair[0]].append(
            lambda evening: _done(
                swap_seats(
                    seats=(evening.seat(*chair).pk, evening.seat(*other).pk), by=make.actor()
                )
            )
        )

    def substitute(self, chair: Chair, hand: int, name: str, *, announced: bool) -> None:
        """Somebody took over; unless it was told then, it is put right later."""
        takes_over = TakesOver(chair, hand, name)
        self.takes_over.append(takes_over)
        if announced:
            self.takeovers_written.append(takes_over)
            return
        self.mend[chair[0]].append(
            lambda evening: _done(
                replace_player(
                    seat_id=evening.seat(*chair).pk,
                    player_id=evening.player(name),
                    reach=Reach.HANDS,
                    from_hand=hand,
                    by=make.actor(),
                )
            )
        )

    def wrong_person(self, chair: Chair, wrong: str) -> None:
        """Somebody who was not there was written down in a round."""
        self.written[chair] = wrong
        self._replace(chair[0], wrong, self.so[chair], Reach.ROUND)

    def never_here(self, right: str, wrong: str) -> None:
        """Somebody who was not there was written down in all rounds."""
        for chair, name in self.written.items():
            if name == right:
                self.written[chair] = wrong
        self._replace(ROUNDS, wrong, right, Reach.TOURNAMENT)

    def _replace(self, number: int, wrong: str, right: str, reach: Reach) -> None:
        self.mend[number].append(
            lambda evening: _done(
                replace_player(
                    seat_id=evening.somewhere(number, wrong),
                    player_id=evening.player(right),
                    reach=reach,
                    by=make.actor(),
                )
            )
        )


def _done(entry: LogEntry) -> None:
    assert entry.pk


def all_slips(seats: int) -> Slips:
    """Return an evening on which all of it was written down wrongly, in round 1 and in round 3."""
    slips = Slips(seats)
    for number in (1, 3):
        slips.swap((number, 0, 0), (number, 0, seats - 1))
        slips.substitute((number, 1, 0), 3, f"Sub {number}", announced=False)
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
        slips.substitute((number, 1, 0), 3, f"Sub {number}", announced=False)
    slips.substitute((2, 0, 0), 3, "Sub 2", announced=True)
    slips.swap((2, 0, 0), (2, 0, seats - 1))
    slips.wrong_person((2, 1, 1), "Wrong 2")
    return slips


def play(game: str, mode: str, slips: Slips, *, late: bool, **more: Any) -> Evenings:
    """Play the evening as it was, and as it was written down and put right."""
    script: Sheets = {}
    wrong = Evening(
        game, mode, slips.written, tuple(slips.takeovers_written), more, in_truth=slips.so
    )
    right = Evening(game, mode, slips.so, tuple(slips.takes_over), more)
    wrong.play(script, slips.mend, late=late)
    right.play(script, {})
    return Evenings(right=everything(right), mended=everything(wrong))


AT_ONCE = [("albastini", "4t2"), ("dalmuti", "4i")]
AT_ONCE_OR_LATE = [
    *((*kind, False) for kind in (KINDS if FULL else AT_ONCE)),  # after five hands of its round
    *((*kind, True) for kind in (KINDS if FULL else CORE)),  # after those of round 3
]


@pytest.mark.parametrize(("game", "mode", "late"), AT_ONCE_OR_LATE)
def test_put_right_is_right_from_the_start(game: str, mode: str, *, late: bool) -> None:
    evenings = play(game, mode, all_slips(seats_of(game, mode)), late=late)

    assert evenings.differences() == {}
    assert evenings.mended["findings"] == []


@pytest.mark.parametrize("more", [{"teams": True}, {"substitution": "absent"}], ids=str)
@pytest.mark.parametrize(
    ("game", "mode", "late"), AT_ONCE_OR_LATE if FULL else [("albastini", "4t2", True)]
)
def test_put_right_is_right_from_the_start_whoever_scores(
    game: str, mode: str, more: dict[str, Any], *, late: bool
) -> None:
    evenings = play(game, mode, some_slips(seats_of(game, mode)), late=late, **more)

    assert evenings.differences() == {}
    assert evenings.mended["findings"] == []


# A correction


@pytest.mark.parametrize(("game", "mode"), KINDS if FULL else CORE[1:])
def test_a_correction_in_round_1_after_round_3_was_drawn_equals_a_recount_from_nothing(
    game: str, mode: str
) -> None:
    script: Sheets = {}
    evening = Evening(game, mode, people_of(seats_of(game, mode)))
    evening.play(script, {})
    first = evening.sitting(1, 0)

    script[1, 0, 2] = corrected(evening, first)

    as_corrected = everything(evening)
    forget_all_that_is_counted()
    assert everything(evening)["findings"]
    recount(tournament_id=evening.tournament.pk, by=make.actor(), write=True)
    counted = Evenings(right=everything(evening), mended=as_corrected)
    assert counted.differences() == {}
    assert as_corrected["findings"] == []

    again = Evening(game, mode, people_of(seats_of(game, mode)))
    again.play(script, {})
    assert Evenings(right=everything(again), mended=as_corrected).differences() == {}


def corrected(evening: Evening, sitting: Sitting) -> Sheet:
    """Let hand 2 have been another, with which the rules let those after it stand."""
    hand = Hand.objects.get(sitting=sitting, number=2)
    before = evening.played.sides, hand.session_before
    for seed in range(100):
        sheet = {**MAKERS[evening.game](Random(seed), *before), "dealer": hand.dealer}
        with suppress(RuleError):
            correct_sitting(
                sitting_id=sitting.pk, changes={2: sheet}, reason="Misread", by=make.actor()
            )
            if Hand.objects.get(pk=hand.pk).sheet != hand.sheet:
                return sheet
    raise AssertionError("no other sheet can stand")


def forget_all_that_is_counted() -> None:
    """Leave the sheets, who dealt, and who sat where; nothing that follows from them."""
    SeatTally.objects.all().delete()
    Tally.objects.all().delete()
    Hand.objects.update(marks=None, warnings=[], session_before={}, ends_game=False)
    Sitting.objects.update(
        session={},
        dealt_before=[],
        next_dealer=0,
        may_deal=[],
        over=False,
        last_number=0,
        hands_standing=0,
        games_over=0,
        not_played=0,
    )
