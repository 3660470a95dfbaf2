"""Each face of the hall's display laid out, in letters that fill the screen."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from django.utils.text import get_text_list
from django.utils.translation import gettext

from tracker.common.figures import figure, figures_in_a_row, placing
from tracker.common.names import short_names
from tracker.draws.queries.published import DrawnRound
from tracker.ledger.table import TableNow
from tracker.models import Round, Tournament
from tracker.models.players import name_key
from tracker.nights.logic.race_lines import race_lines
from tracker.nights.logic.screens import sheets
from tracker.nights.queries.faces import Display, Face, SeatsAt, StandingLine, TableLine
from tracker.nights.queries.tables import Resting
from tracker.standings.logic.called import page_names
from tracker.standings.queries.prizes import prize_rows, resolution_lines
from tracker.standings.queries.race import race
from tracker.standings.queries.standings import Standing, StandingRow

BY_NAME = 17  # people who would read five tables to find themselves
MANY = 20  # tables, of which nobody waits to see the own one
A_COLUMN = 12  # tables that stand one below the other
FEW = 6  # tables of which there is room to say who deals next
VERY_FEW = 4  # tables of which there is room to say it on a line of its own
NAMED = 7  # runners of a race
_BESIDE_CLOCK, _BESIDE_SMALL_CLOCK = 0.62, 0.7  # of the screen's width
_NEXT = 3  # people of whom one deals next, before it is not worth saying
_ROOM = 4  # letters' widths between a name and what stands beside it


def welcome(people: Sequence[tuple[int, str]]) -> list[Display]:
    """Return who is here already, beside how to join."""
    called = short_names(dict(people))
    names = [called[key] for key, _name in people]
    letters = max(map(len, names), default=0) + 1
    laid = sheets(names, [1] * len(names), letters, share=_BESIDE_CLOCK)
    base = Display(face=Face.WELCOME, of=len(names))
    return [replace(base, columns=sheet.columns, size=sheet.size) for sheet in laid]


def seats_taken(
    base: Display, tables: Sequence[TableNow], resting: Sequence[Resting]
) -> Iterator[Display]:
    """Yield who sits where in a round that has just begun, and who deals first at each table."""
    rest = [person.name for person in resting]
    people: list[tuple[str, int | None]] = [
        (name, table.number) for table in tables for name in table.coming_names.seats
    ]
    people += [(name, None) for name in rest]
    people.sort(key=lambda person: name_key(person[0]))
    at = [
        SeatsAt(
            number=table.number, match="", sides=table.coming_names.sides, dealer=table.dealer or ""
        )
        for table in tables
    ]
    yield from _seats(replace(base, resting=tuple(rest)), people, at)


def seats_drawn(base: Display, coming: DrawnRound) -> Iterator[Display]:
    """Yield the displays of a drawn round's seats before it begins, with who sits out."""
    base = replace(base, coming=coming.number, resting=coming.resting)
    at = [
        SeatsAt(number=table.number, match=table.match, sides=table.sides)
        for table in coming.tables
    ]
    yield from _seats(base, coming.people, at)


def _seats(
    base: Display, people: Sequence[tuple[str, int | None]], tables: Sequence[SeatsAt]
) -> Iterator[Display]:
    """Yield the seats by name where people are many, and then by table.

    *people* are names with their tables, ``None`` of those who sit out.
    """
    if len(people) >= BY_NAME:
        letters = max(len(name) for name, _table in people) + _ROOM
        for sheet in sheets(people, [1] * len(people), letters):
            yield replace(base, face=Face.NAMES, columns=sheet.columns, size=sheet.size)
    if len(tables) > MANY:
        return
    heights = [1.8 + len(table.sides) + (base.coming is None) for table in tables]
    widths = (
        (*map(len, table.sides), len(table.match) + 9, len(table.dealer) + 7) for table in tables
    )
    letters = max(map(max, widths), default=1)
    for laid in sheets(tables, heights, letters):
        yield replace(base, face=Face.SEATS, columns=laid.columns, size=laid.size)


