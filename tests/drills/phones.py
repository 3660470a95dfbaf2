"""Phones that report over the wire, many at once."""

import http.client
import re
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from http.cookies import SimpleCookie
from typing import TypeVar
from urllib.parse import parse_qs, urlencode, urlsplit
from uuid import UUID, uuid4

from tests.serving import PATIENCE

_Made = TypeVar("_Made")


@dataclass(frozen=True, slots=True)
class Answered:
    """What a phone was answered: where a 303 leads says what became of the hand."""

    status: int
    number: int = 0
    verdict: str = ""
    page: str = ""


@dataclass(slots=True)
class Phone:
    """One phone at a table, with the cookies the site gave it."""

    port: int
    token: str
    cookies: dict[str, str] = field(default_factory=dict)
    patience: float = PATIENCE  # seconds

    def open_page(self) -> "Phone":
        """Load the table's page, which gives the phone its cookies."""
        link = self._connect()
        link.request("GET", f"/t/{self.token}/")
        answer = link.getresponse()
        text = answer.read().decode()
        link.close()
        assert answer.status == 200, (answer.status, text)
        for given in answer.headers.get_all("Set-Cookie") or []:
            for name, morsel in SimpleCookie(given).items():
                self.cookies[name] = morsel.value
        assert {"csrftoken", "kula_device"} <= set(self.cookies)
        return self

    def undo(self, number: int) -> str:
        """Undo a hand, and return what the page then says of the coming one: its undone report."""
        self._post(f"take-back/{number}/", {})
        link = self._connect()
        try:
            link.request("GET", f"/t/{self.token}/", headers={"Cookie": self._cookies})
            page = link.getresponse().read().decode()
        finally:
            link.close()
        shown = re.search(r'name="undone"(?: value="(\d*)")?', page)
        assert shown, page
        return shown.group(1) or ""

    def report(
        self, number: int, eaten: Sequence[int], entry: UUID | None = None, **more: str
    ) -> Answered:
        """Save a hand, as the button does."""
        fields = {
            "entry": str(entry or uuid4()),
            "number": str(number),
            **{f"eaten_{side}": str(points) for side, points in enumerate(eaten)},
            "how": "save",
            **more,
        }
        return self._post("", fields)

    @property
    def _cookies(self) -> str:
        return "; ".join(f"{name}={value}" for name, value in self.cookies.items())

    def _post(self, where: str, fields: Mapping[str, str]) -> Answered:
        link = self._connect()
        try:
            link.request(
                "POST",
                f"/t/{self.token}/{where}",
                urlencode({**fields, "csrfmiddlewaretoken": self.cookies["csrftoken"]}),
                {"Content-Type": "application/x-www-form-urlencoded", "Cookie": self._cookies},
            )
            answer = link.getresponse()
            page = answer.read().decode()
        finally:
            link.close()
        query = parse_qs(urlsplit(answer.headers.get("Location", "")).query)
        return Answered(
            status=answer.status,
            number=int(query.get("saved", ["0"])[0]),
            verdict=query.get("as", [""])[0],
            page=page,
        )

    def _connect(self) -> http.client.HTTPConnection:
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=self.patience)


def eaten(number: int) -> tuple[int, int]:
    """Return totals that can be, other ones for each hand; a tie among them (R10, R16)."""
    ours = (60, 70, 101, 45, 2, 118, 83)[number % 7]
    return ours, 120 - ours


def at_once(acts: Sequence[Callable[[], _Made]]) -> list[_Made]:
    """Do all of these at the same moment, each in a thread, and return what each returned."""
    made: dict[int, _Made] = {}
    failed: list[BaseException] = []
    start = threading.Barrier(len(acts))

    def act(nth: int) -> None:
        try:
            start.wait(PATIENCE)
            made[nth] = acts[nth]()
        except BaseException as error:  # noqa: BLE001 - raised again below, in the drill's own thread
            failed.append(error)

    threads = [threading.Thread(target=act, args=[nth]) for nth in range(len(acts))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if failed:
        raise failed[0]
    return [made[nth] for nth in range(len(acts))]
