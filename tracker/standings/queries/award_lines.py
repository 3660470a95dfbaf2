"""Awards in words: what was given and taken beside the hands."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from django.utils.translation import gettext

from games.errors import gettext_noop
from games.sheet import Criterion
from tracker.common.figures import figure
from tracker.standings.logic.called import PageNames, page_names
from tracker.standings.queries.awards import Given
from tracker.standings.queries.criteria import MATCH_POINTS
from tracker.standings.queries.matches import DRAW, WIN
from tracker.standings.queries.standings import Standing


@dataclass(frozen=True, slots=True, kw_only=True)
class AwardLine:
    """An award as people read it."""

    name: str
    says: str  # what it is, for which round, and why
    points: str


def award_lines(standing: Standing, names: PageNames | None = None) -> tuple[AwardLine, ...]:
    """Return in words what was given and taken, with everybody's name as the page has it."""
    names = names or page_names(standing.people)
    called = {row.entrant: row.called(names) for row in standing.rows}
    percent = standing.criteria[0].percent
    return tuple(
        AwardLine(
            name=called[award.entrant],
            says=_says(award, standing.criteria[0]),
            points=("+" if award.points > 0 else "") + figure(award.points, percent=percent),
        )
        for award in standing.awards
    )


_SAT_OUT = gettext_noop("sat out round %(number)d")
_BYES: Mapping[tuple[str, Fraction | int], str] = {
    (MATCH_POINTS.key, WIN): gettext_noop("bye in round %(number)d: as a win"),
    (MATCH_POINTS.key, DRAW): gettext_noop("bye in round %(number)d: as a draw"),
}


def _says(award: Given, points: Criterion) -> str:
    words = {
        "kind": str(award.kind.label),
        "number": award.round,
        "reason": award.reason,
        "share": figure(award.share, percent=True),
    }
    if award.rested and not award.averaged:
        return gettext(_BYES.get((points.key, award.points), _SAT_OUT)) % words
    if award.rested:
        if award.share == 1:
            return gettext("sat out round %(number)d: own average") % words
        if award.share:
            sentence = gettext(
                "sat out round %(number)d: own average for the %(share)s that was played"
            )
            return sentence % words
        return gettext("sat out round %(number)d, in which no table played") % words
    if award.round is not None:
        return gettext("%(kind)s, round %(number)d: %(reason)s") % words
    return gettext("%(kind)s: %(reason)s") % words
