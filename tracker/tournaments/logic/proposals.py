"""Proposed formats for so many people and minutes, most convenient first."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property

from games.game import AnyGame, FirstDealer
from games.mode import Mode
from tracker.movements.catalogue import MOVEMENTS
from tracker.movements.table_sizes import table_shapes
from tracker.movements.types import Question, TableShape, UnseatableError

MOST = 6  # proposals
_SHORT_ROUND = 15  # minutes; changing seats is not worth it for less
_SHORTEST_ROUND = 10  # minutes; if everybody then meets everybody
_FEW_ROUNDS = 3
_FINALISTS = 4
_MOST_RESTING = 0.3  # share of all units
_USUAL_TABLE, _LARGE_TABLE = 4, 6
# Weights against a proposal, in ranks of `ProposalKind`: an evening of only waiting, an evening unused,
# and some who sit alone while others have partners.
_WAITING, _UNUSED, _UNLIKE = 10, 4, 2
CHANGE_OF_SEATS = 4  # minutes from the last hand of a round to the first of the next

# Names of movements in the catalogue.
FEWEST_REPEATS = "fewest_repeats"
ROUND_ROBIN = "round_robin"
SWISS = "swiss"
EQUALS = "equals"
KNOCKOUT = "knockout"

_BRACKET_BEST = 4  # semi-finalists, enough for a match for third place


class ProposalKind(StrEnum):
    """The kinds of proposals; those without waiting, which suit a club night, come first."""

    PARTNERS = "partners"  # they change from round to round
    EVERY_PARTNER = "every_partner"  # everybody partners everybody once
    ONE_TABLE = "one_table"  # each alone
    ALONE = "alone"
    ROUND_ROBIN = "round_robin"
    SWISS = "swiss"
    LARGE_TABLES = "large_tables"  # each alone
    EQUALS = "equals"  # each alone, those about as good at one table
    LONG_ROUNDS = "long_rounds"  # partners change, less often
    FINAL = "final"  # of the best, after rounds for all
    KNOCKOUT = "knockout"


@dataclass(frozen=True, kw_only=True)
class ProposedStage:
    """Rounds of one movement for so many units: players or fixed pairs.

    ``length`` is the number of hands, or of games if the game counts those, of ``minutes_each``.
    """

    movement: str
    shape: TableShape
    units: int
    rounds: int = 0
    length: int = 0
    minutes_each: int
    other_shapes: tuple[TableShape, ...] = ()
    odd_tables: bool = False

    @property
    def by_results(self) -> bool:
        """Return whether each round is seated by the results before it."""
        return not MOVEMENTS[self.movement].ahead

    @property
    def minutes_a_round(self) -> int:
        return self.length * self.minutes_each

    @cached_property
    def tables(self) -> tuple[tuple[TableShape, ...], ...]:
        """Return the tables of every round.

        :raises UnseatableError: if so many units cannot be seated.
        """
        if self.movement != KNOCKOUT:
            return (table_shapes(self.units, self.question(seed=0)),) * self.rounds
        # Byes fill the first round up to a power of two; third place is played beside the final.
        matches = [self.units - 2 ** (self.rounds - 1)]
        matches += [2 ** (self.rounds - number) for number in range(2, self.rounds + 1)]
        if self.units >= _BRACKET_BEST:
            matches[-1] += 1
        return tuple((self.shape,) * many for many in matches)

    @property
    def resting(self) -> int:
        """Return how many units a full round has no place for."""
        return self.units - sum(shape.size for shape in self.tables[0])

    def question(self, *, seed: int) -> Question:
        """Return the movement's input that plans the whole stage, with units from 0."""
        return Question(
            present=(tuple(range(self.units)),) * self.rounds,
            shape=self.shape,
            other_shapes=self.other_shapes,
            odd_tables=self.odd_tables,
            third_place=self.movement == KNOCKOUT and self.units >= _BRACKET_BEST,
            seed=seed,
        )


