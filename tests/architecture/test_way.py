"""The path of a report and of a standings page, traced at run time and compared with architecture.md."""

import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import CodeType, FrameType
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse

from tests import make
from tracker.models import Sitting

ROOT = Path(__file__).parents[2]
GROUND = {"common", "models", "config"}  # everybody stands on it: no stop of its own
DOWN = ("pages", "forms", "columns", "services", "queries", "logic", "criteria", "tables", "games")
MOST_STOPS = 10


def drawn() -> dict[str, list[str]]:
    """Return both paths as architecture.md draws them: the stops in the order they are entered."""
    text = (ROOT / "tracker/docs/architecture.md").read_text(encoding="utf-8")
    lines = re.findall(r"^(a report|a standing) {2,}(\S.*→.*)$", text, re.MULTILINE)
    return {name: stops.split(" → ") for name, stops in lines}


def stop_of(code: CodeType) -> str | None:
    """Return the stop that some code belongs to: a layer of a subject, criteria, tables, or games."""
    file = Path(code.co_filename)
    if not file.is_relative_to(ROOT):
        return None
    first, *rest = file.relative_to(ROOT).with_suffix("").parts
    if first == "games":
        return "games"
    if first != "tracker" or rest[0] in GROUND:
        return None
    return rest[0] if rest[0] in {"criteria", "tables"} else "/".join(rest[:2])


class Trace:
    """The stops that are entered, in their order, and every call from one to another."""

    def __init__(self) -> None:
        self.stops: list[str] = []
        self.calls: set[tuple[str, str]] = set()

    def __call__(self, frame: FrameType, event: str, _argument: object) -> None:
        stop = stop_of(frame.f_code) if event == "call" else None
        if stop is None:
            return
        if stop not in self.stops:
            self.stops.append(stop)
        caller = next(filter(None, map(stop_of, self._callers(frame))), stop)
        if caller != stop:
            self.calls.add((caller, stop))

    def _callers(self, frame: FrameType) -> Iterator[CodeType]:
        back = frame.f_back
        while back is not None:
            yield back.f_code
            back = back.f_back

    @property
    def backwards(self) -> set[tuple[str, str]]:
        """Return the calls that do not go down."""
        return {
            (caller, stop)
            for caller, stop in self.calls
            if DOWN.index(caller.split("/")[-1]) > DOWN.index(stop.split("/")[-1])
        }


@contextmanager
def traced() -> Iterator[Trace]:
    trace = Trace()
    sys.setprofile(trace)
    try:
        yield trace
    finally:
        sys.setprofile(None)


def report(client: Client, sitting: Sitting, number: int) -> Any:
    answers = {"eaten_0": "70", "eaten_1": "50", "shown": "0", "dealer": "0", "how": "save"}
    sent = {"entry": str(uuid4()), "number": str(number), **answers}
    return client.post(reverse("table", args=[sitting.token]), sent)


def standing(client: Client, sitting: Sitting, _number: int) -> Any:
    return client.get(reverse("tournament", args=[sitting.round.tournament_id]))


Ask = Callable[[Client, Sitting, int], Any]
WAYS: tuple[tuple[str, Ask, int], ...] = (("a report", report, 303), ("a standing", standing, 200))


@pytest.mark.django_db
@pytest.mark.parametrize(("name", "ask", "status"), WAYS)
def test_the_path_is_as_the_document_draws_it(
    client: Client, name: str, ask: Ask, status: int
) -> None:
    sitting = make.sitting("Asha", "Neema", "Juma", "Baraka", at=make.tournament(hands=8))
    ask(client, sitting, 1)  # what is done once a process is not on the way
    report(client, sitting, 1 if name == "a standing" else 2)

    with traced() as trace:
        answer = ask(client, sitting, 3)

    assert answer.status_code == status
    assert trace.stops == drawn()[name]
    assert trace.backwards == set()


def test_both_ways_together_have_at_most_ten_stops() -> None:
    stops = {stop for way in drawn().values() for stop in way}

    assert len(drawn()) == 2
    assert len(stops) <= MOST_STOPS


def test_a_call_that_goes_up_is_seen() -> None:
    trace = Trace()
    trace.calls = {("results/services", "results/forms"), ("results/pages", "results/forms")}

    assert trace.backwards == {("results/services", "results/forms")}