def playing(base: Display, round_: Round, tables: Sequence[TableNow]) -> Iterator[Display]:
    """Yield the tables that still play, beside the clock."""
    still = [table for table in tables if not table.done]
    few = len(still) <= FEW or not still
    lines = [_line(table, few=few) for table in still]
    unit = gettext(round_.tournament.rules.unit.one)
    base = replace(
        base,
        still=len(still),
        few=few,
        many=len(still) > A_COLUMN,
        of=len(tables),
        last_words=gettext("Finish this %(unit)s; don’t deal another.") % {"unit": unit},
    )
    widest = max((len(line.dealer) for line in lines), default=0)
    widest += 11 if base.many else 17
    if few:
        below = [(len(line.hand), len(line.coming)) for line in lines]
        longest = max(map(max if len(lines) <= VERY_FEW else sum, below), default=0)
        widest = max(widest, int(longest * 0.7) + 2)
    else:
        widest += max(len(line.hand) for line in lines)
    beside = _BESIDE_SMALL_CLOCK if base.many else _BESIDE_CLOCK
    share = beside if base.clock else 1
    high = 2.4 if len(lines) <= VERY_FEW else 2.1 if few else 1.1
    for sheet in sheets(lines, [high] * len(lines), widest, share=share):
        yield replace(base, columns=sheet.columns, size=sheet.size)


def _line(table: TableNow, *, few: bool) -> TableLine:
    """Say who deals at a table, and in a few words how far it is."""
    progress, dealer = table.progress, table.dealer or ""
    if not few:
        so_far = f"{progress.done}" if progress.of is None else f"{progress.done}/{progress.of}"
        return TableLine(number=table.number, dealer=dealer, hand=so_far)
    coming = dict.fromkeys(turn.dealer for turn in table.forecast.turns)
    names = [name for name in coming if name is not None]
    told = names if None not in coming and len(names) <= _NEXT else []
    words = gettext("next: %(names)s") % {"names": get_text_list(told)} if told else ""
    hand = table.match_says if progress.one_more else table.hand_called
    return TableLine(number=table.number, dealer=dealer, hand=hand, coming=words)


def standing(base: Display, ranked: Standing) -> Iterator[Display]:
    """Yield the whole standing, once anybody has played."""
    if not ranked.begun or base.round is None:
        return
    names = page_names(ranked.people)
    rows = [_ranked(ranked, row, row.called(names)) for row in ranked.rows]
    letters = max((len(row.name) + len(row.points) for row in rows), default=1) + _ROOM + 3
    base = replace(base, face=Face.STANDING, criterion=gettext(ranked.criteria[0].label))
    for sheet in sheets(rows, [1.1] * len(rows), letters):
        yield replace(base, columns=sheet.columns, size=sheet.size)


def _ranked(ranked: Standing, row: StandingRow, name: str) -> StandingLine:
    return StandingLine(
        place=placing(row.place, tied=row.tied),
        name=name,
        points=ranked.points_of(row),
        separated_by=figures_in_a_row(row.separated_by),
        first=row.place == 1,
    )


def race_run(base: Display, tournament: Tournament) -> Iterator[Display]:
    """Yield the race of the points, once two rounds make one."""
    run = race(tournament)
    if len(run.rounds) > 1:
        lines = race_lines(
            [
                (
                    f"{figure(runner.points[-1], percent=run.criterion.percent)} {runner.name}",
                    runner.points,
                )
                for runner in run.runners[:NAMED]
            ]
        )
        yield replace(base, face=Face.RACE, lines=lines, criterion=gettext(run.criterion.label))


def prizes(base: Display, tournament: Tournament, ranked: Standing) -> Iterator[Display]:
    """Yield who won, with whole names, and how ties for a prize were settled."""
    winners = [_ranked(ranked, row, row.name) for row in prize_rows(ranked)]
    if winners:
        notes = tuple(resolution_lines(tournament, ranked.rows))
        [sheet, *_more] = sheets(winners, [1.6] * len(winners), 28)
        yield replace(
            base,
            face=Face.PRIZES,
            columns=(tuple(winners),),
            size=sheet.size,
            notes=notes,
            criterion=gettext(ranked.criteria[0].label),
        )
