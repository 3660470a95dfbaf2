"""Brackets: matches and their results, the draw, and the plan of the next matches to play."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from random import Random

from games.errors import gettext_noop
from tracker.movements.meetings import check_apart, number_in_order
from tracker.movements.plan_account import account_for
from tracker.movements.types import (
    PlanNote,
    Question,
    RoundSeating,
    SeatingPlan,
    TableSeating,
    UnseatableError,
)

FINAL, THIRD_PLACE = "final", "third_place"
GRAND_FINAL, GRAND_FINAL_AGAIN = "grand_final", "grand_final_again"
LAST = (FINAL, GRAND_FINAL, GRAND_FINAL_AGAIN)


class SideSource(StrEnum):
    """Where a side of a match comes from."""

    DRAW = "draw"
    WINNER = "winner"
    LOSER = "loser"


@dataclass(frozen=True, slots=True, kw_only=True)
class BracketSide:
    """One side of a match: a drawn unit, the winner or loser of the match labelled ``of``, or a bye.

    ``seed`` is the number in the draw, from 1.
    """

    source: SideSource
    of: str = ""
    unit: int | None = None
    bye: bool = False
    seed: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Match:
    """A match of two sides and, once it is ``done``, its winner and the round it was played in.

    ``level``: it was played, and nobody won; ``open``: its table has no result yet. ``round`` is
    ``None`` if it was not played: one side had a bye or withdrew (``walkover``). ``needed`` is
    false for a second grand final that does not have to be played.
    """

    label: str
    sides: tuple[BracketSide, BracketSide]
    winner: int | None = None
    loser: int | None = None
    round: int | None = None
    walkover: bool = False
    level: bool = False
    open: bool = False
    done: bool = False
    needed: bool = True

    @property
    def units(self) -> tuple[int, ...]:
        """Return the units known to be in it, at most two."""
        return tuple(side.unit for side in self.sides if side.unit is not None)

    @property
    def ready(self) -> bool:
        """Return whether it can be played now."""
        return len(self.units) == 2 and not self.done and not self.open and not self.level


@dataclass(frozen=True, slots=True, kw_only=True)
class Bracket:
    """The matches column by column, from the first round to the final, and the champion.

    ``seeds`` are the units by the seed they were drawn with, ``None`` where there is a bye.
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
        """Return the units by how far they came, the best first, level ones in one tuple.

        Units that can still win are level at the top. Others are ranked by the column of their last match.
        """
        last: dict[int, tuple[int, Match]] = {}
        for number, column in enumerate(self.columns):
            for match in column:
                if match.needed:
                    last |= dict.fromkeys(match.units, (number, match))

        def place(unit: int) -> tuple[int, ...]:
            number, match = last[unit]
            if match.label == THIRD_PLACE:
                return (2, int(match.done and match.winner != unit))
            if unit == self.champion or not match.done:
                return (0,)
            return (1,) if match.label in LAST else (3, -number)

        places = sorted({place(unit) for unit in last})
        return tuple(tuple(sorted(u for u in last if place(u) == each)) for each in places)


def resolve_bracket(
    question: Question, columns: Sequence[Sequence[Match]], seeds: tuple[int | None, ...]
) -> Bracket:
    """Return the bracket with the results of its matches, byes, and walkovers of absent units.

    The last table with the label of a match counts. A unit that sat in a later match has won the
    earlier one, even if its opponent, absent at the time, is present again.
    """
    tables = {
        table.label: (number, table)
        for number, played in enumerate(question.played, start=1)
        for table in played.tables
        if table.label
    }
    goes_on = {
        side.of: match.label
        for column in columns
        for match in column
        for side in match.sides
        if side.source is SideSource.WINNER
    }
    known: dict[str, Match] = {}
    done: list[tuple[Match, ...]] = []
    for column in columns:
        for match in column:
            sides = (_side(match.sides[0], known), _side(match.sides[1], known))
            match = replace(match, sides=sides)  # noqa: PLW2901 - the same match, better known
            if match.label == GRAND_FINAL_AGAIN:
                first = known[GRAND_FINAL]
                beaten = first.loser is not None and first.loser == first.sides[0].unit
                match = replace(match, needed=beaten, done=first.done and not beaten)  # noqa: PLW2901
            if match.needed and match.label in tables:
                match = _played(match, *tables[match.label])  # noqa: PLW2901
            elif match.needed and not match.done:
                match = _unplayed(match, goes_on, tables, set(question.present[0]))  # noqa: PLW2901
            known[match.label] = match
        done.append(tuple(known[match.label] for match in column))
    last = known.get(FINAL) or known[GRAND_FINAL_AGAIN]
    if not last.needed:
        last = known[GRAND_FINAL]
    return Bracket(columns=tuple(done), seeds=seeds, champion=last.winner)


