"""An evening of the demo: who comes, what they play, and every hand of it, reported as phones do."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from random import Random
from typing import Any
from uuid import UUID

from games.game import AnyGame, Session
from games.play.playing import play_hand, shuffled
from tracker.common.actor import Actor
from tracker.management.demo.cast import TWICE
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
from tracker.tournaments.services.seating_terms import SeatingTerms
from tracker.tournaments.services.tournaments import Terms, make_tournament, put_in_season

PLACE = "Mtaa wa Pwani 7"


@dataclass(frozen=True, slots=True)
class Billing:
    """What is played on an evening: a game, its mode, people a table, and the length of a round."""

    game: str
    mode: str
    seats: int
    length: int
    rounds: int
    name: str
    teams: int = 0  # fixed ones that enter; none where everybody enters alone
    movement: Movement = Movement.FEWEST_REPEATS
    third_place: bool = False
    stages: bool = False  # what is played first only says who goes on
    one_leaves: bool = False


ALBASTINI = Billing("albastini", "4t2", 4, 6, 3, "Albastini")


@dataclass(kw_only=True)
class Teller:
    """State of the demo's story: the dice, the people, and when it happens."""

    rng: Random
    today: datetime
    began: datetime
    club: Club
    owner: User
    skills: dict[int, float] = field(default_factory=dict)
    players: list[Player] = field(default_factory=list)
    teams: list[Team] = field(default_factory=list)

    def by(self, at: datetime) -> Actor:
        """Return the owner, doing something at that time."""
        return Actor(at=at, user_id=self.owner.pk)

    def entry(self) -> UUID:
        return UUID(int=self.rng.getrandbits(128), version=4)


def who_plays(tell: Teller, billing: Billing) -> list[Player]:
    """Return who comes for this game: the teams it is for, or enough for a few tables."""
    if billing.teams:
        teams = tell.teams[: billing.teams]
        return [player for team in teams for player in team.roster.order_by("pk")]
    if billing.stages:
        return who_comes(tell, 4 * billing.seats)
    return who_comes(tell, billing.seats * tell.rng.randint(3, 5) + tell.rng.randint(0, 1))


def who_comes(tell: Teller, number: int) -> list[Player]:
    """Return who comes: the first of the list are seldom missing."""
    whim = {
        player.pk: rank * tell.rng.uniform(0.2, 1.6) for rank, player in enumerate(tell.players)
    }
    # Whoever was written down twice comes once.
    once = tell.rng.choice(TWICE)
    there = [player for player in tell.players if player.name not in TWICE or player.name == once]
    return sorted(there, key=lambda player: whim[player.pk])[:number]


def start_tournament(
    tell: Teller, billing: Billing, people: Sequence[Player], now: datetime, season: Season
) -> Tournament:
    tournament = make_tournament(
        club_id=tell.club.pk,
        name=f"{billing.name}, {now.day} {now:%b %Y}",
        game=billing.game,
        mode=billing.mode,
        format_=Format.TEAMS if billing.teams else Format.PLAYERS,
        length=billing.length,
        terms=Terms(
            planned=billing.rounds,
            seating=SeatingTerms(movement=billing.movement, third_place=billing.third_place),
        ),
        people=len(people),
        by=tell.by(now),
    )
    put_in_season(tournament_id=tournament.pk, season_id=season.pk, by=tell.by(now))
    if billing.teams:
        teams = [team.pk for team in tell.teams[: billing.teams]]
        entered = enter_teams(tournament_id=tournament.pk, teams=teams, by=tell.by(now))
        if billing.movement == Movement.KNOCKOUT:
            seeds = {entrant.pk: seed for seed, entrant in enumerate(entered, start=1)}
            seed_entrants(tournament_id=tournament.pk, seeds=seeds, by=tell.by(now))
    else:
        players = [player.pk for player in people]
        enter_players(tournament_id=tournament.pk, players=players, by=tell.by(now))
    return tournament


