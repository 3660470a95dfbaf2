"""Terms of a tournament: the settings of rounds, seating and rests; and the checks of settings.

A *movement* is the way to find who sits where. An entrant left over *rests* (sits out), or sits at
an *odd table*, of another size than the usual one. A *rest credit* is what a rest is worth.
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from games.errors import gettext_noop
from tracker.common.errors import Refused
from tracker.criteria.ranking_criteria import criteria_of, offered_tie_breaks, usual_tie_breaks
from tracker.models import (
    Format,
    Leftover,
    Movement,
    RankedBy,
    RestCredit,
    Substitution,
    Tournament,
)

MOST_REST_POINTS = 999
UNSUITABLE_TIE_BREAK = gettext_noop(
    "This does not suit the format or what decides the standings: choose another."
)
_USUAL_MOVEMENT = Movement.FEWEST_REPEATS
_FOR_ALL = (Movement.BY_LOT, Movement.IN_ORDER, Movement.LADDER, Movement.FREE)
_KNOCKOUTS = (Movement.KNOCKOUT, Movement.DOUBLE_ELIMINATION)
_FOR_PLAYERS = (Movement.EQUALS, Movement.STRONG_WITH_WEAK)
_FOR_TEAMS = (Movement.ROUND_ROBIN, Movement.SWISS, *_KNOCKOUTS)


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """The terms of a tournament; each field is named as its column of ``Tournament``.

    ``planned`` is the number of rounds, ``minutes`` the time of each; ``None`` is no limit. Without
    a ``rest_credit`` a rest is worth a win if match points rank, otherwise the own average; a fixed
    credit is ``rest_points``. ``leftover``: what those do who find no full table; ``substitution``:
    for whom a substitute plays.
    """

    planned: int | None = None
    minutes: int | None = None
    movement: Movement = _USUAL_MOVEMENT
    leftover: Leftover = Leftover.REST
    third_place: bool = False
    rest_credit: RestCredit | None = None
    rest_points: int | None = None
    substitution: Substitution = Substitution.OWN


def movements_for(format_: str, *, of_two: bool = False) -> tuple[Movement, ...]:
    """Return the movements that suit a format (players or teams), the default first.

    Knock-outs suit single players only where tables may be *of_two* players.
    """
    if format_ == Format.TEAMS:
        return (_USUAL_MOVEMENT, *_FOR_TEAMS, *_FOR_ALL)
    return (_USUAL_MOVEMENT, *_FOR_PLAYERS, *(_KNOCKOUTS if of_two else ()), *_FOR_ALL)


def checked_terms(tournament: Tournament, terms: Terms) -> dict[str, Any]:
    """Check terms, and return their values, keyed by column; the tournament may be unsaved."""
    if terms.planned is not None and not 1 <= terms.planned <= Tournament.MOST_ROUNDS:
        text = gettext_noop("A tournament has 1 to %(most)d rounds.")
        raise Refused("planned", text, question="planned", most=Tournament.MOST_ROUNDS)
    if terms.minutes is not None and not 1 <= terms.minutes <= Tournament.MOST_MINUTES:
        text = gettext_noop("1 to %(most)d minutes, please.")
        raise Refused("minutes", text, question="minutes", most=Tournament.MOST_MINUTES)
    _check_movement(tournament, terms)
    if terms.leftover == Leftover.ODD_TABLE:
        _check_odd_tables(tournament, terms)
    by_matches = tournament.ranked_by == RankedBy.MATCH_POINTS
    _check_rests(terms, by_matches=by_matches)
    usual = RestCredit.WIN if by_matches else RestCredit.AVERAGE
    return {**asdict(terms), "rest_credit": terms.rest_credit or usual}


def checked_tie_breaks(tournament: Tournament, chosen: Sequence[str]) -> list[str]:
    """Return the keys of the *chosen* tie-breaks, or of the usual ones if none was chosen.

    An empty key is a field that was left empty. A list that the game has anyway is stored as an
    empty one.
    """
    ranked_by = tournament.ranked_by
    offered = offered_tie_breaks(tournament, ranked_by)
    for number, key in enumerate(chosen, start=1):
        question = f"tie_break_{number}"
        if key and key in chosen[: number - 1]:
            text = gettext_noop("This is in the list already: choose another, or leave it empty.")
            raise Refused("tie-break-twice", text, question=question)
        if key and key not in offered:
            raise Refused("tie-break-unknown", UNSUITABLE_TIE_BREAK, question=question)
    keys = [*filter(None, chosen)] or usual_tie_breaks(tournament, ranked_by)
    _points, *of_game = criteria_of(tournament, ranked_by, ())
    return [] if keys == [each.key for each in of_game] else keys


def check_not_too_late(movement: Movement, *, before: str, played: bool) -> None:
    """Refuse to change from or to a knock-out once rounds are *played*; *before* is the old one."""
    if not played or movement == before:
        return
    if movement in _KNOCKOUTS:
        text = gettext_noop("Rounds have been played already: a knock-out begins with the first.")
        raise Refused("movement-late", text, question="movement")
    if before in _KNOCKOUTS:
        text = gettext_noop("Rounds have been played already: the bracket decides the standings.")
        raise Refused("movement-late", text, question="movement")


def _check_movement(tournament: Tournament, terms: Terms) -> None:
    mode, format_ = tournament.table_mode, tournament.format
    if terms.movement in _KNOCKOUTS and format_ == Format.PLAYERS and mode.seats != 2:
        text = gettext_noop(
            "Single players are knocked out at tables of two."
            " Choose two players at a table, or fixed pairs or teams."
        )
        raise Refused("knockout-players", text, question="movement")
    if terms.movement not in movements_for(format_, of_two=mode.seats == 2):
        text = gettext_noop("This is for tournaments in which each player scores.")
        if format_ == Format.PLAYERS:
            text = gettext_noop("This is for fixed pairs or teams only.")
        raise Refused("movement-format", text, question="movement")
    if terms.movement in _KNOCKOUTS and len(mode.sides) != 2:
        text = gettext_noop("A knock-out needs tables of two sides, and here there are more.")
        raise Refused("knockout-sides", text, question="movement")
    if terms.third_place and terms.movement != Movement.KNOCKOUT:
        text = gettext_noop("Only a knock-out has a match for third place.")
        raise Refused("third-place", text, question="third_place")


def _check_odd_tables(tournament: Tournament, terms: Terms) -> None:
    if terms.movement in _FOR_TEAMS:
        text = gettext_noop("Who is left over there has a bye: there is no table of another size.")
        raise Refused("leftover-bye", text, question="leftover")
    # Fixed teams need sides of their size at an odd table, too.
    mode = tournament.table_mode
    possible_sizes = {
        other.seats
        for other in tournament.rules.modes(tournament.house_rules)
        if tournament.format == Format.PLAYERS or len(other.sides[0]) == len(mode.sides[0])
    }
    if not possible_sizes - {mode.seats}:
        text = gettext_noop("This game is played at tables of one size.")
        raise Refused("no-odd-tables", text, question="leftover")


def _check_rests(terms: Terms, *, by_matches: bool) -> None:
    if terms.rest_credit in {RestCredit.WIN, RestCredit.DRAW} and not by_matches:
        text = gettext_noop(
            "There are wins and draws only where match points decide the standings."
        )
        raise Refused("rest-no-match", text, question="rest_credit")
    points, fixed = terms.rest_points, terms.rest_credit == RestCredit.FIXED
    if fixed and points is None:
        text = gettext_noop("How many points is sitting out worth?")
        raise Refused("rest-points", text, question="rest_points")
    if not fixed and points is not None:
        text = gettext_noop("Leave this empty, or choose a fixed number of points.")
        raise Refused("rest-not-fixed", text, question="rest_points")
    if points is not None and not 0 <= points <= MOST_REST_POINTS:
        text = gettext_noop("Sitting out is worth 0 to %(most)d points.")
        raise Refused("rest-points", text, question="rest_points", most=MOST_REST_POINTS)
