"""Count the SQL statements of one report and of one yardstick, BEGIN and COMMIT left out.

Run as a process of its own: ``python -m tests.benchmarks.statements TOKEN``.
"""

import sys
from collections.abc import Callable
from typing import Any
from uuid import uuid4

import django


def main(token: str, *, show: bool) -> None:
    django.setup()
    from django.db import connection
    from django.test import Client

    phone = Client(headers={"host": "127.0.0.1"})
    form = {"number": "1", "eaten_0": "70", "eaten_1": "50", "how": "save"}
    for path in (f"/t/{token}/", f"/yardstick/{token}/"):
        said: list[str] = []

        def listen(
            execute: Callable[..., Any], sql: str, *rest: Any, into: list[str] = said
        ) -> Any:
            into.append(sql)
            return execute(sql, *rest)

        with connection.execute_wrapper(listen):
            answer = phone.post(path, {**form, "entry": str(uuid4())})
        if answer.status_code not in {302, 303}:
            raise RuntimeError(answer.content.decode())
        print(len(said))
        if show:
            print(*said, sep="\n", file=sys.stderr)


if __name__ == "__main__":
    main(sys.argv[1], show="--show" in sys.argv)
