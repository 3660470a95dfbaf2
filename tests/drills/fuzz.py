"""The fuzz: odd requests to every address, by everybody; none ends in a 5xx, none refused changes a row.

``python -m tests.drills.fuzz --cases 100000 --seed 3`` runs many, in process, on a database made for
it; ``--case 17`` repeats one alone, and says what was sent. Each case starts from the same rows:
whatever it did is rolled back. ``DATABASE_URL`` chooses PostgreSQL.
"""

import argparse
import hashlib
import os
import random
import sys
import warnings
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from random import Random
from time import monotonic
from typing import TYPE_CHECKING, Any

from tests.drills import nasty

if TYPE_CHECKING:
    from tests.tour import Tour

WHO = ("stranger", "phone", "member", "organiser", "owner")
# What a refused request may leave: its own session, that somebody tried to sign in, or guessed a code.
KEPT_OF_REFUSALS = ("django_session", "axes_", "tracker_misses")
# Where what was done is answered by a page that can be shown once, such as a new link.
TOLD_AT_ONCE = {"member"}
SAFE = {"GET", "HEAD", "OPTIONS", "TRACE"}


@dataclass(frozen=True, kw_only=True)
class Finding:
    """A case that went wrong, and how."""

    case: int
    wrong: str
    request: str


@dataclass(kw_only=True)
class Report:
    """What a run came to: answers by status, what was found, and how long it took."""

    seed: int
    answers: Counter[int] = field(default_factory=Counter)
    refused: int = 0
    looked: int = (
        0  # of those refused, how many had written something and were looked at row by row
    )
    findings: list[Finding] = field(default_factory=list)
    seconds: float = 0.0
    slowest: tuple[float, int, str] = (0.0, 0, "")

    def __str__(self) -> str:
        answers = ", ".join(f"{status}: {many}" for status, many in sorted(self.answers.items()))
        seconds, case, request = self.slowest
        lines = [
            f"{sum(self.answers.values())} cases, seed {self.seed}, {self.seconds:.0f} s; {answers}",
            f"{self.refused} refused, {self.looked} of them looked at row by row",
            f"slowest: case {case}, {seconds:.1f} s, {request[:200]}",
            f"{len(self.findings)} findings",
        ]
        for finding in self.findings[:20]:
            lines.append(f"{finding.wrong}\n  {finding.request}")
            lines.append(f"  python -m tests.drills.fuzz --seed {self.seed} --case {finding.case}")
        return "\n".join(lines)


class World:
    """A club with something on every page, and somebody of every kind with a browser."""

    def __init__(self) -> None:
        from django.test import Client

        from tests import tour
        from tracker.models import Role

        self.laid: Tour = tour.lay()
        self.clients = {who: Client(raise_request_exception=False) for who in WHO}
        for who in ("member", "organiser", "owner"):
            self.clients[who].force_login(self.laid.member(Role(who)))
        self.clients["phone"].get(self.laid.sitting.get_absolute_url())
        self.paths = list(_paths(self.laid))
        self.forms = list(_forms(self.clients["owner"], self.laid))
        self.rows = digest()

    def request(self, seed: int, case: int) -> tuple[str, nasty.Request]:
        """Return who asks what in a case."""
        rng = Random(f"{seed}/{case}")
        path = rng.choice(self.paths)
        if rng.random() < 0.1:
            path = _bent(rng, path)
        return rng.choice(WHO), nasty.made_of(rng, path, self.forms)

    def run(self, seed: int, case: int, report: Report) -> None:
        """Ask once, look at what it did, and let it be as if it had not been."""
        from django.core.cache import cache
        from django.db import transaction

        who, request = self.request(seed, case)
        client = self.clients[who]
        cookies = {name: cookie.value for name, cookie in client.cookies.items()}
        # The site's own dice, for draws and bots: a case repeats whatever ran before it.
        random.seed(case)
        cache.clear()
        client.handler.enforce_csrf_checks = case % 8 == 0  # mostly one gets past the tokens
        began = monotonic()
        try:
            with transaction.atomic():
                wrong = self._ask(client, request, report, written_rows())
                transaction.set_rollback(True)
        finally:
            client.cookies.clear()
            client.cookies.load(cookies)
        report.slowest = max(report.slowest, (monotonic() - began, case, str(request)))
        if wrong:
            report.findings.append(
                Finding(case=case, wrong=f"case {case}, {who}: {wrong}", request=str(request))
            )

    def _ask(self, client: Any, request: nasty.Request, report: Report, before: int) -> str:
        """Return what is wrong with an answer, or nothing."""
        client.cookies.load(request.cookies)
        extra: dict[str, Any] = dict(request.headers)
        try:
            answer = client.generic(
                request.method,
                request.path,
                request.body,
                content_type=request.content_type,
                **extra,
            )
            status = answer.status_code
        except Exception as error:  # noqa: BLE001 - whatever no page was made of is a finding
            return f"{type(error).__name__}: {error}"[:300]
        report.answers[status] += 1
        if status >= 500:
            raised = answer.exc_info[1] if getattr(answer, "exc_info", None) else ""
            return f"{status} {type(raised).__name__}: {raised}"[:300]
        if request.method.upper() not in SAFE and _done(answer):
            return _followed(client, answer)
        report.refused += 1
        if written_rows() == before:
            return ""
        report.looked += 1
        now = digest()
        changed = sorted(table for table in now if now[table] != self.rows[table])
        return f"{status}, and yet it changed {', '.join(changed)}" if changed else ""


