"""The account of a plan: its repeats, lower bounds of them, and notes on who rests and why.

A *repeat* is a meeting of two units who met in the same way before: as partners, as opponents, or
at one table in any way.
"""

import math
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence

from games.errors import gettext_noop
from tracker.movements.meetings import meetings_at, pair
from tracker.movements.table_numbers import number_in_order
from tracker.movements.turns import TurnCounts, Turns, units_at_odd_tables
from tracker.movements.types import (
    MeetingKind,
    PlanAccount,
    PlanNote,
    Question,
    Repeat,
    RoundSeating,
    SeatingPlan,
    TableSeating,
)


def account_for(
    question: Question, rounds: Sequence[RoundSeating], *, reasons: Sequence[PlanNote] | None = None
) -> PlanAccount:
    """Return the account of planned rounds; round 1 is the first one played.

    A movement in which units do not rest in turn gives *reasons* to use instead of notes on turns.
    """
    # The numbers of the rounds with a meeting, keyed by its kind and the two units.
    rounds_met: dict[tuple[MeetingKind, tuple[int, int]], list[int]] = {}
    for number, past in enumerate(question.played, start=1):
        for meeting in meetings_at(past.tables):
            rounds_met.setdefault(meeting, []).append(number)
    met_before = frozenset(rounds_met)  # the planned rounds are added below
    repeats = []
    for number, seating in enumerate(rounds, start=len(question.played) + 1):
        for kind, two in meetings_at(seating.tables):
            numbers = rounds_met.setdefault((kind, two), [])
            if numbers:
                repeats.append(Repeat(kind=kind, units=two, round=number, before=tuple(numbers)))
            numbers.append(number)
    template = gettext_noop("%(who)s stay together: the organiser locked their table.")
    coming = len(question.played) + 1
    locked = (
        PlanNote(code="locked", template=template, units=table.units, round=coming)
        for table in question.locked
    )
    notes = (*(_turn_notes(question, rounds) if reasons is None else reasons), *locked)
    return PlanAccount(repeats=tuple(repeats), bounds=_bounds(rounds, met_before), notes=notes)


def one_round_plan(
    question: Question,
    tables: Sequence[TableSeating],
    resting: Iterable[int],
    code: str,
    template: str,
    *,
    reasons: Sequence[PlanNote] = (),
) -> SeatingPlan:
    """Return the plan of the coming round alone, with tables numbered in order.

    *code* and *template* are of the note on the *resting* units; it follows the *reasons*.
    """
    coming = RoundSeating(tables=number_in_order(question, tables), resting=tuple(resting))
    number = len(question.played) + 1
    note = PlanNote(code=code, template=template, units=coming.resting, round=number)
    reasons = [*reasons, note] if coming.resting else reasons
    return SeatingPlan(rounds=(coming,), account=account_for(question, [coming], reasons=reasons))


def _bounds(
    rounds: Sequence[RoundSeating], met_before: Collection[tuple[MeetingKind, tuple[int, int]]]
) -> dict[MeetingKind, int]:
    """Return a number of repeats of each kind that no plan can do without.

    A unit with more meetings to come than units it never met repeats at least the difference. Each
    repeat is counted for both units, hence the half.
    """
    # For each unit those that it could meet: all that play in one of its rounds.
    company: dict[int, set[int]] = {}
    for seating in rounds:
        seated = seating.seated
        for unit in seated:
            company.setdefault(unit, set()).update(seated - {unit})
    meetings = (meeting for seating in rounds for meeting in meetings_at(seating.tables))
    to_come = Counter((kind, unit) for kind, two in meetings for unit in two)
    of_all_units: Counter[MeetingKind] = Counter()
    for (kind, unit), times in to_come.items():
        never_met = sum((kind, pair(unit, other)) not in met_before for other in company[unit])
        of_all_units[kind] += max(0, times - never_met)
    return {kind: math.ceil(repeats / 2) for kind, repeats in of_all_units.items()}


def _turn_notes(question: Question, rounds: Sequence[RoundSeating]) -> Iterator[PlanNote]:
    """Yield notes on who rests and who sits at the odd table in each round, and why."""
    turns = Turns.before(question)
    for number, seating in enumerate(rounds, start=len(question.played) + 1):
        at_odd_tables = tuple(units_at_odd_tables(seating.tables, question))
        for code, templates, counts, chosen, among in (
            ("rest", _REST, turns.rests, seating.resting, seating.units),
            ("odd-table", _ODD, turns.odd, at_odd_tables, seating.seated),
        ):
            others = among.difference(chosen)
            if chosen and (others or code == "rest"):
                template = _reason(counts, chosen, others, question, templates)
                yield PlanNote(code=code, template=template, units=chosen, round=number)
        turns.record(seating, question, number)


# The templates of notes, for the three cases of ``_reason``.
_REST = (
    gettext_noop("Sitting out: %(who)s (nobody has sat out less)."),
    gettext_noop("Sitting out: %(who)s (nobody has sat out less for the time they are here)."),
    gettext_noop("Sitting out: %(who)s (the organiser’s choice)."),
)
_ODD = (
    gettext_noop("At the odd table: %(who)s (sat there least so far)."),
    gettext_noop("At the odd table: %(who)s (sat there least so far for the time they are here)."),
    gettext_noop("At the odd table: %(who)s (the organiser’s choice)."),
)


def _reason(
    turns: TurnCounts,
    chosen: Sequence[int],
    others: Collection[int],
    question: Question,
    templates: tuple[str, str, str],
) -> str:
    """Return the first template that is true: fewest turns, fewest for their share, or neither.

    The *chosen* units are compared with *others* that neither keep a table nor sit at a locked one.
    """
    spared = question.locked_units.union(question.wishes.keeps)
    compared = [unit for unit in others if unit not in spared]
    most = max(turns.times[unit] for unit in chosen)
    if all(most <= turns.times[unit] for unit in compared):
        return templates[0]
    # The sort keys without the last part, which is about new units.
    last_chosen = max(turns.sort_key(unit, ())[:2] for unit in chosen)
    if all(last_chosen <= turns.sort_key(unit, ())[:2] for unit in compared):
        return templates[1]
    return templates[2]
