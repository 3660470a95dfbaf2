"""A hall of many tables that all report at once: ``python -m tests.drills.crowd --tables 500``.

Every hand a phone was told of is there, no number is missing, and the sums are right.
"""

import argparse
import tempfile
import time
from collections import Counter
from functools import partial
from pathlib import Path
from statistics import quantiles

from tests.drills import hall
from tests.drills.phones import Answered, Phone, at_once, eaten
from tests.serving import Site, serving

_MANY = 100  # tables looked at by one process


def evening(site: Site, token: str, hands: int) -> list[tuple[float, Answered]]:
    """Report the hands of one table, one after another, with how long each took."""
    phone = Phone(site.port, token).open_page()
    answers = []
    for number in range(1, hands + 1):
        began = time.perf_counter()
        answer = phone.report(number, eaten(number))
        answers.append((time.perf_counter() - began, answer))
    return answers


def crowd(site: Site, tables: int, hands: int) -> str:
    """Have so many tables report so many hands each, and return what it comes to."""
    tokens = hall.seat(site.data, tables)
    began = time.perf_counter()
    answered = at_once([partial(evening, site, token, hands) for token in tokens])
    seconds = time.perf_counter() - began
    answers = [answer for table in answered for _, answer in table]
    assert Counter(answer.status for answer in answers) == {303: tables * hands}
    numbers = list(range(1, hands + 1))
    assert [[answer.number for _, answer in table] for table in answered] == [numbers] * tables
    for first in range(0, tables, _MANY):
        for seen in hall.read(site.data, tokens[first : first + _MANY]):
            assert seen.hands == numbers
            assert set(seen.verdicts.values()) == {"accepted"}
            assert len(seen.verdicts) == hands
    recounted = hall.recount(site.data).strip().splitlines()[-1]
    assert "0 differences" in recounted
    times = quantiles([taken for table in answered for taken, _ in table], n=100)
    return (
        f"{tables} tables, {hands} hands each: {len(answers)} hands in {seconds:.0f} s"
        f" ({len(answers) / seconds:.0f}/s), p50 {times[49] * 1000:.0f} ms,"
        f" p95 {times[94] * 1000:.0f} ms, p99 {times[98] * 1000:.0f} ms;"
        f" no gap, nothing but 303. Recount: {recounted}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=500)
    parser.add_argument("--hands", type=int, default=20)
    parser.add_argument("--workers", type=int, default=4)
    asked = parser.parse_args()
    with (
        tempfile.TemporaryDirectory() as data,
        serving(Path(data), "--workers", str(asked.workers)) as site,
    ):
        print(crowd(site, asked.tables, asked.hands))


if __name__ == "__main__":
    main()