@dataclass(frozen=True, kw_only=True)
class Proposal:
    """A format for the evening: one stage, or a second one for the best of the first.

    ``people`` is the number of players in a unit.
    """

    kind: ProposalKind
    people: int
    stages: tuple[ProposedStage, ...]

    @property
    def key(self) -> str:
        """Return a key that is unique among the proposals of an evening."""
        first = self.stages[0]
        odd = "-odd" if first.odd_tables else ""
        return f"{self.kind}-{first.shape.code}-{first.rounds}-{first.length}{odd}"

    @property
    def by_results(self) -> bool:
        """Return whether some rounds are seated by the results before them."""
        return any(stage.by_results for stage in self.stages)

    @property
    def units(self) -> int:
        return self.stages[0].units

    @property
    def rounds(self) -> int:
        return sum(stage.rounds for stage in self.stages)

    @property
    def minutes(self) -> int:
        """Return the minutes from the first hand to the last."""
        played = sum(stage.rounds * stage.minutes_a_round for stage in self.stages)
        return played + (self.rounds - 1) * CHANGE_OF_SEATS

    @property
    def waiting(self) -> float:
        """Return the share of rounds that units sit out, from 0 to 1."""
        seats = sum(
            shape.size for stage in self.stages for round_ in stage.tables for shape in round_
        )
        return 1 - seats / (self.units * self.rounds)

    @property
    def without_partner(self) -> bool:
        """Return whether some sit alone at an odd table while others have partners."""
        first = self.stages[0]
        partners = len(first.shape.sides[0])
        return any(len(shape.sides[0]) != partners for shape in first.tables[0])

    @property
    def seatable(self) -> bool:
        """Return whether the movements can seat all units."""
        try:
            return all(stage.tables for stage in self.stages)
        except UnseatableError:
            return False


