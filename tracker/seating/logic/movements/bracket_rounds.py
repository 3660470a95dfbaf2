"""The coming round of a bracket: the matches that can be played, or why there are none."""

from collections.abc import Sequence

from games.errors import gettext_noop
from tracker.seating.logic.movements.account import account
from tracker.seating.logic.movements.brackets import Bracket, Match
from tracker.seating.logic.movements.matches import numbered, refuse_meeting
from tracker.seating.logic.movements.seam import (
    Note,
    Plan,
    Question,
    RoundSeating,
    TableSeating,
    UnseatableError,
)

WALKOVER, WAITS = "walkover", "waits"
BRACKET_REASONS = (WALKOVER, WAITS)


def check(question: Question) -> None:
    """Refuse what no bracket can be drawn for.

    :raises UnseatableError: if tables do not have two sides, or there are fewer than two units.
    """
    if question.shape.size != 2:
        raise UnseatableError(
            "two-sides", gettext_noop("A knock-out is played at tables of two sides.")
        )
    if not question.played and len(question.present[0]) < 2:
        raise UnseatableError("too-few", gettext_noop("A knock-out needs two who play."))


def plan_matches(question: Question, bracket: Bracket, seeds: Sequence[int | None]) -> Plan:
    """Plan the matches of the first column in which some can be played, the better seed first.

    Whoever waits for another match rests; who has none left neither plays nor rests. Two with byes
    to the same match wait for the others, as is usual; it takes no more rounds.

    :raises UnseatableError: if a match played has no winner, or there is none left to play.
    """
    matches = _playable(question, bracket)
    rank = {unit: seed for seed, unit in enumerate(seeds)}
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
    coming = RoundSeating(
        tables=numbered(question, (*question.locked, *tables)),
        resting=tuple(
            unit for unit in question.present[0] if unit in _waiting(bracket) and unit not in seated
        ),
    )
    reasons = _reasons(bracket, coming, len(question.played) + 1)
    return Plan(rounds=(coming,), account=account(question, [coming], reasons=reasons))


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


def _waiting(bracket: Bracket) -> set[int]:
    """Return the units that still have a match to play."""
    return {unit for match in bracket.matches if not match.done for unit in match.units}


def _reasons(bracket: Bracket, coming: RoundSeating, number: int) -> list[Note]:
    """Return who goes on without a match, and who waits for one."""
    waiting = _waiting(bracket)
    latest = {match.winner: match for match in bracket.matches if match.done}
    notes = [
        Note(
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
            Note(
                code=WAITS,
                template=gettext_noop("%(who)s: through to the next match, and waiting for it."),
                units=coming.resting,
                round=number,
            )
        )
    return notes
