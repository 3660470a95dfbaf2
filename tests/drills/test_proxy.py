"""On the internet, behind the proxy that https needs: addresses are people's, and nobody's say-so.

The proxy of the drill speaks plain http, as one that ended https would to the site. It adds
whom it speaks for, as proxies do, and takes what a stranger wrote there along.
"""

import http.client
import os
import re
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.cookies import SimpleCookie
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import urlencode

import pytest

from tests.serving import PATIENCE, Site, serving

PROXY = "127.0.0.9"
OWNER, STRANGER = "127.0.0.21", "127.0.0.22"
HOST = "kula.example"
PASSWORD = "karata-na-chai"


@contextmanager
def proxy(port: int) -> Iterator[int]:
    """Run a proxy before the site on *port* and return its own port."""

    class Forwarding(BaseHTTPRequestHandler):
        def _pass_on(self) -> None:
            headers = {
                key: value for key, value in self.headers.items() if key != "X-Forwarded-For"
            }
            said = [*self.headers.get_all("X-Forwarded-For", []), str(self.client_address[0])]
            # First, as some proxies do it: what follows would overrule it, if it were read as well.
            headers = {"X-Forwarded-For": ", ".join(said), "X-Forwarded-Proto": "https", **headers}
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            link = http.client.HTTPConnection(
                "127.0.0.1", port, timeout=PATIENCE, source_address=(PROXY, 0)
            )
            link.request(self.command, self.path, body, headers)
            answer = link.getresponse()
            page = answer.read()
            self.send_response_only(answer.status)
            for key, value in answer.getheaders():
                if key.lower() not in {"transfer-encoding", "connection", "content-length"}:
                    self.send_header(key, value)
            self.send_header("Content-Length", str(len(page)))
            self.end_headers()
            self.wfile.write(page)
            link.close()

        do_GET = do_POST = _pass_on  # noqa: N815

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Forwarding)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield server.server_address[1]
    finally:
        server.shutdown()
        server.server_close()
        thread.join(PATIENCE)


class Visitor:
    """A browser at an address of its own, which keeps its cookies."""

    def __init__(self, port: int, address: str, said: str = "") -> None:
        self.port, self.address = port, address
        self.headers = {"Host": HOST, **({"X-Forwarded-For": said} if said else {})}
        self.cookies: dict[str, str] = {}

    def ask(self, method: str, path: str, sent: Mapping[str, str] | None = None) -> Any:
        link = http.client.HTTPConnection(
            "127.0.0.1", self.port, timeout=PATIENCE, source_address=(self.address, 0)
        )
        headers = dict(self.headers, Cookie="; ".join(f"{k}={v}" for k, v in self.cookies.items()))
        body = None
        if sent is not None:
            headers |= {
                "Content-Type": "application/x-www-form-urlencoded",
                "Origin": f"https://{HOST}",
            }
            body = urlencode({**sent, "csrfmiddlewaretoken": self.cookies.get("csrftoken", "")})
        link.request(method, path, body, headers)
        answer = link.getresponse()
        answer.page = answer.read().decode()  # type: ignore[attr-defined]
        link.close()
        for given in answer.headers.get_all("Set-Cookie") or []:
            for name, morsel in SimpleCookie(given).items():
                self.cookies[name] = morsel.value
        return answer

    def sign_in(self, password: str) -> int:
        """Open the form and send it: 302 is in, 200 is refused, 429 is locked out."""
        self.ask("GET", "/sign-in/")
        sent = {"username": "asha", "password": password}
        return int(self.ask("POST", "/sign-in/", sent).status)

    def enter_code(self, code: str) -> int:
        return int(self.ask("POST", "/card/", {"code": code}).status)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    named = {"KULA_URL": f"https://{HOST}", "KULA_PROXIES": f"{PROXY}, 192.0.2.0/24"}
    with serving(
        tmp_path_factory.mktemp("behind"), "--workers", "1", environment=named, within=PATIENCE
    ) as site:
        yield site


