"""A client of the API, with nothing but the standard library, that can run a whole night.

``Kula`` sends requests; ``run_night`` plays the rounds of a tournament through it alone.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from http.client import HTTPConnection
from typing import Any, TypeAlias
from urllib.parse import urlencode, urlsplit
from uuid import uuid4

Json: TypeAlias = dict[str, Any]
# Method, address, headers and body of a request -> status, headers and body of the answer.
Send: TypeAlias = Callable[
    [str, str, Mapping[str, str], bytes | None], tuple[int, Mapping[str, str], bytes]
]
# What a table counted: from the table as the API shows it, and the number of the hand, to a sheet.
Count: TypeAlias = Callable[[Json, int], Json]


class Problem(Exception):
    """A refusal: ``status``, and the problem's ``code`` and ``detail``."""

    def __init__(self, status: int, problem: Json) -> None:
        super().__init__(f"{status} {problem.get('code')}: {problem.get('detail')}")
        self.status, self.problem = status, problem
        self.code: str = problem.get("code", "")


def over_http(site: str) -> Send:
    """Return what sends requests to a site, such as "http://127.0.0.1:8000"."""
    host = urlsplit(site).netloc

    def send(
        method: str, path: str, headers: Mapping[str, str], body: bytes | None
    ) -> tuple[int, Mapping[str, str], bytes]:
        link = HTTPConnection(host, timeout=240)
        try:
            link.request(method, path, body, dict(headers))
            answer = link.getresponse()
            return answer.status, dict(answer.headers), answer.read()
        finally:
            link.close()

    return send


@dataclass
class Kula:
    """The API of a site, asked with a token; what has not changed is not sent again."""

    send: Send
    token: str = ""
    known: dict[str, tuple[str, Any]] = field(default_factory=dict)  # path -> ETag, answer

    def get(self, path: str, **query: object) -> Any:
        path += f"?{urlencode(query)}" if query else ""
        tag, before = self.known.get(path, ("", None))
        status, headers, body = self._ask("GET", path, {"If-None-Match": tag} if tag else {})
        if status == 304:
            return before
        answer = _answer(status, body)
        if "ETag" in headers:
            self.known[path] = headers["ETag"], answer
        return answer

    def items(self, path: str) -> Iterator[Json]:
        """Yield every row of a list, page after page."""
        cursor = 0
        while cursor is not None:
            page = self.get(path, cursor=cursor)
            yield from page["items"]
            cursor = page["next"]

    def post(self, path: str, **body: object) -> Any:
        status, _headers, answer = self._ask("POST", path, body=json.dumps(body).encode())
        return _answer(status, answer)

    def delete(self, path: str) -> Any:
        status, _headers, answer = self._ask("DELETE", path)
        return _answer(status, answer)

    def _ask(
        self,
        method: str,
        path: str,
        more: Mapping[str, str] | None = None,
        body: bytes | None = None,
    ) -> tuple[int, Mapping[str, str], bytes]:
        headers = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        if body is not None:
            headers["Content-Type"] = "application/json"
        return self.send(method, f"/api/v1{path}", {**headers, **(more or {})}, body)

    def report(self, table: int, number: int, sheet: Json, entry: str = "", **more: object) -> Json:
        """Report a hand. Sent again with the same *entry*, it counts once."""
        entry = entry or str(uuid4())
        answer: Json = self.post(
            f"/tables/{table}/hands", entry=entry, number=number, sheet=sheet, **more
        )
        return answer


def _answer(status: int, body: bytes) -> Any:
    answer = json.loads(body)
    if status >= 400:
        raise Problem(status, answer)
    return answer


def run_night(
    kula: Kula,
    night: int,
    tournament: int,
    *,
    players: Sequence[int],
    walk_ins: Sequence[str] = (),
    rounds: int,
    count: Count,
) -> Json:
    """Run the rounds of a tournament from check-in to the last standing, which is returned."""
    kula.post(f"/nights/{night}/people", players=players, names=walk_ins)
    for _ in range(rounds):
        kula.post(f"/tournaments/{tournament}/draw")
        kula.post(f"/tournaments/{tournament}/draw/publish")
        opened = kula.post(f"/tournaments/{tournament}/rounds")
        for table in opened["tables"]:
            play(kula, table["id"], count)
        kula.post(f"/rounds/{opened['id']}/close")
    standing: Json = kula.get(f"/tournaments/{tournament}/standings")
    return standing


def play(kula: Kula, table_id: int, count: Count) -> None:
    """Report hand after hand until the table has all that the round asks of it."""
    while not (table := kula.get(f"/tables/{table_id}"))["done"]:
        number = table["coming_number"]
        kula.report(table_id, number, count(table, number), undone=table["undone_report"])
