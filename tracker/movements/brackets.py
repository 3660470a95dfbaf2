"""A bracket: its matches, what is known of them, and who came where; for drawing it too."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from tracker.movements.types import Question, TableSeating

FINAL, THIRD_PLACE = "final", "third_place"
GRAND_FINAL, GRAND_FINAL_AGAIN = "grand_final", "grand_final_again"
LAST = (FINAL, GRAND_FINAL, GRAND_FINAL_AGAIN)


class From(StrEnum):
    """Where a side of a match comes from."""

    DRAW = "draw"
    WINNER = "winner"
    LOSER = "loser"


@dataclass(frozen=True, slots=True, kw_only=True)
class BracketSide:
    """One side of a match: a unit, the winner or loser of the match labelled ``of``, or a bye.

    ``bye`` is a side that stays empty. ``seed`` is the number in the draw, from 1.
    """

    source: From
    of: str = ""
    unit: int | None = None
    bye: bool = False
    seed: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Match:
    """A match: its label, the two sides, and once it is decided, who won in which round.

    ``level`` says that it was played and nobody won; ``open`` that its table has no result yet.
    A match that was not played has no ``round``: one side had a bye or withdrew (``walkover``).
    ``needed`` is false for a second grand final that nobody has to play.
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
        """Return all matches, those on which others depend first."""
        return tuple(match for column in self.columns for match in column)

    @property
    def waiting(self) -> set[int]:
        """Return the units that still have a match to play."""
        return {unit for match in self.matches if not match.done for unit in match.units}

    @property
    def placing(self) -> tuple[tuple[int, ...], ...]:
        """Return the units by how far they came, the best first, the level in one tuple.

        Who can still win is level at the top. Others are as good as the column of their last match.
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


def settled(
    question: Question, columns: Sequence[Sequence[Match]], seeds: tuple[int | None, ...]
) -> Bracket:
    """Return the bracket with all that is known: results, byes, and walkovers of who is gone.

    The last table with the label of a match counts. Who sat in a later match went on from an
    earlier one, even if they came back since who were away then.
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
        if side.source is From.WINNER
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
    champion = last.winner if last.done else None
    return Bracket(columns=tuple(done), seeds=seeds, champion=champion)


def _side(side: BracketSide, known: Mapping[str, Match]) -> BracketSide:
    if side.source is From.DRAW or not known[side.of].done:
        return side
    before = known[side.of]
    unit = before.winner if side.source is From.WINNER else before.loser
    return replace(side, unit=unit, bye=unit is None)


def _played(match: Match, number: int, table: TableSeating) -> Match:
    """Return the match as its table left it, between those who sat there.

    Others may have come to go on to it since, where an earlier result was corrected.
    """
    units = [table.units[places[0]] for places in table.shape.sides]
    others = iter([unit for unit in units if unit not in match.units])
    first, second = (
        side if side.unit in units else replace(side, unit=next(others), bye=False)
        for side in match.sides
    )
    match = replace(match, sides=(first, second))
    if table.merits is None:
        return replace(match, round=number, open=True)
    best = [
        max(table.merits[place] for place in places) if table.merits else ()
        for places in table.shape.sides
    ]
    if best[0] == best[1]:
        return replace(match, round=number, level=True)
    winner, loser = units if best[0] > best[1] else units[::-1]
    return replace(match, round=number, winner=winner, loser=loser, done=True)


def _unplayed(
    match: Match,
    goes_on: Mapping[str, str],
    tables: Mapping[str, tuple[int, TableSeating]],
    present: set[int],
) -> Match:
    """Return the match as byes and withdrawals decide it, if they do."""
    if not all(side.bye or side.unit is not None for side in match.sides):
        return match
    units, label = match.units, match.label
    later: set[int] = set()  # who sat in the matches to which the winner of this one goes on
    while label in goes_on:
        label = goes_on[label]
        if label in tables:
            later.update(tables[label][1].units)
    stay = [unit for unit in units if unit in later] or [u for u in units if u in present]
    if len(units) < 2:
        return replace(match, winner=units[0] if units else None, done=True)
    if len(stay) == 2:
        return match
    winner = stay[0] if stay else None
    loser = next(unit for unit in units if unit != winner) if stay else None
    return replace(match, winner=winner, loser=loser, walkover=True, done=True)
