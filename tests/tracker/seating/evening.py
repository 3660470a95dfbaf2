"""An evening of three rounds at two tables, played as it was, or as somebody wrote it down."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, NamedTuple, TypeAlias

from games import catalogue
from tests import act, make
from tests.tracker import sheets
from tracker.models import Club, Entrant, Hand, Round, Seat, SeatTally, Sitting, Tally
from tracker.results.services.recount import recount
from tracker.seating.services.round_opening import TablePlan, open_round
from tracker.seating.services.seat_swaps import substitute
from tracker.standings.queries.standings import standings

ROUNDS, TABLES, HANDS = 3, 2, 5
Chair: TypeAlias = tuple[int, int, int]  # round, table, place
People: TypeAlias = dict[Chair, str]
Sheets: TypeAlias = dict[tuple[int, int, int], sheets.Sheet]  # by round, table and hand
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
            maker = sheets.MAKERS[self.game]
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
