"""The players of the demo and an evening of theirs, with every hand reported as a phone does."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from random import Random
from typing import Any
from uuid import UUID

from games.game import AnyGame, Session
from games.play.playing import play_hand, shuffled
from tracker.common.actor import Actor
from tracker.models import (
    Club,
    Format,
    Movement,
    Player,
    Round,
    Season,
    Sitting,
    Team,
    TieResolution,
    Tournament,
    User,
)
from tracker.nights.services.attendance import leave
from tracker.nights.services.closing import close_round
from tracker.results.services.report_hand import Submission, report_hand
from tracker.seating.services.round_opening import seat_round
from tracker.standings.queries.prizes import Tie, open_ties
from tracker.standings.queries.standings import standings
from tracker.standings.services.standings import finish_tournament, resolve_tie
from tracker.tables.locks import lock_table
from tracker.tournaments.services.entering import (
    enter_players,
    enter_teams,
    seed_entrants,
    withdraw,
)
from tracker.tournaments.services.terms import Terms
from tracker.tournaments.services.tournaments import make_tournament, put_in_season

CLUB = "Klabu ya Bahari"
# ``serve --demo`` prints these. The first four players sign in, all with one password.
OWNER, PASSWORD = "asha", "karata-na-chai"
ORGANISER, MEMBER, NEWCOMER = "juma", "neema", "baraka"
VISITORS_FROM = "Circolo Rivazzurra, Trieste"

_NAMES = """
Asha Mrisho, Juma Kapera, Neema Mushi, Baraka Lyimo, Zawadi Komba, Omari Saidi, Fatma Ally, Salim Bakari,
Rehema Mwakyusa, Hamisi Ngoma, Mwajuma Rashid, Ali Hassan, Kito Mbwana, Amina Shabani, Musa Chande,
Halima Juma, Rashidi Mfinanga, Tumaini Massawe, Upendo Kimaro, Yusufu Dau, Saada Khamis, Daudi Mollel,
Grace Temba, Elia Nnko, Mariamu Pazi, Idi Makame, Subira Mohamed, Faraja Swai, Shukuru Minja, Pendo Urio,
Hasina Kassim, Bakari Mtulia, Zuhura Abdi, Joseph Mrema, Lulu Mapunda, Khadija Simba, Athumani Jongo,
Furaha Laizer, Sikudhani Mzee, Peter Massanja, Mwanaidi Seif, Ramadhani Kilo, Anna Shirima, Selemani Fundi,
Esther Mbise, Issa Kondo, Rukia Mbaga, Gideon Njau, Tatu Salum, Veronica Haule, Shabani Mponzi, Jamila Nassor,
Mwita Chacha, Pendo Uryo
"""
_VISITORS = (
    "Marta Cossutta",
    "Livio Furlan",
    "Aino Lehtonen",
    "Eero Salmi",
    "Nives Brezigar",
    "Otso Vainio",
)
# Each of two regulars, in their order.
TEAMS = ("Simba", "Pweza", "Mawimbi", "Tai", "Nyuki", "Kasa", "Jahazi", "Nyota")
# One player, added twice and merged later.
TWICE = ("Juma Kapera", "Jumaa Kapera")


@dataclass(frozen=True, slots=True)
class DemoPlayer:
    """A demo player; ``skill`` is the probability of choosing the strong bot's move."""

    name: str
    skill: float
    visitor: bool = False


def demo_players(rng: Random) -> tuple[DemoPlayer, ...]:
    """Return sixty players with random skills, the regulars first."""
    names = [name.strip() for name in _NAMES.replace("\n", " ").split(",")]
    members = [DemoPlayer(name, rng.random()) for name in names]
    visitors = [DemoPlayer(name, rng.random(), visitor=True) for name in _VISITORS]
    twice = DemoPlayer(TWICE[1], 0.6)
    return (*members, *visitors, twice)


PLACE = "Mtaa wa Pwani 7"


@dataclass(frozen=True, slots=True)
class Programme:
    """A tournament of an evening.

    ``mode`` says how many sit at a table and in which sides ("4t2": four in pairs); ``seats`` is
    that number, and ``length`` how many hands or games a round has. ``teams`` is how many fixed
    teams enter, 0 where everybody enters alone. With ``stages`` it is only the qualifying stage;
    with ``one_leaves`` somebody goes home after the first round.
    """

    game: str
    mode: str
    seats: int
    length: int
    rounds: int
    name: str
    teams: int = 0
    movement: Movement = Movement.FEWEST_REPEATS
    third_place: bool = False
    stages: bool = False
    one_leaves: bool = False


ALBASTINI = Programme("albastini", "4t2", 4, 6, 3, "Albastini")


@dataclass(kw_only=True)
class Demo:
    """State while the demo is made: the random numbers, the people, and its dates.

    ``skills`` is keyed by player. ``teams`` are the fixed teams of two regulars each.
    """

    rng: Random
    today: datetime
    began: datetime
    club: Club
    owner: User
    skills: dict[int, float] = field(default_factory=dict)
    players: list[Player] = field(default_factory=list)
    teams: list[Team] = field(default_factory=list)

    def by(self, at: datetime) -> Actor:
        """Return the owner as the actor at that time."""
        return Actor(at=at, user_id=self.owner.pk)

    def entry(self) -> UUID:
        return UUID(int=self.rng.getrandbits(128), version=4)


def players_for(demo: Demo, programme: Programme) -> list[Player]:
    """Return the players of a tournament: its teams, or enough for a few tables."""
    if programme.teams:
        teams = demo.teams[: programme.teams]
        return [player for team in teams for player in team.roster.order_by("pk")]
    if programme.stages:
        return pick_players(demo, 4 * programme.seats)
    return pick_players(demo, programme.seats * demo.rng.randint(3, 5) + demo.rng.randint(0, 1))


