"""Brackets: matches and their results, the draw, and the plan of the next matches to play.

A *unit* is a player or a fixed team; it sits at one side of a table. A *column* of a bracket are
matches that can be played at once. A unit has a *bye* if it goes on without an opponent. A match is
*level* if it was played and both sides have equal points. *Places* are those of the first column.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import partial
from itertools import groupby
from random import Random

from games.errors import gettext_noop
from tracker.movements.meetings import check_apart
from tracker.movements.plan_account import one_round_plan
from tracker.movements.types import (
    PlanNote,
    Question,
    SeatingPlan,
    TableSeating,
    UnseatableError,
)

FINAL, THIRD_PLACE = "final", "third_place"
GRAND_FINAL, GRAND_FINAL_AGAIN = "grand_final", "grand_final_again"
BRACKET_REASONS = WALKOVER, WAITS = "walkover", "waits"  # codes of notes on units that do not play
FINALS = (FINAL, GRAND_FINAL, GRAND_FINAL_AGAIN)


class SideSource(StrEnum):
    """Where a side of a match comes from."""

    DRAW = "draw"
    WINNER = "winner"
    LOSER = "loser"


@dataclass(frozen=True, slots=True, kw_only=True)
class BracketSide:
    """One side of a match; ``unit`` is ``None`` until it is known who plays there."""

    source: SideSource
    # The label of the match whose winner or loser plays on this side.
    of: str = ""
    unit: int | None = None
    # Whether nobody ever plays on this side, so that the other one goes on.
    bye: bool = False
    # The number of the unit in the draw, from 1 for the best; only of sides that come from it.
    seed: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Match:
    """A match of two sides, and its result if it has one."""

    label: str
    sides: tuple[BracketSide, BracketSide]
    winner: int | None = None
    loser: int | None = None
    # The number of the round in which it was played; ``None`` for a bye or a walkover.
    round: int | None = None
    # Whether a side won as the other one withdrew.
    walkover: bool = False
    # At most one of these is true, and none while the match is to be played. ``level``: it had no
    # winner; ``open``: its table has no result yet; ``done``: decided, if only by bye or walkover.
    level: bool = False
    open: bool = False
    done: bool = False
    # Whether it has to be played: a second grand final need not be if the first decides.
    needed: bool = True

    @property
    def units(self) -> tuple[int, ...]:
        """Return the units known to be in the match, at most two."""
        return tuple(side.unit for side in self.sides if side.unit is not None)

    @property
    def ready(self) -> bool:
        """Return whether the match can be played now."""
        return len(self.units) == 2 and not self.done and not self.open and not self.level


@dataclass(frozen=True, slots=True, kw_only=True)
class Bracket:
    """The matches column by column, from the first round to the final, and the champion.

    ``seeds`` has the unit drawn with seed 1, 2 and so on, ``None`` where there is a bye.
    """

    columns: tuple[tuple[Match, ...], ...]
    seeds: tuple[int | None, ...]
    champion: int | None = None

    @property
    def matches(self) -> tuple[Match, ...]:
        return tuple(match for column in self.columns for match in column)

    @property
    def waiting(self) -> set[int]:
        """Return the units that still have a match to play."""
        return {unit for match in self.matches if not match.done for unit in match.units}

    @property
    def placing(self) -> tuple[tuple[int, ...], ...]:
        """Return the units by how far they came, the best first, equals in one tuple.

        Units that can still win are the first. Others go by the column of their last match.
        """
        last_match: dict[int, tuple[int, Match]] = {}
        for number, column in enumerate(self.columns):
            for match in column:
                if match.needed:
                    last_match |= dict.fromkeys(match.units, (number, match))

        def sort_key(unit: int) -> tuple[int, ...]:
            """Sort those who can win first, then the final's loser, third place, and the others."""
            number, match = last_match[unit]
            if match.label == THIRD_PLACE:
                return (2, int(match.done and match.winner != unit))
            if unit == self.champion or not match.done:
                return (0,)
            return (1,) if match.label in FINALS else (3, -number)

        ranked = groupby(sorted(last_match, key=lambda unit: (sort_key(unit), unit)), key=sort_key)
        return tuple(tuple(units) for _, units in ranked)


