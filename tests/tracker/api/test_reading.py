"""What programs read: lists in pages, ETags, limits, and the page that documents it all."""

import re
from collections.abc import Iterator

import pytest
from django.core.cache import cache
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from tests import act, make
from tests.api_client import Kula, Problem
from tests.tracker.api.programs import in_process, program
from tracker.api.interface import LIMIT, api
from tracker.models import Club, ClubNight, Issue, Player, Season, Sitting, TokenScope

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _no_earlier_requests() -> Iterator[None]:
    """Forget how often these programs have asked: tokens have the same keys in every test."""
    cache.clear()
    yield
    cache.clear()


@pytest.fixture
def sitting(club: Club) -> Sitting:
    season = Season.objects.create(club=club, name="Winter")
    tournament = make.tournament(club=club, hands=4, season=season)
    make.night(club)
    sitting = make.sitting("Asha", "Neema", "Juma", "Baraka", at=tournament)
    make.report(sitting, {"eaten": [70, 50]})
    return sitting


def reads(sitting: Sitting) -> dict[str, str]:
    """Return the address of every operation that reads, with the keys of this table."""
    keys = {
        "club_id": sitting.round.tournament.club_id,
        "tournament_id": sitting.round.tournament_id,
        "round_id": sitting.round_id,
        "table_id": sitting.pk,
        "night_id": ClubNight.objects.get().pk,
        "season_id": Season.objects.get().pk,
        "player_id": Player.objects.get(name="Asha").pk,
    }
    return {
        path: path.removeprefix("/api/v1").format(**keys)
        for path, methods in api.get_openapi_schema()["paths"].items()
        if "get" in methods
    }


def test_a_cursor_stays_good_while_rows_come_and_go(club: Club) -> None:
    kula = Kula(in_process)
    first, second, *_rest = [make.player(name, club=club) for name in "ABCDE"]

    page = kula.get(f"/clubs/{club.pk}/players", limit=2)
    first.delete()
    make.player("F", club=club)
    rest = kula.get(f"/clubs/{club.pk}/players", limit=3, cursor=page["next"])
    last = kula.get(f"/clubs/{club.pk}/players", limit=3, cursor=rest["next"])

    assert [each["name"] for each in page["items"]] == ["A", "B"]
    assert page["next"] == second.pk
    assert [each["name"] for each in rest["items"]] == ["C", "D", "E"]
    assert ([each["name"] for each in last["items"]], last["next"]) == (["F"], None)
    assert (page["total"], rest["total"]) == (5, 5)


def test_what_has_not_changed_is_not_sent_again(sitting: Sitting) -> None:
    kula = program(sitting.round.tournament.club, TokenScope.READ)
    tagless = {"/api/v1/clubs"}
    for path, address in reads(sitting).items():
        status, headers, _ = kula.send("GET", f"/api/v1{address}", _bearer(kula), None)
        assert (status, "ETag" in headers) == (200, path not in tagless), path
        if path in tagless:
            continue
        unchanged = {**_bearer(kula), "If-None-Match": headers["ETag"]}
        assert kula.send("GET", f"/api/v1{address}", unchanged, None)[::2] == (304, b""), path
        stranger = {"If-None-Match": headers["ETag"]}
        assert kula.send("GET", f"/api/v1{address}", stranger, None)[0] == 200, path

    before = kula.get(f"/tables/{sitting.pk}")
    make.report(sitting, {"eaten": [60, 60]})
    after = kula.get(f"/tables/{sitting.pk}")

    assert (before["coming_number"], after["coming_number"]) == (2, 3)


def _bearer(kula: Kula) -> dict[str, str]:
    return {"Authorization": f"Bearer {kula.token}"}


