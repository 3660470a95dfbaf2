"""The standing of a tournament: from sums that are kept, never from its hands."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from django.utils.translation import gettext

from games.sheet import Criterion
from tracker.common.figures import figure
from tracker.models import Entrant, Format, Round, RoundState, Tournament
from tracker.standings.logic.ranking import Placed, rank, settle
from tracker.standings.logic.tiebreaks import merits
from tracker.standings.queries.awards import KINDS, Given, given
from tracker.standings.queries.criteria import criteria_of, tables_met
from tracker.standings.queries.dealers import Deals
from tracker.standings.queries.prizes import resolved_orders
from tracker.standings.queries.sums import Member, Sums, members, sums, sums_upto

ROUNDS_SHOWN = 12  # links to rounds: a page costs the same however many there were


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishedPlace:
    """Where somebody stood when a round closed, as it was shown then."""

    place: int
    tied: bool
    points: Fraction


@dataclass(frozen=True, slots=True, kw_only=True)
class StandingRow:
    place: int
    tied: bool
    entrant: int
    player: int | None
    team: int | None
    name: str
    withdrawn: bool
    figures: Mapping[str, Fraction]  # by key of a criterion
    hands: int
    opened: int
    dealt: int
    members: tuple[Member, ...]  # of a team
    deals: Deals | None
    published: PublishedPlace | None


@dataclass(frozen=True, slots=True, kw_only=True)
class AwardLine:
    """An award as people read it."""

    name: str
    kind: str
    round: int | None
    reason: str
    points: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """Who stands where; ``criteria`` says by what, the first of it being the points."""

    rows: tuple[StandingRow, ...]
    criteria: tuple[Criterion, ...]
    columns: tuple[Criterion, ...]
    awards: tuple[Given, ...]
    names: Mapping[int, str]  # by entrant

    @property
    def ranked_by(self) -> str:
        """Say what decides, in a few words."""
        lowest = gettext("%(figure)s (lowest first)")
        labels = (
            lowest % {"figure": gettext(criterion.label)}
            if criterion.fewest
            else gettext(criterion.label)
            for criterion in self.criteria
        )
        return gettext(", then ").join(labels)

    @property
    def begun(self) -> bool:
        """Say whether anybody has played, or got anything otherwise."""
        return bool(self.awards) or any(row.hands for row in self.rows)


def standings(
    tournament: Tournament,
    *,
    upto: Round | None = None,
    deals: Mapping[int, Deals] | None = None,
) -> Standing:
    """Return one row per entrant, best first, in a fixed number of queries.

    With *upto* it is today's knowledge of the rounds up to that one: what was corrected
    since is in it; awards that belong to a later round or to none are not. *deals* says
    who deals now and next, by entrant.
    """
    criteria = criteria_of(tournament)
    columns = _columns(tournament, criteria[0])
    number = upto.number if upto else None
    gathered = sums(tournament) if number is None else sums_upto(tournament, number)
    awards = given(tournament, criteria[0], gathered, number)
    entrants = _entrants(tournament)
    figures = _figures(entrants, {*columns, *criteria}, gathered)
    for award in awards:
        figures[award.entrant][criteria[0].key] += award.points
    teams = members(tournament, number) if tournament.format == Format.TEAMS else {}
    published = _published_places(upto)

    def row(place: int, tied: bool, entrant: Entrant) -> StandingRow:
        got = gathered.get(entrant.pk, Counter())
        return StandingRow(
            place=place,
            tied=tied,
            entrant=entrant.pk,
            player=entrant.player_id,
            team=entrant.team_id,
            name=str(entrant),
            withdrawn=entrant.withdrawn_at is not None,
            figures=figures[entrant.pk],
            hands=got["hands"],
            opened=got["opened"],
            dealt=got["dealt"],
            members=teams.get(entrant.pk, ()),
            deals=deals.get(entrant.pk) if deals else None,
            published=published.get(entrant.pk),
        )

    by_key = {entrant.pk: entrant for entrant in entrants}
    placed = _placed(tournament, criteria, figures, number)
    return Standing(
        rows=tuple(row(one.place, one.tied, by_key[one.item]) for one in placed),
        criteria=criteria,
        columns=columns,
        awards=awards,
        names={entrant.pk: str(entrant) for entrant in entrants},
    )


def award_lines(standing: Standing) -> tuple[AwardLine, ...]:
    """Return in words what was given and taken."""
    percent = standing.criteria[0].percent
    return tuple(
        AwardLine(
            name=standing.names[award.entrant],
            kind=gettext(KINDS[award.kind]),
            round=award.round,
            reason=award.reason,
            points=("+" if award.points > 0 else "") + figure(award.points, percent=percent),
        )
        for award in standing.awards
    )


def rounds_beside(tournament: Tournament, number: int | None = None) -> list[Round]:
    """Return the latest rounds, or those around *number*, the last one first, in one query."""
    rounds = tournament.rounds.filter(state__in=[RoundState.OPEN, RoundState.CLOSED])
    if number is not None:
        rounds = rounds.filter(number__lte=number + ROUNDS_SHOWN // 2)
    return list(rounds.order_by("-number")[:ROUNDS_SHOWN])


def published_standing(standing: Standing) -> dict[str, Any]:
    """Return what to keep in ``Round.published_standing`` of a standing that is on the wall now."""
    points = standing.criteria[0].key
    return {
        "standing": [
            {
                "entrant": row.entrant,
                "place": row.place,
                "tied": row.tied,
                "points": str(row.figures[points]),
            }
            for row in standing.rows
        ]
    }


def _published_places(upto: Round | None) -> dict[int, PublishedPlace]:
    """Read what ``published_standing`` wrote."""
    kept = upto.published_standing if upto else None
    return {
        row["entrant"]: PublishedPlace(
            place=row["place"], tied=row["tied"], points=Fraction(row["points"])
        )
        for row in (kept or {}).get("standing", [])
    }


def _columns(tournament: Tournament, points: Criterion) -> tuple[Criterion, ...]:
    """Return what is shown: the points first, then the game's other columns."""
    game = tournament.rules
    columns = game.columns(tournament.house_rules)
    return (points, *(column for column in columns if column.key != points.key))


def _entrants(tournament: Tournament) -> Sequence[Entrant]:
    entrants = Entrant.objects.filter(tournament=tournament).select_related("player", "team")
    return list(entrants.order_by("player__name_key", "team__name_key", "pk"))


def _placed(
    tournament: Tournament,
    criteria: Sequence[Criterion],
    figures: Mapping[int, Mapping[str, Fraction]],
    upto: int | None,
) -> Sequence[Placed[int]]:
    """Return who has which place; only the whole standing asks how its ties were settled."""
    met = tables_met({tournament: criteria}, upto).get(tournament.pk, ())
    compared = merits(figures, criteria, [table for _, table in met])
    placed = rank(figures, key=compared.__getitem__)
    return placed if upto is not None else settle(placed, resolved_orders(tournament))


def _figures(
    entrants: Sequence[Entrant], criteria: Collection[Criterion], gathered: Sums
) -> dict[int, dict[str, Fraction]]:
    return {
        entrant.pk: {
            criterion.key: criterion.value(gathered.get(entrant.pk, {})) for criterion in criteria
        }
        for entrant in entrants
    }
