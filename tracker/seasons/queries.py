"""The standing of a season, over tournaments of any game."""

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from fractions import Fraction

from django.db.models import Count, Q, Sum
from django.utils.translation import gettext, ngettext

from tracker.careers.queries.stints import public_name
from tracker.common.figures import decimal, figure
from tracker.models import Club, Entrant, Player, RoundState, Season, SeatTally, Tournament
from tracker.seasons.logic import (
    LEAST_FIELD,
    Rule,
    counting,
    played_most,
    room_beaten,
    season_points,
)
from tracker.standings.logic.ranking import rank
from tracker.standings.queries.finishes import finishes


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """What somebody's evening at one tournament was worth, out of 100."""

    tournament: int
    name: str
    place: int
    tied: bool
    of: int
    worth: Fraction
    counts: bool

    @property
    def shown(self) -> str:
        return out_of_a_hundred(self.worth)


@dataclass(frozen=True, slots=True, kw_only=True)
class SeasonRow:
    place: int
    tied: bool
    player: int
    name: str
    points: Fraction
    scores: tuple[Score, ...]  # the first tournament first

    @property
    def played(self) -> int:
        return len(self.scores)

    @property
    def average(self) -> Fraction:
        return sum((score.worth for score in self.scores), Fraction(0)) / len(self.scores)

    @property
    def best(self) -> Fraction:
        return max(score.worth for score in self.scores)


@dataclass(frozen=True, slots=True, kw_only=True)
class SeasonTournament:
    """A tournament of the season; ``why_not`` says why it does not count, if it does not."""

    tournament: int
    name: str
    game: str
    when: datetime
    field: int
    why_not: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SeasonStanding:
    rows: tuple[SeasonRow, ...]
    tournaments: tuple[SeasonTournament, ...]  # the latest first


@dataclass(frozen=True, slots=True, kw_only=True)
class SeasonLine:
    season: Season
    rule: str
    tournaments: int
    finished: int


def out_of_a_hundred(value: Fraction) -> str:
    """Return season points to one place, halves as halves.

    >>> out_of_a_hundred(Fraction(125, 2)), out_of_a_hundred(Fraction(100, 3))
    ('62½', '33.3')
    """
    return figure(value) if (value * 2).denominator == 1 else decimal(value, 1)


def season_lines(club: Club) -> list[SeasonLine]:
    """Return the seasons of a club, the latest first, in one query."""
    seasons = club.seasons.annotate(
        entered=Count("tournaments"),
        over=Count("tournaments", filter=Q(tournaments__official_at__isnull=False)),
    )
    return [
        SeasonLine(season=one, rule=rule_in_words(one), tournaments=one.entered, finished=one.over)
        for one in seasons.order_by("-pk")
    ]


def rule_in_words(season: Season) -> str:
    """Say what of everybody's tournaments counts."""
    match Rule(season.rule):
        case Rule.SUM:
            return gettext("Everybody’s tournaments are added up.")
        case Rule.AVERAGE:
            return gettext("The average of everybody’s tournaments counts.")
        case Rule.BEST:
            best = season.best_of or 1
            return ngettext(
                "Everybody’s best tournament counts.",
                "Everybody’s best %(best)d tournaments are added up.",
                best,
            ) % {"best": best}


def season_standing(season: Season) -> SeasonStanding:
    """Return who beat most of the room over the season, as its tournaments stand today.

    It takes seven queries at most, one more where an award goes by rounds. What is not official
    yet does not count, nor does a field too small; visitors count where they are ticked.
    """
    tournaments = list(season.tournaments.order_by("created_at", "pk"))
    placed = finishes(tournaments)
    fields: dict[int, dict[int, int]] = defaultdict(dict)
    entrants = {
        entrant.pk: entrant
        for entrant in Entrant.objects.filter(pk__in=placed).select_related("player")
    }
    for pk, finish in placed.items():
        if finish.hands:
            fields[entrants[pk].tournament_id][pk] = finish.place
    official = {
        tournament.pk: tournament
        for tournament in tournaments
        if tournament.official_at is not None
    }
    played_for = _played_for(entrants, official)
    scores: dict[int, list[Score]] = defaultdict(list)
    for tournament in official.values():
        field = fields.get(tournament.pk, {})
        beaten = room_beaten(field)
        for player, entrant in played_for.get(tournament.pk, {}).items():
            if entrant in beaten:
                score = Score(
                    tournament=tournament.pk,
                    name=tournament.name,
                    place=field[entrant],
                    tied=list(field.values()).count(field[entrant]) > 1,
                    of=len(field),
                    worth=beaten[entrant],
                    counts=True,
                )
                scores[player].append(score)
    return SeasonStanding(
        rows=_ranked(scores, Rule(season.rule), season.best_of),
        tournaments=tuple(
            _season_tournament(tournament, len(fields.get(tournament.pk, {})))
            for tournament in reversed(tournaments)
        ),
    )


def _played_for(
    entrants: Mapping[int, Entrant], tournaments: Collection[int]
) -> dict[int, dict[int, int]]:
    """Return by tournament for which entrant each player scores, in one query.

    Who entered alone scores for that; of a team everybody who really played for it does,
    and who played for several teams scores for the one with most of their hands.
    """
    found: dict[int, dict[int, int]] = defaultdict(dict)
    hands: dict[tuple[int, int], Counter[int]] = defaultdict(Counter)
    rows = (
        SeatTally.objects.filter(
            key="hands",
            seat__entrant__in=[pk for pk, one in entrants.items() if one.team_id],
        )
        .exclude(seat__round__state=RoundState.UNDONE)
        .values_list("seat__player_id", "seat__entrant_id")
        .annotate(Sum("amount"))
        .order_by()
    )
    for player, entrant, amount in rows:
        if amount > 0:
            hands[entrants[entrant].tournament_id, player][entrant] += amount
    for (tournament, player), each in hands.items():
        found[tournament][player] = played_most(each, order=int)
    for pk, one in entrants.items():
        if one.player_id is not None:
            found[one.tournament_id][one.player_id] = pk
    return {tournament: found[tournament] for tournament in tournaments}


def _ranked(
    scores: Mapping[int, Sequence[Score]], rule: Rule, best: int | None
) -> tuple[SeasonRow, ...]:
    """Return the rows, the best first; level players stand in the order of their names."""
    counted = Player.objects.filter(pk__in=scores, in_season=True).order_by("name_key", "pk")
    points = {
        player: season_points([score.worth for score in each], rule, best)
        for player, each in scores.items()
    }

    def row(place: int, tied: bool, player: Player) -> SeasonRow:
        each = scores[player.pk]
        counts = counting([score.worth for score in each], rule, best)
        return SeasonRow(
            place=place,
            tied=tied,
            player=player.pk,
            name=public_name(player.name, player.erased_at),
            points=points[player.pk],
            scores=tuple(
                score if position in counts else replace(score, counts=False)
                for position, score in enumerate(each)
            ),
        )

    placed = rank(counted, key=lambda player: (points[player.pk],))
    return tuple(row(one.place, one.tied, one.item) for one in placed)


def _season_tournament(tournament: Tournament, field: int) -> SeasonTournament:
    return SeasonTournament(
        tournament=tournament.pk,
        name=tournament.name,
        game=gettext(tournament.rules.name),
        when=tournament.created_at,
        field=field,
        why_not=_why_not(tournament, field),
    )


def _why_not(tournament: Tournament, field: int) -> str:
    if tournament.official_at is None:
        return gettext("not official yet")
    if field < LEAST_FIELD:
        return gettext("fewer than %(least)d played") % {"least": LEAST_FIELD}
    return ""
