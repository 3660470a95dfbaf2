"""What a rest is worth in a tournament, as its organiser chose, and how that is said."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext, ngettext

from games.errors import gettext_noop
from games.sheet import Criterion
from tracker.common.figures import figure
from tracker.models import AwardKind, AwardRule, Movement, RankedBy, RestCredit, Tournament
from tracker.standings.queries.awards import fixed_points
from tracker.standings.queries.criteria import MATCH_POINTS
from tracker.standings.queries.matches import DRAW, WIN

# Whoever rests there has a bye, and is through: points decide nothing.
NEVER_CREDITED = frozenset({Movement.KNOCKOUT, Movement.DOUBLE_ELIMINATION})
# What a bye is worth by name, and how that is said.
_BYES: Mapping[str, tuple[int, str]] = {
    RestCredit.WIN: (WIN, gettext_noop("A bye counts as a win.")),
    RestCredit.DRAW: (DRAW, gettext_noop("A bye counts as a draw.")),
}


def worth_of_a_rest(tournament: Tournament) -> dict[str, Any] | None:
    """Return amount or rule of the award for a rest; ``None`` where none is given."""
    if Movement(tournament.movement) in NEVER_CREDITED:
        return None
    if tournament.rest_credit in _BYES and tournament.ranked_by == RankedBy.MATCH_POINTS:
        return {"amount": _BYES[tournament.rest_credit][0], "unit": MATCH_POINTS.key}
    match RestCredit(tournament.rest_credit):
        case RestCredit.AVERAGE | RestCredit.WIN | RestCredit.DRAW:
            return {"rule": AwardRule.AVERAGE}
        case RestCredit.FIXED:
            return {"amount": tournament.rest_points}
        case RestCredit.NOTHING:
            return None


def rest_in_words(tournament: Tournament, points: Criterion) -> str:
    """Say what a rest counts, by what the tournament ranks first; nothing of a knock-out."""
    if Movement(tournament.movement) in NEVER_CREDITED:
        return ""
    if tournament.rest_credit in _BYES and points.key == MATCH_POINTS.key:
        return gettext(_BYES[tournament.rest_credit][1])
    match RestCredit(tournament.rest_credit):
        case RestCredit.AVERAGE | RestCredit.WIN | RestCredit.DRAW if points.per:
            return gettext("A rest changes nobody’s share.")
        case RestCredit.AVERAGE | RestCredit.WIN | RestCredit.DRAW:
            return gettext("A rest counts one’s own average.")
        case RestCredit.NOTHING:
            return gettext("A rest counts nothing.")
        case RestCredit.FIXED:
            amount = tournament.rest_points or 0
            worth = figure(fixed_points(AwardKind.RESTING, amount, points), percent=points.percent)
            words = (
                gettext("A rest counts %(points)s.")
                if points.percent
                else ngettext(
                    "A rest counts %(points)s point.", "A rest counts %(points)s points.", amount
                )
            )
            return words % {"points": worth}
