"""What a tournament ranks by: chosen when it is made, kept, and changed by nothing but its own act."""

from importlib import import_module
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from django.apps import apps
from django.db import connection

import tracker
from tests import make
from tracker.models import (
    Award,
    AwardKind,
    CarryOver,
    LogEntry,
    Round,
    RoundState,
    Tournament,
)

pytestmark = pytest.mark.django_db


def played(tournament: Tournament, *sizes: int, state: RoundState = RoundState.CLOSED) -> None:
    """Lay tables of these sizes in a round, of which a standing hung on the wall."""
    round_ = make.round_of(tournament, published_standing={"standing": []})
    for number, seats in enumerate(sizes, start=1):
        make.sitting(
            *(f"{number}{letter}" for letter in "abcdefgh"[:seats]),
            in_round=round_,
            mode=f"{seats}i",
            number=number,
        )
    Round.objects.filter(pk=round_.pk).update(state=state)


def test_an_upgrade_keeps_what_every_tournament_and_round_was_ranked_by() -> None:
    """Before, it followed from the tables: of one size or several, one or more of them at once."""
    club = make.club()

    def begun(name: str, *rounds: tuple[int, ...], **more: Any) -> None:
        tournament = make.tournament("dalmuti", "4i", club=club, name=name, **more)
        for sizes in rounds:
            played(tournament, *sizes)

    begun("one table", (4,), (4,))
    begun("several", (4,), (4, 4), (4,))
    begun("sizes differ", (4,), (4, 4), (4, 5), (4, 4))
    begun("nobody yet")
    begun("odd tables to come", leftover="odd_table")
    begun("one goes on", (4,), follows=Tournament.objects.get(name="one table"), stage="Final",
          carry_over=CarryOver.ALL)  # fmt: skip
    taken_back = make.tournament("mambassa", "4i", club=club, name="taken back")
    played(taken_back, 4)
    played(taken_back, 3, 4, state=RoundState.UNDONE)
    several = make.tournament(club=club, name="another game")
    played(several)
    award = Award.objects.create(
        tournament=several,
        entrant=make.entrant(make.player("Asha", club=club), at=several),
        kind=AwardKind.AWARD,
        amount=2,
        reason="Tea",
    )
    LogEntry.objects.create(club=club, at=make.NOON, verb="award-given", on={"award": award.pk})

    [file] = Path(tracker.__file__).parent.glob("migrations/*_ranked_by.py")
    migration = import_module(f"tracker.migrations.{file.stem}")
    editor = SimpleNamespace(connection=connection)
    migration.rank_as_before(apps, editor)
    migration.date_awards(apps, editor)

    assert {
        each.name: (
            each.ranked_by,
            [
                (round_.published_standing or {}).get("ranked_by")
                for round_ in each.rounds.order_by("number")
            ],
        )
        for each in Tournament.objects.all()
    } == {
        "one table": ("game", ["game", "game"]),
        "several": ("points", ["game", "points", "points"]),
        "sizes differ": ("share", ["game", "points", "share", "share"]),
        "nobody yet": ("game", []),
        "odd tables to come": ("share", []),
        "one goes on": ("points", ["points"]),
        "taken back": ("game", ["game", "game"]),
        "another game": ("game", [None]),
    }
    award.refresh_from_db()
    assert award.given_at == make.NOON
