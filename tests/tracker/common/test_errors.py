"""Pages for when something is not as it should be, and the look behind the site."""

import pytest
from django.contrib import admin
from django.core.exceptions import SuspiciousOperation
from django.http import HttpRequest, HttpResponse
from django.template.loader import get_template
from django.test import Client, RequestFactory
from django.urls import path
from django.views import defaults
from pytest_django.asserts import assertContains

from tests import make
from tracker.config.urls import urlpatterns as the_site
from tracker.models import LogEntry, Report, Role, User


def fall_over(request: HttpRequest) -> HttpResponse:
    raise LookupError("a bug")


def suspicious(request: HttpRequest) -> HttpResponse:
    raise SuspiciousOperation


urlpatterns = [*the_site, path("bug/", fall_over), path("suspicious/", suspicious)]


@pytest.mark.django_db
def test_a_wrong_address_leads_on(client: Client) -> None:
    page = client.get("/clubs/999/?a=1")

    assertContains(page, "Nothing at this address", status_code=404)
    assertContains(page, "/sign-in/?next=/clubs/999/%3Fa%3D1", status_code=404)
    assertContains(client.get("/nowhere"), "Nothing at this address", status_code=404)


@pytest.mark.django_db
def test_a_page_for_others_leads_on(client: Client) -> None:
    club = make.club()
    client.force_login(make.user(role=Role.SCORER, club=club))

    page = client.get(f"/clubs/{club.pk}/edit/")

    assertContains(page, "This page is for those who run the club", status_code=403)
    assertContains(page, 'href="/"', status_code=403)


@pytest.mark.django_db
def test_a_form_from_elsewhere_is_told_how_to_go_on() -> None:
    page = Client(enforce_csrf_checks=True).post("/sign-in/", {"username": "asha"})

    assertContains(page, "Please send that again", status_code=403)


@pytest.mark.urls(__name__)
def test_a_bug_is_ours_and_needs_no_database(
    client: Client,
) -> None:
    client.raise_request_exception = False

    page = client.get("/bug/")  # this test has no database: a query would fail it

    assertContains(page, "That is our fault", status_code=500)


@pytest.mark.urls(__name__)
def test_what_cannot_be_read_is_told(client: Client) -> None:
    assertContains(client.get("/suspicious/"), "That did not arrive properly", status_code=400)


def test_the_bare_pages_know_nothing_of_a_request() -> None:
    request = RequestFactory().get("/")

    for page in [defaults.server_error(request), defaults.bad_request(request, Exception())]:
        assert b'href="/static/tracker/kula.css"' in page.content
        assert b"style=" not in page.content
        assert b"<script" not in page.content


@pytest.mark.parametrize("name", ["400.html", "500.html"])
def test_the_bare_pages_render_by_themselves(name: str) -> None:
    assert "<h1>" in get_template(name).render()


# Behind the site ------------------------------------------------------------------------------


@pytest.mark.django_db
def test_what_the_site_keeps_is_read_and_not_changed(rf: RequestFactory) -> None:
    request = rf.get("/")
    request.user = User.objects.create_superuser("owner")
    changeable = {
        kind._meta.object_name
        for kind, shown in admin.site._registry.items()
        if kind._meta.app_label == "tracker"
        and (
            shown.has_add_permission(request)
            or shown.has_change_permission(request)
            or shown.has_delete_permission(request)
        )
    }

    assert {LogEntry, Report} <= set(admin.site._registry)
    assert changeable == {"User", "Membership"}


@pytest.mark.django_db
def test_every_list_behind_the_site_opens(client: Client) -> None:
    sitting = make.sitting()
    LogEntry.objects.create(club=sitting.round.tournament.club, verb="tried", at=make.NOON)
    client.force_login(User.objects.create_superuser("owner"))

    for kind in admin.site._registry:
        opened = client.get(f"/admin/{kind._meta.app_label}/{kind._meta.model_name}/")
        assert opened.status_code == 200
    shown = client.get(f"/admin/tracker/sitting/{sitting.pk}/change/")
    assert sitting.token not in shown.text
