"""Careers: what a player has played, by game, with places, and with whom."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.utils.translation import gettext

from tracker.careers.games import GameLine, game_lines
from tracker.careers.queries.head_to_head import OtherLine, others
from tracker.careers.queries.recent import RecentHand, recent_hands
from tracker.careers.queries.stints import SeatSums, Stint, stints_beside, sums_by_seat
from tracker.models import Player, Seat, Tournament
from tracker.standings.queries.finishes import Finish, finishes

ENOUGH_HANDS = 8  # together, before anybody is called the best or the hardest partner


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentResult:
    """A tournament that was played, and where it led to."""

    tournament: int
    name: str
    game: str
    when: datetime
    team: int | None
    played_for: str  # a team, or whoever's place was taken
    finish: Finish | None
    hands: int
    official: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Career:
    games: tuple[GameLine, ...]
    tournaments: tuple[TournamentResult, ...]  # the latest first
    partners: tuple[OtherLine, ...]  # the best first
    opponents: tuple[OtherLine, ...]  # the most frequent first
    recent: tuple[RecentHand, ...]
    best: OtherLine | None
    hardest: OtherLine | None
    played: tuple[tuple[str, str], ...]  # slug and name of every game, also of those left out


def career(player: Player, *, game: str = "") -> Career:
    """Return what a player has played: of one *game*, or of all where it is none of theirs.

    It takes six queries, and one more where a table changed its people between two hands.
    """
    of_player = Seat.objects.filter(player=player).values("round__tournament")
    tournaments = {
        tournament.pk: tournament for tournament in Tournament.objects.filter(pk__in=of_player)
    }
    played = sorted(
        {(tournament.game, gettext(tournament.rules.name)) for tournament in tournaments.values()}
    )
    narrowed = game in dict(played)
    chosen = {
        pk: tournament
        for pk, tournament in tournaments.items()
        if not narrowed or tournament.game == game
    }
    beside = [stint for stint in stints_beside(player.pk) if stint.tournament in chosen]
    own = [stint for stint in beside if stint.player == player.pk]
    seat_sums = sums_by_seat(player.pk)
    partners, opponents = others(own, beside, seat_sums, chosen)
    best, hardest = _extremes(partners)
    by_tournament: dict[int, Counter[str]] = defaultdict(Counter)
    for stint in own:
        by_tournament[stint.tournament].update(seat_sums.get(stint.seat, Counter()))
    return Career(
        games=game_lines(by_tournament, chosen),
        tournaments=_tournament_results(player.pk, own, seat_sums, chosen),
        partners=partners,
        opponents=opponents,
        recent=recent_hands(own, beside, chosen),
        best=best,
        hardest=hardest,
        played=tuple(played),
    )


def _extremes(partners: Sequence[OtherLine]) -> tuple[OtherLine | None, OtherLine | None]:
    """Return the best and the hardest partner of the game that is played most, if it can be told."""
    hands: Counter[str] = Counter()
    for line in partners:
        hands[line.game] += line.hands
    most = max(hands, key=lambda game: hands[game], default="")
    able = [line for line in partners if line.game == most and line.hands >= ENOUGH_HANDS]
    if len(able) < 2 or able[0].average == able[-1].average:
        return None, None
    return able[0], able[-1]


def _tournament_results(
    player: int, own: Sequence[Stint], seat_sums: SeatSums, tournaments: Mapping[int, Tournament]
) -> tuple[TournamentResult, ...]:
    """Return the tournaments played, once for each entrant played for, the latest first."""
    hands: Counter[int] = Counter()
    stints: dict[int, Stint] = {}
    for stint in own:
        stints[stint.entrant] = stint
        hands[stint.entrant] += seat_sums.get(stint.seat, Counter())["hands"]
    placed = finishes(tournaments.values())
    lines = []
    for entrant, stint in stints.items():
        own_place = stint.team is not None or stint.entered_by == player
        line = tournament_result(
            tournaments[stint.tournament],
            placed.get(entrant) if own_place else None,
            hands[entrant],
            team=stint.team,
            played_for=stint.team_name if own_place else gettext("somebody else"),
        )
        lines.append(line)
    return tuple(sorted(lines, key=lambda line: line.when, reverse=True))


def tournament_result(
    tournament: Tournament,
    finish: Finish | None,
    hands: int,
    *,
    team: int | None = None,
    played_for: str = "",
) -> TournamentResult:
    return TournamentResult(
        tournament=tournament.pk,
        name=tournament.name,
        game=gettext(tournament.rules.name),
        when=tournament.created_at,
        team=team,
        played_for=played_for,
        finish=finish,
        hands=hands,
        official=tournament.official_at is not None,
    )
