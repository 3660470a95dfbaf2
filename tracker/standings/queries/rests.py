"""What a rest is worth in a tournament, as its organiser chose, and how that is said."""

from typing import Any

from django.utils.translation import gettext, ngettext

from games.sheet import Criterion
from tracker.common.figures import figure
from tracker.models import AwardKind, AwardRule, Movement, RestCredit, Tournament
from tracker.standings.queries.awards import fixed_points

# Whoever rests there has a bye, and is through: points decide nothing.
NEVER_CREDITED = frozenset({Movement.KNOCKOUT, Movement.DOUBLE_ELIMINATION})


def worth_of_a_rest(tournament: Tournament) -> dict[str, Any] | None:
    """Return amount or rule of the award for a rest; ``None`` where none is given."""
    if Movement(tournament.movement) in NEVER_CREDITED:
        return None
    match RestCredit(tournament.rest_credit):
        case RestCredit.AVERAGE:
            return {"rule": AwardRule.AVERAGE}
        case RestCredit.FIXED:
            return {"amount": tournament.rest_points}
        case RestCredit.NOTHING:
            return None


def rest_in_words(tournament: Tournament, points: Criterion) -> str:
    """Say what a rest counts, by what the tournament ranks first; nothing of a knock-out."""
    if Movement(tournament.movement) in NEVER_CREDITED:
        return ""
    match RestCredit(tournament.rest_credit):
        case RestCredit.AVERAGE if points.per:
            return gettext("A rest changes nobody’s share.")
        case RestCredit.AVERAGE:
            return gettext("A rest counts one’s own average.")
        case RestCredit.NOTHING:
            return gettext("A rest counts nothing.")
        case RestCredit.FIXED:
            amount = tournament.rest_points or 0
            worth = figure(fixed_points(AwardKind.RESTING, amount, points), percent=points.percent)
            if points.percent:
                return gettext("A rest counts %(points)s.") % {"points": worth}
            words = ngettext(
                "A rest counts %(points)s point.", "A rest counts %(points)s points.", amount
            )
            return words % {"points": worth}
