"""What suits so many people for so long: three to six formats, the most convenient first."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from games.game import AnyGame, FirstDealer
from games.mode import Mode
from tracker.planning.logic.stages import (
    CHANGE_OF_SEATS,
    EQUALS,
    FEWEST_REPEATS,
    KNOCKOUT,
    ROUND_ROBIN,
    SWISS,
    Kind,
    Proposal,
    Stage,
)
from tracker.seating.logic.movements.seam import Shape

MOST = 6  # proposals: more is no help
_SHORT_ROUND = 15  # minutes; in a shorter one people walk more than they play
_SHORTEST_ROUND = 10  # minutes; bearable where it brings everybody together
_FEW_ROUNDS = 3
_FINALISTS = 4
_MOST_RESTING = 0.3  # of all
_USUAL_TABLE, _LARGE_TABLE = 4, 6
# How they suit a club night where nobody waits and the time is used: the lower the better.
_ORDER = (
    Kind.PARTNERS,
    Kind.EVERY_PARTNER,
    Kind.ONE_TABLE,
    Kind.ALONE,
    Kind.ROUND_ROBIN,
    Kind.SWISS,
    Kind.LARGE_TABLES,
    Kind.EQUALS,
    Kind.LONG_ROUNDS,
    Kind.FINAL,
    Kind.KNOCKOUT,
)
# What a whole evening of it weighs, in steps of that order; and some who play otherwise.
_WAITING, _UNUSED, _UNLIKE = 10, 4, 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Occasion:
    """Who wants to play what and for how long; ``minutes_each`` is of a hand or a game."""

    players: int
    minutes: int
    game: AnyGame
    minutes_each: int

    def rounds_of(self, length: int) -> int:
        """Return how many rounds of this length there is time for."""
        a_round = length * self.minutes_each + CHANGE_OF_SEATS
        return (self.minutes + CHANGE_OF_SEATS) // a_round

    def length_for(self, rounds: int, seats: int) -> int:
        """Return how long each of so many rounds can be, so that all deal equally often; or 0."""
        a_round = (self.minutes + CHANGE_OF_SEATS) // rounds - CHANGE_OF_SEATS
        length = max(0, a_round // self.minutes_each)
        turns = self._turns(seats)
        return length - length % turns if length > turns else length

    def short_length(self, seats: int) -> int:
        """Return the shortest round that is worth changing seats for."""
        turns = self._turns(seats)
        least = -(-_SHORT_ROUND // self.minutes_each)
        return -(-least // turns) * turns

    def _turns(self, seats: int) -> int:
        """Return the number of hands in which each seat deals once; 1 where it does not matter."""
        in_turn = self.game.first_dealer is FirstDealer.CHOSEN and not self.game.round_in_games
        return seats if in_turn else 1


def propose(occasion: Occasion) -> tuple[Proposal, ...]:
    """Return at most ``MOST`` formats that end in time; none if no table can be filled.

    First comes what suits a club night: nobody waits, the time is used, people meet.
    """
    fitting: dict[str, Proposal] = {}
    for proposal in _thought_of(occasion):
        in_time = proposal.minutes <= occasion.minutes
        if in_time and proposal.seatable and all(stage.length for stage in proposal.stages):
            first = proposal.stages[0]
            if first.movement == KNOCKOUT or first.resting <= _MOST_RESTING * first.units:
                fitting.setdefault(proposal.key, proposal)

    def order(proposal: Proposal) -> float:
        unused = 1 - proposal.minutes / occasion.minutes
        return (
            _ORDER.index(proposal.kind)
            + _WAITING * proposal.waiting
            + _UNUSED * unused
            + _UNLIKE * proposal.without_partner
        )

    return tuple(sorted(fitting.values(), key=order)[:MOST])


def _thought_of(occasion: Occasion) -> Iterator[Proposal]:
    if occasion.players < 2:
        return
    modes = occasion.game.modes(occasion.game.default_options())
    pairs = [mode for mode in modes if len(mode.sides) == 2 and len(mode.sides[0]) == 2]
    # Tables of two only keep each other company.
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
    stage = Stage(
        movement=FEWEST_REPEATS,
        shape=Shape(mode.code, mode.sides),
        other_shapes=_others(mode, modes),
        units=players,
        rounds=0,
        length=0,
        minutes_each=occasion.minutes_each,
    )
    short = occasion.short_length(seats)
    most = players if players % seats == 1 else players - 1  # then partners must repeat
    rounds = _enough(occasion, most, short)
    length = occasion.length_for(rounds, seats)
    perfect = players % seats <= 1
    for odd_tables in (False, True) if players % seats else (False,):
        usual = replace(stage, odd_tables=odd_tables)
        proposal = _one(Kind.PARTNERS, 1, replace(usual, rounds=rounds, length=length))
        tables = proposal.stages[0].tables[0] if proposal.seatable else ()
        if all(len(shape.sides[0]) == 1 for shape in tables):
            break  # they are too few, or nobody would have a partner
        if odd_tables or not perfect or rounds < most:
            yield proposal
        longer = replace(usual, rounds=occasion.rounds_of(2 * short), length=2 * short)
        usual_of_two = odd_tables == (players % seats > 1)
        if usual_of_two and _FEW_ROUNDS <= longer.rounds < rounds:
            yield _one(Kind.LONG_ROUNDS, 1, longer)
    all_partners = occasion.length_for(most, seats)
    if perfect and all_partners * occasion.minutes_each >= _SHORTEST_ROUND:
        yield _one(Kind.EVERY_PARTNER, 1, replace(stage, rounds=most, length=all_partners))
    before = occasion.rounds_of(short) - (_FINALISTS - 1)
    if players >= 2 * seats and before >= 2:
        first = replace(stage, rounds=min(before, most), length=short)
        best = replace(first, units=_FINALISTS, rounds=_FINALISTS - 1, odd_tables=False)
        yield Proposal(kind=Kind.FINAL, people=1, stages=(first, best))


def _fixed_pairs(occasion: Occasion, mode: Mode) -> Iterator[Proposal]:
    pairs, seats = occasion.players // 2, mode.seats
    stage = Stage(
        movement=ROUND_ROBIN,
        shape=Shape(mode.code, tuple((side,) for side in range(len(mode.sides)))),
        units=pairs,
        rounds=0,
        length=0,
        minutes_each=occasion.minutes_each,
    )
    short = occasion.short_length(seats)
    everybody = pairs - 1 + pairs % 2
    length = occasion.length_for(everybody, seats)
    if pairs >= 3 and length * occasion.minutes_each >= _SHORTEST_ROUND:
        yield _one(Kind.ROUND_ROBIN, 2, replace(stage, rounds=everybody, length=length))
    rounds = min(occasion.rounds_of(short), (pairs - 1).bit_length() + 2, everybody - 1)
    swiss = replace(stage, movement=SWISS)
    if pairs >= 6 and rounds >= _FEW_ROUNDS and length < short:
        length = occasion.length_for(rounds, seats)
        yield _one(Kind.SWISS, 2, replace(swiss, rounds=rounds, length=length))
    if pairs >= 4:
        rounds = (pairs - 1).bit_length()
        length = min(occasion.length_for(rounds, seats), 2 * occasion.game.usual_length)
        yield _one(
            Kind.KNOCKOUT, 2, replace(stage, movement=KNOCKOUT, rounds=rounds, length=length)
        )
    before = occasion.rounds_of(short) - 2
    if pairs >= 6 and before >= 2:
        first = replace(swiss, rounds=min(before, everybody - 1), length=short)
        best = replace(first, movement=KNOCKOUT, units=_FINALISTS, rounds=2)
        yield Proposal(kind=Kind.FINAL, people=2, stages=(first, best))


def _each_alone(occasion: Occasion, modes: Sequence[Mode], with_more: bool) -> Iterator[Proposal]:
    """Propose one table or tables of about four; without partners also larger ones and a final."""
    players = occasion.players
    usual = _nearest(modes, _USUAL_TABLE)
    at_one = [mode for mode in modes if mode.seats == players]
    if at_one:
        yield _alone(occasion, Kind.ONE_TABLE, at_one[0], modes)
    if not at_one or (with_more and usual.seats < players):
        yield _alone(occasion, Kind.ALONE, usual, modes)
    if not with_more:
        return
    large = _nearest(modes, _LARGE_TABLE)
    if usual != large and large.seats + usual.seats <= players:
        yield _alone(occasion, Kind.LARGE_TABLES, large, modes)
    if players >= 2 * usual.seats:
        together = _alone(occasion, Kind.EQUALS, usual, modes)
        stage = replace(together.stages[0], movement=EQUALS)
        yield replace(together, stages=(stage,))
        short = occasion.short_length(usual.seats)
        before = occasion.rounds_of(short) - 1
        if before >= 2:
            first = replace(stage, movement=FEWEST_REPEATS, rounds=before, length=short)
            best = replace(first, units=usual.seats, rounds=1, odd_tables=False)
            yield Proposal(kind=Kind.FINAL, people=1, stages=(first, best))


def _alone(occasion: Occasion, kind: Kind, mode: Mode, modes: Sequence[Mode]) -> Proposal:
    rounds = 1
    if occasion.players != mode.seats:  # at one table nobody changes seats
        rounds = _enough(occasion, occasion.players, occasion.short_length(mode.seats))
    stage = Stage(
        movement=FEWEST_REPEATS,
        shape=Shape(mode.code, mode.sides),
        other_shapes=_others(mode, modes),
        units=occasion.players,
        rounds=rounds,
        length=occasion.length_for(rounds, mode.seats),
        minutes_each=occasion.minutes_each,
        odd_tables=occasion.players % mode.seats != 0,
    )
    proposal = _one(kind, 1, stage)
    return proposal if proposal.seatable else _one(kind, 1, replace(stage, odd_tables=False))


def _enough(occasion: Occasion, most: int, length: int) -> int:
    """Return how many rounds of this length to play; rather a few shorter ones than one or two."""
    return min(max(occasion.rounds_of(length), _FEW_ROUNDS), max(most, 1))


def _one(kind: Kind, people: int, stage: Stage) -> Proposal:
    return Proposal(kind=kind, people=people, stages=(stage,))


def _nearest(modes: Sequence[Mode], seats: int) -> Mode:
    return min(modes, key=lambda mode: abs(mode.seats - seats))


def _others(mode: Mode, modes: Sequence[Mode]) -> tuple[Shape, ...]:
    return tuple(Shape(other.code, other.sides) for other in modes if other.code != mode.code)