def finish(tell: Teller, tournament: Tournament, now: datetime) -> list[Tie]:
    """Make the standing official, and return who is level for a prize."""
    made = finish_tournament(tournament_id=tournament.pk, by=tell.by(now))
    return open_ties(made, standings(made).rows)


def settle(tell: Teller, tournament: Tournament, ties: Iterable[Tie], now: datetime) -> None:
    """Say of prizes in every way there is who got them."""
    for tie in ties:
        order = [entrant for entrant, _ in tie.entrants]
        tell.rng.shuffle(order)
        how = tell.rng.choice(list(TieResolution))
        resolve_tie(tournament_id=tournament.pk, how=how, order=order, by=tell.by(now))


def play(
    tell: Teller, tournament: Tournament, billing: Billing, now: datetime, *, night_id: int
) -> datetime:
    """Play all rounds of a tournament and return when the last one closed."""
    for number in range(1, billing.rounds + 1):
        opened = seat(tell, tournament, night_id, now)
        now = play_round(tell, opened, now)
        close_round(round_id=opened.pk, by=tell.by(now), anyway=True)
        if billing.one_leaves and number == 1:
            latest = tournament.entrants.latest("pk")
            withdraw(entrant_id=latest.pk, by=tell.by(now))
            leave(night_id=night_id, players=[latest.player_id or 0], by=tell.by(now))
        now += timedelta(minutes=6)
    return now


def seat(tell: Teller, tournament: Tournament, night_id: int, now: datetime) -> Round:
    """Seat the entrants who play on, by the tournament's movement."""
    playing = tournament.entrants.playing()
    return seat_round(
        tournament_id=tournament.pk,
        entrants=list(playing.values_list("pk", flat=True).order_by("pk")),
        movement=tournament.movement,
        by=tell.by(now),
        rng=tell.rng,
        night_id=night_id,
        hands=tournament.hands,
        games=tournament.games,
    )


def play_round(
    tell: Teller, opened: Round, now: datetime, *, most: Callable[[int], int] | None = None
) -> datetime:
    """Report every table's hands, or the first *most* of a table's number."""
    end = now
    for sitting in opened.sittings.order_by("number"):
        at = play_table(tell, sitting, now, most(sitting.number) if most else None)
        end = max(end, at)
    return end


def play_table(tell: Teller, sitting: Sitting, now: datetime, most: int | None) -> datetime:
    number = 0
    while most is None or number < most:
        table = lock_table(sitting_id=sitting.pk)
        if table.finished or number > 60:
            break
        seats = sorted(table.stints, key=lambda stint: stint.place)
        players = dict(sitting.seats.values_list("place", "player"))
        skills = [tell.skills.get(players[seat.place], 0.5) for seat in seats]
        number = table.coming_number
        now += timedelta(seconds=tell.rng.randint(240, 540))
        report_hand(
            token=sitting.token,
            submission=Submission(
                entry=tell.entry(),
                number=number,
                sheet=finished_hand(table.game, table.resume_session(), skills, tell.rng),
                side=0,
            ),
            by=Actor(at=now, device=f"phone-{sitting.pk}"),
        )
    return now


def finished_hand(
    game: AnyGame, session: Session, skills: Sequence[float], rng: Random
) -> Mapping[str, Any]:
    """Return the sheet of one hand of these people, played by the bots; the rules accept it."""
    if game.play is None:
        raise ValueError(f"{game.slug} cannot be played by bots")
    bots = game.play.bots
    seated = [bots["steady" if rng.random() < skill else "beginner"] for skill in skills]
    packs = shuffled(game.play, session, rng)
    *_, last = play_hand(game.play, session, packs, bots=seated, rng=rng)
    # Only what a table would write down: who counts the tricks remembers no bids.
    asked = {question.name for question in game.questions(session) if question.required}
    sheet = game.play.fill_sheet(last.after)
    return {name: answer for name, answer in sheet.items() if name in asked or name == "dealer"}
