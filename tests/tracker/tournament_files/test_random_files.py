"""Random tournaments of every game, in which everything happens: the same bytes and pages elsewhere."""

from collections.abc import Callable, Iterator
from contextlib import suppress
from random import Random
from types import MappingProxyType
from typing import Any
from uuid import UUID

import pytest
from django.db import transaction
from django.test import Client

from games import catalogue
from games.errors import RuleError
from tests import make, toy
from tests.drilled import FULL
from tests.tracker import sheets
from tests.tracker.tournament_files.elsewhere import read
from tracker.models import (
    AwardKind,
    CallReason,
    Hand,
    Issue,
    IssueKind,
    Movement,
    ResultType,
    Round,
    Seat,
    Sitting,
    Substitution,
)
from tracker.nights.services.closing import close_round
from tracker.results.services.calls import call_organiser
from tracker.results.services.corrections import RESTORE, STRIKE, correct_sitting
from tracker.results.services.issues import query_hand
from tracker.results.services.recount import recount
from tracker.results.services.report_hand import Submission, report_hand
from tracker.results.services.result_only import record_result_type
from tracker.results.services.settling import IssueOutcome, settle
from tracker.results.services.table_actions import choose_dealer
from tracker.seating.services.clocks import start_clock
from tracker.seating.services.draws import draw_rounds, publish_draws
from tracker.seating.services.round_opening import seat_round
from tracker.seating.services.rounds import undo_round
from tracker.seating.services.seat_swaps import substitute, swap_seats
from tracker.standings.services.standings import give_award, withdraw_award
from tracker.tournament_files.queries.export import tournament_file
from tracker.tournament_files.services.importing import import_tournament
from tracker.tournaments.services.entering import enter_players, enter_teams, withdraw

pytestmark = pytest.mark.django_db

GAMES = [
    ("albastini", "4t2"),
    ("albastini", "5i"),
    ("briscola", "4t2"),
    ("briscola", "2i"),
    ("dalmuti", "4i"),
    ("mambassa", "4i"),
    ("dash", "4t2"),
]


@pytest.fixture(autouse=True)
def _the_toy_game_too(monkeypatch: pytest.MonkeyPatch) -> None:
    games = {**catalogue.GAMES, toy.GAME.slug: toy.GAME}
    monkeypatch.setattr(catalogue, "GAMES", MappingProxyType(games))


