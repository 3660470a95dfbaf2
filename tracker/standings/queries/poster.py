"""What the poster of a tournament says, and what a link to it does."""

from django.utils.translation import gettext

from tracker.common.figures import placing
from tracker.common.poster import MOST_ROWS, Poster
from tracker.common.wording import together
from tracker.models import Tournament
from tracker.standings.logic.called import page_names
from tracker.standings.queries.standings import Standing, standings


def poster_of(tournament: Tournament) -> Poster:
    """Return who leads, in as many queries as ``standings`` takes."""
    standing = standings(tournament)
    names = page_names(standing.people)
    rows = standing.rows[:MOST_ROWS] if standing.begun else ()
    before = gettext("Provisional standings") if standing.begun else gettext("about to begin")
    return Poster(
        club=tournament.club.name,
        title=tournament.name,
        says=gettext("Official standings") if tournament.official_at else before,
        rows=tuple(
            (
                placing(row.place, tied=row.tied),
                row.called(names),
                standing.points_of(row),
            )
            for row in rows
        ),
    )


def leads_in_words(tournament: Tournament, standing: Standing) -> str:
    """Say who leads or has won, for a link that is passed on."""
    first = [row for row in standing.rows if row.place == 1]
    if not standing.begun or not first:
        return gettext("%(game)s at %(club)s") % {
            "game": gettext(tournament.rules.name),
            "club": tournament.club.name,
        }
    names = page_names(standing.people)
    words = {
        "names": together([row.called(names) for row in first[:3]]),
        "count": len(first),
        "points": standing.points_of(first[0]),
        "label": gettext(standing.criteria[0].label),
    }
    if len(first) > 3:
        return gettext("%(count)d are tied for the lead. %(label)s: %(points)s") % words
    if len(first) > 1:
        return gettext("%(names)s are tied for the lead. %(label)s: %(points)s") % words
    if tournament.official_at:
        return gettext("%(names)s won. %(label)s: %(points)s") % words
    return gettext("%(names)s leads. %(label)s: %(points)s") % words
