"""The draw of a bracket, and its coming round: the matches that can be played, or why none can."""

from collections.abc import Callable, Sequence
from random import Random

from games.errors import gettext_noop
from tracker.movements.account import account
from tracker.movements.brackets import Bracket, BracketSide, From, Match
from tracker.movements.meetings import numbered, refuse_meeting
from tracker.movements.types import (
    PlanNote,
    Question,
    RoundSeating,
    SeatingPlan,
    TableSeating,
    UnseatableError,
)

WALKOVER, WAITS = "walkover", "waits"
BRACKET_REASONS = (WALKOVER, WAITS)


def standard_order(places: int) -> tuple[int, ...]:
    """Return the seeds from the top of a bracket to the bottom; *places* is a power of two.

    It is the order printed for tournaments everywhere: the sum of the seeds in a first match is
    one more than the places, and if the better always wins that holds in every round.

    >>> standard_order(16)
    (1, 16, 8, 9, 5, 12, 4, 13, 6, 11, 3, 14, 7, 10, 2, 15)
    """
    order = [1]
    while len(order) < places:
        double = 2 * len(order)
        last = double == places
        order = [
            seed
            for index, best in enumerate(order)
            for seed in (
                (best, double + 1 - best) if last or not index else (double + 1 - best, best)
            )
        ]
    return tuple(order)


def drawn(question: Question, label: Callable[[int, int], str]) -> tuple[int | None, ...]:
    """Return the units by the seed they have in the bracket, ``None`` where there is a bye.

    The draw is not stored: the seeded come first in their order, and the lot decides about the
    others. Once the first round is played its tables show where the lot fell, and of those who
    had a bye unseeded the smaller number has the better place, as it had when they were drawn.
    *label* names a match of the first round, of so many matches, from 1.

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


def first_sides(seeds: Sequence[int | None]) -> list[BracketSide]:
    """Return the sides of the first matches from the top of the bracket, byes for empty seeds."""
    return [
        BracketSide(
            source=From.DRAW,
            unit=seeds[seed - 1],
            bye=seeds[seed - 1] is None,
            seed=None if seeds[seed - 1] is None else seed,
        )
        for seed in standard_order(len(seeds))
    ]


def plan_matches(question: Question, bracket: Bracket) -> SeatingPlan:
    """Plan the matches of the first column in which some can be played, the better seed first.

    Whoever waits for another match rests; who has none left neither plays nor rests. Two with byes
    to the same match wait for the others, as is usual; it takes no more rounds.

    :raises UnseatableError: if a match played has no winner, or there is none left to play.
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
    refuse_meeting(question, tables)
    seated = {unit for table in (*question.locked, *tables) for unit in table.units}
    rests = bracket.waiting - seated
    coming = RoundSeating(
        tables=numbered(question, (*question.locked, *tables)),
        resting=tuple(unit for unit in question.present[0] if unit in rests),
    )
    reasons = _reasons(bracket, coming, len(question.played) + 1)
    return SeatingPlan(rounds=(coming,), account=account(question, [coming], reasons=reasons))


def _playable(question: Question, bracket: Bracket) -> Sequence[Match]:
    """Return the matches to be played besides locked ones."""
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
    """Return who goes on without a match, and who waits for one."""
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
