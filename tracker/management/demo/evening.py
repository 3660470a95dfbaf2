"""The players of the demo, and one of its evenings, with every hand reported as a phone does."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from random import Random
from typing import Any
from uuid import UUID

from games.game import AnyGame, Session
from games.play.playing import play_hand, shuffled
from tracker.common.actor import Actor
from tracker.common.names import split_names
from tracker.criteria.tie_breaks import LOT_NUMBERS
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
from tracker.people.services.players import add_player
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
Asha Mrisho, Juma Kapera, Neema Mushi, Baraka Lyimo, Zawadi Komba, Omari Saidi, Fatma Ally,
Salim Bakari, Rehema Mwakyusa, Hamisi Ngoma, Mwajuma Rashid, Ali Hassan, Kito Mbwana, Amina Shabani,
Musa Chande, Halima Juma, Rashidi Mfinanga, Tumaini Massawe, Upendo Kimaro, Yusufu Dau,
Saada Khamis, Daudi Mollel, Grace Temba, Elia Nnko, Mariamu Pazi, Idi Makame, Subira Mohamed,
Faraja Swai, Shukuru Minja, Pendo Urio, Hasina Kassim, Bakari Mtulia, Zuhura Abdi, Joseph Mrema,
Lulu Mapunda, Khadija Simba, Athumani Jongo, Furaha Laizer, Sikudhani Mzee, Peter Massanja,
Mwanaidi Seif, Ramadhani Kilo, Anna Shirima, Selemani Fundi, Esther Mbise, Issa Kondo, Rukia Mbaga,
Gideon Njau, Tatu Salum, Veronica Haule, Shabani Mponzi, Jamila Nassor, Mwita Chacha, Pendo Uryo
"""
_VISITORS = "Marta Cossutta, Livio Furlan, Aino Lehtonen, Eero Salmi, Nives Brezigar, Otso Vainio"
# The names of the teams; the first consists of the first two players, and so on.
TEAMS = ("Simba", "Pweza", "Mawimbi", "Tai", "Nyuki", "Kasa", "Jahazi", "Nyota")
# The two names of one player, who was added twice; the two are merged later.
TWO_NAMES = ("Juma Kapera", "Jumaa Kapera")
PLACE = "Mtaa wa Pwani 7"
_MOST_HANDS = 60  # of a table, should its bots never finish


@dataclass(frozen=True, slots=True)
class Programme:
    """The plan of a tournament of an evening.

    ``mode`` says how many sit at a table, in which sides ("4t2": four in pairs, "5i": five alone),
    ``length`` how many hands or games a round has, ``teams`` how many fixed teams enter, 0 where
    players enter alone. With ``stages`` it is a qualifying stage before finals; with ``one_leaves``
    the last player to enter goes home after the first round.
    """

    game: str
    mode: str
    length: int
    rounds: int
    name: str
    teams: int = 0
    movement: Movement = Movement.FEWEST_REPEATS
    third_place: bool = False
    stages: bool = False
    one_leaves: bool = False

    @property
    def seats(self) -> int:
        return int(self.mode[0])  # fewer than ten


ALBASTINI = Programme("albastini", "4t2", length=6, rounds=3, name="Albastini")


@dataclass(kw_only=True)
class Demo:
    """State while the demo is made: the random numbers, the people, its first day and its last.

    ``skills`` is keyed by player: the probability that the better of two bots plays the hand.
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

    def add_players(self) -> None:
        """Add the regular players, the visitors and a player's second name, with random skills."""
        visitors = split_names(_VISITORS)
        for name in [*split_names(_NAMES), *visitors, TWO_NAMES[1]]:
            origin = VISITORS_FROM if name in visitors else ""
            by = self.by(self.began)
            player = add_player(club_id=self.club.pk, name=name, visitor_from=origin, by=by)
            talent = 0.6 if name == TWO_NAMES[1] else self.rng.random()
            self.skills[player.pk] = 0.15 + 0.8 * talent  # no player is perfect or hopeless
            self.players.append(player)

    def new_entry(self) -> UUID:
        """Return a random name for a report, by which a repeated one is recognised."""
        return UUID(int=self.rng.getrandbits(128), version=4)


def players_for(demo: Demo, programme: Programme) -> list[Player]:
    """Return the players of a tournament: its teams, or enough for a few tables."""
    if programme.teams:
        teams = demo.teams[: programme.teams]
        return [player for team in teams for player in team.roster.order_by("pk")]
    if programme.stages:
        return pick_players(demo, 4 * programme.seats)
    # Three to five tables, and sometimes one player too many, who rests.
    return pick_players(demo, programme.seats * demo.rng.randint(3, 5) + demo.rng.randint(0, 1))


