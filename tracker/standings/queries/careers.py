"""Careers of players and teams: games, tournaments with places, partners and opponents.

An *event* is a tournament with the *stages* that follow it, keyed by its first stage, the *root*. A
*seat* is a player at one place of a table from one hand to another.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from django.db.models import Q, Sum
from django.utils.translation import gettext

from games import catalogue
from games.game import AnyGame
from tracker.common.figures import game_figures
from tracker.common.wording import names_of, say
from tracker.models import Hand, Player, RoundState, Seat, SeatTally, Tally, Team, Tournament
from tracker.models.stints import covers
from tracker.standings.queries.companions import (
    Companion,
    SeatSums,
    companions,
    most_played,
    range_of,
    seats_beside,
    sums_by_seat,
)
from tracker.standings.queries.final_rankings import Finish, final_rankings
from tracker.standings.queries.tournament_stages import Event, events_of

ENOUGH_HANDS = 8  # played together, to be called the best or the hardest partner
MOST_RECENT_HANDS = 6
_MOST_RECENT_TABLES = 3  # only at so many of the latest tables are recent hands sought


@dataclass(frozen=True, slots=True, kw_only=True)
class GameLine:
    """The numbers of tournaments entered, hands played and hands dealt in one game.

    ``figures`` are pairs of a label and a value in words.
    """

    game: AnyGame
    tournaments: int
    hands: int
    figures: tuple[tuple[str, str], ...]
    dealt: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentResult:
    """A tournament of a career, with the final place and the hands played.

    ``team`` is the key of the team played for, and ``played_for`` its name. A substitute of a
    player who entered alone has “somebody else” there, and no ``finish``.
    """

    event: Event
    finish: Finish | None
    hands: int
    team: int | None = None
    played_for: str = ""

    @property
    def tournament(self) -> Tournament:
        return self.event.root

    @property
    def game(self) -> AnyGame:
        return self.tournament.rules


@dataclass(frozen=True, slots=True, kw_only=True)
class Career:
    """The latest tournaments and hands first, the best partners and most frequent opponents first.

    ``best`` and ``hardest`` are the partners with the best and worst average. ``played`` are slug
    and name of every game played, also of games that were not asked for.
    """

    games: tuple[GameLine, ...]
    tournaments: tuple[TournamentResult, ...]
    partners: tuple[Companion, ...]
    opponents: tuple[Companion, ...]
    recent: tuple[dict[str, Any], ...]
    best: Companion | None
    hardest: Companion | None
    played: tuple[tuple[str, str], ...]


def career(player: Player, *, game: str = "") -> Career:
    """Return the career of a player in one *game*, or in all if they have not played that one.

    It takes six queries, one more if a player took over a seat at one of the tables, and one
    more if a tournament has several stages. Its stages count as one tournament.
    """
    entered = Seat.objects.filter(player=player).values("round__tournament")
    all_events = events_of(Tournament.objects.filter(pk__in=entered))
    # The games ever played, and then the events of the games asked for.
    played = sorted({(each.root.game, gettext(each.root.rules.name)) for each in all_events})
    games = {game} if game in dict(played) else {slug for slug, _name in played}
    events = [event for event in all_events if event.root.game in games]
    tournaments = {stage.pk: stage for event in events for stage in event.stages}
    # All seats at the player's tables in these events, and of them the player's own.
    beside = [seat for seat in seats_beside(player.pk) if seat.round.tournament_id in tournaments]
    own = [seat for seat in beside if seat.player_id == player.pk]
    seat_sums = sums_by_seat(player.pk)
    sums_of: dict[int, Counter[str]] = defaultdict(Counter)  # keyed by the root of the event
    root_of = {stage.pk: event.root.pk for event in events for stage in event.stages}
    for seat in own:
        sums_of[root_of[seat.round.tournament_id]].update(seat_sums.get(seat.pk, Counter()))
    partners, opponents = companions(own, beside, seat_sums, tournaments)
    best, hardest = _best_and_hardest(partners)
    return Career(
        games=game_lines(sums_of, tournaments),
        tournaments=_tournament_results(player.pk, own, seat_sums, events),
        partners=partners,
        opponents=opponents,
        recent=tuple(islice(recent_hands(player.pk, beside, tournaments), MOST_RECENT_HANDS)),
        best=best,
        hardest=hardest,
        played=tuple(played),
    )


def _best_and_hardest(
    partners: Sequence[Companion],
) -> tuple[Companion, Companion] | tuple[None, None]:
    """Return the first and last of *partners*, who come best first, in the game they played most.

    Only partners of enough hands count. If all have the same average, none is the best.
    """
    slug = most_played(partners)
    frequent = [each for each in partners if each.game.slug == slug and each.hands >= ENOUGH_HANDS]
    if not frequent or frequent[0].average == frequent[-1].average:
        return None, None
    return frequent[0], frequent[-1]


def _tournament_results(
    player: int, own: Sequence[Seat], seat_sums: SeatSums, events: Collection[Event]
) -> tuple[TournamentResult, ...]:
    """Return a result for each entrant the player played for; one for an event of several stages.

    The latest tournament comes first.
    """
    event_by = {stage.pk: event for event in events for stage in event.stages}
    # Hands, latest seat and finish are keyed by the event's root and the entrant. In an event of
    # several stages a player has several entrants, which are one result: the key has 0 for them.
    hands: Counter[tuple[int, int]] = Counter()
    latest: dict[tuple[int, int], Seat] = {}
    for seat in own:
        event = event_by[seat.round.tournament_id]
        key = (event.root.pk, 0 if event.several else seat.entrant_id)
        latest[key] = seat  # the seats come in the order of the tables' start
        hands[key] += seat_sums.get(seat.pk, Counter())["hands"]
    rankings = final_rankings(events)
    finish_by = {
        (event.root.pk, 0 if event.several else placed.entrant): placed.overall
        for event in events
        for placed in rankings[event.root.pk]
        if not event.several or player in placed.players
    }
    results = []
    for key, seat in latest.items():
        event, team = event_by[seat.round.tournament_id], seat.entrant.team
        finish, played_for = finish_by.get(key), team.name if team else ""
        is_own = seat.entrant.player_id == player
        # A substitute sat for another player, who entered alone: the place is that player's.
        if not is_own and not team and not event.several:
            finish, played_for = None, gettext("somebody else")
        result = TournamentResult(
            event=event,
            finish=finish,
            hands=hands[key],
            team=seat.entrant.team_id,
            played_for=played_for,
        )
        results.append(result)
    return latest_first(results)


def latest_first(results: Iterable[TournamentResult]) -> tuple[TournamentResult, ...]:
    return tuple(sorted(results, key=lambda each: each.tournament.created_at, reverse=True))


def game_lines(
    sums_of: Mapping[int, Counter[str]], tournaments: Mapping[int, Tournament]
) -> tuple[GameLine, ...]:
    """Return a line for each game, most hands first; *sums_of* is {tournament: sums}."""
    sums_by_game: dict[str, Counter[str]] = defaultdict(Counter)
    entered: Counter[str] = Counter()  # tournaments, keyed by game
    for tournament, marks in sums_of.items():
        if marks["hands"]:
            sums_by_game[tournaments[tournament].game].update(marks)
            entered[tournaments[tournament].game] += 1
    lines = (
        GameLine(
            game=catalogue.GAMES[slug],
            tournaments=entered[slug],
            hands=marks["hands"],
            figures=game_figures(catalogue.GAMES[slug], marks),
            dealt=marks["dealt"],
        )
        for slug, marks in sums_by_game.items()
    )
    return tuple(sorted(lines, key=lambda line: -line.hands))


def recent_hands(
    player: int, beside: Iterable[Seat], tournaments: Mapping[int, Tournament]
) -> Iterator[dict[str, Any]]:
    """Yield the hands of a player at the latest tables, the last hand first, in one query.

    Each has its tournament, its number, its result, and the names of each side, in words.

    *beside* are all seats, of anybody, at the tables where the player sat.
    """
    seats_at: dict[int, list[Seat]] = defaultdict(list)  # keyed by sitting, a table in a round
    for seat in beside:
        seats_at[seat.sitting_id].append(seat)
    by_start = sorted(seats_at, key=lambda key: (seats_at[key][0].sitting.started_at, key))
    sittings = by_start[-_MOST_RECENT_TABLES:][::-1]  # keys, the latest first
    rows = Hand.objects.filter(sitting__in=sittings, struck_at=None)
    hands = rows.select_related("sitting__round").order_by("-number")
    for hand in sorted(hands, key=lambda hand: sittings.index(hand.sitting_id)):
        seats = [seat for seat in seats_at[hand.sitting_id] if covers(*range_of(seat), hand.number)]
        if not any(seat.player_id == player for seat in seats):
            continue
        tournament = tournaments[seats[0].round.tournament_id]
        game = tournament.rules
        options = game.resume_options(hand.sitting.options)
        mode = game.mode(hand.sitting.mode, options)
        name_at = {seat.place: seat.player.name for seat in seats}
        names = names_of(mode, [name_at.get(place, "?") for place in range(mode.seats)])
        session = game.resume_session(mode, options, hand.session_before)
        yield {
            "tournament": tournament,
            "hand": hand,
            "called": gettext(game.unit.numbered) % {"number": hand.number},
            "result": say(game.headline(session, hand.sheet), names),
            "sides": names.sides,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class TeamMember:
    """A player (a key), their hands played and dealt for a team; ``now``: in the team today."""

    player: int
    name: str
    hands: int
    dealt: int
    now: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class TeamCareer:
    games: tuple[GameLine, ...]
    tournaments: tuple[TournamentResult, ...]
    members: tuple[TeamMember, ...]


def team_career(team: Team) -> TeamCareer:
    """Return the career of a team, in six queries, one more if it played in several stages."""
    events = events_of(Tournament.objects.filter(entrants__team=team))
    event_by = {stage.pk: event for event in events for stage in event.stages}
    roots = {event.root.pk: event.root for event in events}
    # Keyed by the root of the event. Its entrant in the latest stage has the largest key.
    sums_of: dict[int, Counter[str]] = defaultdict(Counter)
    entrants: dict[int, int] = {}
    fields = ("entrant__tournament_id", "entrant_id", "key", "amount")
    tallies = Tally.objects.filter(entrant__team=team).values_list(*fields)
    for tournament, entrant, key, amount in tallies:
        root = event_by[tournament].root.pk
        sums_of[root][key] += amount
        entrants[root] = max(entrant, entrants.get(root, 0))
    rankings = final_rankings(events)
    finish_by = {
        placed.entrant: placed.overall for ranking in rankings.values() for placed in ranking
    }
    results = latest_first(
        TournamentResult(
            event=event_by[root], finish=finish_by.get(entrant), hands=sums_of[root]["hands"]
        )
        for root, entrant in entrants.items()
    )
    return TeamCareer(games=game_lines(sums_of, roots), tournaments=results, members=_members(team))


def _members(team: Team) -> tuple[TeamMember, ...]:
    """Return the players of a team and those who once played for it, in two queries."""
    roster = dict(team.roster.order_by("name_key").values_list("pk", "name"))
    tallies = SeatTally.objects.filter(seat__entrant__team=team, key__in=["hands", "dealt"])
    grouped = tallies.exclude(seat__round__state=RoundState.UNDONE).values_list(
        "seat__player_id", "seat__player__name"
    )
    rows = grouped.annotate(
        hands=Sum("amount", filter=Q(key="hands"), default=0),
        dealt=Sum("amount", filter=Q(key="dealt"), default=0),
    ).order_by()  # no order: it would split the groups
    played = {player: (name, hands, dealt) for player, name, hands, dealt in rows}
    not_yet = {player: (name, 0, 0) for player, name in roster.items() if player not in played}
    members = (
        TeamMember(player=player, name=name, hands=hands, dealt=dealt, now=player in roster)
        for player, (name, hands, dealt) in {**played, **not_yet}.items()
    )
    return tuple(sorted(members, key=lambda member: (-member.hands, member.name)))