def _done(answer: Any) -> bool:
    """Say whether an answer to a form says that it was taken: it leads on, and not to sign in."""
    if answer.status_code in {301, 302, 303}:
        return not answer.headers["Location"].startswith("/sign-in/")
    known = getattr(answer, "resolver_match", None)
    return answer.status_code == 200 and known is not None and known.url_name in TOLD_AT_ONCE


def _followed(client: Any, answer: Any) -> str:
    """Return what is wrong with the page that shows what was taken in, or nothing."""
    path = answer.headers.get("Location", "")
    if not path.startswith("/"):
        return ""
    page = client.get(path)
    return f"{page.status_code} at {path[:100]}, where it led" if page.status_code >= 500 else ""


def written_rows() -> int:
    """Return how many rows were written by now, also those taken back: much cheaper than to look."""
    from django.db import connection

    if connection.vendor == "sqlite":
        return int(connection.connection.total_changes)
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT sum(n_tup_ins + n_tup_upd + n_tup_del) FROM pg_stat_xact_user_tables"
        )
        return int(cursor.fetchone()[0] or 0)


def digest() -> dict[str, str]:
    """Return what every table holds, as a short hash."""
    from django.apps import apps

    hashes = {}
    for model in apps.get_models(include_auto_created=True):
        table = model._meta.db_table
        if not table.startswith(KEPT_OF_REFUSALS):
            rows = list(model._base_manager.order_by("pk").values_list())
            hashes[table] = hashlib.sha256(repr(rows).encode()).hexdigest()
    return hashes


def _paths(laid: "Tour") -> Iterator[str]:
    """Yield a path of every address, and the pages of every game."""
    from tests.architecture.test_urls import addresses
    from tests.tour_pages import path_of

    parameters = laid.parameters()
    for name in addresses():
        yield path_of(name, parameters)
    yield from (path.partition("?")[0] for path in laid.pages().values())
    yield from ("/", "/nowhere/", "/admin/", "/static/x", "//", "/%ff", "/%00", "/clubs/1")


def _forms(client: Any, laid: "Tour") -> Iterator[nasty.FoundForm]:
    """Yield every form on the pages of the site; it is written once as the page has it."""
    from tests.reading import Forms

    seen = set()
    for page in laid.pages().values():
        for form in Forms(client.get(page).text, page).forms:
            known = (form.path, *sorted(form.fields))
            if form.method == "post" and known not in seen:
                seen.add(known)
                yield nasty.FoundForm(
                    path=form.path, fields=form.fields, buttons=tuple(form.buttons)
                )


def _bent(rng: Random, path: str) -> str:
    """Return a path with one of its parts made odd."""
    from urllib.parse import quote

    parts = path.split("/")
    odd = quote(nasty.written(rng)[:300], errors="replace")
    return "/".join([*parts[:-2], odd, *parts[-1:]]) if len(parts) > 3 else f"/{odd}/"


def run(world: World, *, seed: int, cases: Sequence[int]) -> Report:
    """Run these cases and return what they came to."""
    report, began = Report(seed=seed), monotonic()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # damaged files make their readers complain
        for case in cases:
            world.run(seed, case, report)
    report.seconds = monotonic() - began
    return report


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__, prog="python -m tests.drills.fuzz")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--cases", type=int, default=10_000)
    parser.add_argument("--case", type=int, help="repeat this one alone")
    asked = parser.parse_args(arguments)
    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
    django.setup()
    from django.db import connection
    from django.test.utils import setup_test_environment, teardown_test_environment

    setup_test_environment()
    made = connection.creation.create_test_db(verbosity=0, autoclobber=True)
    try:
        world = World()
        if asked.case is not None:
            print(*world.request(asked.seed, asked.case))
        cases = range(asked.cases) if asked.case is None else [asked.case]
        report = run(world, seed=asked.seed, cases=cases)
        print(report)
    finally:
        connection.creation.destroy_test_db(made, verbosity=0)
        teardown_test_environment()
    return 1 if report.findings else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
