"""Count the SQL statements of a report and of the yardstick, or of pages; COMMIT is left out.

Run as a process of its own: ``python -m tests.benchmarks.statements TOKEN`` or ``... /PATH/``.
With ``--show`` they are printed as well. ``... --page TOKEN`` prints what a page of a table with 14
hands takes instead, in ms of the processor: drawn, and as it is kept for all phones.
"""

import sys
from collections.abc import Callable
from functools import partial
from statistics import median
from time import process_time
from typing import Any
from uuid import uuid4

import django

_HAND = {"number": "1", "eaten_0": "70", "eaten_1": "50", "how": "save"}


def main(*asked: str, show: bool) -> None:
    django.setup()
    from django.test import Client

    phone = Client(headers={"host": "127.0.0.1"})
    for target in asked:
        if target.startswith("/"):
            phone.get(target)  # the first time a template is read
            print(_count(partial(phone.get, target), show=show))
            continue
        for path in (f"/t/{target}/", f"/t/{target}/yardstick/"):
            form = {**_HAND, "entry": str(uuid4())}
            print(_count(partial(phone.post, path, form), show=show))


def time_page(token: str) -> None:
    django.setup()
    from django.test import Client, override_settings

    phone, reader = (Client(headers={"host": "127.0.0.1"}) for _ in range(2))
    path = f"/t/{token}/"
    for number in range(1, 15):
        phone.post(path, {**_HAND, "number": number, "entry": str(uuid4())})

    def time() -> float:
        began = process_time()
        page = reader.get(path)
        took = process_time() - began
        if b'name="number" value="15"' not in page.content:
            raise RuntimeError(page.content.decode())
        return took * 1000

    for kept in (0, 64):
        with override_settings(SHARED_PAGES=kept):
            time()
            print(round(median(time() for _ in range(25)), 2))


def _count(ask: Callable[[], Any], *, show: bool) -> int:
    from django.db import connection

    said: list[str] = []

    def listen(execute: Callable[..., Any], sql: str, *rest: Any) -> Any:
        said.append(sql)
        return execute(sql, *rest)

    with connection.execute_wrapper(listen):
        answer = ask()
    if answer.status_code >= 400:
        raise RuntimeError(answer.content.decode())
    if show:
        print(*said, sep="\n", file=sys.stderr)
    return len(said)


if __name__ == "__main__":
    given = sys.argv[1:]
    if given[:1] == ["--page"]:
        time_page(given[1])
    else:
        main(*(argument for argument in given if argument != "--show"), show="--show" in given)