def _side(side: BracketSide, known: Mapping[str, Match]) -> BracketSide:
    if side.source is SideSource.DRAW or not (before := known[side.of]).done:
        return side
    unit = before.winner if side.source is SideSource.WINNER else before.loser
    return replace(side, unit=unit, bye=unit is None)


def _played(match: Match, number: int, table: TableSeating) -> Match:
    """Return the match with the result of its table, between the units that sat there.

    They may differ from those who should play, if an earlier result was corrected since.
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
    best = [
        max(table.merits[place] for place in places) if table.merits else ()
        for places in table.shape.sides
    ]
    if best[0] == best[1]:
        return replace(match, level=True)
    winner, loser = units if best[0] > best[1] else units[::-1]
    return replace(match, winner=winner, loser=loser, done=True)


def _unplayed(
    match: Match,
    goes_on: Mapping[str, str],
    tables: Mapping[str, tuple[int, TableSeating]],
    present: set[int],
) -> Match:
    """Return the match decided by a bye or a withdrawal, if it is."""
    if not all(side.bye or side.unit is not None for side in match.sides):
        return match
    units, label = match.units, match.label
    later: set[int] = set()  # units of the matches to which the winner goes on
    while label in goes_on:
        label = goes_on[label]
        if label in tables:
            later.update(tables[label][1].units)
    remaining = [unit for unit in units if unit in later] or [u for u in units if u in present]
    if len(units) < 2:
        return replace(match, winner=units[0] if units else None, done=True)
    if len(remaining) == 2:
        return match
    winner = remaining[0] if remaining else None
    loser = next(unit for unit in units if unit != winner) if remaining else None
    return replace(match, winner=winner, loser=loser, walkover=True, done=True)


BRACKET_REASONS = WALKOVER, WAITS = "walkover", "waits"


def standard_order(places: int) -> tuple[int, ...]:
    """Return the seeds from the top of a bracket to the bottom; *places* is a power of two.

    It is the usual printed order: the seeds of a first match add up to one more than the places,
    and if the better seed always wins, that holds in every round.

    >>> standard_order(16)
    (1, 16, 8, 9, 5, 12, 4, 13, 6, 11, 3, 14, 7, 10, 2, 15)
    """
    order = [1]
    while (double := 2 * len(order)) <= places:
        pairs = [(best, double + 1 - best) for best in order]
        if double < places:
            pairs[1:] = [pair[::-1] for pair in pairs[1:]]
        order = [seed for pair in pairs for seed in pair]
    return tuple(order)


def draw_bracket(question: Question, label: Callable[[int, int], str]) -> tuple[int | None, ...]:
    """Return the units by their seed in the bracket, ``None`` for a bye.

    The draw is not stored: seeded units come first in their order, and the others by lot. Once the
    first round is played its tables show the result of the lot, and unseeded units with a bye are
    in the order of their numbers, as when they were drawn. *label* returns the label of a match of
    the first round, from the number of matches and its number from 1.

    :raises UnseatableError: ``two-sides`` if tables have more sides, ``too-few`` if fewer than two
        units play.
    """
    if question.shape.size != 2:
        raise UnseatableError(
            "two-sides", gettext_noop("A knock-out is played at tables of two sides.")
        )
    if not question.played and len(question.present[0]) < 2:
        raise UnseatableError("too-few", gettext_noop("A knock-out needs two who play."))
    first = question.played[0] if question.played else None
    entered = first.units if first else set(question.present[0])
    seeded = [unit for unit in question.seeds if unit in entered]
    others = sorted(entered - set(seeded))
    Random(f"{question.seed}:bracket").shuffle(others)
    places = 1 << max(0, len(entered) - 1).bit_length()  # the smallest bracket with room for all
    byes = places - len(entered)
    tables = [table for played in question.played for table in played.tables if table.label]
    if first is None and not question.locked:
        free = max(0, byes - len(seeded))
        return (*seeded, *sorted(others[:free]), *others[free:], *[None] * byes)
    slots: list[int | None] = [None] * places
    order = standard_order(places)
    labels = {label(places // 2, number + 1): number for number in range(places // 2)}
    for table in (*question.locked, *tables):
        if table.label in labels:
            top = 2 * labels[table.label]
            here = sorted(order[top : top + 2])
            for seed, unit in zip(here, table.units, strict=True):
                slots[seed - 1] = unit
    left = [unit for unit in seeded if unit not in slots]
    left += sorted(entered - set(left) - {unit for unit in slots if unit is not None})
    for seed in range(places - byes):
        if slots[seed] is None and left:
            slots[seed] = left.pop(0)
    return tuple(slots)


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
    """Return the matches of neighbours, with labels by their numbers from 1."""
    pairs = enumerate(zip(sides[::2], sides[1::2], strict=True), start=1)
    return [Match(label=label(number), sides=two) for number, two in pairs]


def plan_matches(question: Question, bracket: Bracket) -> SeatingPlan:
    """Plan the matches of the first column in which some can be played, the better seed at place 0.

    Units that wait for a match rest; those without one neither play nor rest. Two units with byes
    to the same match wait until its column is played, as is usual; it takes no more rounds.
    """
    matches = _playable(question, bracket)
    rank = {unit: seed for seed, unit in enumerate(bracket.seeds)}
    tables = [
        TableSeating(
            shape=question.shape,
            units=tuple(sorted(match.units, key=rank.__getitem__)),
            label=match.label,
        )
        for match in matches
    ]
    check_apart(question, tables)
    seated = {unit for table in (*question.locked, *tables) for unit in table.units}
    rests = bracket.waiting - seated
    coming = RoundSeating(
        tables=number_in_order(question, (*question.locked, *tables)),
        resting=tuple(unit for unit in question.present[0] if unit in rests),
    )
    reasons = _reasons(bracket, coming, len(question.played) + 1)
    return SeatingPlan(rounds=(coming,), account=account_for(question, [coming], reasons=reasons))


def _playable(question: Question, bracket: Bracket) -> Sequence[Match]:
    """Return the matches to be played besides the locked ones."""
    for match in bracket.matches:
        if match.level:
            raise UnseatableError(
                "match-level",
                gettext_noop(
                    "%(who)s are level. Let them play one more hand, or say who goes on at their table."
                ),
                units=match.units,
            )
        if match.open:
            raise UnseatableError(
                "match-open",
                gettext_noop("%(who)s have not finished their match."),
                units=match.units,
            )
    ready = ([match for match in column if match.ready] for column in bracket.columns)
    first = next((column for column in ready if column), [])
    if first:
        locked = {table.label for table in question.locked}
        return [match for match in first if match.label not in locked]
    if bracket.champion is None:
        raise UnseatableError("nobody-left", gettext_noop("Nobody is left who could play."))
    raise UnseatableError(
        "decided",
        gettext_noop("%(who)s have won: there is no match left."),
        units=(bracket.champion,),
    )


def _reasons(bracket: Bracket, coming: RoundSeating, number: int) -> list[PlanNote]:
    """Return notes on units that go on without a match, and on those that wait for one."""
    waiting = bracket.waiting
    latest = {match.winner: match for match in bracket.matches if match.done}
    notes = [
        PlanNote(
            code=WALKOVER,
            template=gettext_noop("%(who)s: one withdrew, so the other goes on without a match."),
            units=match.units,
            round=number,
        )
        for unit, match in latest.items()
        if match.walkover and unit in waiting
    ]
    if coming.resting:
        notes.append(
            PlanNote(
                code=WAITS,
                template=gettext_noop("%(who)s: through to the next match, and waiting for it."),
                units=coming.resting,
                round=number,
            )
        )
    return notes
