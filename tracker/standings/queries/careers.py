"""Career of a player: games, tournaments with places, partners and opponents."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from django.db.models import Sum
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

ENOUGH_HANDS = 8  # together, before anybody is called the best or the hardest partner
SHOWN = 6  # recent hands
_TABLES = 3  # the latest, in which those hands are looked for


@dataclass(frozen=True, slots=True, kw_only=True)
class GameLine:
    """The sums of one game, in words: ``figures`` are a label and a value each."""

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
    played_for: str = ""  # a team, or whoever's place was taken

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
    """Return what a player has played: of one *game*, or of all where it is none of theirs.

    It takes six queries, one more where a table changed its people between two hands, and one
    where a tournament has several stages: it counts once.
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
    # The best and the hardest partner are those of the game that was played most, if they differ.
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
        recent=recent_hands(own, beside, chosen),
        best=able[0] if differ else None,
        hardest=able[-1] if differ else None,
        played=tuple(played),
    )


def _tournament_results(
    player: int, own: Sequence[Seat], seat_sums: SeatSums, events: Collection[Event]
) -> tuple[TournamentResult, ...]:
    """Return the tournaments played, the latest first.

    There is one for each entrant played for; of an event of several stages one in all, for
    whomever they played last, with the place in the event.
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
    # By root and entrant; of several stages for the player.
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
    """Return a line for every game, the one with most hands first."""
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
    own: Sequence[Seat],
    beside: Collection[Seat],
    tournaments: Mapping[int, Tournament],
) -> tuple[RecentHand, ...]:
    """Return the last hands of these stints, the latest first, in one query."""
    latest = sorted(own, key=lambda seat: (seat.sitting.started_at, seat.sitting_id), reverse=True)
    own_at: dict[int, list[Seat]] = defaultdict(list)  # by sitting
    for seat in latest:
        if seat.sitting_id in own_at or len(own_at) < _TABLES:
            own_at[seat.sitting_id].append(seat)
    rows = Hand.objects.filter(sitting__in=own_at).select_related("sitting__round")
    hands: dict[int, list[Hand]] = defaultdict(list)
    for hand in rows.order_by("sitting", "number"):
        hands[hand.sitting_id].append(hand)
    recent: list[RecentHand] = []
    for sitting, mine in own_at.items():
        here = [seat for seat in beside if seat.sitting_id == sitting]
        tournament = tournaments[mine[0].round.tournament_id]
        recent += reversed(list(_recent_at(hands[sitting], mine, here, tournament)))
    return tuple(recent[:SHOWN])


def _recent_at(
    hands: Sequence[Hand],
    own: Sequence[Seat],
    beside: Sequence[Seat],
    tournament: Tournament,
) -> Iterator[RecentHand]:
    if not hands:
        return
    sitting, game = hands[0].sitting, tournament.rules
    options = game.resume_options(sitting.options)
    mode = game.mode(sitting.mode, options)
    for hand in hands:
        played = any(covers(*hands_of(seat), hand.number) for seat in own)
        if played and hand.struck_at is None:
            seated = {
                seat.place: seat.player.name
                for seat in beside
                if covers(*hands_of(seat), hand.number)
            }
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
    """Return what a team has played, in six queries, one more where a stage was among it."""
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
    """Return who plays and who played for a team, in two queries."""
    now = dict(team.roster.order_by("name_key").values_list("pk", "name"))
    grouped = (
        SeatTally.objects.filter(seat__entrant__team=team, key__in=["hands", "dealt"])
        .exclude(seat__round__state=RoundState.UNDONE)
        .values_list("seat__player_id", "seat__player__name", "key")
        .annotate(Sum("amount"))
        .order_by()
    )
    sums: dict[int, Counter[str]] = defaultdict(Counter)
    names = dict(now)
    for player, name, key, amount in grouped:
        sums[player][key] += amount
        names[player] = name
    members = (
        TeamMember(
            player=player,
            name=name,
            hands=sums[player]["hands"],
            dealt=sums[player]["dealt"],
            now=player in now,
        )
        for player, name in names.items()
    )
    return tuple(sorted(members, key=lambda member: (-member.hands, member.name)))
