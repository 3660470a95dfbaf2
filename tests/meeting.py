"""Two acts that meet half way: where their locks can make a circle, PostgreSQL ends one of them."""

import threading
from collections.abc import Callable
from typing import Any

from django.db import connection

_A_WHILE = 0.5  # seconds, where nobody can tell whether the other waits
_WAITS = (
    "SELECT count(*) FROM pg_stat_activity"
    " WHERE datname = current_database() AND wait_event_type = 'Lock'"
)


class Meeting:
    """The first act stands still half way through, until the other waits for it or is through."""

    def __init__(self) -> None:
        self._half_way, self._through = threading.Event(), threading.Event()

    def before(self, step: Callable[..., Any]) -> Callable[..., Any]:
        """Return what does the same, once the other has come as far as it can."""

        def stands_still(*arguments: object, **named: object) -> Any:
            self._stand_still()
            return step(*arguments, **named)

        return stands_still

    def after(self, step: Callable[..., Any]) -> Callable[..., Any]:
        """Return what does the same, and then lets the other come as far as it can."""

        def stands_still(*arguments: object, **named: object) -> Any:
            answer = step(*arguments, **named)
            self._stand_still()
            return answer

        return stands_still

    def of(self, first: Callable[[], object], other: Callable[[], object]) -> None:
        """Do the first, and the other from when the first stands still."""
        failed: list[Exception] = []

        def begin() -> None:
            try:
                first()
            except Exception as error:  # noqa: BLE001 - raised again below, in the test's own thread
                failed.append(error)
            finally:
                self._half_way.set()
                connection.close()

        thread = threading.Thread(target=begin)
        thread.start()
        assert self._half_way.wait(30)
        try:
            other()
        finally:
            self._through.set()
            thread.join()
        if failed:
            raise failed[0]

    def _stand_still(self) -> None:
        if threading.current_thread() is threading.main_thread() or self._half_way.is_set():
            return
        self._half_way.set()
        if connection.vendor != "postgresql":
            self._through.wait(_A_WHILE)  # the other waits for the whole file
            return
        with connection.cursor() as cursor:
            for _ in range(600):
                cursor.execute(_WAITS)
                if cursor.fetchone()[0] or self._through.wait(0.05):
                    return
