"""Scoreboard: what a hand came to, and how everybody stands, as a terminal shows it."""

from collections.abc import Mapping
from fractions import Fraction

from games.cli.evening import Evening
from games.cli.screen import Ink, Names, Screen
from games.sheet import Criterion, Scope, Scored


def show_outcome(
    screen: Screen, names: Names, evening: Evening, scored: Scored[object], before: object
) -> None:
    """Say what the hand came to, and show the score; *before* is the session it was dealt in."""
    game = evening.game
    screen.say()
    screen.say(names.say(game.headline(before, scored.sheet)) + ".", Ink.GOOD)
    why = game.explain(before, scored.sheet)
    if why is not None:
        screen.say(names.say(why))
    screen.say()
    show_score(screen, names, evening)


def show_score(screen: Screen, names: Names, evening: Evening) -> None:
    """Show what everybody has so far, a line for each who scores."""
    game, mode = evening.game, evening.mode
    criteria = game.columns(evening.session.options)
    notes = game.notes(evening.session)
    aside = [names.say(note) if note else "" for note in notes.seats]
    unit = game.unit.one if evening.hands == 1 else game.unit.many
    head = [f"After {evening.hands} {unit}", *(criterion.label for criterion in criteria)]
    rows = [
        [
            names.sides[side],
            *(_figure(criterion, _sums(evening, seats)) for criterion in criteria),
            *(aside[seat] for seat in seats if aside),
        ]
        for side, seats in enumerate(mode.sides)
    ]
    widths = [max(len(row[place]) for row in (head, *rows)) for place in range(len(head))]
    screen.say(_row(head, widths), Ink.STRONG)
    screen.say_all(_row(row, widths) for row in rows)
    if notes.table is not None:
        screen.say(names.say(notes.table) + ".")


def _sums(evening: Evening, seats: tuple[int, ...]) -> Mapping[str, int]:
    """Return the marks of those who score together; one of a side's own counts once."""
    first, *others = (evening.sums[seat] for seat in seats)
    return {
        mark.key: first[mark.key]
        + (sum(sums[mark.key] for sums in others) if mark.scope is Scope.SEAT else 0)
        for mark in evening.game.marks
    }


def _figure(criterion: Criterion, sums: Mapping[str, int]) -> str:
    value: Fraction = criterion.value(sums)
    if criterion.percent:
        return f"{round(100 * value)} %"
    return str(value) if value.denominator == 1 else f"{float(value):.1f}"


def _row(cells: list[str], widths: list[int]) -> str:
    first, *figures = (
        cell.rjust(width) if place else cell.ljust(width)
        for place, (cell, width) in enumerate(zip(cells, widths, strict=False))
    )
    return "  ".join([first, *figures, *cells[len(widths) :]]).rstrip()
