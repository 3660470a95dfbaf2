"""The API by its schema: Schemathesis sends what the schema allows, and what it does not.

No answer is a 5xx or one that the schema lacks, and a refused request changes no row. A few hundred
requests by default, five thousand and more with ``KULA_DRILLS=full``.
"""

import json
import subprocess
import threading
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from copy import deepcopy
from itertools import chain
from pathlib import Path
from typing import Any
from wsgiref.simple_server import WSGIRequestHandler, make_server
from wsgiref.types import StartResponse, WSGIEnvironment

import pytest
from django.core.wsgi import get_wsgi_application
from django.db import connection
from django.test import Client

from tests import api_clubs, machine, tour
from tests.api_clubs import ClubWithPrograms
from tests.drilled import FULL
from tracker.api.interface import LIMIT
from tracker.models import Role, TokenScope

pytestmark = pytest.mark.django_db(transaction=True)

# How often each operation is tried by one program, and how many requests there are at least.
EXAMPLES, LEAST = (20, 5_000) if FULL else (5, 300)
# In full also what is systematically wrong with each part of a request, and chains of requests.
PHASES = "coverage,fuzzing,stateful" if FULL else "fuzzing"
# What the rules of a game refuse, the schema cannot say; and of the ids, only the narrow one knows.
UNFIT, UNFIT_IF_NARROW = "positive_data_acceptance", "negative_data_rejection"
EVERY_ACT = {"DELETE people"} | {
    f"POST {act}" for act in ("people", "draw", "publish", "rounds", "hands", "close")
}
SEED = 7


class Watched:
    """The site as a WSGI application, which looks after each request at what it did to the rows."""

    def __init__(self) -> None:
        self.site = get_wsgi_application()
        self.tables = connection.introspection.table_names()
        self.rows = self.read_rows()
        self.asked: Counter[str] = Counter()  # by the header with the token
        self.acts: set[str] = set()  # which were accepted, as "POST draw"
        self.found: list[str] = []

    def read_rows(self) -> dict[str, int]:
        """Return a fingerprint of the rows of every table."""
        prints = {}
        with connection.cursor() as cursor:
            for table in self.tables:
                cursor.execute(f"SELECT * FROM {connection.ops.quote_name(table)}")
                prints[table] = hash(repr(cursor.fetchall()))
        return prints

    def __call__(self, environ: WSGIEnvironment, respond: StartResponse) -> Iterable[bytes]:
        statuses = []

        def note(status: str, headers: list[tuple[str, str]], *more: Any) -> Any:
            statuses.append(int(status[:3]))
            return respond(status, headers, *more)

        answer: Any = self.site(environ, note)
        body = b"".join(answer)
        answer.close()
        [status], rows = statuses, self.read_rows()
        self.asked[environ.get("HTTP_AUTHORIZATION", "")] += 1
        reads, refused = environ["REQUEST_METHOD"] == "GET", status >= 400
        if not (reads or refused):
            self.acts.add(_act(environ["REQUEST_METHOD"], environ["PATH_INFO"]))
        if rows != self.rows and (reads or (refused and not json.loads(body).get("kept"))):
            changed = [table for table in rows if rows[table] != self.rows[table]]
            request = f"{environ['REQUEST_METHOD']} {environ['PATH_INFO']}"
            self.found.append(f"{request}: {status}, and yet it changed {', '.join(changed)}")
        self.rows = rows
        return [body]


def _act(method: str, path: str) -> str:
    """Return the name of an act: "DELETE people" for both addresses of people at a night."""
    return f"{method} {[part for part in path.split('/') if part.isalpha()][-1]}"


class _Quiet(WSGIRequestHandler):
    def log_message(self, *_: object) -> None:
        pass


@contextmanager
def serving(site: Watched) -> Iterator[str]:
    """Serve the site, one request after another, and yield its address."""
    with make_server("127.0.0.1", 0, site, handler_class=_Quiet) as server:

        def serve() -> None:
            server.serve_forever(poll_interval=0.05)
            connection.close()

        thread = threading.Thread(target=serve)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()


def narrow(schema: Any, *clubs: ClubWithPrograms) -> Any:
    """Return the schema with only ids that exist and sheets that games have: else most is a 404."""
    schema = deepcopy(schema)
    ids = [club.all_ids() for club in clubs]
    for methods in schema["paths"].values():
        for operation in methods.values():
            for parameter in operation["parameters"]:
                if (name := parameter["name"]) in ids[0]:
                    values = [key for of_club in ids for key in of_club[name]]
                    parameter["schema"] = {"type": "integer", "enum": values}
    bodies = schema["components"]["schemas"]
    sheets = [sheet for _mode, of_game in tour.SHEETS.values() for sheet in of_game]
    bodies["ReportIn"]["properties"]["sheet"] = {"enum": sheets}
    bodies["ReportIn"]["properties"]["number"] = {"type": "integer", "minimum": 1, "maximum": 5}
    bodies["ArrivalsIn"]["properties"]["players"]["items"] = {"enum": ids[0]["player_id"]}
    return schema


def tried(schema: Any, folder: Path, url: str, headers: Mapping[str, str], *unfit: str) -> str:
    """Let Schemathesis try a schema by all its checks but the *unfit*; return what it found."""
    file = folder / "schema.json"
    file.write_text(json.dumps(schema))
    options = {
        "--url": url,
        "--phases": PHASES,
        "--exclude-checks": ",".join(unfit),
        "--max-examples": str(EXAMPLES),
        "--seed": str(SEED),
        "--request-timeout": "240",
        "--generation-database": "none",
        "--suppress-health-check": "all",
        "--warnings": "off",
    }
    command = [*machine.schemathesis(), "run", str(file), "--no-color", "--continue-on-failure"]
    command += chain.from_iterable(options.items())
    command += chain.from_iterable(("--header", f"{name}: {headers[name]}") for name in headers)
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    return done.stdout + done.stderr if done.returncode else ""


def test_every_answer_is_in_the_schema_and_a_refusal_changes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(LIMIT, "num_requests", 10**6)
    schema = Client().get("/api/v1/openapi.json").json()
    secret = api_clubs.lay("Siri", public=False)
    found: list[str] = []
    asked: dict[TokenScope | None, int] = {}
    acts: dict[TokenScope | None, set[str]] = {}

    for scope in (None, *TokenScope):
        club = api_clubs.lay(f"Club of {scope}")  # as programs play on, each has its own
        token = club.token(club.user(Role.OWNER), scope) if scope else ""
        headers = {"Authorization": f"Bearer {token}"} if scope else {}
        site = Watched()
        with serving(site) as url:
            narrowed = narrow(schema, club, secret)
            found.append(tried(narrowed, tmp_path, url, headers, UNFIT, UNFIT_IF_NARROW))
            if FULL and scope == TokenScope.ORGANISE:
                found.append(tried(schema, tmp_path, url, headers, UNFIT))
        found += site.found
        asked[scope], acts[scope] = site.asked[headers.get("Authorization", "")], site.acts

    assert not any(found), "\n".join(found)
    assert sum(asked.values()) >= LEAST, asked
    assert min(asked.values()) >= LEAST / 5, asked
    assert acts[None] == acts[TokenScope.READ] == set()
    assert acts[TokenScope.REPORT] <= {"POST hands"}
    if FULL:  # it went beyond what is refused
        assert acts[TokenScope.ORGANISE] == EVERY_ACT