def resolve_bracket(
    question: Question, columns: Sequence[Sequence[Match]], seeds: tuple[int | None, ...]
) -> Bracket:
    """Return the bracket with the results of its matches, byes, and walkovers of absent units.

    *columns* are the matches without results; each comes after those that its sides come from. If
    several tables have the label of a match, the last one counts. A unit that sat in a later match
    has won the earlier one, even if its opponent, absent at the time, is present again.
    """
    # Keyed by label: the number of the round in which a table was played, and the table.
    tables = {
        table.label: (number, table)
        for number, played in enumerate(question.played, start=1)
        for table in played.tables
        if table.label
    }
    # From the label of a match to the label of the match to which its winner goes on.
    sides = ((side, match.label) for column in columns for match in column for side in match.sides)
    next_match = {side.of: label for side, label in sides if side.source is SideSource.WINNER}
    resolved: dict[str, Match] = {}
    for unresolved in (match for column in columns for match in column):
        first, second = unresolved.sides
        match = replace(unresolved, sides=(_side(first, resolved), _side(second, resolved)))
        if match.label == GRAND_FINAL_AGAIN:
            # Side 0 comes from the winners' half: if it wins the grand final, the other one is out.
            final = resolved[GRAND_FINAL]
            needed = final.loser is not None and final.loser == final.sides[0].unit
            match = replace(match, needed=needed, done=final.done and not needed)
        if match.needed and match.label in tables:
            match = _played(match, *tables[match.label])
        elif match.needed and not match.done:
            match = _unplayed(match, next_match, tables, set(question.present[0]))
        resolved[match.label] = match
    last = resolved.get(FINAL) or resolved[GRAND_FINAL_AGAIN]
    if not last.needed:
        last = resolved[GRAND_FINAL]
    return Bracket(
        columns=tuple(tuple(resolved[match.label] for match in column) for column in columns),
        seeds=seeds,
        champion=last.winner,
    )


def _side(side: BracketSide, resolved: Mapping[str, Match]) -> BracketSide:
    """Return the side with its unit, or its bye, if the match that it comes from is done."""
    if side.source is SideSource.DRAW or not (source := resolved[side.of]).done:
        return side
    unit = source.winner if side.source is SideSource.WINNER else source.loser
    return replace(side, unit=unit, bye=unit is None)


def _played(match: Match, number: int, table: TableSeating) -> Match:
    """Return the match with the result of its table, played in the round with this *number*.

    If an earlier result was corrected since, other units may have sat there than should play. Then
    an expected unit keeps its side, and an unexpected one takes a side that is left.
    """
    units = [table.units[places[0]] for places in table.shape.sides]
    others = iter([unit for unit in units if unit not in match.units])
    first, second = (
        side if side.unit in units else replace(side, unit=next(others), bye=False)
        for side in match.sides
    )
    match = replace(match, sides=(first, second), round=number)
    if table.merits is None:
        return replace(match, open=True)
    # Sides without results are level. A side has the result of its best place, here its only one.
    merits = table.merits or ((),) * table.shape.size
    first_best, second_best = (max(merits[place] for place in side) for side in table.shape.sides)
    if first_best == second_best:
        return replace(match, level=True)
    winner, loser = units if first_best > second_best else units[::-1]
    return replace(match, winner=winner, loser=loser, done=True)


def _unplayed(
    match: Match,
    next_match: Mapping[str, str],
    tables: Mapping[str, tuple[int, TableSeating]],
    present: set[int],
) -> Match:
    """Return the match as decided by a bye or a withdrawal, or unchanged if it is to be played."""
    if not all(side.bye or side.unit is not None for side in match.sides):
        return match  # it is not known yet who plays
    units, label = match.units, match.label
    if len(units) < 2:
        return replace(match, winner=units[0] if units else None, done=True)
    later: set[int] = set()  # units of the matches to which the winner goes on
    while label in next_match:
        label = next_match[label]
        if label in tables:
            later.update(tables[label][1].units)
    # A unit that went on has won. If none did yet, those present remain.
    remaining = [unit for unit in units if unit in later] or [u for u in units if u in present]
    if len(remaining) == 2:
        return match
    winner = remaining[0] if remaining else None
    loser = next(unit for unit in units if unit != winner) if remaining else None
    return replace(match, winner=winner, loser=loser, walkover=True, done=True)


def standard_order(places: int) -> tuple[int, ...]:
    """Return the seeds from the top of a bracket to the bottom; *places* is a power of two.

    It is the usual printed order: the seeds of a first match add up to one more than the places,
    and if the better seed always wins, that holds in every round.

    >>> standard_order(16)
    (1, 16, 8, 9, 5, 12, 4, 13, 6, 11, 3, 14, 7, 10, 2, 15)
    """
    order = [1]
    # Every seed becomes a match against the seed that completes the sum. As is the custom, all
    # matches but the first are upside down, except in the last doubling.
    while (double := 2 * len(order)) <= places:
        pairs = [(seed, double + 1 - seed) for seed in order]
        if double < places:
            pairs[1:] = [pair[::-1] for pair in pairs[1:]]
        order = [seed for pair in pairs for seed in pair]
    return tuple(order)


