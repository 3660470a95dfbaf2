"""What every answer tells the browser, in a hall on plain http and on the open internet."""

import gzip
import os
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from django.test import Client, override_settings

from tests import make, tour
from tests.serving import beside, furnish, run_python
from tests.tour import Tour
from tests.weighing import FIRST_LOAD, PAGE, Page, wire, with_all
from tracker.models import Role
from tracker.people.services.invitations import join_path

PUBLIC_URL = "https://kula.example"
pytestmark = pytest.mark.django_db


@pytest.fixture
def laid() -> Tour:
    return tour.lay()


def strangers_answers(client: Client, laid: Tour) -> Iterator[tuple[str, Any]]:
    """Yield an answer of every kind that is no page: refusals, redirects, pictures."""
    for name, path in {
        "no such page": "/nowhere/",
        "revoked": laid.revoked.get_absolute_url(),
        "picture": f"{laid.card.get_absolute_url()}qr.svg",
        "behind the site": "/admin/",
    }.items():
        yield name, client.get(path)
    yield "wrong method", client.put("/")
    yield "no token", Client(enforce_csrf_checks=True).post("/sign-in/")


def policy_of(answer: Any) -> dict[str, str]:
    rules = answer.headers.get("Content-Security-Policy", "").split(";")
    return dict(rule.strip().partition(" ")[::2] for rule in rules)


def lets_something_in(policy: Mapping[str, str]) -> bool:
    """Return whether anything but files of our own is let in: inline, evaluated, in a frame."""
    sources = {key: value for key, value in policy.items() if key.endswith("-src")}
    closed = {"default-src": "'none'", "base-uri": "'none'", "frame-ancestors": "'none'"}
    return (
        not closed.items() <= policy.items()
        or not {"script-src", "style-src", "img-src", "connect-src"} <= sources.keys()
        or not set(sources.values()) <= {"'self'", "'none'"}
        or policy.get("form-action") != "'self'"
    )


def test_every_answer_is_guarded_light_and_its_readers_alone(client: Client, laid: Tour) -> None:
    """What opens something is kept in no cache: there somebody finds the address of a table."""
    client.force_login(laid.member(Role.OWNER))
    guards = {
        "X-Frame-Options": "DENY",
        "X-Content-Type-Options": "nosniff",
        "Referrer-Policy": "same-origin",  # ``no-referrer`` would break the CSRF check
    }
    secrets = {
        laid.sitting.token,
        laid.card.card_token,
        laid.card.code,
        laid.night.door_token,
        str(laid.night.uid),
        join_path(laid.invitation.pk),
    }
    pages = {name: client.get(path) for name, path in laid.pages().items()}
    wrong: defaultdict[str, dict[str, object]] = defaultdict(dict)
    seen, weights = set(), {}

    for name, answer in {**pages, **dict(strangers_answers(client, laid))}.items():
        if lets_something_in(policy := policy_of(answer)):
            wrong["policy"][name] = policy
        if not guards.items() <= answer.headers.items():
            wrong["guards"][name] = answer.headers
    for name, page in pages.items():
        caches = page.headers.get("Cache-Control", "")
        shown = {secret for secret in secrets if secret and secret in page.text}
        seen |= shown
        if "private" not in caches:
            wrong["shared"][name] = caches
        if shown and "no-store" not in caches:
            wrong["storable"][name] = shown
        weight = wire(page.content)
        weights[name] = weight, with_all(Page(page.text), weight)
        if weight > PAGE or weights[name][1] > FIRST_LOAD:
            wrong["heavy"][name] = weights[name]

    assert wrong == {}
    assert seen == secrets
    assert max(whole for _page, whole in weights.values()) > 10_000  # the files were found
    assert all("Cookie" in pages[name].headers["Vary"] for name in ("desk", "club-edit"))


def test_pages_of_a_stranger_are_light(client: Client, laid: Tour) -> None:
    heavy = {}
    for name, path in laid.pages().items():
        page = client.get(path)
        weight = wire(page.content)
        if max(weight - PAGE, with_all(Page(page.text), weight) - FIRST_LOAD) > 0:
            heavy[name] = weight

    assert heavy == {}


def test_pages_are_sent_packed_and_padded(client: Client, laid: Tour) -> None:
    """Padding keeps what is secret on a page from being guessed by the packed length (BREACH)."""
    path = laid.pages()["tournament, albastini"]

    plain = client.get(path)
    packed = [client.get(path, headers={"accept-encoding": "gzip"}) for _ in range(12)]

    assert "Content-Encoding" not in plain.headers
    assert {answer.headers["Content-Encoding"] for answer in packed} == {"gzip"}
    assert {gzip.decompress(answer.content) for answer in packed} == {plain.content}
    lengths = {len(answer.content) for answer in packed}
    assert len(lengths) > 1
    assert max(lengths) < len(plain.content) / 2


def test_cookies_stay_on_this_site(client: Client, laid: Tour) -> None:
    client.post("/sign-in/", {"username": make.user("asha").username, "password": "cards"})
    client.get(laid.sitting.get_absolute_url())

    assert {"sessionid", "csrftoken", "kula_device"} <= client.cookies.keys()
    assert {cookie["samesite"] for cookie in client.cookies.values()} == {"Lax"}
    # The queue on the phone reads this one cookie when it sends late.
    assert {name for name, cookie in client.cookies.items() if not cookie["httponly"]} == {
        "csrftoken"
    }


