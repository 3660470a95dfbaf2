"""Whose word is taken for who asks and over what, and what plain http is led to https."""

import pytest
from django.http import HttpRequest, HttpResponse
from django.test import RequestFactory
from pytest_django import Settings

from tracker.config import environment
from tracker.config.middleware import Proxies, to_https

PROXY, PERSON, STRANGER = "10.0.0.1", "203.0.113.5", "198.51.100.9"


def seen(request: HttpRequest) -> HttpRequest:
    """Return the request as whatever lies behind the middleware sees it."""
    passed: list[HttpRequest] = []

    def look(request: HttpRequest) -> HttpResponse:
        passed.append(request)
        return HttpResponse()

    Proxies(look)(request)
    return passed[0]


@pytest.fixture(autouse=True)
def _trusted(settings: Settings) -> None:
    settings.TRUSTED_PROXIES = environment.networks("10.0.0.0/8, 2001:db8::1")
    settings.SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")


def asked(sender: str, said: str, proto: str = "https") -> HttpRequest:
    headers = {"x-forwarded-for": said, "x-forwarded-proto": proto}
    return RequestFactory().get("/", headers=headers, REMOTE_ADDR=sender)


@pytest.mark.parametrize(
    ("said", "address"),
    [
        (PERSON, PERSON),
        (f"{STRANGER}, {PERSON}", PERSON),
        (f"{STRANGER},{PERSON} , 10.9.9.9", PERSON),
        ("10.1.1.1, 10.2.2.2", "10.1.1.1"),
        (f"::ffff:{PERSON}", PERSON),
        ("2001:db8::7, 2001:db8::1", "2001:db8::7"),
        # Nobody left of what cannot be read is believed.
        (f"{STRANGER}, unknown", PROXY),
        (f"{STRANGER}, unknown, 10.3.3.3", "10.3.3.3"),
        ("", PROXY),
        ("<script>", PROXY),
    ],
)
def test_behind_a_trusted_proxy_the_rightmost_who_is_none_is_the_person(
    said: str, address: str
) -> None:
    assert seen(asked(PROXY, said)).META["REMOTE_ADDR"] == address


@pytest.mark.parametrize("sender", [PROXY, f"::ffff:{PROXY}", "2001:db8::1"])
def test_a_trusted_proxy_says_what_is_https(sender: str) -> None:
    assert seen(asked(sender, PERSON)).is_secure()
    assert not seen(asked(sender, PERSON, proto="http")).is_secure()


@pytest.mark.parametrize("sender", [STRANGER, "127.0.0.1", "2001:db8::2", ""])
def test_nobody_else_is_believed(sender: str) -> None:
    request = seen(asked(sender, PERSON))

    assert request.META["REMOTE_ADDR"] == sender
    assert not request.is_secure()
    assert "X-Forwarded-For" not in request.headers


def test_a_proxy_that_was_not_named_is_logged_once(
    settings: Settings, caplog: pytest.LogCaptureFixture
) -> None:
    settings.HTTPS = True
    proxies = Proxies(lambda _: HttpResponse())

    for last in (7, 7, 8, 9, 10, 11, 12, 13):
        proxies(asked(f"198.51.100.{last}", PERSON))

    assert [record.getMessage().rpartition(" ")[2] for record in caplog.records] == [
        f"198.51.100.{last}" for last in range(7, 12)
    ]


# Plain http -----------------------------------------------------------------------------------


def answered(request: HttpRequest) -> str:
    answer = to_https(lambda _: HttpResponse())(request)
    return answer.headers.get("Location", str(answer.status_code))


@pytest.fixture
def _https(settings: Settings) -> None:
    settings.HTTPS, settings.SITE_URL = True, "https://kula.example"
    settings.ALLOWED_HOSTS = ["*"]


@pytest.mark.usefixtures("_https")
@pytest.mark.parametrize(
    ("host", "sender"),
    [
        ("kula.example", PERSON),
        ("kula.example", "127.0.0.1"),
        ("localhost:8000", PERSON),
        ("192.168.1.7:8000", "192.168.1.9"),
        ("localhost.kula.example", "127.0.0.1"),
    ],
)
def test_plain_http_is_led_to_the_sites_own_address(host: str, sender: str) -> None:
    request = RequestFactory().get("/card/?a=1", headers={"host": host}, REMOTE_ADDR=sender)

    assert answered(request) == "https://kula.example/card/?a=1"


@pytest.mark.usefixtures("_https")
@pytest.mark.parametrize("host", ["localhost:8000", "127.0.0.1:8000", "localhost", "[::1]:8000"])
def test_the_sites_own_machine_is_let_be(host: str) -> None:
    request = RequestFactory().get("/", headers={"host": host}, REMOTE_ADDR="127.0.0.1")

    assert answered(request) == "200"


@pytest.mark.usefixtures("_https")
def test_a_proxy_on_this_machine_that_hides_the_sites_name_is_not_the_machine(
    settings: Settings,
) -> None:
    settings.TRUSTED_PROXIES = environment.networks("127.0.0.1")
    request = asked("127.0.0.1", "127.0.0.1", proto="http")
    request.META["HTTP_HOST"] = "127.0.0.1:8000"

    assert answered(seen(request)) == "https://kula.example/"


def test_without_https_nothing_is_redirected(settings: Settings) -> None:
    settings.HTTPS = False

    assert answered(RequestFactory().get("/", REMOTE_ADDR=PERSON)) == "200"
