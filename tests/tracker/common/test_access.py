"""Who may see a club, and who may do what in it."""

from datetime import timedelta

import pytest
from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.test import RequestFactory
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from tests import make
from tracker.common.audit_log import log
from tracker.common.web import access
from tracker.common.web.devices import DEVICE, visitor
from tracker.models import Club, LogEntry, Role, Round, User

pytestmark = pytest.mark.django_db


def request(user: User | None = None, path: str = "/here/?page=2") -> HttpRequest:
    made = RequestFactory().get(path)
    made.user = user or AnonymousUser()
    return made


@pytest.mark.parametrize("role", [None, *Role])
def test_everybody_reads_a_public_club(role: Role | None) -> None:
    club = make.club()
    user = make.user(role=role, club=club) if role else None

    assert access.club(request(user), club.pk) == club


def test_a_private_club_is_not_there_for_strangers() -> None:
    club = make.club(public=False)

    for stranger in [None, make.user(), make.user(role=Role.OWNER)]:
        with pytest.raises(Http404):
            access.club(request(stranger), club.pk)


@pytest.mark.parametrize("role", Role)
def test_a_private_club_is_there_for_its_own(role: Role) -> None:
    club = make.club(public=False)
    member = make.user(role=role, club=club)

    assert access.club(request(member), club.pk) == club


@pytest.mark.parametrize(
    ("held", "asked", "enough"),
    [
        (Role.OWNER, Role.OWNER, True),
        (Role.OWNER, Role.ORGANISER, True),
        (Role.OWNER, Role.SCORER, True),
        (Role.ORGANISER, Role.OWNER, False),
        (Role.ORGANISER, Role.ORGANISER, True),
        (Role.ORGANISER, Role.SCORER, True),
        (Role.SCORER, Role.OWNER, False),
        (Role.SCORER, Role.ORGANISER, False),
        (Role.SCORER, Role.SCORER, True),
    ],
)
def test_a_higher_role_holds_the_lower_ones(held: Role, asked: Role, enough: bool) -> None:
    club = make.club()
    asking = request(make.user(role=held, club=club))

    assert access.may(asking, club, asked) is enough
    if enough:
        assert access.club(asking, club.pk, asked) == club
    else:
        with pytest.raises(PermissionDenied):
            access.club(asking, club.pk, asked)


def test_a_role_in_one_club_is_none_in_another() -> None:
    asking = request(make.user(role=Role.OWNER))

    assert not access.may(asking, make.club("Kariakoo"), Role.SCORER)


def test_the_role_is_asked_for_once_a_request(
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    club = make.club()
    asking = request(make.user(role=Role.SCORER, club=club))

    with django_assert_num_queries(1):
        assert access.context(asking, club)["may_organise"] is False
        assert access.may(asking, club, Role.SCORER)


@pytest.mark.parametrize("public", [True, False])
def test_who_is_not_signed_in_learns_nothing_but_to_sign_in(public: bool) -> None:
    there = make.club(public=public)

    for club_id in [there.pk, there.pk + 1]:
        with pytest.raises(access.SignInNeeded):
            access.club(request(), club_id, Role.SCORER)


def test_a_tournament_is_as_open_as_its_club() -> None:
    tournament = make.tournament(club=make.club(public=False))
    organiser = make.user(role=Role.ORGANISER, club=tournament.club)

    opened = access.tournament(request(organiser), tournament.pk, Role.ORGANISER)

    assert opened == tournament
    for stranger, key in [(None, tournament.pk), (organiser, tournament.pk + 1)]:
        with pytest.raises(Http404):
            access.tournament(request(stranger), key)


@pytest.mark.parametrize("asked", [None, Role.ORGANISER])
def test_a_row_is_as_open_as_its_club_however_far_that_is(asked: Role | None) -> None:
    round_ = make.round_of(make.tournament(club=make.club(public=False)))
    club = round_.tournament.club
    organiser = make.user(role=Role.ORGANISER, club=club)

    def get(user: User, key: int) -> Round:
        return access.get(request(user), Round.objects, key, asked, club_path="tournament__club")

    assert get(organiser, round_.pk).tournament.club == club
    for stranger, key in [(make.user(), round_.pk), (organiser, round_.pk + 1)]:
        with pytest.raises(Http404):
            get(stranger, key)


def test_a_row_its_club_and_the_role_there_come_in_one_query(
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    round_ = make.round_of(make.tournament())
    asking = request(make.user(role=Role.ORGANISER, club=round_.tournament.club))

    with django_assert_num_queries(1):
        access.get(asking, Round.objects, round_.pk, Role.ORGANISER, club_path="tournament__club")


def test_a_row_of_no_club_is_nobodys() -> None:
    log_entry = log(make.actor(), "club-made", club_id=None)

    with pytest.raises(Http404):
        access.get(request(make.user(role=Role.OWNER)), LogEntry.objects, log_entry.pk)


def test_whoever_acts_is_known_by_login_and_device() -> None:
    user = make.user()
    asking = request(user)
    asking.COOKIES[DEVICE] = "phone"

    by = access.actor(asking)

    assert (by.user_id, by.device) == (user.pk, "phone")
    assert abs(timezone.now() - by.at) < timedelta(seconds=5)


def test_who_is_not_signed_in_acts_only_where_nobody_need_be() -> None:
    assert visitor(request()).user_id is None
    with pytest.raises(access.SignInNeeded):
        access.actor(request())


@access.page
def organisers_page(request: HttpRequest, club: Club) -> HttpResponse:
    access.check(request, club, Role.ORGANISER)
    return HttpResponse("welcome")


def test_a_page_leads_to_signing_in_and_back() -> None:
    club = make.club()

    answer = organisers_page(request(), club)

    assert (answer.status_code, answer["Location"]) == (302, "/sign-in/?next=/here/%3Fpage%3D2")


@pytest.mark.parametrize(
    ("referer", "back"),
    [
        ("http://testserver/desk/?a=1", "/desk/"),
        ("http://elsewhere.test/desk/", "/close/"),
        ("", "/close/"),
    ],
)
def test_after_a_form_the_way_back_is_the_page_it_stood_on(referer: str, back: str) -> None:
    posted = RequestFactory().post("/close/", headers={"Referer": referer})
    posted.user = AnonymousUser()

    answer = organisers_page(posted, make.club())

    assert answer["Location"] == f"/sign-in/?next={back}"


def test_a_page_is_open_to_whoever_holds_the_role() -> None:
    club = make.club()

    answer = organisers_page(request(make.user(role=Role.ORGANISER, club=club)), club)

    assert answer.content == b"welcome"
