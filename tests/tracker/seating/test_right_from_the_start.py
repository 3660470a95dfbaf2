"""Whoever is put right sits there as if it had been so from the start: dealers and memory as well."""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from random import Random
from typing import Any, NamedTuple, TypeAlias

import pytest

from games import catalogue
from games.errors import RuleError
from tests import act, make
from tests.drilled import FULL
from tests.tracker.sheets import MAKERS, Sheet
from tracker.models import Club, Entrant, Hand, Round, Seat, SeatTally, Sitting, Tally
from tracker.results.services.recount import recount
from tracker.seating.services.player_replacement import Reach, replace_player
from tracker.seating.services.round_opening import TablePlan, open_round
from tracker.seating.services.seat_swaps import substitute, swap_seats
from tracker.standings.queries.standings import standings

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

ROUNDS, TABLES, HANDS = 3, 2, 5
Chair: TypeAlias = tuple[int, int, int]  # round, table, place
People: TypeAlias = dict[Chair, str]
Sheets: TypeAlias = dict[tuple[int, int, int], Sheet]  # by round, table and hand
Mend: TypeAlias = "Callable[[Evening], object]"


class TakesOver(NamedTuple):
    """Somebody who takes over a chair from a hand on."""

    chair: Chair
    hand: int
    name: str


@dataclass
class Evening:
    """One evening: who sits where, and who takes over; ``mend`` is called after some hands."""

    game: str
    mode: str
    people: People
    takes_over: Sequence[TakesOver] = ()
    more: Mapping[str, Any] = field(default_factory=dict)
    in_truth: People | None = None  # teams stay together, wherever their people are written down

    def __post_init__(self) -> None:
        self.club = Club.objects.create(name=f"Club {Club.objects.count()}")
        self.tournament = make.tournament(
            self.game, self.mode, club=self.club, hands=HANDS + 3, **self.more
        )
        rules = catalogue.GAMES[self.game]
        self.played = rules.mode(self.mode, self.tournament.options)
        self.rounds: dict[int, Round] = {}

    # Playing

    def play(
        self,
        script: Sheets,
        mend: Mapping[int, Sequence[Mend]] | None = None,
        *,
        late: bool = False,
    ) -> None:
        """Play all of it; what is missing in the *script* is drawn by lot, and added to it.

        What is to be mended in a round is so after its hands, or *late*, after those of the last.
        """
        rng, mend = Random(5), mend or {}
        for number in range(1, ROUNDS + 1):
            self._open(number)
            for hand in range(1, HANDS + 1):
                for table in range(TABLES):
                    self._hand(script, rng, number, table, hand)
            last = number == ROUNDS
            for of_round in ((1, 2, 3) if last else ()) if late else (number,):
                for mending in mend.get(of_round, ()):
                    mending(self)
            if not last:
                act.close(self.rounds[number], anyway=True)
        for table in range(TABLES):  # and on it goes
            self._hand(script, rng, ROUNDS, table, HANDS + 1)

    def _open(self, number: int) -> None:
        plans = []
        for table in range(TABLES):
            names = [self.people[number, table, place] for place in range(self.played.seats)]
            plans.append(
                TablePlan(
                    mode=self.mode,
                    players=tuple(map(self.player, names)),
                    entrants=self._entrants(number, table, names),
                    first_dealer=number % self.played.seats,
                    number=table + 1,
                )
            )
        self.rounds[number] = open_round(
            tournament_id=self.tournament.pk, tables=plans, by=make.actor(), rng=Random(number)
        )

    def _entrants(self, number: int, table: int, names: Sequence[str]) -> tuple[int, ...]:
        """Return for whom they play: themselves, or the team that has their side all evening."""
        if self.tournament.format != "teams":
            players = (make.player(name, club=self.club) for name in names)
            return tuple(make.entrant(each, at=self.tournament).pk for each in players)
        everybody = [make.player(name, club=self.club) for name in sorted({*self.people.values()})]
        sat = self.in_truth or self.people
        chairs = {name: chair for chair, name in sat.items() if chair[0] == number}
        entrants = []
        for place, name in enumerate(names):
            _, own_table, own_place = chairs.get(name, (number, table, place))
            called = f"Team {own_table} {self.played.side_of(own_place)}"
            team = make.team(*everybody, name=called)
            entrants.append(make.entrant(team, at=self.tournament).pk)
        return tuple(entrants)

    def _hand(self, script: Sheets, rng: Random, number: int, table: int, hand: int) -> None:
        for chair, from_hand, name in self.takes_over:
            if (*chair[:2], from_hand) == (number, table, hand):
                seat = self.seat(*chair).pk
                substitute(seat_id=seat, player_id=self.player(name), by=make.actor())
        sitting = self.sitting(number, table)
        if (number, table, hand) not in script:
            maker = MAKERS[self.game]
            sheet = maker(rng, self.played.sides, sitting.session)
            script[number, table, hand] = {**sheet, "dealer": make.coming_dealer(sitting)}
        make.report(sitting, script[number, table, hand])

    # What is where

    def player(self, name: str) -> int:
        return make.player(name, club=self.club).pk

    def sitting(self, number: int, table: int) -> Sitting:
        return Sitting.objects.get(round=self.rounds[number], number=table + 1)

    def seat(self, number: int, table: int, place: int) -> Seat:
        sitting = self.sitting(number, table)
        return Seat.objects.running().get(sitting=sitting, place=place)

    def somewhere(self, number: int, name: str) -> int:
        """Return a seat of somebody: in this round, or if there is none, in an earlier one."""
        seats = Seat.objects.filter(round__tournament=self.tournament, player__name=name)
        return seats.filter(round__number__lte=number).latest("round__number").pk