@pytest.fixture(scope="module")
def door(site: Site) -> Iterator[int]:
    """Make the owner by the link that was printed, and return the port of the proxy."""
    with proxy(site.port) as port:
        printed = re.search(rf"https://{re.escape(HOST)}(/first/\S+)", "".join(site.said))
        assert printed, "".join(site.said)
        owner = Visitor(port, OWNER)
        assert owner.ask("GET", printed[1]).status == 200
        sent = {"club_name": "Kula", "name": "Asha", "username": "asha"}
        made = owner.ask("POST", printed[1], {**sent, "password": PASSWORD, "again": PASSWORD})
        assert made.status == 302, made.page
        yield port


def test_a_strangers_wrong_passwords_lock_nobody_else_out(door: int) -> None:
    stranger = Visitor(door, STRANGER)

    answers = [stranger.sign_in("wrong") for _ in range(9)]

    assert answers[-1] == 429
    assert stranger.sign_in(PASSWORD) == 429
    assert Visitor(door, OWNER).sign_in(PASSWORD) == 302


def test_wrong_codes_of_one_stop_nobody_else(site: Site, door: int) -> None:
    stranger = Visitor(door, STRANGER)
    stranger.ask("GET", "/card/")
    # Another address every time would do it, if the left-most were believed.
    stranger.headers["X-Forwarded-For"] = "198.51.100.7, 192.0.2.7"

    answers = [stranger.enter_code("ZZZZ") for _ in range(31)]

    assert answers[-1] == 429
    owner = Visitor(door, OWNER)
    owner.ask("GET", "/card/")
    assert owner.enter_code("ZZZZ") == 200


def test_a_name_with_an_underscore_is_not_the_proxys_word(door: int) -> None:
    """Both would be one variable to the site, and what stands last there would be believed."""
    stranger = Visitor(door, STRANGER)
    stranger.ask("GET", "/card/")

    answers = []
    for number in range(31):
        stranger.headers["X_Forwarded_For"] = f"198.51.100.{number}"
        answers.append(stranger.enter_code("ZZZZ"))

    assert answers[-1] == 429


def test_who_is_no_proxy_is_not_believed(site: Site) -> None:
    """Straight to the site, with a new address in the header every time."""
    answers = []
    for number in range(10):
        liar = Visitor(site.port, STRANGER, said=f"198.51.100.{number}")
        liar.headers["X-Forwarded-Proto"] = "https"
        answers.append(liar.ask("GET", "/sign-in/"))

    assert {answer.status for answer in answers} == {301}
    assert {answer.headers["Location"] for answer in answers} == {f"https://{HOST}/sign-in/"}


def test_the_machine_itself_and_a_watcher_are_led_nowhere(site: Site) -> None:
    here = Visitor(site.port, "127.0.0.1")
    here.headers["Host"] = f"localhost:{site.port}"
    watcher = Visitor(site.port, STRANGER)
    watcher.headers["Host"] = "10.1.2.3"

    assert here.ask("GET", "/sign-in/").status == 200
    assert watcher.ask("GET", "/health/").status == 200


def test_phones_are_counted_as_people(site: Site, door: int) -> None:
    before = len(list((site.data / "phones").iterdir()))

    for last in range(31, 34):
        assert Visitor(door, f"127.0.0.{last}").ask("GET", "/sign-in/").status == 200

    assert len(list((site.data / "phones").iterdir())) == before + 3


@pytest.mark.skipif(os.name == "nt", reason="Windows has other ways to keep a folder")
def test_the_folder_of_a_running_site_is_the_owners_alone(site: Site, door: int) -> None:
    Visitor(door, STRANGER).ask("GET", "/nowhere/")  # so that there is a log

    paths = [site.data, site.data / "secret", *site.data.glob("kula.*")]

    open_to_others = {path.name: path.stat().st_mode & 0o077 for path in paths}
    assert {"secret", "kula.log"} <= open_to_others.keys()
    assert set(open_to_others.values()) == {0}