def pick_players(demo: Demo, number: int) -> list[Player]:
    """Return *number* players; the first of the list are seldom missing."""
    order = {
        player.pk: rank * demo.rng.uniform(0.2, 1.6) for rank, player in enumerate(demo.players)
    }
    # The player who was added twice comes once.
    once = demo.rng.choice(TWICE)
    people = [player for player in demo.players if player.name not in TWICE or player.name == once]
    return sorted(people, key=lambda player: order[player.pk])[:number]


def start_tournament(
    demo: Demo, programme: Programme, people: Sequence[Player], now: datetime, season: Season
) -> Tournament:
    tournament = make_tournament(
        club_id=demo.club.pk,
        name=f"{programme.name}, {now.day} {now:%b %Y}",
        game=programme.game,
        mode=programme.mode,
        format_=Format.TEAMS if programme.teams else Format.PLAYERS,
        length=programme.length,
        terms=Terms(
            planned=programme.rounds, movement=programme.movement, third_place=programme.third_place
        ),
        people=len(people),
        by=demo.by(now),
    )
    put_in_season(tournament_id=tournament.pk, season_id=season.pk, by=demo.by(now))
    if programme.teams:
        teams = [team.pk for team in demo.teams[: programme.teams]]
        entered = enter_teams(tournament_id=tournament.pk, teams=teams, by=demo.by(now))
        if programme.movement == Movement.KNOCKOUT:
            seeds = {entrant.pk: seed for seed, entrant in enumerate(entered, start=1)}
            seed_entrants(tournament_id=tournament.pk, seeds=seeds, by=demo.by(now))
    else:
        players = [player.pk for player in people]
        enter_players(tournament_id=tournament.pk, players=players, by=demo.by(now))
    return tournament


def finish(demo: Demo, tournament: Tournament, now: datetime) -> list[Tie]:
    """Make the standing official, and return the ties for a prize."""
    made = finish_tournament(tournament_id=tournament.pk, by=demo.by(now))
    return open_ties(made, standings(made).rows)


def resolve_ties(demo: Demo, tournament: Tournament, ties: Iterable[Tie], now: datetime) -> None:
    """Resolve ties for prizes, in a random way each."""
    for tie in ties:
        order = [entrant for entrant, _ in tie.entrants]
        demo.rng.shuffle(order)
        how = demo.rng.choice(list(TieResolution))
        resolve_tie(tournament_id=tournament.pk, how=how, order=order, by=demo.by(now))


def play(
    demo: Demo, tournament: Tournament, programme: Programme, now: datetime, *, night_id: int
) -> datetime:
    """Play all rounds of a tournament and return when the last one closed."""
    for number in range(1, programme.rounds + 1):
        opened = seat(demo, tournament, night_id, now)
        now = play_round(demo, opened, now)
        close_round(round_id=opened.pk, by=demo.by(now), anyway=True)
        if programme.one_leaves and number == 1:
            latest = tournament.entrants.latest("pk")
            withdraw(entrant_id=latest.pk, by=demo.by(now))
            leave(night_id=night_id, players=[latest.player_id or 0], by=demo.by(now))
        now += timedelta(minutes=6)
    return now


def seat(demo: Demo, tournament: Tournament, night_id: int, now: datetime) -> Round:
    """Seat the playing entrants by the tournament's movement."""
    playing = tournament.entrants.playing()
    return seat_round(
        tournament_id=tournament.pk,
        entrants=list(playing.values_list("pk", flat=True).order_by("pk")),
        movement=tournament.movement,
        by=demo.by(now),
        rng=demo.rng,
        night_id=night_id,
        hands=tournament.hands,
        games=tournament.games,
    )


def play_round(
    demo: Demo, opened: Round, now: datetime, *, most: Callable[[int], int] | None = None
) -> datetime:
    """Report every table's hands; *most* maps a table's number to how many. Return the end."""
    end = now
    for sitting in opened.sittings.order_by("number"):
        at = play_table(demo, sitting, now, most(sitting.number) if most else None)
        end = max(end, at)
    return end


def play_table(demo: Demo, sitting: Sitting, now: datetime, most: int | None) -> datetime:
    """Report a table's hands, at most so many if *most* is given; return the time of the last."""
    number = 0
    while most is None or number < most:
        table = lock_table(sitting_id=sitting.pk)
        if table.finished or number > 60:
            break
        seats = sorted(table.stints, key=lambda stint: stint.place)
        players = dict(sitting.seats.values_list("place", "player"))
        skills = [demo.skills.get(players[seat.place], 0.5) for seat in seats]
        number = table.coming_number
        now += timedelta(seconds=demo.rng.randint(240, 540))
        report_hand(
            token=sitting.token,
            submission=Submission(
                entry=demo.entry(),
                number=number,
                sheet=finished_hand(table.game, table.resume_session(), skills, demo.rng),
                side=0,
            ),
            by=Actor(at=now, device=f"phone-{sitting.pk}"),
        )
    return now


def finished_hand(
    game: AnyGame, session: Session, skills: Sequence[float], rng: Random
) -> Mapping[str, Any]:
    """Return the valid sheet of one hand played by bots of these skills."""
    if game.play is None:
        raise ValueError(f"{game.slug} cannot be played by bots")
    bots = game.play.bots
    seated = [bots["steady" if rng.random() < skill else "beginner"] for skill in skills]
    packs = shuffled(game.play, session, rng)
    *_, last = play_hand(game.play, session, packs, bots=seated, rng=rng)
    # Only what a table would write down: required answers and the dealer.
    asked = {question.name for question in game.questions(session) if question.required}
    sheet = game.play.fill_sheet(last.after)
    return {name: answer for name, answer in sheet.items() if name in asked or name == "dealer"}
