"""Make the demo in an empty database, read its pages, and print what they cost.

``python -m tests.benchmarks.rooms NIGHTS ALIKE TIMES``, in the environment of a house.
"""

import sys
from collections.abc import Callable, Sequence
from statistics import median
from time import perf_counter, process_time

import django

from tests.walking import Visit, walk

_SHOWN = 10


def main(nights: int, alike: int, times: int) -> None:
    django.setup()
    from django.conf import settings
    from django.test import Client
    from django.utils import timezone

    from tracker.management.demo.evening import ORGANISER
    from tracker.management.demo.history import NIGHTS, make_demo
    from tracker.models import User

    began, spent = perf_counter(), process_time()
    make_demo(seed=7, today=timezone.now(), step=lambda: None, nights=nights or NIGHTS)
    took, spent = perf_counter() - began, process_time() - spent
    print(f"made in {took:.1f} s, {spent:.1f} s of them of this processor")

    settings.ALLOWED_HOSTS.append("testserver")
    reader = Client()
    reader.force_login(User.objects.get(username=ORGANISER))
    read = [visit for visit in walk(reader, alike=alike, sorted_alike=2) if visit.with_all]
    print(f"{len(read)} pages of {len({visit.kind for visit in read})} kinds")

    def usual(visit: Visit) -> tuple[float, float]:
        """Return how long a page takes, by the clock and of the processor."""
        waits, works = [], []
        for _ in range(times):
            began, spent = perf_counter(), process_time()
            reader.get(visit.path)
            waits.append(perf_counter() - began)
            works.append(process_time() - spent)
        return median(waits), median(works)

    slowest = {visit: usual(visit) for visit in _foremost(read, lambda visit: visit.seconds)}
    print(f"\n{'slowest':<18} {'p50 ms':>8} {'processor ms':>13}")
    for visit, (wait, work) in sorted(slowest.items(), key=lambda row: -row[1][1]):
        print(f"{visit.kind:<18} {1000 * wait:>8.1f} {1000 * work:>13.1f}  {visit.path}")
    for title, by in (("heaviest", _by_weight), ("asking most", _by_statements)):
        print(f"\n{title:<18} {'kB':>8} {'first kB':>9} {'SQL':>5}")
        for visit in _foremost(read, by):
            weights = f"{visit.weight / 1000:>8.1f} {visit.with_all / 1000:>9.1f}"
            print(f"{visit.kind:<18} {weights} {visit.statements:>5}  {visit.path}")


def _by_weight(visit: Visit) -> int:
    return visit.weight


def _by_statements(visit: Visit) -> int:
    return visit.statements


def _foremost(read: Sequence[Visit], by: Callable[[Visit], float]) -> list[Visit]:
    """Return the first ten kinds, each with its foremost page."""
    kinds: dict[str, Visit] = {}
    for visit in sorted(read, key=by, reverse=True):
        kinds.setdefault(visit.kind, visit)
    return list(kinds.values())[:_SHOWN]


if __name__ == "__main__":
    main(*map(int, sys.argv[1:4]))
