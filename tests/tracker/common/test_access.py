"""Who may see a club, and who may do what in it."""

from datetime import timedelta

import pytest
from django.contrib.auth.models import AnonymousUser
from django.http import Http404, HttpRequest, HttpResponse
from django.test import RequestFactory
from django.utils import timezone

from tests import make
from tests.reading import costs
from tracker.common.audit_log import log
from tracker.common.web import access
from tracker.common.web.devices import DEVICE, visitor
from tracker.models import Club, LogEntry, Role, Round, User

pytestmark = pytest.mark.django_db


def request(user: User | None = None, path: str = "/here/?page=2") -> HttpRequest:
    made = RequestFactory().get(path)
    made.user = user or AnonymousUser()
    return made


def test_the_role_is_asked_for_once_a_request() -> None:
    club = make.club()
    asking = request(make.user(role=Role.SCORER, club=club))

    with costs(1):
        assert access.context(asking, club)["may_organise"] is False
        assert access.may(asking, club, Role.SCORER)


def test_a_row_its_club_and_the_role_there_come_in_one_query() -> None:
    round_ = make.round_of(make.tournament())
    asking = request(make.user(role=Role.ORGANISER, club=round_.tournament.club))

    with costs(1):
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
