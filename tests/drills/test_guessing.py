"""Strangers guess table codes from many connections at four processes: misses are counted once.

Short by default, whole with ``KULA_DRILLS=full``; on SQLite, or on what ``DATABASE_URL`` names.
As a command, ``python -m tests.drills.test_guessing`` prints how many guesses of how many pass.
"""

import http.client
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from functools import partial
from itertools import count
from pathlib import Path
from random import Random
from time import monotonic
from urllib.parse import urlencode

import pytest

from tests.drilled import FULL
from tests.drills import hall
from tests.drills.phones import at_once
from tests.serving import PATIENCE, Site, serving

ADDRESSES, GUESSES = (12, 80) if FULL else (4, 40)
NEWCOMERS = 20 if FULL else 2
OLD_CODE, CODE = 4, 6  # signs
AN_ADDRESS, OLD_CODES, CODES = 30, 100, 500  # what may be missed at once
SECONDS_A_CODE = 20  # until strangers may miss once more
_SIGNS = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"
_SECRET = "a" * 32  # any will do: the cookie and the field must be the same
_hosts = count(2)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with serving(tmp_path_factory.mktemp("guessing"), "--workers", "4") as site:
        yield site


def stranger(site: Site, signs: int, guesses: int, address: str, seed: int) -> Counter[int]:
    """Guess on one connection from an address, and return how often what was answered."""
    rng = Random(f"{address} {seed}")
    answered: Counter[int] = Counter()
    link = _connection(site, address)
    for _ in range(guesses):
        code = "".join(rng.choices(_SIGNS, k=signs))
        answered[_typed(link, code)] += 1
    link.close()
    return answered


def many_strangers(site: Site, signs: int, addresses: int, guesses: int) -> list[Counter[int]]:
    """Let every address guess on four connections at once; return what each was answered."""
    hosts = [f"127.0.1.{next(_hosts)}" for _ in range(addresses)]
    acts = [
        partial(stranger, site, signs, guesses // 4, host, seed)
        for host in hosts
        for seed in range(4)
    ]
    answered = at_once(acts)
    return [sum(answered[nth : nth + 4], Counter()) for nth in range(0, len(answered), 4)]


def _connection(site: Site, address: str) -> http.client.HTTPConnection:
    return http.client.HTTPConnection(
        "127.0.0.1", site.port, timeout=PATIENCE, source_address=(address, 0)
    )


def _typed(link: http.client.HTTPConnection, code: str) -> int:
    body = urlencode({"csrfmiddlewaretoken": _SECRET, "code": code})
    head = {
        "Content-Type": "application/x-www-form-urlencoded",
        "Cookie": f"csrftoken={_SECRET}",
        "X-Forwarded-For": f"192.0.2.{len(code) + len(body) % 200}",
    }
    link.request("POST", "/card/", body, head)
    answer = link.getresponse()
    answer.read()
    return answer.status


def test_an_address_misses_so_often_however_many_processes_answer(site: Site) -> None:
    answered = many_strangers(site, CODE, 2, GUESSES)

    assert answered == [{200: AN_ADDRESS, 429: GUESSES - AN_ADDRESS}] * 2


def test_all_strangers_together_miss_so_often(site: Site) -> None:
    hall.seat(site.data, 1)

    answered = sum(many_strangers(site, OLD_CODE, ADDRESSES, GUESSES), Counter())

    assert answered == {200: OLD_CODES, 429: ADDRESSES * GUESSES - OLD_CODES}
    # A code that is there is not told either, or it would be guessed without end.
    link = _connection(site, f"127.0.1.{next(_hosts)}")
    assert _typed(link, "D001") == 429
    link.close()


def test_new_codes_are_counted_apart_from_the_old(site: Site) -> None:
    began = monotonic()

    answered = sum(many_strangers(site, CODE, NEWCOMERS, GUESSES), Counter())

    left = CODES - 2 * AN_ADDRESS
    forgiven = int((monotonic() - began) / SECONDS_A_CODE) + 2 * AN_ADDRESS
    alone = NEWCOMERS * AN_ADDRESS
    assert min(left, alone) <= answered[200] <= min(left + forgiven, alone)
    assert answered[200] + answered[429] == NEWCOMERS * GUESSES


def main(addresses: int, guesses: int) -> None:
    """Guess as many addresses would, and print how many guesses were told to be wrong."""
    with (
        tempfile.TemporaryDirectory(prefix="kula-guess-") as data,
        serving(Path(data), "--workers", "4") as site,
    ):
        for signs in (OLD_CODE, CODE):
            began = monotonic()
            answered = sum(many_strangers(site, signs, addresses, guesses), Counter())
            print(
                f"{signs} signs: {addresses} addresses, {sum(answered.values())} guesses in"
                f" {monotonic() - began:.0f} s: {answered[200]} missed, {answered[429]} not told,"
                f" {sum(answered.values()) - answered[200] - answered[429]} other"
            )


if __name__ == "__main__":
    main(*(map(int, sys.argv[1:]) if sys.argv[1:] else (40, 100)))
