"""A club whose evenings go on: who is there, what was sent, and what an act may look for."""

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from random import Random
from typing import Any, TypeAlias
from uuid import UUID

from django.db import transaction

from games import catalogue
from games.game import FirstDealer
from tests import make
from tests.tracker import sheets
from tracker.common.actor import Actor
from tracker.models import (
    Confirm,
    Hand,
    RestCredit,
    Role,
    Round,
    RoundState,
    Sitting,
    Substitution,
)
from tracker.results.services.report_hand import ASK, Submission, SubmissionResult, report_hand
from tracker.tournaments.queries import rankings_for
from tracker.tournaments.services.entering import enter_players, enter_teams

NAMES = "Asha Neema Juma Baraka Zuwena Omari Sefu Rehema Kito Imani Zuri Amani".split()  # noqa: SIM905
DEVICES = {"phone a": 0, "phone b": 1, "phone c": None}


class Evenings:
    """A club with a tournament that goes on; ``sent`` is what its tables were answered."""

    def __init__(self, game: str, mode: str, dice: Random) -> None:
        self.before = transaction.savepoint()
        self.now = make.NOON
        self.club = make.club()
        self.organiser = make.user(role=Role.ORGANISER, club=self.club)
        self.people = [make.player(name, club=self.club) for name in NAMES]
        self.sent: list[tuple[str, Submission, Actor, SubmissionResult]] = []
        rules = catalogue.GAMES[game]
        shape = rules.mode(mode, rules.default_options())
        teams = not shape.individual and dice.random() < 0.4
        in_games = rules.round_in_games or dice.random() < 0.1
        self.tournament = make.tournament(
            game,
            mode,
            club=self.club,
            teams=teams,
            substitution=dice.choice([*Substitution]),
            confirm=dice.choice([*Confirm]),
            hands=None if in_games else dice.choice([3, 5, None]),
            games=dice.choice([1, 2]) if in_games else None,
            ranked_by=dice.choice([*rankings_for(rules, rules.default_options())]),
            rest_credit=dice.choice([*RestCredit][:2]),
        )
        key = self.tournament.pk
        if teams:
            size = len(shape.sides[0])
            pairs = [self.people[at : at + size] for at in range(0, 4 * size, size)]
            enter_teams(tournament_id=key, teams=[make.team(*p).pk for p in pairs], by=self.by())
        else:
            # A single table is ranked otherwise than several.
            count = min(len(self.people), shape.seats * dice.choice([1, 2, 2]) + dice.randrange(2))
            players = [player.pk for player in self.people[:count]]
            enter_players(tournament_id=key, players=players, by=self.by())

    def by(self, device: str = "", *, organiser: bool = False) -> Actor:
        """Return who acts, a minute later than whoever did before."""
        self.now += timedelta(minutes=1)
        return self.at(self.now, device, organiser=organiser)

    def at(self, moment: datetime, device: str = "", *, organiser: bool = False) -> Actor:
        return make.actor(self.organiser if organiser else None, at=moment, device=device)

    @property
    def rounds(self) -> list[Round]:
        return list(self.tournament.rounds.order_by("pk"))

    def sittings(self, *states: RoundState) -> list[Sitting]:
        """Return the tables of rounds that are in one of these *states*."""
        tables = Sitting.objects.filter(round__tournament=self.tournament, round__state__in=states)
        return list(tables.select_related("round").order_by("pk"))

    def sheet(self, dice: Random, sitting: Sitting) -> sheets.Sheet:
        """Return a sheet, usually a counted one that fits the coming hand."""
        game, sides = self.tournament.game, self.sides(sitting)
        if dice.randrange(8) == 0:
            sheet = sheets.bare(dice, game, sides)
        else:
            sheet = sheets.MAKERS[game](dice, sides, sitting.session)
        seats = sum(map(len, sides))
        if dice.randrange(5) != 0:
            return sheet
        named = dice.randrange(seats)
        drawn = self.tournament.rules.first_dealer is FirstDealer.DRAWN
        return {**sheet, "dealer": None if drawn and dice.randrange(3) == 0 else named}

    def sides(self, sitting: Sitting) -> Sequence[Sequence[int]]:
        rules = self.tournament.rules
        return rules.mode(sitting.mode, rules.resume_options(sitting.options)).sides

    def send(self, dice: Random, sitting: Sitting, number: int, **more: Any) -> SubmissionResult:
        device = more.pop("device", None) or dice.choice([*DEVICES])
        submission = Submission(
            entry=UUID(int=dice.getrandbits(128)),
            number=number,
            sheet=more.pop("sheet", None) or self.sheet(dice, sitting),
            side=DEVICES.get(device),
            **more,
        )
        by = self.by(device)
        if dice.randrange(4) == 0:  # it waited for the table's lock, and looked at the clock before
            by = self.at(by.at - timedelta(seconds=70), device)
        answer = report_hand(token=sitting.token, submission=submission, by=by)
        if answer.verdict != ASK:
            self.sent.append((sitting.token, submission, by, answer))
        return answer


Act: TypeAlias = Callable[[Evenings, Random], None]


def running(club: Evenings, dice: Random) -> Sitting | None:
    """Return a table that is being played, if any is."""
    tables = club.sittings(RoundState.OPEN)
    return dice.choice(tables) if tables else None


def some_table(club: Evenings, dice: Random) -> Sitting | None:
    """Return a table of any round, usually of one that counts."""
    states = [RoundState.OPEN, RoundState.CLOSED]
    tables = club.sittings(*states, *([RoundState.UNDONE] if dice.randrange(10) == 0 else []))
    return dice.choice(tables) if tables else None


def some_hand(club: Evenings, dice: Random) -> Hand | None:
    sitting = running(club, dice)
    hands = Hand.objects.filter(sitting=sitting).select_related("accepted_report", "sitting")
    offered: list[Hand | None] = [*hands.order_by("number"), None]
    return dice.choice(offered)