@dataclass(frozen=True, slots=True, kw_only=True)
class Occasion:
    """The evening asked about; ``minutes_each`` is for a hand, or a game if rounds count those."""

    players: int
    minutes: int
    game: AnyGame
    minutes_each: int

    def rounds_of(self, length: int) -> int:
        """Return the number of rounds of this length that fit."""
        a_round = length * self.minutes_each + CHANGE_OF_SEATS
        return (self.minutes + CHANGE_OF_SEATS) // a_round

    def length_for(self, rounds: int, seats: int) -> int:
        """Return the length of each of so many rounds, a multiple of the dealers if possible; or 0."""
        a_round = (self.minutes + CHANGE_OF_SEATS) // rounds - CHANGE_OF_SEATS
        length = max(0, a_round // self.minutes_each)
        turns = self._turns(seats)
        return length - length % turns if length > turns else length

    def short_length(self, seats: int) -> int:
        """Return the length of the shortest round that is worth changing seats for."""
        turns = self._turns(seats)
        least = -(-_SHORT_ROUND // self.minutes_each)
        return -(-least // turns) * turns

    def _turns(self, seats: int) -> int:
        """Return the number of hands in which each seat deals once; 1 where it does not matter."""
        in_turn = self.game.first_dealer is FirstDealer.CHOSEN and not self.game.round_in_games
        return seats if in_turn else 1


def propose(occasion: Occasion) -> tuple[Proposal, ...]:
    """Return at most ``MOST`` formats that end in time; none if no table can be filled.

    Those without waiting, which use the time and let people meet, come first.
    """
    fitting: dict[str, Proposal] = {}
    for proposal in _candidates(occasion):
        in_time = proposal.minutes <= occasion.minutes
        if in_time and proposal.seatable and all(stage.length for stage in proposal.stages):
            first = proposal.stages[0]
            if first.movement == KNOCKOUT or first.resting <= _MOST_RESTING * first.units:
                fitting.setdefault(proposal.key, proposal)

    def order(proposal: Proposal) -> float:
        unused = 1 - proposal.minutes / occasion.minutes
        return (
            list(ProposalKind).index(proposal.kind)
            + _WAITING * proposal.waiting
            + _UNUSED * unused
            + _UNLIKE * proposal.without_partner
        )

    return tuple(sorted(fitting.values(), key=order)[:MOST])


def _candidates(occasion: Occasion) -> Iterator[Proposal]:
    if occasion.players < 2:
        return
    modes = occasion.game.modes(occasion.game.default_options())
    pairs = [mode for mode in modes if len(mode.sides) == 2 and len(mode.sides[0]) == 2]
    # No tables of two for more than two players.
    alone = [
        mode for mode in modes if mode.individual and mode.seats > min(2, occasion.players - 1)
    ]
    if pairs:
        yield from _changing_partners(occasion, pairs[0], modes)
        if occasion.players % 2 == 0:
            yield from _fixed_pairs(occasion, pairs[0])
    if alone:
        yield from _each_alone(occasion, alone, with_more=not pairs)


def _changing_partners(occasion: Occasion, mode: Mode, modes: Sequence[Mode]) -> Iterator[Proposal]:
    players, seats = occasion.players, mode.seats
    stage = ProposedStage(
        movement=FEWEST_REPEATS,
        shape=TableShape(mode.code, mode.sides),
        other_shapes=_others(mode, modes),
        units=players,
        minutes_each=occasion.minutes_each,
    )
    short = occasion.short_length(seats)
    most = players if players % seats == 1 else players - 1  # rounds until partners repeat
    rounds = _round_count(occasion, most, short)
    length = occasion.length_for(rounds, seats)
    perfect = players % seats <= 1
    for odd_tables in (False, True) if players % seats else (False,):
        usual = replace(stage, odd_tables=odd_tables)
        proposal = _one(ProposalKind.PARTNERS, 1, replace(usual, rounds=rounds, length=length))
        tables = proposal.stages[0].tables[0] if proposal.seatable else ()
        if all(len(shape.sides[0]) == 1 for shape in tables):
            break  # unseatable, or nobody would have a partner
        if odd_tables or not perfect or rounds < most:
            yield proposal
        longer = replace(usual, rounds=occasion.rounds_of(2 * short), length=2 * short)
        usual_of_two = odd_tables == (players % seats > 1)
        if usual_of_two and _FEW_ROUNDS <= longer.rounds < rounds:
            yield _one(ProposalKind.LONG_ROUNDS, 1, longer)
    all_partners = occasion.length_for(most, seats)
    if perfect and all_partners * occasion.minutes_each >= _SHORTEST_ROUND:
        yield _one(ProposalKind.EVERY_PARTNER, 1, replace(stage, rounds=most, length=all_partners))
    before = occasion.rounds_of(short) - (_FINALISTS - 1)
    if players >= 2 * seats and before >= 2:
        first = replace(stage, rounds=min(before, most), length=short)
        best = replace(first, units=_FINALISTS, rounds=_FINALISTS - 1, odd_tables=False)
        yield Proposal(kind=ProposalKind.FINAL, people=1, stages=(first, best))


def _fixed_pairs(occasion: Occasion, mode: Mode) -> Iterator[Proposal]:
    pairs, seats = occasion.players // 2, mode.seats
    stage = ProposedStage(
        movement=ROUND_ROBIN,
        shape=TableShape(mode.code, tuple((side,) for side in range(len(mode.sides)))),
        units=pairs,
        minutes_each=occasion.minutes_each,
    )
    short = occasion.short_length(seats)
    everybody = pairs - 1 + pairs % 2
    length = occasion.length_for(everybody, seats)
    if pairs >= 3 and length * occasion.minutes_each >= _SHORTEST_ROUND:
        yield _one(ProposalKind.ROUND_ROBIN, 2, replace(stage, rounds=everybody, length=length))
    rounds = min(occasion.rounds_of(short), (pairs - 1).bit_length() + 2, everybody - 1)
    swiss = replace(stage, movement=SWISS)
    if pairs >= 6 and rounds >= _FEW_ROUNDS and length < short:
        length = occasion.length_for(rounds, seats)
        yield _one(ProposalKind.SWISS, 2, replace(swiss, rounds=rounds, length=length))
    if pairs >= 4:
        rounds = (pairs - 1).bit_length()
        length = min(occasion.length_for(rounds, seats), 2 * occasion.game.usual_length)
        yield _one(
            ProposalKind.KNOCKOUT,
            2,
            replace(stage, movement=KNOCKOUT, rounds=rounds, length=length),
        )
    before = occasion.rounds_of(short) - 2
    if pairs >= 6 and before >= 2:
        first = replace(swiss, rounds=min(before, everybody - 1), length=short)
        best = replace(first, movement=KNOCKOUT, units=_FINALISTS, rounds=2)
        yield Proposal(kind=ProposalKind.FINAL, people=2, stages=(first, best))


def _each_alone(occasion: Occasion, modes: Sequence[Mode], with_more: bool) -> Iterator[Proposal]:
    """Propose one table or tables of about four; *with_more*, also larger tables and a final."""
    players = occasion.players
    usual = _nearest(modes, _USUAL_TABLE)
    at_one = [mode for mode in modes if mode.seats == players]
    if at_one:
        yield _alone(occasion, ProposalKind.ONE_TABLE, at_one[0], modes)
    if not at_one or (with_more and usual.seats < players):
        yield _alone(occasion, ProposalKind.ALONE, usual, modes)
    if not with_more:
        return
    large = _nearest(modes, _LARGE_TABLE)
    if usual != large and large.seats + usual.seats <= players:
        yield _alone(occasion, ProposalKind.LARGE_TABLES, large, modes)
    if players >= 2 * usual.seats:
        together = _alone(occasion, ProposalKind.EQUALS, usual, modes)
        stage = replace(together.stages[0], movement=EQUALS)
        yield replace(together, stages=(stage,))
        short = occasion.short_length(usual.seats)
        before = occasion.rounds_of(short) - 1
        if before >= 2:
            first = replace(stage, movement=FEWEST_REPEATS, rounds=before, length=short)
            best = replace(first, units=usual.seats, rounds=1, odd_tables=False)
            yield Proposal(kind=ProposalKind.FINAL, people=1, stages=(first, best))


def _alone(occasion: Occasion, kind: ProposalKind, mode: Mode, modes: Sequence[Mode]) -> Proposal:
    rounds = 1
    if occasion.players != mode.seats:  # at one table nobody changes seats
        rounds = _round_count(occasion, occasion.players, occasion.short_length(mode.seats))
    stage = ProposedStage(
        movement=FEWEST_REPEATS,
        shape=TableShape(mode.code, mode.sides),
        other_shapes=_others(mode, modes),
        units=occasion.players,
        rounds=rounds,
        length=occasion.length_for(rounds, mode.seats),
        minutes_each=occasion.minutes_each,
        odd_tables=occasion.players % mode.seats != 0,
    )
    proposal = _one(kind, 1, stage)
    return proposal if proposal.seatable else _one(kind, 1, replace(stage, odd_tables=False))


def _round_count(occasion: Occasion, most: int, length: int) -> int:
    """Return the number of rounds of this length, but at least a few, and at most *most*."""
    return min(max(occasion.rounds_of(length), _FEW_ROUNDS), max(most, 1))


def _one(kind: ProposalKind, people: int, stage: ProposedStage) -> Proposal:
    return Proposal(kind=kind, people=people, stages=(stage,))


def _nearest(modes: Sequence[Mode], seats: int) -> Mode:
    return min(modes, key=lambda mode: abs(mode.seats - seats))


def _others(mode: Mode, modes: Sequence[Mode]) -> tuple[TableShape, ...]:
    return tuple(TableShape(other.code, other.sides) for other in modes if other.code != mode.code)
