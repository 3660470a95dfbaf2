"""Random tournaments of every game, in which everything happens: the same bytes and pages elsewhere."""

from contextlib import suppress
from datetime import datetime
from random import Random
from types import MappingProxyType

import pytest
from django.db import transaction
from django.test import Client

from games import catalogue
from games.errors import RuleError
from tests import act, make, toy
from tests.drilled import FULL
from tests.tracker import sheets
from tests.tracker.evenings.acts import ACTS, OFTEN
from tests.tracker.evenings.club import Evenings
from tests.tracker.tournament_files.elsewhere import read
from tracker.models import Hand, RoundState, Tournament
from tracker.nights.services.closing import Unconfirmed
from tracker.results.services.recount import recount
from tracker.seating.services.clocks import start_clock
from tracker.seating.services.draws import publish_draws
from tracker.tournament_files.queries.export import tournament_file
from tracker.tournament_files.services.importing import import_tournament

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
NAMES = ["Friday Cup", "Kombe la “Ijumaa” – 🏆", "C'est %d"]
# What happens to the people of a club, or to the tournament as a whole, is no part of its file.
HAPPENINGS = [
    name
    for name in OFTEN
    if name not in {"rename", "merge", "tell_apart", "erase", "move_house", "finish"}
]
FEW = {"tournament", "dealers", "bracket"}
if FULL:
    FEW |= {"story", "hands", "schedule", "entrants", "why", "crosstable", "after"}


@pytest.fixture(autouse=True)
def _the_toy_game_too(monkeypatch: pytest.MonkeyPatch) -> None:
    games = {**catalogue.GAMES, toy.GAME.slug: toy.GAME}
    monkeypatch.setattr(catalogue, "GAMES", MappingProxyType(games))
    monkeypatch.setitem(
        sheets.MAKERS,
        toy.GAME.slug,
        lambda dice, _sides, _session: {"arrival": dice.sample(range(4), 3), "weather": "sun"},
    )


def played(game: str, mode: str, dice: Random) -> tuple[Tournament, datetime]:
    """Return a tournament of some rounds, and a draw, and what time it is by then.

    What is refused on the way does not happen.
    """
    club = Evenings(game, mode, dice)
    Tournament.objects.update(name=dice.choice(NAMES))
    for name in ("seat", "report", *dice.choices(HAPPENINGS, k=dice.randrange(20, 50))):
        with suppress(RuleError), transaction.atomic():
            ACTS[name](club, dice)
    for round_ in club.tournament.rounds.filter(state=RoundState.OPEN):
        start_clock(round_id=round_.pk, minutes=30, by=club.by())
        act.close(round_, anyway=True, unconfirmed=Unconfirmed.LEAVE, by=club.by())
    club.tournament.refresh_from_db()
    with suppress(RuleError), transaction.atomic():
        act.draw(club.tournament)
        publish_draws(tournament_id=club.tournament.pk, by=club.by())
    return club.tournament, club.now


@pytest.mark.parametrize(("game", "mode"), GAMES)
def test_a_random_tournament_is_the_same_elsewhere(client: Client, game: str, mode: str) -> None:
    hands = 0
    for seed in range(4 if FULL else 1):
        with transaction.atomic():
            tournament, now = played(game, mode, Random(f"{seed} {game} {mode}"))
            name = tournament.club.name
            file, pages = tournament_file(tournament), read(client, tournament, FEW)
            hands += Hand.objects.count()
            transaction.set_rollback(True)
        with transaction.atomic():
            club, by = make.club(name), make.actor(at=now)
            make.sitting(at=make.tournament(club=club))

            made = import_tournament(
                club_id=club.pk,
                content=file,
                choices=None,
                by=by,
                accept_differences=True,
            )

            assert tournament_file(made) == file
            assert recount(tournament_id=made.pk, by=by).findings == ()
            for page, words in read(client, made, FEW).items():
                assert words == pages[page], (seed, page)
            transaction.set_rollback(True)
    assert hands