class Event:
    """A tournament of some rounds; whatever is refused on the way does not happen."""

    def __init__(self, game: str, mode: str, rng: Random) -> None:
        self.rng, self.game = rng, game
        rules = catalogue.GAMES[game]
        self.mode = rules.mode(mode, rules.default_options())
        teams = not self.mode.individual and rng.random() < 0.4
        self.tournament = make.tournament(
            game,
            mode,
            teams=teams,
            name=rng.choice(["Friday Cup", "Kombe la “Ijumaa” – 🏆", "C'est %d"]),
            substitution=rng.choice([*Substitution]),
            hands=None if rules.round_in_games else 3,
            games=1 if rules.round_in_games else None,
        )
        club = self.tournament.club
        names = [f"{name} {rng.choice('KMJ')}." for name in NAMES]
        people = [make.player(name, club=club) for name in names]
        if teams:
            size = len(self.mode.sides[0])
            pairs = [people[at : at + size] for at in range(0, 12, size)]
            keys = [make.team(*pair).pk for pair in pairs]
            enter_teams(tournament_id=self.tournament.pk, teams=keys, by=make.actor())
        else:
            keys = [player.pk for player in people[: rng.randrange(8, 11)]]
            enter_players(tournament_id=self.tournament.pk, players=keys, by=make.actor())
        self.others = [person.pk for person in people]

    def play(self) -> None:
        for _ in range(self.rng.randrange(1, 4)):
            self._round()
        with suppress(RuleError):
            draw_rounds(tournament_id=self.tournament.pk, by=make.actor(), rng=self.rng)
            publish_draws(tournament_id=self.tournament.pk, by=make.actor())

    def _round(self) -> None:
        rng, playing = self.rng, self.tournament.entrants.playing().order_by("pk")
        movement = rng.choice([Movement.FEWEST_REPEATS, Movement.BY_LOT, Movement.EQUALS])
        with suppress(RuleError), transaction.atomic():
            round_ = seat_round(
                tournament_id=self.tournament.pk,
                entrants=list(playing.values_list("pk", flat=True)),
                by=make.actor(),
                rng=rng,
                movement=movement,
            )
            for _ in range(rng.randrange(6, 20)):
                with suppress(RuleError), transaction.atomic():
                    rng.choice(HAPPENINGS)(self, rng.choice(list(round_.sittings.all())))
            self._end(round_)

    def _end(self, round_: Round) -> None:
        by = make.actor()
        match self.rng.randrange(6):
            case 0:
                undo_round(round_id=round_.pk, by=by, reason="Wrong seats")
            case 1:
                close_round(round_id=round_.pk, by=by, not_played=True)
            case _:
                close_round(round_id=round_.pk, by=by, anyway=True)

    # What can happen at a table

    def _sheet(self, sitting: Sitting) -> Any:
        if self.game not in sheets.MAKERS:
            return {"arrival": self.rng.sample(range(4), 3), "weather": "sun"}
        if self.rng.random() < 0.1:
            return sheets.bare(self.rng, self.game, self.mode.sides)
        return sheets.MAKERS[self.game](self.rng, self.mode.sides, sitting.session)

    def _send(self, sitting: Sitting, number: int, **more: Any) -> None:
        submission = Submission(
            entry=UUID(int=self.rng.getrandbits(128)),
            number=number,
            sheet=self._sheet(sitting),
            side=self.rng.choice([None, 0, 1]),
            **more,
        )
        device = self.rng.choice(["", "phone a", "phone b"])
        report_hand(token=sitting.token, submission=submission, by=make.actor(device=device))

    def report(self, sitting: Sitting) -> None:
        self._send(sitting, sitting.last_number + 1)

    def again(self, sitting: Sitting) -> None:
        self._send(sitting, max(1, sitting.last_number), is_next=False)

    def correct(self, sitting: Sitting) -> None:
        change = self.rng.choice([STRIKE, RESTORE, self._sheet(sitting)])
        number = self.rng.randrange(1, sitting.last_number + 2)
        correct_sitting(
            sitting_id=sitting.pk, changes={number: change}, reason="Counted", by=make.actor()
        )

    def settle(self, sitting: Sitting) -> None:
        about_hands = Issue.objects.exclude(kind=IssueKind.CALL)
        issue = about_hands.filter(sitting=sitting, settled_at=None).first()
        if issue:
            outcome = self.rng.choice([*IssueOutcome])
            sheet = self._sheet(sitting)
            settle(issue_id=issue.pk, outcome=outcome, sheet=sheet, reason="", by=make.actor())

    def query(self, sitting: Sitting) -> None:
        query_hand(token=sitting.token, number=1, note="Not so!\n“é” ", by=make.actor())

    def call(self, sitting: Sitting) -> None:
        call_organiser(token=sitting.token, reason=CallReason.RULING, note="", by=make.actor())

    def choose(self, sitting: Sitting) -> None:
        choose_dealer(token=sitting.token, place=self.rng.choice(sitting.may_deal), by=make.actor())

    def replace(self, sitting: Sitting) -> None:
        seat = self.rng.choice(list(Seat.objects.running().filter(sitting=sitting)))
        substitute(seat_id=seat.pk, player_id=self.rng.choice(self.others), by=make.actor())

    def swap(self, sitting: Sitting) -> None:
        seats = list(Seat.objects.running().filter(round=sitting.round_id))
        seat, other = self.rng.sample([seat.pk for seat in seats], 2)
        swap_seats(seats=(seat, other), by=make.actor())

    def award(self, _sitting: Sitting) -> None:
        entrant = self.rng.choice(list(self.tournament.entrants.all()))
        made = give_award(
            tournament_id=self.tournament.pk,
            entrant_id=entrant.pk,
            kind=AwardKind.AWARD,
            amount=self.rng.choice([2, None]),
            reason="Made the tea",
            by=make.actor(),
        )
        if self.rng.random() < 0.3:
            withdraw_award(tournament_id=self.tournament.pk, award_id=made.pk, by=make.actor())

    def leave(self, _sitting: Sitting) -> None:
        entrant = self.rng.choice(list(self.tournament.entrants.all()))
        withdraw(entrant_id=entrant.pk, by=make.actor())

    def assign(self, sitting: Sitting) -> None:
        record_result_type(
            sitting_id=sitting.pk,
            result_type=ResultType.WALKOVER,
            bare=0,
            times=1,
            reason="Nobody came",
            by=make.actor(),
        )

    def clock(self, sitting: Sitting) -> None:
        start_clock(round_id=sitting.round_id, minutes=30, by=make.actor())


NAMES = "Asha Neema Juma Baraka Zuwena Omari Sefu Rehema Kito Imani Zuri Amani".split()  # noqa: SIM905
HAPPENINGS: list[Callable[[Event, Sitting], None]] = [
    *([Event.report] * 8 + [Event.again] * 3 + [Event.correct] * 2),
    *(Event.settle, Event.query, Event.call, Event.choose, Event.replace, Event.swap),
    *(Event.award, Event.leave, Event.assign, Event.clock),
]


FEW = {"tournament", "dealers", "bracket"}
if FULL:
    FEW |= {"story", "hands", "schedule", "entrants", "why", "crosstable", "after"}


def seeds() -> Iterator[int]:
    yield from range(4 if FULL else 1)


@pytest.mark.parametrize(("game", "mode"), GAMES)
def test_a_random_tournament_is_the_same_elsewhere(client: Client, game: str, mode: str) -> None:
    hands = 0
    for seed in seeds():
        with transaction.atomic():
            event = Event(game, mode, Random(f"{seed} {game} {mode}"))
            event.play()
            name = event.tournament.club.name
            file, pages = tournament_file(event.tournament), read(client, event.tournament, FEW)
            hands += Hand.objects.count()
            transaction.set_rollback(True)
        with transaction.atomic():
            club = make.club(name)
            make.sitting(at=make.tournament(club=club))

            made = import_tournament(
                club_id=club.pk,
                content=file,
                choices=None,
                by=make.actor(),
                accept_differences=True,
            )

            assert tournament_file(made) == file
            assert recount(tournament_id=made.pk, by=make.actor()).findings == ()
            for page, words in read(client, made, FEW).items():
                assert words == pages[page], (seed, page)
            transaction.set_rollback(True)
    assert hands
