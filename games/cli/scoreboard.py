"""Scoreboard: a hand's result and the standings, as a terminal shows them."""

from collections.abc import Mapping
from typing import Any

from games.cli.evening import Evening, HandInPlay
from games.cli.screen import YOU, Ink, Screen, SeatNames
from games.cli.table_setup import play_of
from games.figures import figure_text, rounded
from games.game import AnyGame
from games.sheet import Criterion, Number, Per, Sheet, side_marks


def show_outcome(
    screen: Screen, names: SeatNames, evening: Evening, hand: HandInPlay, before: object
) -> None:
    """Score a finished hand, and show its result and the standings.

    *before* is the session it was dealt in.
    """
    scored = evening.finish(hand)
    screen.say()
    explained = show_result(
        screen, names, evening.game, before=before, end=hand.state, sheet=scored.sheet
    )
    screen.say()
    show_score(screen, names, evening, table=not explained)


def show_result(
    screen: Screen, names: SeatNames, game: AnyGame, *, before: Any, end: Any, sheet: Sheet
) -> bool:
    """Say what all show, what every side has counted, and who has won; and why, if there is more.

    *before* is the session in which the hand was dealt, *end* its last state. Return whether there
    was more to be said.
    """
    play = play_of(game)
    if play.showdown is not None:
        screen.say_all(map(names.say, play.showdown(end)), hang=2)
    for question in game.questions(before):
        if isinstance(question, Number) and question.per is Per.SIDE and sheet.get(question.name):
            totals = zip(names.sides, sheet[question.name], strict=True)
            counted = ", ".join(f"{side} {total}" for side, total in totals)
            screen.say(f"{counted[:1].upper()}{counted[1:]}.")
    screen.say(names.say(game.headline(before, sheet)) + ".", Ink.GOOD)
    why = game.explain(before, sheet)
    if why is not None:
        screen.say(names.say(why).rstrip(".") + ".")
    return why is not None


def show_score(screen: Screen, names: SeatNames, evening: Evening, *, table: bool = True) -> None:
    """Show the totals so far, a line for each side, and the notes on the *table*.

    Where nobody has anything yet, as in the middle of a game, only what lies before them.
    """
    game, mode = evening.game, evening.mode
    sums = [side_marks(evening.sums, seats, game.seat_scoped) for seats in mode.sides]
    notes = game.notes(evening.session)
    aside = [names.say(note) if note else "" for note in notes.seats]
    begun = any(any(of_side.values()) for of_side in sums) or not aside
    criteria = game.columns(evening.session.options) if begun else ()
    unit = game.unit.one if evening.hands == 1 else game.unit.many
    head = [f"After {evening.hands} {unit}", *(criterion.label for criterion in criteria)]
    rows = [
        [
            names.sides[side],
            *(_figure(criterion, sums[side]) for criterion in criteria),
            *(aside[seat] for seat in seats if aside),
        ]
        for side, seats in enumerate(mode.sides)
    ]
    _show_table(screen, head, rows)
    if table and notes.table is not None:
        screen.say(names.say(notes.table) + ".")


def show_winner(screen: Screen, names: SeatNames, evening: Evening) -> None:
    """Say who has won an evening of several hands, if anybody is ahead."""
    if evening.hands < 2:
        return
    game, mode = evening.game, evening.mode
    first, *_ = game.ranking(evening.session.options, False)
    sums = [side_marks(evening.sums, seats, game.seat_scoped) for seats in mode.sides]
    values = list(map(first.value, sums))
    if not any(values):
        return
    most = min(values) if first.fewest else max(values)
    best = [names.sides[side] for side, value in enumerate(values) if value == most]
    figures = " to ".join(figure_text(value) for value in sorted(values, reverse=not first.fewest))
    if len(best) > 1:
        screen.say(f"Tied for the lead, {figures}: {' and '.join(best)}.", Ink.GOOD)
    else:
        winner = best[0][:1].upper() + best[0][1:]
        wins = "wins" if mode.individual and best[0] != YOU else "win"
        screen.say(f"{winner} {wins} {figures}.", Ink.GOOD)


def _figure(criterion: Criterion, sums: Mapping[str, int]) -> str:
    value = criterion.value(sums)
    return f"{rounded(value * 100, 1)} %" if criterion.percent else figure_text(value)


def _show_table(screen: Screen, head: list[str], rows: list[list[str]]) -> None:
    """Show rows under their heads; where they are too long, every figure beside its own."""
    widths = [max(len(row[place]) for row in (head, *rows)) for place in range(len(head))]
    lines = [_row(row, widths) for row in (head, *rows)]
    if max(map(len, lines)) <= screen.width:
        screen.say(lines[0], Ink.STRONG)
        screen.say_all(lines[1:])
        return
    screen.say(head[0], Ink.STRONG)
    for row in rows:
        named = zip(head[1:], row[1:], strict=False)
        figures = [f"{label.lower()} {figure}" for label, figure in named]
        screen.say(f"{row[0]}: {', '.join([*figures, *row[len(head) :]])}", hang=2)


def _row(cells: list[str], widths: list[int]) -> str:
    first, *figures = (
        cell.rjust(width) if place else cell.ljust(width)
        for place, (cell, width) in enumerate(zip(cells, widths, strict=False))
    )
    return "  ".join([first, *figures, *cells[len(widths) :]]).rstrip()
