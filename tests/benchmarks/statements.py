"""Count the SQL statements of a report and of the yardstick, or of pages; COMMIT is left out.

Run as a process of its own: ``python -m tests.benchmarks.statements TOKEN`` or ``... /PATH/``.
With ``--show`` they are printed as well.
"""

import sys
from collections.abc import Callable
from functools import partial
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
    main(*(argument for argument in given if argument != "--show"), show="--show" in given)
