"""View model of the result of a practice hand, with the totals and all hands of the table."""

from collections.abc import Mapping, Sequence
from itertools import count
from typing import Any, NamedTuple

from django.utils.translation import gettext

from games.game import AnyGame
from games.sheet import Sheet
from tracker.common.figures import figure
from tracker.common.sheet_lines import counts, lines
from tracker.common.wording import say
from tracker.practice.pages.seats import TableView
from tracker.practice.state import ME, PracticeTable

_MOST_COLUMNS = 3  # of the totals: as many as fit on a phone
_MOST_SIDES = 3  # whose points fit in one line above the table


class SidePoints(NamedTuple):
    """The points of a side, or of a player if everybody plays alone."""

    name: str
    letter: str  # "a", "b" or "c"; empty if everybody plays alone, or for a fourth side
    points: str
    mine: bool  # whether the person is on it


class PlayedHand(NamedTuple):
    """An earlier hand of the table, or the one just finished."""

    title: str  # "Hand 3"
    headline: str
    won: bool


def result_of(table: PracticeTable, view: TableView) -> dict[str, Any]:
    """Return the result of the table's finished hand, with the totals and the next dealer.

    *view* knows the letters of the sides.
    """
    game, session, names = table.game, table.session, table.names
    scored = game.add_sheet(session, table.play.fill_sheet(table.state))
    following = scored.session
    dealers = (following.dealer, *(seat for seat in following.may_deal if seat != following.dealer))
    has_choice, own_side = ME in dealers and len(dealers) > 1, session.mode.side_of(ME)
    columns, totals = _totals(table, table.hand.sums_after(scored.marks))
    return {
        "headline": say(game.headline(session, scored.sheet), names),
        "why": say(game.explain(session, scored.sheet), names),  # explains the headline
        "won": _is_won(game, scored.marks),
        # What each side counted, in games that count.
        "counted": [
            SidePoints(names.of(side), view.letter(side), str(total), side == own_side)
            for side, total in enumerate(counts(game, session, scored.sheet))
        ],
        "lines": lines(game, session, scored.sheet, names),  # the answers of the result sheet
        "next_dealer": names.at(following.dealer),
        # Seats and names of those who may deal next, if the person has the choice.
        "may_deal": [(seat, names.at(seat)) for seat in dealers] if has_choice else [],
        "over": following.over,  # whether this hand ended the game
        # For each seat, the name and the figures in the columns.
        "columns": columns,
        "totals": totals,
        # The hands of this table, the latest first, as far as the URL that stores it has them.
        "played": _played_hands(table, scored.sheet),
    }


def points_so_far(table: PracticeTable, view: TableView) -> tuple[SidePoints, ...]:
    """Return the points of each side in the earlier hands; empty if all sides have none.

    Of more than three sides only the person's own and the best other one are returned.
    """
    usual, mode, names = table.game.usual_points, table.session.mode, table.names
    points = [usual.value(sums) or 0 for sums in table.hand.sums]  # of each seat
    if not any(points):
        return ()
    side_points = [points[seats[0]] for seats in mode.sides]  # the same for all seats of a side
    texts = [figure(value, percent=usual.percent) for value in side_points]
    shown = [
        SidePoints(names.of(side), view.letter(side), texts[side], ME in seats)
        for side, seats in enumerate(mode.sides)
    ]
    own = mode.side_of(ME)
    if len(shown) <= _MOST_SIDES:
        return tuple(shown)
    others = (side for side in range(len(shown)) if side != own)
    return shown[own], shown[max(others, key=side_points.__getitem__)]


def _is_won(game: AnyGame, marks: Sequence[Mapping[str, int]] | None) -> bool:
    """Return whether the person has the most points by the seats' *marks*, unless all are equal."""
    if not marks:
        return False
    points = [game.usual_points.value(seat_marks) or 0 for seat_marks in marks]
    return points[ME] == max(points) > min(points)


def _totals(
    table: PracticeTable, sums: Sequence[Mapping[str, int]]
) -> tuple[tuple[str, ...], tuple[tuple[str, tuple[str, ...]], ...]]:
    """Return the column labels, and each seat's name and figures; both empty without points.

    *sums* has for each seat the sum of each mark (victory points, cards eaten …) over all hands.
    """
    game, options = table.game, table.session.options
    if not any(game.usual_points.value(seat_sums) for seat_sums in sums):
        return (), ()
    columns = game.columns(options)
    keys = {column.key for column in columns}
    # Criteria that are both a column and something to rank by come before the other columns.
    ranking = game.ranking(options, False)  # where partners stay together
    ranking_columns = (criterion for criterion in ranking if criterion.key in keys)
    criteria = (game.usual_points, *ranking_columns, *columns)
    # Each once: a key that comes again keeps its first position.
    shown = list({criterion.key: criterion for criterion in criteria}.values())[:_MOST_COLUMNS]
    rows = []
    for seat, seat_sums in enumerate(sums):
        figures = (figure(each.value(seat_sums), percent=each.percent) for each in shown)
        rows.append((table.names.at(seat), tuple(figures)))
    return tuple(gettext(criterion.label) for criterion in shown), tuple(rows)


def _played_hands(table: PracticeTable, last: Sheet) -> tuple[PlayedHand, ...]:
    """Return all hands of this table, or the last alone if the earlier sheets are not stored."""
    hand, game = table.hand, table.game
    # The last hand alone; if the earlier sheets are stored, all hands from the first session on.
    session, sheets, numbers = table.session, [last], count(hand.number)
    if hand.earlier_sheets is not None:
        dealt_before = (None,) * session.mode.seats  # nobody has dealt at another table
        session = game.open_session(session.mode, session.options, hand.first_dealer, dealt_before)
        sheets, numbers = [*hand.earlier_sheets, last], count(1)
    played = []
    for number, sheet in zip(numbers, sheets, strict=False):
        scored = game.add_sheet(session, sheet)
        headline = say(game.headline(session, scored.sheet), table.names)
        title = gettext(game.unit.numbered) % {"number": number}
        played.append(PlayedHand(title, headline, _is_won(game, scored.marks)))
        session = scored.session
    return tuple(reversed(played))