def differences(right: dict[str, Any], mended: dict[str, Any]) -> dict[str, Any]:
    """Return what is known of two evenings and not the same: as it is right, and as it came."""
    return {what: (known, mended[what]) for what, known in right.items() if known != mended[what]}


def everything(evening: Evening) -> dict[str, Any]:
    """Return all that is known of an evening, by the names of people: no key of a row is in it."""
    tournament = evening.tournament
    stints = Seat.objects.filter(round__tournament=tournament).select_related(
        "player", "entrant__player", "entrant__team", "sitting__round"
    )
    chair = {seat.pk: (*_at(seat.sitting), seat.place, seat.from_hand) for seat in stints}
    tallies = Tally.objects.filter(entrant__tournament=tournament).exclude(amount=0)
    of_seats = SeatTally.objects.filter(seat__in=chair).exclude(amount=0)
    tables = Sitting.objects.filter(round__tournament=tournament).select_related("round")
    hands = Hand.objects.filter(sitting__in=tables).select_related("sitting__round")
    counted = recount(tournament_id=tournament.pk, by=make.actor())
    return {
        "seats": {
            chair[seat.pk]: (seat.to_hand, seat.side, str(seat.player), str(seat.entrant))
            for seat in stints
        },
        "entrants": sorted(
            (str(entrant), entrant.withdrawn_at, entrant.reserve_since, entrant.seed)
            for entrant in Entrant.objects.filter(tournament=tournament).by_name()
        ),
        "standing": sorted(
            (row.place, row.name, row.tied, row.hands, row.opened, row.dealt, dict(row.figures))
            for row in standings(tournament).rows
        ),
        "tallies": {(str(row.entrant), row.key): row.amount for row in tallies},
        "seat_tallies": {(*chair[row.seat_id], row.key): row.amount for row in of_seats},
        "tables": {_at(sitting): _table(sitting) for sitting in tables},
        "hands": {
            (*_at(hand.sitting), hand.number): (
                *(hand.sheet, hand.dealer, hand.marks, hand.warnings, hand.session_before),
            )
            for hand in hands
        },
        "findings": [str(each) for each in counted.findings],
    }


def _at(sitting: Sitting) -> tuple[int, int]:
    return sitting.round.number, sitting.number


def _table(sitting: Sitting) -> tuple[object, ...]:
    return (
        sitting.dealt_before,
        sitting.session,
        sitting.next_dealer,
        sitting.may_deal,
        make.coming_dealer(sitting),
        sitting.last_number,
        sitting.hands_standing,
        sitting.over,
    )


# What was written down wrongly


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