# With a token; that itself is one statement, the revision one or two, the rest are the rows.
STATEMENTS = {
    "/api/v1/clubs": 3,
    "/api/v1/clubs/{club_id}": 3,
    "/api/v1/clubs/{club_id}/players": 5,
    "/api/v1/clubs/{club_id}/nights": 5,
    "/api/v1/clubs/{club_id}/tournaments": 5,
    "/api/v1/clubs/{club_id}/seasons": 5,
    "/api/v1/players/{player_id}": 4,
    "/api/v1/seasons/{season_id}": 8,
    "/api/v1/nights/{night_id}": 5,
    "/api/v1/tournaments/{tournament_id}": 3,
    "/api/v1/tournaments/{tournament_id}/rounds": 5,
    "/api/v1/rounds/{round_id}": 6,
    "/api/v1/tables/{table_id}": 6,
    "/api/v1/tournaments/{tournament_id}/hands": 6,
    "/api/v1/tables/{table_id}/hands": 7,
    "/api/v1/tournaments/{tournament_id}/standings": 9,
    "/api/v1/tournaments/{tournament_id}/dealers": 4,
}


def test_every_answer_takes_its_fixed_number_of_statements(
    sitting: Sitting, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    kula = program(sitting.round.tournament.club, TokenScope.READ)
    assert reads(sitting).keys() == STATEMENTS.keys()
    for people in (("Ali", "Bea", "Cleo", "Dan"), ()):  # once more with another table
        for path, address in reads(sitting).items():
            with django_assert_num_queries(STATEMENTS[path], info=path):
                kula.send("GET", f"/api/v1{address}", _bearer(kula), None)
        if people:
            other = make.sitting(*people, in_round=sitting.round)
            make.report(other, {"eaten": [70, 50]})
            make.report(sitting, {"eaten": [60, 60]})


def test_only_scorers_read_what_waits_for_the_organiser(sitting: Sitting) -> None:
    club = sitting.round.tournament.club
    nothing = {"issues": 0, "calls": 0, "unconfirmed_numbers": []}
    readers = ((Kula(in_process), None), (program(club, TokenScope.READ), None))
    for kula, told in (*readers, (program(club, TokenScope.REPORT), nothing)):
        [table] = kula.get(f"/rounds/{sitting.round_id}")["tables"]
        assert kula.get(f"/tables/{sitting.pk}")["to_do"] == table["to_do"] == told


def test_a_night_is_shown_without_the_secret_in_its_link_for_replies(sitting: Sitting) -> None:
    night = sitting.round.tournament.club.nights.get()
    kula = Kula(in_process)
    for path in (f"/nights/{night.pk}", f"/clubs/{night.club_id}/nights"):
        assert str(night.reply_id) not in str(kula.get(path))


def test_what_is_missing_later_does_not_hide_what_is_missing_earlier(sitting: Sitting) -> None:
    tournament = sitting.round.tournament
    act.close(sitting.round, anyway=True)
    later = make.sitting("Asha", "Neema", "Juma", "Baraka", at=tournament)
    for side, eaten in enumerate(([70, 50], [60, 60])):
        make.report(later, {"eaten": eaten}, number=1, side=side, device=str(side), is_next=False)
    assert Issue.objects.get().sitting == later

    first, today = (
        Kula(in_process).get(f"/tournaments/{tournament.pk}/standings", **after)
        for after in ({"round": 1}, {})
    )
    assert (first["complete"], first["missing"].split(",")[0]) == (False, "Round 1")
    assert (today["complete"], today["missing"].split(",")[0]) == (False, "Round 2")


def test_who_asks_too_often_is_told_when_to_come_again(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    kula, other = program(club, TokenScope.READ), program(club, TokenScope.READ)
    monkeypatch.setattr(LIMIT, "num_requests", 3)

    for _ in range(3):
        kula.get("/clubs")
    with pytest.raises(Problem, match="too many requests") as refused:
        kula.get("/clubs")
    _status, headers, _ = kula.send("GET", "/api/v1/clubs", _bearer(kula), None)
    other.get("/clubs")  # has a limit of its own

    assert refused.value.status == 429
    assert 0 < int(headers["Retry-After"]) <= 60


def test_the_documentation_has_every_operation_and_no_file_from_another_host() -> None:
    page = Client().get("/api/docs").content.decode()

    for path, methods in api.get_openapi_schema()["paths"].items():
        for method, operation in methods.items():
            assert f"{method.upper()} {path}" in page
            assert operation["operationId"], path
    assert not re.findall(r'(?:src|href)="(?:https?:)?//', page)
    assert api.get_openapi_schema()["openapi"].startswith("3.1")
