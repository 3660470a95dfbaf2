"""The worth of a rest in a tournament, as chosen by its organiser, and its description."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from django.utils.translation import gettext

from games.errors import gettext_noop
from games.sheet import Criterion
from tracker.common.figures import in_unit
from tracker.models import AwardRule, Movement, RankedBy, RestCredit, Tournament
from tracker.standings.queries.criteria import MATCH_POINTS, criteria_of
from tracker.standings.queries.matches import DRAW, WIN

# There a rest is a bye into the next round: points decide nothing.
NEVER_CREDITED = frozenset({Movement.KNOCKOUT, Movement.DOUBLE_ELIMINATION})
# What a bye is worth by name, and how that is said.
_BYES: Mapping[str, tuple[int, str]] = {
    RestCredit.WIN: (WIN, gettext_noop("A bye counts as a win.")),
    RestCredit.DRAW: (DRAW, gettext_noop("A bye counts as a draw.")),
}


def worth_of_a_rest(tournament: Tournament) -> dict[str, Any] | None:
    """Return amount and unit, or rule, of the award for a rest; ``None`` where none is given."""
    if Movement(tournament.movement) in NEVER_CREDITED:
        return None
    if tournament.rest_credit in _BYES and tournament.ranked_by == RankedBy.MATCH_POINTS:
        return {"amount": _BYES[tournament.rest_credit][0], "unit": MATCH_POINTS.key}
    points = criteria_of(tournament)[0]
    match RestCredit(tournament.rest_credit):
        case RestCredit.FIXED if not points.per:
            return {"amount": tournament.rest_points, "unit": points.key}
        case RestCredit.AVERAGE | RestCredit.WIN | RestCredit.DRAW | RestCredit.FIXED:
            return {"rule": AwardRule.AVERAGE}
        case RestCredit.NOTHING:
            return None


def rest_in_words(tournament: Tournament, points: Criterion) -> str:
    """Describe what a rest is worth, in *points* of the standing; empty for a knock-out."""
    if Movement(tournament.movement) in NEVER_CREDITED:
        return ""
    if tournament.rest_credit in _BYES and points.key == MATCH_POINTS.key:
        return gettext(_BYES[tournament.rest_credit][1])
    match RestCredit(tournament.rest_credit):
        case RestCredit.AVERAGE | RestCredit.WIN | RestCredit.DRAW | RestCredit.FIXED if points.per:
            return gettext("Sitting out changes nobody’s share.")
        case RestCredit.AVERAGE | RestCredit.WIN | RestCredit.DRAW:
            return gettext("Sitting out earns your own average.")
        case RestCredit.NOTHING:
            return gettext("Sitting out earns nothing.")
        case RestCredit.FIXED:
            amount = Fraction(tournament.rest_points or 0)
            return gettext("Sitting out earns %(points)s.") % {"points": in_unit(amount, points)}
