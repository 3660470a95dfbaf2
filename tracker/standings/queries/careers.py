"""Careers of players and teams: games, tournaments with places, partners and opponents."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

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
    hands_of,
    most_played,
    seats_beside,
    sums_by_seat,
)
from tracker.standings.queries.final_rankings import Finish, final_rankings
from tracker.standings.queries.tournament_stages import Event, events_of

ENOUGH_HANDS = 8  # together, to be called the best or the hardest partner
MOST_RECENT_HANDS = 6
_MOST_TABLES = 3  # the latest ones, which those hands are taken from


@dataclass(frozen=True, slots=True, kw_only=True)
class GameLine:
    """The sums of one game; ``figures`` are pairs of a label and a value in words."""

    game: AnyGame
    tournaments: int
    hands: int
    figures: tuple[tuple[str, str], ...]
    dealt: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RecentHand:
    tournament: Tournament
    hand: Hand
    called: str  # "Hand 3"
    result: str
    sides: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentResult:
    """A tournament of a career, with the final place and the hands played."""

    event: Event
    finish: Finish | None
    hands: int
    team: int | None = None
    played_for: str = ""  # the name of a team, or that it was somebody else's place

    @property
    def tournament(self) -> Tournament:
        return self.event.root

    @property
    def game(self) -> AnyGame:
        return self.tournament.rules


@dataclass(frozen=True, slots=True, kw_only=True)
class Career:
    games: tuple[GameLine, ...]
    tournaments: tuple[TournamentResult, ...]  # the latest first
    partners: tuple[Companion, ...]  # the best first
    opponents: tuple[Companion, ...]  # the most frequent first
    recent: tuple[RecentHand, ...]
    best: Companion | None
    hardest: Companion | None
    played: tuple[tuple[str, str], ...]  # slug and name of every game, also of those left out


def career(player: Player, *, game: str = "") -> Career:
    """Return the career of a player in one *game*, or in all if they have not played that one.

    It takes six queries, one more if somebody took over a seat at one of the tables, and one
    more if a tournament has several stages: these count as one tournament.
    """
    of_player = Seat.objects.filter(player=player).values("round__tournament")
    events = events_of(Tournament.objects.filter(pk__in=of_player))
    tournaments = {stage.pk: stage for event in events for stage in event.stages}
    played = sorted(
        {(tournament.game, gettext(tournament.rules.name)) for tournament in tournaments.values()}
    )
    narrowed = game in dict(played)
    chosen = {
        pk: tournament
        for pk, tournament in tournaments.items()
        if not narrowed or tournament.game == game
    }
    beside = [seat for seat in seats_beside(player.pk) if seat.round.tournament_id in chosen]
    own = [seat for seat in beside if seat.player_id == player.pk]
    seat_sums = sums_by_seat(player.pk)
    partners, opponents = companions(own, beside, seat_sums, chosen)
    # The best and the hardest partner are found in the game that was played most.
    most = most_played(partners)
    able = [line for line in partners if line.game.slug == most and line.hands >= ENOUGH_HANDS]
    differ = len(able) > 1 and able[0].average != able[-1].average
    by_tournament: dict[int, Counter[str]] = defaultdict(Counter)
    root_of = {stage.pk: event.root.pk for event in events for stage in event.stages}
    for seat in own:
        by_tournament[root_of[seat.round.tournament_id]].update(seat_sums.get(seat.pk, Counter()))
    chosen_events = [event for event in events if event.root.pk in chosen]
    return Career(
        games=game_lines(by_tournament, chosen),
        tournaments=_tournament_results(player.pk, own, seat_sums, chosen_events),
        partners=partners,
        opponents=opponents,
        recent=tuple(islice(recent_hands(player.pk, beside, chosen), MOST_RECENT_HANDS)),
        best=able[0] if differ else None,
        hardest=able[-1] if differ else None,
        played=tuple(played),
    )


def _tournament_results(
    player: int, own: Sequence[Seat], seat_sums: SeatSums, events: Collection[Event]
) -> tuple[TournamentResult, ...]:
    """Return a result for each entrant the player played for, the latest tournament first.

    An event of several stages gives one result, with the place in the event.
    """
    event_by = {stage.pk: event for event in events for stage in event.stages}
    hands: Counter[tuple[int, int]] = Counter()
    latest: dict[tuple[int, int], Seat] = {}
    for seat in own:
        event = event_by[seat.round.tournament_id]
        line = (event.root.pk, 0 if event.several else seat.entrant_id)
        latest[line] = seat
        hands[line] += seat_sums.get(seat.pk, Counter())["hands"]
    rankings = final_rankings(events)
    # By the event's first stage and the entrant, or 0 in an event of several stages.
    finish_by = {
        (event.root.pk, 0 if event.several else placed.entrant): placed.overall
        for event in events
        for placed in rankings[event.root.pk]
        if not event.several or player in placed.players
    }
    lines = []
    for line, seat in latest.items():
        event, team = event_by[seat.round.tournament_id], seat.entrant.team
        own_place = event.several or team is not None or seat.entrant.player_id == player
        result = TournamentResult(
            event=event,
            finish=finish_by.get(line) if own_place else None,
            hands=hands[line],
            team=seat.entrant.team_id,
            played_for=(team.name if team else "") if own_place else gettext("somebody else"),
        )
        lines.append(result)
    return latest_first(lines)


def latest_first(results: Iterable[TournamentResult]) -> tuple[TournamentResult, ...]:
    return tuple(sorted(results, key=lambda line: line.tournament.created_at, reverse=True))


def game_lines(
    by_tournament: Mapping[int, Counter[str]], tournaments: Mapping[int, Tournament]
) -> tuple[GameLine, ...]:
    """Return a line for each game, the one with most hands first."""
    sums: dict[str, Counter[str]] = defaultdict(Counter)
    entered: Counter[str] = Counter()
    for pk, gathered in by_tournament.items():
        if gathered["hands"]:
            sums[tournaments[pk].game].update(gathered)
            entered[tournaments[pk].game] += 1
    lines = (
        GameLine(
            game=catalogue.GAMES[slug],
            tournaments=entered[slug],
            hands=gathered["hands"],
            figures=game_figures(catalogue.GAMES[slug], gathered),
            dealt=gathered["dealt"],
        )
        for slug, gathered in sums.items()
    )
    return tuple(sorted(lines, key=lambda line: -line.hands))


def recent_hands(
    player: int, beside: Iterable[Seat], tournaments: Mapping[int, Tournament]
) -> Iterator[RecentHand]:
    """Yield the hands of a player at the latest tables, the last hand first, in one query.

    *beside* are the seats at all tables where the player sat.
    """
    seats_at: dict[int, list[Seat]] = defaultdict(list)  # by sitting
    for seat in beside:
        seats_at[seat.sitting_id].append(seat)
    latest = sorted(seats_at, key=lambda at: (seats_at[at][0].sitting.started_at, at))
    sittings = latest[-_MOST_TABLES:][::-1]
    rows = Hand.objects.filter(sitting__in=sittings, struck_at=None)
    hands = rows.select_related("sitting__round").order_by("-number")
    for hand in sorted(hands, key=lambda hand: sittings.index(hand.sitting_id)):
        there = [seat for seat in seats_at[hand.sitting_id] if covers(*hands_of(seat), hand.number)]
        if not any(seat.player_id == player for seat in there):
            continue
        tournament = tournaments[there[0].round.tournament_id]
        game = tournament.rules
        options = game.resume_options(hand.sitting.options)
        mode = game.mode(hand.sitting.mode, options)
        seated = {seat.place: seat.player.name for seat in there}
        names = names_of(mode, [seated.get(place, "?") for place in range(mode.seats)])
        session = game.resume_session(mode, options, hand.session_before)
        yield RecentHand(
            tournament=tournament,
            hand=hand,
            called=gettext(game.unit.numbered) % {"number": hand.number},
            result=say(game.headline(session, hand.sheet), names),
            sides=names.sides,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class TeamMember:
    player: int
    name: str
    hands: int
    dealt: int
    now: bool  # in the team today


@dataclass(frozen=True, slots=True, kw_only=True)
class TeamCareer:
    games: tuple[GameLine, ...]
    tournaments: tuple[TournamentResult, ...]
    members: tuple[TeamMember, ...]


def team_career(team: Team) -> TeamCareer:
    """Return the career of a team, in six queries, one more if it played in several stages."""
    events = events_of(Tournament.objects.filter(entrants__team=team))
    event_by = {stage.pk: event for event in events for stage in event.stages}
    tournaments = {event.root.pk: event.root for event in events}
    by_tournament: dict[int, Counter[str]] = defaultdict(Counter)
    entrants: dict[int, int] = {}
    rows = Tally.objects.filter(entrant__team=team)
    for tournament, entrant, key, amount in rows.values_list(
        "entrant__tournament_id", "entrant_id", "key", "amount"
    ):
        root = event_by[tournament].root.pk
        by_tournament[root][key] += amount
        entrants[root] = max(entrant, entrants.get(root, 0))  # of the latest stage
    rankings = final_rankings(events)
    finish_by = {
        placed.entrant: placed.overall for ranking in rankings.values() for placed in ranking
    }
    results = (
        TournamentResult(
            event=event_by[pk], finish=finish_by.get(entrant), hands=by_tournament[pk]["hands"]
        )
        for pk, entrant in entrants.items()
    )
    return TeamCareer(
        games=game_lines(by_tournament, tournaments),
        tournaments=latest_first(results),
        members=_members(team),
    )


def _members(team: Team) -> tuple[TeamMember, ...]:
    """Return the players of a team and those who once played for it, in two queries."""
    now = dict(team.roster.order_by("name_key").values_list("pk", "name"))
    rows = (
        SeatTally.objects.filter(seat__entrant__team=team, key__in=["hands", "dealt"])
        .exclude(seat__round__state=RoundState.UNDONE)
        .values_list("seat__player_id", "seat__player__name")
        .annotate(
            hands=Sum("amount", filter=Q(key="hands"), default=0),
            dealt=Sum("amount", filter=Q(key="dealt"), default=0),
        )
        .order_by()
    )
    played = {player: (name, hands, dealt) for player, name, hands, dealt in rows}
    not_yet = {player: (name, 0, 0) for player, name in now.items() if player not in played}
    members = (
        TeamMember(player=player, name=name, hands=hands, dealt=dealt, now=player in now)
        for player, (name, hands, dealt) in {**played, **not_yet}.items()
    )
    return tuple(sorted(members, key=lambda member: (-member.hands, member.name)))
