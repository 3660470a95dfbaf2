"""Whoever asks for a page again when nothing has moved is answered by two statements at most."""

import os
import re
from collections.abc import Iterator
from multiprocessing import get_context
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from django.http import HttpResponse
from django.middleware.csrf import _does_token_match  # type: ignore[attr-defined]
from django.test import Client, RequestFactory
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries, Settings

from tests import make, tour
from tracker.common.web import polling
from tracker.common.web.polling import POLL_HEADER
from tracker.models import Membership, Role, User
from tracker.results.services.report_hand import Submission, report_hand

pytestmark = pytest.mark.django_db
_CSRF = re.compile('name="csrfmiddlewaretoken" value="([^"]+)"')


@pytest.fixture(autouse=True)
def still(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no minute end between two looks."""
    monkeypatch.setattr(polling, "time", lambda: 0.0)


def watched_pages(laid: tour.Tour) -> dict[str, str]:
    """Return the path of every page that follows what is played."""
    of_tournament = ("tournament", "dealers", "bracket", "crosstable", "tournament-display")
    paths = {name: reverse(name, args=[laid.tournament.pk]) for name in of_tournament}
    return paths | {
        "desk": reverse("desk", args=[laid.tournament.pk]),
        "club": laid.club.get_absolute_url(),
        "my-table": reverse("my-table", args=[laid.club.pk]),
        "night": laid.night.get_absolute_url(),
        "night-display": reverse("night-display", args=[laid.night.pk]),
        "table": laid.sitting.get_absolute_url(),
    }


def read(client: Client, path: str) -> Any:
    """Open a page in a browser that has been here before, and has its cookies."""
    client.get(path)
    return client.get(path)


def again(client: Client, path: str, page: Any, **headers: str) -> Any:
    """Ask for a page that is known already, as the script on it does."""
    return client.get(
        path, headers={"If-None-Match": page.headers["ETag"], POLL_HEADER: "1", **headers}
    )


def tag(client: Client, path: str) -> str:
    return client.get(path, headers={POLL_HEADER: "1"}).headers["ETag"]


@pytest.mark.parametrize("role", [None, Role.MEMBER, Role.ORGANISER])
def test_a_page_on_which_nothing_moved_costs_two_statements(
    client: Client,
    role: Role | None,
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    laid = tour.lay()
    if role:
        client.force_login(make.user(role=role, club=laid.club))
    client.get(laid.sitting.get_absolute_url())  # a phone is given its name
    asked = 0

    for path in watched_pages(laid).values():
        page = client.get(path)
        if page.status_code != 200:
            continue  # no bracket, a desk for strangers, a table of one's own
        with django_assert_num_queries(2 if role else 1):  # the session, the revision
            answer = again(client, path, page)
        asked += 1

        assert (answer.status_code, answer.content) == (304, b"")
        assert "Cookie" in answer.headers["Vary"]
        assert answer.headers["Cache-Control"] == page.headers["Cache-Control"]
    assert asked >= 8


def test_a_hand_moves_all_that_shows_it(client: Client) -> None:
    laid = tour.lay()
    client.force_login(make.user(role=Role.ORGANISER, club=laid.club))
    table = laid.tables["briscola"]
    pages = [
        table.get_absolute_url(),
        table.round.tournament.get_absolute_url(),
        reverse("desk", args=[table.round.tournament_id]),
        laid.club.get_absolute_url(),
    ]
    before = [tag(client, path) for path in pages]

    report_hand(
        token=table.token,
        submission=Submission(entry=uuid4(), number=3, sheet={"points": [61, 59]}, side=None),
        by=make.actor(),
    )

    assert not {*before} & {tag(client, path) for path in pages}


def test_another_reader_is_answered_anew(client: Client) -> None:
    cup = make.tournament()
    path = cup.get_absolute_url()
    page = client.get(path)
    organiser, other = Client(), Client()
    organiser.force_login(make.user(role=Role.ORGANISER, club=cup.club))
    other.cookies["kula_device"] = "another"

    assert again(client, path, page).status_code == 304
    assert again(organiser, path, page).status_code == 200
    assert again(other, path, page).status_code == 304  # a page that is everybody's
    assert again(client, f"{path}?round=1", page).status_code == 404
    table = make.sitting(at=cup).get_absolute_url()
    page = read(client, table)
    assert again(client, table, page).status_code == 304
    assert again(other, table, page).status_code == 200


def test_who_may_read_no_longer_is_not_told_that_nothing_moved(client: Client) -> None:
    owner, member = make.user(), make.user()
    club = make.club(public=False)
    for user, role in ((owner, Role.OWNER), (member, Role.MEMBER)):
        Membership.objects.create(club=club, user=user, role=role)
    client.force_login(member)
    path = make.tournament(club=club).get_absolute_url()
    page = read(client, path)

    assert again(client, path, page).status_code == 304
    Membership.objects.filter(user=member).delete()
    assert again(client, path, page).status_code == 404


@pytest.mark.parametrize("change", [{"is_active": False}, {"password": "another"}])
def test_who_is_signed_in_no_longer_is_answered_anew(
    client: Client, change: dict[str, Any]
) -> None:
    user = make.user(role=Role.SCORER, club=make.club())
    cup = make.tournament(club=user.memberships.get().club)
    client.force_login(user)
    path = reverse("desk", args=[cup.pk])
    page = client.get(path)

    User.objects.filter(pk=user.pk).update(**change)

    assert again(client, path, page).status_code == 302


def test_what_waits_to_be_told_is_told_by_a_page_and_not_to_a_look(client: Client) -> None:
    organiser = make.user(role=Role.ORGANISER, club=make.club())
    cup = make.tournament(club=organiser.memberships.get().club)
    make.sitting(at=cup)
    client.force_login(organiser)
    path = reverse("desk", args=[cup.pk])
    known = read(client, path)
    client.post(path, {"do": "official"})  # refused, in a message

    looked = again(client, path, known)
    whole = client.get(path, headers={"If-None-Match": known.headers["ETag"]})

    assert looked.status_code == 304
    assert (whole.status_code, "ETag" in whole.headers) == (200, False)
    assert 'class="messages"' in whole.text


def test_some_of_a_page_changes_by_the_clock_alone(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = make.tournament().get_absolute_url()
    tags = set()
    for minute in range(20):
        monkeypatch.setattr(polling, "time", lambda at=minute: at * 60.0)
        tags.add(tag(client, path))

    assert len(tags) in {2, 3}


def test_tables_that_are_not_there_have_no_tag(client: Client) -> None:
    for path in ("/t/forged/", f"/tournaments/{2**70}/", "/tournaments/7/", "/c/forged/"):
        answer = client.get(path, headers={"If-None-Match": "*"})

        assert (answer.status_code, "ETag" in answer.headers) == (404, False)


def test_a_page_that_is_everybodys_is_drawn_once_for_all_who_are_not_signed_in(
    settings: Settings, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    settings.SHARED_PAGES = 3
    cup = make.tournament()
    table = make.sitting(at=cup)
    path, organiser = cup.get_absolute_url(), Client()
    organiser.force_login(make.user(role=Role.ORGANISER, club=cup.club))
    first = Client().get(path)

    with django_assert_num_queries(1):
        second = Client().get(path)
    assert first.content == second.content
    assert not first.cookies
    assert "csrfmiddlewaretoken" not in first.text
    assert reverse("desk", args=[cup.pk]) in organiser.get(path).text
    assert Client().get(f"{path}?_export=csv").headers["Content-Type"].startswith("text/csv")
    assert Client().get(f"{path}?_export=csv").headers["Content-Type"].startswith("text/csv")

    make.report(table, {"eaten": [70, 50]})
    assert Client().get(path).content != first.content
    for number in range(6):
        Client().get(f"{path}?other={number}")
    assert len(polling._rendered) == 3


def test_what_is_kept_for_everybody_has_nothing_of_a_reader() -> None:
    laid = tour.lay()
    names = ("tournament", "dealers", "crosstable")
    for path in [reverse(name, args=[laid.tournament.pk]) for name in names]:
        client = Client()
        client.cookies["kula_side"], client.cookies["kula_i_am"] = "1", str(laid.player.pk)
        page, other = client.get(path), Client().get(path)

        assert (page.content, page.cookies) == (other.content, other.cookies)
        assert "csrfmiddlewaretoken" not in page.text


def test_a_club_is_drawn_once_for_all_phones_of_which_nobody_said_whose_they_are(
    settings: Settings, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    settings.SHARED_PAGES = 3
    laid = tour.lay()
    path, first, second, own = laid.club.get_absolute_url(), Client(), Client(), Client()
    own.cookies["kula_i_am"] = str(laid.player.pk)
    pages = [first.get(path)]

    with django_assert_num_queries(1):
        pages.append(second.get(path))
    tokens = [_CSRF.findall(page.text) for page in pages]
    assert [len(each) for each in tokens] == [1, 1]
    assert tokens[0] != tokens[1]
    for client, [token] in zip((first, second), tokens, strict=True):
        assert _does_token_match(token, client.cookies["csrftoken"].value)
    assert len({_CSRF.sub("", page.text) for page in pages}) == 1
    assert f"{laid.player.name}: " in own.get(path).text
    assert f"{laid.player.name}: " not in Client().get(path).text
    organiser = Client()
    organiser.force_login(make.user(role=Role.ORGANISER, club=laid.club))
    assert "Run tonight" in organiser.get(path).text
    assert "Run tonight" not in Client().get(path).text


@pytest.fixture
def shared_file(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    settings.SHARED_PAGES = 3
    monkeypatch.setattr(polling, "_shared_file", [])
    polling.share_between_processes()
    yield
    polling._shared_file[0].close()


def test_processes_that_were_forked_render_a_page_once(shared_file: None, tmp_path: Path) -> None:
    rendered = tmp_path / "rendered"
    fork = get_context("fork")
    together = fork.Barrier(4)

    def render() -> HttpResponse:
        with rendered.open("a") as lines:
            lines.write("once\n")
        return HttpResponse("<p>A page</p>" * 50_000)

    def ask(number: int) -> None:
        together.wait(60)
        page = polling._rendered_once(RequestFactory().get("/"), 'W/"tag"', render)
        (tmp_path / f"page{number}").write_bytes(page.content)

    processes = [fork.Process(target=ask, args=(number,)) for number in range(4)]
    for process in processes:
        process.start()
    for process in processes:
        process.join(60)

    assert [process.exitcode for process in processes] == [0] * 4
    assert rendered.read_text() == "once\n"
    assert {(tmp_path / f"page{n}").read_bytes() for n in range(4)} == {render().content}


def test_what_another_process_kept_is_read_whole_or_not_at_all(
    shared_file: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(polling, "_SLOTS", 1)
    assert polling._read_shared("one") == b""
    polling._write_shared("one", b"page of one")
    assert polling._read_shared("one") == b"page of one"
    assert polling._read_shared("two") == b""

    polling._write_shared("two", b"page of two")
    polling._write_shared("three", b"x" * polling._SLOT)  # has no room
    assert [polling._read_shared(tag) for tag in ("one", "two", "three")] == [
        b"",
        b"page of two",
        b"",
    ]
    os.pwrite(polling._shared_file[0].fileno(), b"X", polling._HEAD.size)
    assert polling._read_shared("two") == b""
