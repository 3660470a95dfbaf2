"""Result of a practice hand, with the totals and all hands of the table."""

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
from tracker.practice.pages.seats import TableView
from tracker.practice.state import ME, PracticeTable

_MOST_COLUMNS = 3  # of the totals: as many as fit on a phone


@dataclass(frozen=True, slots=True)
class SidePoints:
    """The points of a side, or of a player if everybody plays alone."""

    name: str
    side: str
    points: str
    mine: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class HandResult:
    """The result of a hand, with the totals and the next dealer.

    ``won`` is true if the person has the most marks, and somebody else has fewer; ``played`` are the
    hands of this table that its address holds, the latest first.
    """

    headline: str
    why: str
    won: bool
    counted: tuple[SidePoints, ...]
    lines: tuple[Line, ...]
    next_dealer: str
    may_deal: tuple[tuple[int, str], ...]  # seats and names to choose from, if the person may
    over: bool
    columns: tuple[str, ...]
    totals: tuple[tuple[str, tuple[str, ...]], ...]  # names and totals of all hands
    played: tuple[tuple[str, str, bool], ...]  # title, headline, and whether the person won


def result_of(table: PracticeTable, view: TableView) -> HandResult:
    game, session, names = table.game, table.session, table.names
    scored = game.add_sheet(session, table.play.fill_sheet(table.state))
    counted = counts(game, session, scored.sheet)  # by side, if this game counts
    after = scored.session
    choice = (after.dealer, *(seat for seat in after.may_deal if seat != after.dealer))
    return HandResult(
        headline=say(game.headline(session, scored.sheet), names),
        why=say(game.explain(session, scored.sheet), names),
        won=_won(game, scored.marks),
        counted=tuple(
            SidePoints(
                names.of(side), view.letter(side), str(total), ME in session.mode.sides[side]
            )
            for side, total in enumerate(counted)
        ),
        lines=lines(game, session, scored.sheet, names),
        next_dealer=names.at(after.dealer),
        may_deal=tuple((seat, names.at(seat)) for seat in choice)
        if ME in choice and len(choice) > 1
        else (),
        over=scored.session.over,
        **_totals(table, table.hand.sums_after(scored.marks)),
        played=_played_hands(table, scored.sheet),
    )


def points_so_far(table: PracticeTable, view: TableView) -> tuple[SidePoints, ...]:
    """Return the points of the earlier hands by side, or nothing if nobody has any.

    Of more than three sides these are the person's own and the best other one.
    """
    usual, mode, names = table.game.usual_points, table.session.mode, table.names
    value = [usual.value(sums) or 0 for sums in table.hand.sums]
    if not any(value):
        return ()
    sides = [
        SidePoints(
            names.of(side),
            view.letter(side),
            figure(value[seats[0]], percent=usual.percent),
            ME in seats,
        )
        for side, seats in enumerate(mode.sides)
    ]
    if len(sides) <= len("ABC"):
        return tuple(sides)
    own = mode.side_of(ME)
    others = (side for side in range(len(sides)) if side != own)
    return sides[own], sides[max(others, key=lambda side: value[mode.sides[side][0]])]


def _won(game: AnyGame, marks: Any) -> bool:
    if not marks:
        return False
    values = [game.usual_points.value(each) or 0 for each in marks]
    return values[ME] == max(values) > min(values)


def _totals(table: PracticeTable, sums: Sequence[Mapping[str, int]]) -> dict[str, Any]:
    """Return columns and rows of the table of totals, this hand included; none without points."""
    game = table.game
    if not any(game.usual_points.value(held) for held in sums):
        return {"columns": (), "totals": ()}
    columns = game.columns(table.session.options)
    keys = {column.key for column in columns}
    decide = (each for each in game.ranking(table.session.options, False) if each.key in keys)
    criteria = game.usual_points, *decide, *columns
    shown = list({criterion.key: criterion for criterion in criteria}.values())[:_MOST_COLUMNS]
    return {
        "columns": tuple(gettext(each.label) for each in shown),
        "totals": tuple(
            (
                table.names.at(seat),
                tuple(figure(each.value(held), percent=each.percent) for each in shown),
            )
            for seat, held in enumerate(sums)
        ),
    }


def _played_hands(table: PracticeTable, last: Sheet) -> tuple[tuple[str, str, bool], ...]:
    """Return all hands of this table, or this one alone if the earlier ones are not known."""
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
        title = gettext(game.unit.numbered) % {"number": number}
        played.append((title, headline, _won(game, scored.marks)))
        session = scored.session
    return tuple(reversed(played))