def pick_players(demo: Demo, number: int) -> list[Player]:
    """Return *number* players at random; the first regulars are seldom missing."""
    # The position of a player in the list times a random factor; the lowest come.
    ranks = {one.pk: index * demo.rng.uniform(0.2, 1.6) for index, one in enumerate(demo.players)}
    # The player who was added twice comes under one of the two names.
    used = demo.rng.choice(TWO_NAMES)
    people = [one for one in demo.players if one.name not in TWO_NAMES or one.name == used]
    return sorted(people, key=lambda player: ranks[player.pk])[:number]


def start_tournament(
    demo: Demo, programme: Programme, people: Sequence[Player], now: datetime, season: Season
) -> Tournament:
    by = demo.by(now)
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
        by=by,
    )
    put_in_season(tournament_id=tournament.pk, season_id=season.pk, by=by)
    if programme.teams:
        teams = [team.pk for team in demo.teams[: programme.teams]]
        entered = enter_teams(tournament_id=tournament.pk, teams=teams, by=by)
        if programme.movement == Movement.KNOCKOUT:
            seeds = {entrant.pk: seed for seed, entrant in enumerate(entered, start=1)}
            seed_entrants(tournament_id=tournament.pk, seeds=seeds, by=by)
    else:
        enter_players(tournament_id=tournament.pk, players=[one.pk for one in people], by=by)
    return tournament


def finish(demo: Demo, tournament: Tournament, now: datetime) -> list[Tie]:
    """Make the standing official, and return the ties for a prize."""
    finished = finish_tournament(tournament_id=tournament.pk, by=demo.by(now))
    return open_ties(finished, standings(finished).rows)


def resolve_ties(demo: Demo, tournament: Tournament, ties: Iterable[Tie], now: datetime) -> None:
    """Resolve each tie for a prize in a random way."""
    for tie in ties:
        order = [entrant for entrant, _ in tie.entrants]
        demo.rng.shuffle(order)
        how = demo.rng.choice(list(TieResolution))
        seed, by = demo.rng.randrange(LOT_NUMBERS), demo.by(now)
        resolve_tie(tournament_id=tournament.pk, how=how, order=order, seed=seed, by=by)


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
            # Here an entrant is a player, never a team: ``or 0`` is for the type checker.
            leave(night_id=night_id, players=[latest.player_id or 0], by=demo.by(now))
        now += timedelta(minutes=6)
    return now


def seat(demo: Demo, tournament: Tournament, night_id: int, now: datetime) -> Round:
    """Seat the playing entrants by the tournament's movement."""
    return seat_round(
        tournament_id=tournament.pk,
        entrants=list(tournament.entrants.playing().values_list("pk", flat=True).order_by("pk")),
        movement=tournament.movement,
        by=demo.by(now),
        rng=demo.rng,
        night_id=night_id,
        length=tournament.hands or tournament.games,
    )


def play_round(
    demo: Demo, opened: Round, now: datetime, *, most: Callable[[int], int] | None = None
) -> datetime:
    """Report the hands of every table, and return the time of the last one.

    *most* returns the largest number of hands of a table, by its number; by default all are played.
    """
    ends = (
        play_table(demo, sitting, now, most(sitting.number) if most else None)
        for sitting in opened.sittings.order_by("number")
    )
    return max(ends, default=now)


def play_table(demo: Demo, sitting: Sitting, now: datetime, most: int | None) -> datetime:
    """Report at most *most* hands of a sitting (one table in one round); return when it ends."""
    number = 0
    while most is None or number < most:
        table = lock_table(sitting_id=sitting.pk)
        if table.finished or number > _MOST_HANDS:
            break
        seats = sorted(table.stints, key=lambda stint: stint.place)
        players = dict(sitting.seats.values_list("place", "player"))
        skills = [demo.skills.get(players[seat.place], 0.5) for seat in seats]
        number = table.coming_number
        now += timedelta(seconds=demo.rng.randint(240, 540))
        report_hand(
            token=sitting.token,
            submission=Submission(
                entry=demo.new_entry(),
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
    """Return the sheet (the answers that a table writes down) of one hand played by bots.

    *skills*, by seat, are the probabilities that the better of two bots has the seat.
    """
    if game.play is None:
        raise ValueError(f"{game.slug} cannot be played by bots")
    bots = game.play.bots
    seated = [bots["steady" if rng.random() < skill else "beginner"] for skill in skills]
    packs = shuffled(game.play, session, rng)
    # Of all moves only the last one is needed: after it the hand is finished.
    *_, last = play_hand(game.play, session, packs, bots=seated, rng=rng)
    # Only what a table would write down: required answers and the dealer.
    names = {"dealer", *(asked.name for asked in game.questions(session) if asked.required)}
    sheet = game.play.fill_sheet(last.after)
    return {name: answer for name, answer in sheet.items() if name in names}
