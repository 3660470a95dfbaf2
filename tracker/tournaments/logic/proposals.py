"""Proposed formats of an evening, made from the number of players, the minutes and the game.

A format has one or two *stages* of rounds. A stage seats *units*: single players, or fixed pairs. A
*movement* is the way to find who sits where in each round; a *mode* of the game says how many sit
at a table, and in which sides. Units for whom a round has no place at a usual table rest, or sit at
*odd tables*, of another size.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property
from math import ceil

from games.game import AnyGame, FirstDealer
from games.mode import Mode
from tracker.movements.catalogue import MOVEMENTS
from tracker.movements.table_sizes import table_shapes
from tracker.movements.types import OpenedBy, Question, TableShape, UnseatableError

MOST_PROPOSALS = 6
CHANGE_OF_SEATS = 4  # minutes from the last hand of a round to the first of the next
_SHORT_ROUND = 15  # minutes; changing seats is not worth it for less
_SHORTEST_ROUND = 10  # minutes; accepted where everybody then meets everybody
_FEW_ROUNDS = 3
_LEAST_BEFORE_FINAL = 2  # rounds
_FINALISTS = 4  # units in a final or in semi-finals, enough for a match for third place
_LEAST_FOR_SWISS = 6  # pairs; fewer can meet all the others
_MOST_RESTING = 0.3  # share of all units
_USUAL_TABLE, _LARGE_TABLE = 4, 6  # preferred numbers of seats

# Names of movements in the catalogue.
FEWEST_REPEATS = "fewest_repeats"
ROUND_ROBIN = "round_robin"
SWISS = "swiss"
EQUALS = "equals"
KNOCKOUT = "knockout"


class ProposalKind(StrEnum):
    """The kinds of proposals, most convenient for a club night first; proposals are ranked by this.

    Partners change from round to round in ``PARTNERS`` and, less often, in ``LONG_ROUNDS``; in
    ``EVERY_PARTNER`` everybody partners everybody once. Everybody plays alone in ``ONE_TABLE``,
    ``ALONE``, ``LARGE_TABLES`` and ``EQUALS``, where players of about equal results share a table.
    Pairs are fixed in ``ROUND_ROBIN``, ``SWISS`` and ``KNOCKOUT``. ``FINAL`` is of the best, after
    rounds for all.
    """

    PARTNERS = "partners"
    EVERY_PARTNER = "every_partner"
    ONE_TABLE = "one_table"
    ALONE = "alone"
    ROUND_ROBIN = "round_robin"
    SWISS = "swiss"
    LARGE_TABLES = "large_tables"
    EQUALS = "equals"
    LONG_ROUNDS = "long_rounds"
    FINAL = "final"
    KNOCKOUT = "knockout"


@dataclass(frozen=True, kw_only=True)
class ProposedStage:
    """Rounds of one movement for a number of units: players or fixed pairs.

    ``movement`` is a name in the catalogue; a ``shape`` says which places of a table form a side. A
    round lasts ``length`` hands (in some games whole games), each of ``minutes_each``. With
    ``odd_tables``, tables of ``other_shapes`` take those left over from tables of ``shape``.
    """

    movement: str
    shape: TableShape
    units: int
    rounds: int = 0
    length: int = 0
    minutes_each: int
    other_shapes: tuple[TableShape, ...] = ()
    odd_tables: bool = False
    opened_by: OpenedBy

    @property
    def by_results(self) -> bool:
        """Return whether each round is seated by the results before it."""
        return not MOVEMENTS[self.movement].ahead

    @property
    def minutes_a_round(self) -> int:
        return self.length * self.minutes_each

    @cached_property
    def tables(self) -> tuple[tuple[TableShape, ...], ...]:
        """Return the shapes of the tables, for each round.

        :raises UnseatableError: if this number of units cannot be seated.
        """
        if self.movement != KNOCKOUT:
            return (table_shapes(self.units, self.question(seed=0)),) * self.rounds
        # Each match puts one unit out: the first round leaves a power of two, each other one half.
        matches = [self.units - 2 ** (self.rounds - 1)]
        matches += [2 ** (self.rounds - number) for number in range(2, self.rounds + 1)]
        if self.units >= _FINALISTS:
            matches[-1] += 1  # third place is played beside the final
        return tuple((self.shape,) * tables for tables in matches)

    @property
    def resting(self) -> int:
        """Return how many units rest in the first round."""
        return self.units - sum(shape.size for shape in self.tables[0])

    def question(self, *, seed: int) -> Question:
        """Return what the movement needs to plan the whole stage; units are numbered from 0."""
        return Question(
            present=(tuple(range(self.units)),) * self.rounds,
            shape=self.shape,
            other_shapes=self.other_shapes,
            odd_tables=self.odd_tables,
            opened_by=self.opened_by,
            third_place=self.movement == KNOCKOUT and self.units >= _FINALISTS,
            seed=seed,
        )


@dataclass(frozen=True, kw_only=True)
class Proposal:
    """A format for the evening: one stage, and perhaps a second one for the best of the first.

    ``unit_size`` is the number of players in a unit: 2 for fixed pairs, otherwise 1.
    """

    kind: ProposalKind
    unit_size: int
    stages: tuple[ProposedStage, ...]

    @property
    def key(self) -> str:
        """Return a key that is unique among the proposals of an evening."""
        first = self.stages[0]
        odd = "-odd" if first.odd_tables else ""
        return f"{self.kind}-{first.shape.code}-{first.rounds}-{first.length}{odd}"

    @property
    def by_results(self) -> bool:
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
        """Return how much of the evening an average unit sits out, from 0 to 1."""
        rounds = [tables for stage in self.stages for tables in stage.tables]
        seats = sum(shape.size for tables in rounds for shape in tables)
        return 1 - seats / (self.units * self.rounds)

    @property
    def without_partner(self) -> bool:
        """Return whether some sit alone at an odd table while others have partners."""
        first = self.stages[0]
        usual_size = len(first.shape.sides[0])
        return any(len(shape.sides[0]) != usual_size for shape in first.tables[0])

    @property
    def seatable(self) -> bool:
        try:
            return all(stage.tables for stage in self.stages)
        except UnseatableError:
            return False


@dataclass(frozen=True, slots=True, kw_only=True)
class Occasion:
    """The evening for which formats are wanted.

    ``minutes_each`` is the time of a hand, or of a whole game if rounds of this game count games.
    """

    players: int
    minutes: int
    game: AnyGame
    minutes_each: int

    def stage(self, movement: str, mode: Mode, modes: Sequence[Mode] = ()) -> ProposedStage:
        """Return a stage of single players at tables of a mode; odd tables have other *modes*."""
        shapes = (TableShape(other.code, other.sides) for other in modes if other.code != mode.code)
        return ProposedStage(
            movement=movement,
            shape=TableShape(mode.code, mode.sides),
            other_shapes=tuple(shapes),
            units=self.players,
            minutes_each=self.minutes_each,
            opened_by=OpenedBy.of(self.game.first_dealer),
        )

    def rounds_of(self, length: int) -> int:
        """Return the number of rounds of this length that fit, with changes of seats between."""
        return (self.minutes + CHANGE_OF_SEATS) // (length * self.minutes_each + CHANGE_OF_SEATS)

    def length_for(self, rounds: int, seats: int) -> int:
        """Return the longest length at which this number of rounds fits; 0 if none does.

        At a table of *seats* everybody deals equally often, if the length allows it.
        """
        minutes_a_round = (self.minutes + CHANGE_OF_SEATS) // rounds - CHANGE_OF_SEATS
        length = max(0, minutes_a_round // self.minutes_each)
        cycle = self._dealing_cycle(seats)
        return length - length % cycle if length > cycle else length

    def short_length(self, seats: int) -> int:
        """Return the length of the shortest round that is worth changing seats for."""
        cycle = self._dealing_cycle(seats)
        least = ceil(_SHORT_ROUND / self.minutes_each)
        return ceil(least / cycle) * cycle

    def _dealing_cycle(self, seats: int) -> int:
        """Return the number of hands in which each seat deals once; 1 where it does not matter."""
        in_turn = self.game.first_dealer is FirstDealer.CHOSEN and not self.game.round_in_games
        return seats if in_turn else 1


def propose(occasion: Occasion) -> tuple[Proposal, ...]:
    """Return at most ``MOST_PROPOSALS`` formats that end in time, the most convenient first."""
    fitting: dict[str, Proposal] = {}  # by key: of two with the same key, the first stays
    for proposal in _candidates(occasion):
        in_time = proposal.minutes <= occasion.minutes
        if in_time and proposal.seatable and all(stage.length for stage in proposal.stages):
            first = proposal.stages[0]
            # Few may rest; but in the first round of a knock-out that is a bye, as good as a win.
            if first.movement == KNOCKOUT or first.resting <= _MOST_RESTING * first.units:
                fitting.setdefault(proposal.key, proposal)

    def inconvenience(proposal: Proposal) -> float:
        # The rank of the kind, and more ranks for faults: ten for an evening of nothing but
        # waiting, four for a wholly unused one, two if only some have partners.
        unused = 1 - proposal.minutes / occasion.minutes
        rank = list(ProposalKind).index(proposal.kind)
        return rank + 10 * proposal.waiting + 4 * unused + 2 * proposal.without_partner

    return tuple(sorted(fitting.values(), key=inconvenience)[:MOST_PROPOSALS])


def _candidates(occasion: Occasion) -> Iterator[Proposal]:
    """Yield proposals that suit the game; some may be too long, or impossible to seat."""
    if occasion.players < 2:
        return
    modes = occasion.game.modes(occasion.game.default_options())
    pairs = [mode for mode in modes if len(mode.sides) == 2 and len(mode.sides[0]) == 2]
    # No tables of two for more than two players.
    least_seats = 2 if occasion.players == 2 else 3
    singles = [mode for mode in modes if mode.individual and mode.seats >= least_seats]
    if pairs:
        yield from _changing_partners(occasion, pairs[0], modes)
        if occasion.players % 2 == 0:
            yield from _fixed_pairs(occasion, pairs[0])
    if singles:
        # Where pairs can play, few formats for singles are enough.
        yield from _each_alone(occasion, singles, all_formats=not pairs)


def _changing_partners(occasion: Occasion, mode: Mode, modes: Sequence[Mode]) -> Iterator[Proposal]:
    """Yield formats in which partners change each round, at tables of two pairs (*mode*)."""
    players, seats = occasion.players, mode.seats
    left_over = players % seats
    stage = occasion.stage(FEWEST_REPEATS, mode, modes)
    # If at most one rests, everybody can partner everybody exactly once, in exactly so many rounds.
    each_once = left_over <= 1
    all_rounds = players if left_over == 1 else players - 1
    # Many short rounds, or fewer rounds twice as long.
    short = occasion.short_length(seats)
    rounds = _round_count(occasion, all_rounds, short)
    shorter = replace(stage, rounds=rounds, length=occasion.length_for(rounds, seats))
    longer = replace(stage, rounds=occasion.rounds_of(2 * short), length=2 * short)
    # Those left over rest, or sit at odd tables.
    for odd_tables in (False, True) if left_over else (False,):
        proposal = _proposal(ProposalKind.PARTNERS, replace(shorter, odd_tables=odd_tables))
        tables = proposal.stages[0].tables[0] if proposal.seatable else ()
        if all(len(shape.sides[0]) == 1 for shape in tables):
            break  # there are no tables, or nobody would have a partner at them
        every_partner_once = each_once and rounds == all_rounds  # which is proposed below
        if odd_tables or not every_partner_once:
            yield proposal
        # Long rounds are proposed once: with odd tables if more than one would rest.
        if odd_tables == (left_over > 1) and _FEW_ROUNDS <= longer.rounds < rounds:
            yield _proposal(ProposalKind.LONG_ROUNDS, replace(longer, odd_tables=odd_tables))
    every_partner = replace(stage, rounds=all_rounds, length=occasion.length_for(all_rounds, seats))
    if each_once and every_partner.minutes_a_round >= _SHORTEST_ROUND:
        yield _proposal(ProposalKind.EVERY_PARTNER, every_partner)
    # In a final of four players, each partners the three others: one round for each.
    before_final = occasion.rounds_of(short) - (_FINALISTS - 1)
    if players >= 2 * seats and before_final >= _LEAST_BEFORE_FINAL:
        first = replace(stage, rounds=min(before_final, all_rounds), length=short)
        final = replace(first, units=_FINALISTS, rounds=_FINALISTS - 1)
        yield _proposal(ProposalKind.FINAL, first, final)


def _fixed_pairs(occasion: Occasion, mode: Mode) -> Iterator[Proposal]:
    """Yield formats in which pairs stay together: round robin, Swiss, knock-out, with a final."""
    pairs, seats = occasion.players // 2, mode.seats
    # A pair is one unit, and alone on its side.
    shape = TableShape(mode.code, tuple((side,) for side in range(len(mode.sides))))
    stage = replace(occasion.stage(ROUND_ROBIN, mode), shape=shape, units=pairs)
    short = occasion.short_length(seats)
    # Each pair meets every other; an odd one rests: one round more. Two pairs have only one match.
    all_rounds = pairs - 1 + pairs % 2
    round_robin = replace(stage, rounds=all_rounds, length=occasion.length_for(all_rounds, seats))
    if pairs > 2 and round_robin.minutes_a_round >= _SHORTEST_ROUND:
        yield _proposal(ProposalKind.ROUND_ROBIN, round_robin, unit_size=2)
    # A knock-out halves the field each round. A Swiss finds the best in as many rounds, and has two
    # more for the places below. It has fewer than a round robin, and replaces one of short rounds.
    knockout_rounds, most_swiss = (pairs - 1).bit_length(), all_rounds - 1
    rounds = min(occasion.rounds_of(short), knockout_rounds + 2, most_swiss)
    swiss = replace(stage, movement=SWISS)
    if pairs >= _LEAST_FOR_SWISS and rounds >= _FEW_ROUNDS and round_robin.length < short:
        swiss_alone = replace(swiss, rounds=rounds, length=occasion.length_for(rounds, seats))
        yield _proposal(ProposalKind.SWISS, swiss_alone, unit_size=2)
    if pairs >= _FINALISTS:
        longest = 2 * occasion.game.usual_length  # with time to spare the evening ends earlier
        length = min(occasion.length_for(knockout_rounds, seats), longest)
        knockout = replace(stage, movement=KNOCKOUT, rounds=knockout_rounds, length=length)
        yield _proposal(ProposalKind.KNOCKOUT, knockout, unit_size=2)
    before_final = occasion.rounds_of(short) - 2  # without semi-finals and final
    if pairs >= _LEAST_FOR_SWISS and before_final >= _LEAST_BEFORE_FINAL:
        first = replace(swiss, rounds=min(before_final, most_swiss), length=short)
        final = replace(first, movement=KNOCKOUT, units=_FINALISTS, rounds=2)
        yield _proposal(ProposalKind.FINAL, first, final, unit_size=2)


def _each_alone(
    occasion: Occasion, modes: Sequence[Mode], *, all_formats: bool
) -> Iterator[Proposal]:
    """Yield one table or tables of about four; *all_formats* adds large ones, equals, a final."""
    players = occasion.players
    usual = _mode_nearest(modes, _USUAL_TABLE)
    for_all = [mode for mode in modes if mode.seats == players]
    if for_all:
        yield _alone(occasion, ProposalKind.ONE_TABLE, for_all[0], modes)
    if not for_all or (all_formats and usual.seats < players):
        yield _alone(occasion, ProposalKind.ALONE, usual, modes)
    if not all_formats:
        return
    large = _mode_nearest(modes, _LARGE_TABLE)
    if usual != large and large.seats + usual.seats <= players:
        yield _alone(occasion, ProposalKind.LARGE_TABLES, large, modes)
    if players >= 2 * usual.seats:
        equals = _alone(occasion, ProposalKind.EQUALS, usual, modes)
        stage = replace(equals.stages[0], movement=EQUALS)
        yield replace(equals, stages=(stage,))
        short = occasion.short_length(usual.seats)
        before_final = occasion.rounds_of(short) - 1  # without the final, of one round
        if before_final >= _LEAST_BEFORE_FINAL:
            first = replace(stage, movement=FEWEST_REPEATS, rounds=before_final, length=short)
            final = replace(first, units=usual.seats, rounds=1, odd_tables=False)
            yield _proposal(ProposalKind.FINAL, first, final)


def _alone(occasion: Occasion, kind: ProposalKind, mode: Mode, modes: Sequence[Mode]) -> Proposal:
    """Return a proposal for single players at tables of *mode*, with odd tables if possible."""
    rounds = 1
    if occasion.players != mode.seats:  # at one table nobody changes seats
        rounds = _round_count(occasion, occasion.players, occasion.short_length(mode.seats))
    length, odd_tables = occasion.length_for(rounds, mode.seats), occasion.players % mode.seats != 0
    stage = replace(occasion.stage(FEWEST_REPEATS, mode, modes), rounds=rounds, length=length)
    proposal = _proposal(kind, replace(stage, odd_tables=odd_tables))
    return proposal if proposal.seatable else _proposal(kind, stage)


def _round_count(occasion: Occasion, most: int, length: int) -> int:
    """Return how many rounds of this length fit, raised to ``_FEW_ROUNDS``, but at most *most*."""
    return min(max(occasion.rounds_of(length), _FEW_ROUNDS), max(most, 1))


def _proposal(kind: ProposalKind, *stages: ProposedStage, unit_size: int = 1) -> Proposal:
    return Proposal(kind=kind, unit_size=unit_size, stages=stages)


def _mode_nearest(modes: Sequence[Mode], seats: int) -> Mode:
    return min(modes, key=lambda mode: abs(mode.seats - seats))
