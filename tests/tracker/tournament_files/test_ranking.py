"""What a tournament ranks by, in its file: lots, changes since the first hand, and earlier versions."""

from importlib import import_module
from types import SimpleNamespace
from typing import Any

import pytest
from django.apps import apps
from django.db import connection, transaction

from tests import make
from tests.one_file import from_elsewhere
from tests.tracker.standings.test_match_points import BY_TWO, ONE, play_round, swiss
from tracker.common.figures import placing
from tracker.models import Entrant, Tournament
from tracker.standings.queries.standings import standings
from tracker.tournament_files.logic.errors import InvalidFileError
from tracker.tournament_files.logic.packing import pack
from tracker.tournament_files.queries.export import document_of_tournament
from tracker.tournament_files.services.importing import import_tournament

pytestmark = pytest.mark.django_db

migration = import_module("tracker.migrations.0018_explained_standings")

CHANGE = {"at": "2026-11-20T12:00:00.000000Z", "round": 1, "before": ["won"], "after": ["lots"]}


def imported(document: dict[str, Any]) -> Tournament:
    return import_tournament(
        club_id=make.club("Ilala").pk, content=pack(document), choices=None, by=make.actor()
    )


def ranking(tournament: Tournament) -> list[tuple[str, str, bool]]:
    """Return the place and the name of each entrant, and whether they were expelled."""
    rows = standings(tournament).rows
    return [(placing(row.place, tied=row.tied), row.name, row.expelled) for row in rows]


def test_lots_changes_and_the_expelled_are_the_same_elsewhere() -> None:
    with transaction.atomic():
        tournament = swiss(8, tie_breaks=["lots"], lots_seed=2**63 - 1, ranking_changes=[CHANGE])
        play_round(tournament, ONE, ONE)
        gone = tournament.entrants.order_by("pk")[2]
        Entrant.objects.filter(pk=gone.pk).update(withdrawn_at=make.NOON, expelled=True)
        ties = [{"how": "lot", "order": list(tournament.entrants.values_list("pk", flat=True)[:2])}]
        Tournament.objects.update(tie_resolutions=ties)
        tournament.refresh_from_db()
        document, ranked = document_of_tournament(tournament), ranking(tournament)
        transaction.set_rollback(True)  # a tournament that is here already is not imported
    assert {place for place, _name, _expelled in ranked} == {f"{n}" for n in range(1, 9)}

    made = imported(dict(document))

    assert ranking(made) == ranked
    assert made.ranking_changes == [CHANGE]
    assert document_of_tournament(made) == document


def test_the_games_points_are_first_among_the_tie_breaks_of_earlier_files() -> None:
    tournament = swiss(4, tie_breaks=["victory_points", "twos"])
    play_round(tournament, ONE, BY_TWO)
    document, ranked = from_elsewhere(tournament), ranking(tournament)
    (stage,) = document["stages"]
    (round_,) = stage["rounds"]
    stage["tie_breaks"] = round_["published_standing"]["tie_breaks"] = ["twos"]
    for name in ("lots_seed", "ranking_changes"):
        del stage[name]
    for entrant in stage["entrants"]:
        del entrant["expelled"]

    made = imported({**document, "version": 3})

    published = made.rounds.get().published_standing or {}
    assert made.tie_breaks == published["tie_breaks"] == ["victory_points", "twos"]
    assert (ranking(made), made.lots_seed, made.ranking_changes) == (ranked, None, [])


def test_in_briscola_these_points_depend_on_whether_partners_change() -> None:
    for teams, points in ((True, "matches"), (False, "score")):
        tournament = make.tournament(
            "briscola", "4t2", teams=teams, hands=1, ranked_by="match_points", tie_breaks=["won"]
        )
        document = from_elsewhere(tournament)
        ranked_by = tournament.ranking("match_points")[0].key

        made = imported({**document, "version": 3})
        upgraded = Tournament.objects.filter(pk=tournament.pk)
        migration.put_game_points_first(apps, SimpleNamespace(connection=connection))

        assert made.tie_breaks == upgraded.get().tie_breaks == [points, "won"]
        assert ranked_by == points


def test_somebody_expelled_who_has_not_withdrawn_is_refused() -> None:
    tournament = swiss(4)
    document = from_elsewhere(tournament)
    document["stages"][0]["entrants"][1]["expelled"] = True

    with pytest.raises(InvalidFileError) as refused:
        imported(document)

    assert (refused.value.code, refused.value.where) == ("refused", "stages[0].entrants[1]")


@pytest.mark.parametrize(
    "drawn", [{"tie_breaks": ["lots"]}, {"tie_resolutions": [{"how": "lot", "order": [0, 1]}]}]
)
def test_lots_come_with_the_number_that_they_were_drawn_from(drawn: dict[str, Any]) -> None:
    document = from_elsewhere(swiss(4))
    document["stages"][0] |= {**drawn, "lots_seed": None}

    with pytest.raises(InvalidFileError, match="“lots_seed” is missing"):
        imported(document)
