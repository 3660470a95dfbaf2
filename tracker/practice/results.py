"""What a hand of practice has come to: its result, and all hands that this table has played."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Any

from django.utils.translation import gettext

from games.game import AnyGame
from games.sheet import Sheet
from tracker.common.figures import figure
from tracker.common.sheet_lines import Line, counts, lines
from tracker.common.wording import say
from tracker.practice.drawing import TablePicture
from tracker.practice.state import ME, PracticeTable

_MOST_COLUMNS = 3  # of what a game counts: as many as a phone has room for


@dataclass(frozen=True, slots=True)
class Points:
    """The points of a side, or of a player where each plays alone."""

    name: str
    side: str
    points: str
    mine: bool


@dataclass(frozen=True, slots=True)
class Played:
    """A hand that this table has played, in a line."""

    called: str
    says: str
    won: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class HandResult:
    """The result of a hand as a table would write it down, with the totals and the next dealer.

    ``won`` says that it gave nobody more than oneself, and somebody less; ``played`` are
    all hands of this table that its address still has, the latest first.
    """

    headline: str
    why: str
    won: bool
    counted: tuple[Points, ...]
    lines: tuple[Line, ...]
    next_dealer: str
    may_deal: tuple[tuple[int, str], ...]  # by seat, where the person's side chooses who deals
    over: bool
    columns: tuple[str, ...]
    gathered: tuple[tuple[str, tuple[str, ...]], ...]  # by name, of all hands so far
    played: tuple[Played, ...]


def result_of(table: PracticeTable, picture: TablePicture) -> HandResult:
    """Return what a hand that is over has come to."""
    game, session, names = table.game, table.session, table.names
    scored = game.add_sheet(session, table.play.fill_sheet(table.state))
    totals = counts(game, session, scored.sheet)  # by side, if this game counts
    after = scored.session
    choice = (after.dealer, *(seat for seat in after.may_deal if seat != after.dealer))
    return HandResult(
        headline=say(game.headline(session, scored.sheet), names),
        why=say(game.explain(session, scored.sheet), names),
        won=_won(game, scored.marks),
        counted=tuple(
            Points(names.of(side), picture.letter(side), str(total), ME in session.mode.sides[side])
            for side, total in enumerate(totals)
        ),
        lines=lines(game, session, scored.sheet, names),
        next_dealer=names.at(after.dealer),
        may_deal=tuple((seat, names.at(seat)) for seat in choice)
        if ME in choice and len(choice) > 1
        else (),
        over=scored.session.over,
        **_gathered(table, table.hand.sums_with(scored.marks)),
        played=_played(table, scored.sheet),
    )


def points_so_far(table: PracticeTable, picture: TablePicture) -> tuple[Points, ...]:
    """Return what the sides have from the hands before; of many who play alone, oneself and the best.

    It is empty as long as nobody has any.
    """
    usual, mode, names = table.game.usual_points, table.session.mode, table.names
    value = [usual.value(sums) or 0 for sums in table.hand.sums]
    if not any(value):
        return ()
    have = [
        Points(
            names.of(side),
            picture.letter(side),
            figure(value[seats[0]], percent=usual.percent),
            ME in seats,
        )
        for side, seats in enumerate(mode.sides)
    ]
    if len(have) <= len("ABC"):
        return tuple(have)
    own = mode.side_of(ME)
    others = (side for side in range(len(have)) if side != own)
    return have[own], have[max(others, key=lambda side: value[mode.sides[side][0]])]


def _won(game: AnyGame, marks: Any) -> bool:
    if not marks:
        return False
    values = [game.usual_points.value(each) or 0 for each in marks]
    return values[ME] == max(values) > min(values)


def _gathered(table: PracticeTable, sums: Sequence[Mapping[str, int]]) -> dict[str, Any]:
    """Return the table of totals so far, this hand included; empty while they have no points."""
    game = table.game
    if not any(game.usual_points.value(held) for held in sums):
        return {"columns": (), "gathered": ()}
    columns = game.columns(table.session.options)
    kept = {column.key for column in columns}
    decide = (each for each in game.ranking(table.session.options, False) if each.key in kept)
    criteria = game.usual_points, *decide, *columns
    shown = list({criterion.key: criterion for criterion in criteria}.values())[:_MOST_COLUMNS]
    return {
        "columns": tuple(gettext(each.label) for each in shown),
        "gathered": tuple(
            (
                table.names.at(seat),
                tuple(figure(each.value(held), percent=each.percent) for each in shown),
            )
            for seat, held in enumerate(sums)
        ),
    }


def _played(table: PracticeTable, last: Sheet) -> tuple[Played, ...]:
    """Return every hand of this table, this one included; only this, where it has forgotten them."""
    hand, game = table.hand, table.game
    session, sheets, numbers = table.session, [last], count(hand.number)
    if hand.before is not None:
        opened = (None,) * session.mode.seats
        session = game.open_session(session.mode, session.options, hand.first_dealer, opened)
        sheets, numbers = [*hand.before, last], count(1)
    played = []
    for number, sheet in zip(numbers, sheets, strict=False):
        scored = game.add_sheet(session, sheet)
        headline = say(game.headline(session, scored.sheet), table.names)
        called = gettext(game.unit.numbered) % {"number": number}
        played.append(Played(called, headline, _won(game, scored.marks)))
        session = scored.session
    return tuple(reversed(played))
