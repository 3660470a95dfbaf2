"""Awards in words: points given or taken beside the hands."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from django.utils.translation import gettext, ngettext

from games.errors import gettext_noop
from games.sheet import Criterion
from tracker.common.figures import signed
from tracker.standings.logic.called import PageNames, page_names
from tracker.standings.queries.awards import GivenAward
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
    """Return the awards and penalties in words, with names as the page shows them."""
    names = names or page_names(standing.people)
    called = {row.entrant: row.called(names) for row in standing.rows}
    return tuple(
        AwardLine(
            name=called[award.entrant],
            says=_says(award, standing.criteria[0]),
            points=signed(award.amount, award.unit) if award.amount else "",
        )
        for award in standing.awards
    )


_SAT_OUT = gettext_noop("Round %(number)d: sat out")
_BYES: Mapping[tuple[str, Fraction | int], str] = {
    (MATCH_POINTS.key, WIN): gettext_noop("Round %(number)d: bye, as a win"),
    (MATCH_POINTS.key, DRAW): gettext_noop("Round %(number)d: bye, as a draw"),
}


def _says(award: GivenAward, points: Criterion) -> str:
    words = {
        "kind": str(award.kind.label),
        "number": award.round,
        "reason": award.reason,
        "unit": gettext(points.label),
    }
    if award.rested and award.part and not award.part[0]:
        return gettext("Round %(number)d: sat out, but no table played") % words
    if award.rested:
        by_name = award.rounds is None and award.counts
        template = _BYES.get((award.unit.key, award.amount), _SAT_OUT) if by_name else _SAT_OUT
        sentence = gettext(template) % words
    elif award.round is not None:
        sentence = gettext("%(kind)s, round %(number)d: %(reason)s") % words
    else:
        sentence = gettext("%(kind)s: %(reason)s") % words
    if award.rounds and award.amount:
        words |= {"sentence": sentence, "rounds": award.rounds}
        average = (
            gettext("%(sentence)s, earns the own average")
            if award.rested
            else ngettext(
                "%(sentence)s: own average of %(rounds)d round",
                "%(sentence)s: own average of %(rounds)d rounds",
                award.rounds,
            )
        )
        sentence = average % words
    if not award.counts:
        words["sentence"] = sentence
        return gettext("%(sentence)s; it does not count where %(unit)s decides") % words
    return sentence