# In a hall ------------------------------------------------------------------------------------


@override_settings(ALLOWED_HOSTS=["kula.test"])
def test_in_a_hall_people_sign_in_over_plain_http() -> None:
    """Chromium drops Secure cookies on http, and upgrades no address of a local network."""
    make.user("asha")
    phone = Client(enforce_csrf_checks=True, headers={"host": "kula.test"})
    page = phone.get("/sign-in/")
    token = phone.cookies["csrftoken"].value

    answer = phone.post(
        "/sign-in/",
        {"username": "asha", "password": "cards", "csrfmiddlewaretoken": token},
        headers={"origin": "http://kula.test"},
    )

    assert (page.status_code, answer.status_code) == (200, 302)
    assert "_auth_user_id" in phone.session
    assert not any(cookie["secure"] for cookie in phone.cookies.values())
    for name in ("Strict-Transport-Security", "Cross-Origin-Opener-Policy"):
        assert name not in page.headers
    assert "upgrade-insecure-requests" not in page.headers["Content-Security-Policy"]


def test_a_host_nobody_named_is_refused(client: Client) -> None:
    assert client.get("/sign-in/", headers={"host": "elsewhere.example"}).status_code == 400


def test_more_hosts_are_named_in_the_environment(tmp_path: Path) -> None:
    said = in_profile(
        tmp_path,
        "from django.conf import settings; print(settings.ALLOWED_HOSTS, settings.HTTPS)",
        {"KULA_HOSTS": "kula.test,192.168.1.20", "KULA_URL": "http://kula.local:8000"},
    )

    assert said == (
        "['localhost', '127.0.0.1', '[::1]', 'kula.local', 'kula.test', '192.168.1.20'] False"
    )


# On the open internet -------------------------------------------------------------------------

_VISIT = """
import django, sys
django.setup()
from django.test import Client
from tracker.models import User
User.objects.create_user("asha", password="cards")
plain = Client(headers={"host": "kula.example"}).get("/sign-in/")
print(plain.status_code, plain.headers["Location"])
safe = Client(
    enforce_csrf_checks=True,
    headers={"host": "kula.example", "x-forwarded-proto": "https"},
)
page = safe.get("/sign-in/")
print(page.status_code, page.headers["Strict-Transport-Security"])
print(page.headers["Cross-Origin-Opener-Policy"])
sent = {
    "username": "asha",
    "password": "cards",
    "csrfmiddlewaretoken": safe.cookies["csrftoken"].value,
}
print(safe.post("/sign-in/", sent, headers={"origin": "https://kula.example"}).status_code)
print(safe.post("/sign-out/", sent, headers={"origin": "https://elsewhere.example"}).status_code)
print(sorted((name, bool(cookie["secure"])) for name, cookie in safe.cookies.items()))
"""


def test_on_the_internet_everything_is_https(tmp_path: Path) -> None:
    furnish(tmp_path, "static", "kula.sqlite3")
    its_own = {"KULA_URL": PUBLIC_URL, "KULA_GATHERED": beside(tmp_path)["KULA_GATHERED"]}

    said = in_profile(tmp_path, _VISIT, its_own).splitlines()

    assert said == [
        "301 https://kula.example/sign-in/",
        "200 max-age=31536000",
        "same-origin",
        "302",
        "403",
        "[('csrftoken', True), ('sessionid', True)]",
    ]


@pytest.mark.parametrize(
    ("asked", "promised"),
    [
        ("subdomains", "max-age=31536000; includeSubDomains"),
        ("subdomains,preload", "max-age=31536000; includeSubDomains; preload"),
    ],
)
def test_https_promises_more_only_when_asked(tmp_path: Path, asked: str, promised: str) -> None:
    said = in_profile(tmp_path, _PROMISE, {"KULA_URL": PUBLIC_URL, "KULA_HSTS": asked})

    assert said == promised


_PROMISE = """
import django
django.setup()
from django.http import HttpResponse
from django.middleware.security import SecurityMiddleware
from django.test import RequestFactory
answer = SecurityMiddleware(lambda request: HttpResponse())
print(answer(RequestFactory().get("/", secure=True)).headers["Strict-Transport-Security"])
"""


def test_on_the_internet_django_has_nothing_to_complain_of(tmp_path: Path) -> None:
    done = run_python(
        *("-W", "error", "manage.py", "check", "--deploy", "--fail-level", "WARNING"),
        env=environment(tmp_path, {"KULA_URL": PUBLIC_URL}),
    )

    assert (done.returncode, done.stderr) == (0, "")


def environment(data: Path, more: Mapping[str, str]) -> dict[str, str]:
    """Return the environment of a site with its data in that folder, and none of this test's."""
    inherited = {
        key: value
        for key, value in os.environ.items()
        if not key.startswith(("KULA_", "DJANGO_", "PYTEST")) and key != "DATABASE_URL"
    }
    named = {"DJANGO_SETTINGS_MODULE": "tracker.config.settings", "KULA_DATA": str(data)}
    return {**inherited, **named, **more}


def in_profile(data: Path, script: str, more: Mapping[str, str]) -> str:
    """Run a script under the site's own settings in this environment, and return what it says."""
    done = run_python("-W", "error", "-c", script, env=environment(data, more))
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()
