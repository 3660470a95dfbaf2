"""Make the demo in an empty database, read its pages, and print what they cost.

``python -m tests.benchmarks.rooms NIGHTS ALIKE TIMES``, in the environment of a house.
"""

import sys
from collections.abc import Callable, Iterable, Sequence
from statistics import median
from time import perf_counter

import django

from tests.walking import Visit, visit, walk

_SHOWN = 10


def main(nights: int, alike: int, times: int) -> None:
    django.setup()
    from django.conf import settings
    from django.test import Client
    from django.utils import timezone

    from tracker.management import demo
    from tracker.models import User

    began = perf_counter()
    demo.make_demo(seed=7, today=timezone.now(), step=lambda: None, nights=nights or demo.NIGHTS)
    print(f"made in {perf_counter() - began:.1f} s")

    settings.ALLOWED_HOSTS.append("testserver")
    reader = Client()
    reader.force_login(User.objects.get(username=demo.ORGANISER))
    read = [one for one in walk(reader, alike=alike, sorted_alike=2) if one.answer == "200"]
    print(f"{len(read)} pages of {len({one.kind for one in read})} kinds")

    def usual(one: Visit) -> float:
        return median(visit(reader, one.path).seconds for _ in range(times))

    def show(title: str, rows: Iterable[tuple[Visit, float]]) -> None:
        print(f"\n{title:<22} {'ms':>7} {'SQL':>5} {'kB':>7} {'first kB':>9}")
        for one, seconds in rows:
            weights = f"{one.weight / 1000:>7.1f} {one.with_all / 1000:>9.1f}"
            print(
                f"{one.kind:<22} {1000 * seconds:>7.1f} {one.statements:>5} {weights}  {one.path}"
            )

    pages = [one for one in read if one.with_all]
    slow = _foremost(read, lambda one: one.seconds)
    show("slowest", sorted(((one, usual(one)) for one in slow), key=lambda row: -row[1]))
    show("heaviest", ((one, one.seconds) for one in _foremost(pages, lambda one: one.weight)))
    show("asking most", ((one, one.seconds) for one in _foremost(read, lambda o: o.statements)))


def _foremost(read: Sequence[Visit], by: Callable[[Visit], float]) -> list[Visit]:
    """Return the first ten kinds, each with its foremost page."""
    kinds: dict[str, Visit] = {}
    for one in sorted(read, key=by, reverse=True):
        kinds.setdefault(one.kind, one)
    return list(kinds.values())[:_SHOWN]


if __name__ == "__main__":
    main(*map(int, sys.argv[1:4]))