def draw_bracket(question: Question, label: Callable[[int, int], str]) -> tuple[int | None, ...]:
    """Return the unit of each seed of the bracket, in order of the seeds; ``None`` is a bye.

    Seeded units come first in their order, and the others by lot. The best have a bye. The draw is
    not stored: once matches are played or locked, it is read from their tables. Unseeded units with
    a bye sit at no table, so they stand in the order of their numbers, by which they are found
    again. *label* makes the label of a match from the number of matches in its round and its own.

    :raises UnseatableError: ``two-sides`` if tables have more sides, ``too-few`` for fewer units.
    """
    if question.shape.size != 2:
        template = gettext_noop("A knock-out is played at tables of two sides.")
        raise UnseatableError("two-sides", template)
    if not question.played and len(question.present[0]) < 2:
        raise UnseatableError("too-few", gettext_noop("A knock-out needs two who play."))
    entered = question.played[0].units if question.played else set(question.present[0])
    seeded = [unit for unit in question.seeds if unit in entered]
    places = 1 << max(0, len(entered) - 1).bit_length()  # the smallest bracket with room for all
    byes = places - len(entered)
    if question.played or question.locked:
        return _seeds_from_tables(question, entered, seeded, partial(label, places // 2), places)
    others = sorted(entered.difference(seeded))
    Random(f"{question.seed}:bracket").shuffle(others)
    with_bye = max(0, byes - len(seeded))  # how many of the others have one
    return (*seeded, *sorted(others[:with_bye]), *others[with_bye:], *[None] * byes)


def _seeds_from_tables(
    question: Question,
    entered: set[int],
    seeded: Sequence[int],
    label: Callable[[int], str],
    places: int,
) -> tuple[int | None, ...]:
    """Return the unit of each seed: first as tables of the first round show it, then the others."""
    units: list[int | None] = [None] * places
    order = standard_order(places)
    match_index = {label(index + 1): index for index in range(places // 2)}
    played = [table for past in question.played for table in past.tables]
    for table in (*question.locked, *played):
        if table.label in match_index:
            top = 2 * match_index[table.label]
            # The better seed of a match sits at place 0.
            for seed, unit in zip(sorted(order[top : top + 2]), table.units, strict=True):
                units[seed - 1] = unit
    unplaced = [unit for unit in seeded if unit not in units]
    unplaced += sorted(entered.difference(seeded, units))
    for index in range(len(entered)):
        if units[index] is None and unplaced:
            units[index] = unplaced.pop(0)
    return tuple(units)


def first_round_sides(seeds: Sequence[int | None]) -> list[BracketSide]:
    """Return the sides of the first matches from the top of the bracket."""
    return [
        BracketSide(source=SideSource.DRAW, bye=True)
        if (unit := seeds[seed - 1]) is None
        else BracketSide(source=SideSource.DRAW, unit=unit, seed=seed)
        for seed in standard_order(len(seeds))
    ]


def sides_from(source: SideSource, matches: Sequence[Match]) -> list[BracketSide]:
    return [BracketSide(source=source, of=match.label) for match in matches]


def column_of(sides: Sequence[BracketSide], label: Callable[[int], str]) -> list[Match]:
    """Return the matches of neighbouring sides; *label* gets the number of a match, from 1."""
    pairs = enumerate(zip(sides[::2], sides[1::2], strict=True), start=1)
    return [Match(label=label(number), sides=two) for number, two in pairs]


def plan_matches(bracket_of: Callable[[Question], Bracket], question: Question) -> SeatingPlan:
    """Plan the matches of the first column in which some can be played, the better seed at place 0.

    A unit that withdrew loses without a match. Units that wait for a match rest; those out of the bracket neither play nor rest. Two units that
    meet after byes also wait for the column of their match; that takes no more rounds.
    """
    bracket = bracket_of(question)
    rank = {unit: index for index, unit in enumerate(bracket.seeds)}
    tables = []
    for match in _playable(question, bracket):
        units = tuple(sorted(match.units, key=rank.__getitem__))
        tables.append(TableSeating(shape=question.shape, units=units, label=match.label))
    check_apart(question, tables)
    rests = bracket.waiting - {unit for t in (*question.locked, *tables) for unit in t.units}
    resting = [unit for unit in question.present[0] if unit in rests]
    latest = {match.winner: match for match in bracket.matches if match.done}
    withdrew = gettext_noop("%(who)s: one withdrew, so the other goes on without a match.")
    waits = gettext_noop("%(who)s: through to the next match, and waiting for it.")
    number = len(question.played) + 1
    walkovers = [
        PlanNote(code=WALKOVER, template=withdrew, units=match.units, round=number)
        for unit, match in latest.items()
        if match.walkover and unit in bracket.waiting
    ]
    seated = (*question.locked, *tables)
    return one_round_plan(question, seated, resting, WAITS, waits, reasons=walkovers)


def _playable(question: Question, bracket: Bracket) -> Sequence[Match]:
    """Return the matches to be played now besides the locked ones; refuse if there are none."""
    level = gettext_noop(
        "%(who)s are level. Let them play one more hand, or say who goes on at their table."
    )
    unfinished = gettext_noop("%(who)s have not finished their match.")
    for match in bracket.matches:
        if match.level:
            raise UnseatableError("match-level", level, units=match.units)
        if match.open:
            raise UnseatableError("match-open", unfinished, units=match.units)
    ready = ([match for match in column if match.ready] for column in bracket.columns)
    first = next((column for column in ready if column), [])
    if first:
        locked = {table.label for table in question.locked}
        return [match for match in first if match.label not in locked]
    if bracket.champion is None:
        raise UnseatableError("nobody-left", gettext_noop("Nobody is left who could play."))
    won = gettext_noop("%(who)s have won: there is no match left.")
    raise UnseatableError("decided", won, units=(bracket.champion,))
