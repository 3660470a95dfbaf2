"""Answers of the gateway, without Django, to requests for pages that have not changed.

Almost all requests in a hall are those of phones that ask whether their page has changed. Django
answers each first request and gives the page's ``Proof``: as long as the database returns the same
row, a request of the same reader is answered here, and by the same page where it is shared by all
who are not signed in. Requests with a session, or with a message that waits, are left to Django.
"""

import asyncio
import sqlite3
import sys
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from time import time
from typing import Any, TypeAlias
from urllib.parse import quote

from django.conf import settings
from django.db import DatabaseError, connection

from tracker.management.server.application import WholeResponse

Variables: TypeAlias = dict[str, str]  # of a WSGI request
Statement: TypeAlias = tuple[str, Sequence[Any]]  # SQL with the values for its %s
_MOST_READERS = 8_192  # pages of readers for which a proof is kept
_MOST_READS = 64  # that may wait for PostgreSQL
# What decides, in a request, which page it is; then also who reads it.
_PAGE = (
    *("wsgi.url_scheme", "HTTP_HOST", "PATH_INFO", "QUERY_STRING"),
    *("HTTP_ACCEPT_LANGUAGE", "HTTP_ACCEPT_ENCODING", "HTTP_X_FORWARDED_PROTO"),
)
_READER = (*_PAGE, "HTTP_COOKIE")
# What only Django knows to answer.
_SPECIAL = {"CONTENT_LENGTH", "HTTP_TRANSFER_ENCODING", "HTTP_HX_REQUEST", "HTTP_RANGE"}
_HEADERS_OF_304 = {"ETag", "Cache-Control", "Expires", "Vary"}


class UnchangedPages:
    """What Django has answered, and what proves that it still holds."""

    def __init__(self) -> None:
        self.own: dict[bytes, WholeResponse] = {}  # 304 for one reader, by page and cookies
        self.shared: dict[bytes, WholeResponse] = {}  # by page
        # The shared pages that Django renders now; the result is None if they are no longer shared.
        self.rendering: dict[bytes, asyncio.Future[WholeResponse | None]] = {}
        on_sqlite = connection.vendor == "sqlite"
        self.database = _SqliteStates(Path(connection.settings_dict["NAME"])) if on_sqlite else None
        self.thread = ThreadPoolExecutor(1, "unchanged")  # reads from PostgreSQL
        self.reading = 0  # requests that wait for it

    async def answer_or_ask(
        self, variables: Variables, ask_django: Callable[[], Awaitable[WholeResponse]]
    ) -> WholeResponse:
        """Return the response to a request; those for one shared page ask Django once.

        What comes while Django renders the page is given this page, although it may have changed
        since: where it changes all the time, Django would be asked by all at once.
        """
        if answer := await self.answer(variables):
            return answer
        page, may_join = _key(variables, _PAGE), _may_be_known(variables)
        if may_join and page in self.rendering:
            answer = await self.rendering[page]
            if answer and (joined := _for_reader(answer, variables)):
                return joined
        rendering = asyncio.get_running_loop().create_future()
        if may_join and page in self.shared:
            self.rendering[page] = rendering
        answer = None
        try:
            answer = await ask_django()
            self.learn(variables, answer)
            return answer
        finally:
            is_shared = answer and answer.proof and answer.proof.shared
            rendering.set_result(answer if is_shared else None)
            if self.rendering.get(page) is rendering:
                del self.rendering[page]

    async def answer(self, variables: Variables) -> WholeResponse | None:
        """Return the response to a request if nothing has changed since Django's last one."""
        if not _may_be_known(variables):
            return None
        known = self.shared.get(_key(variables, _PAGE)) or self.own.get(_key(variables, _READER))
        if known is None or not known.proof.since <= time() < known.proof.until:
            return None
        if await self._state(known.proof.statement) != known.proof.state:
            return None
        return _for_reader(known, variables)

    def learn(self, variables: Variables, response: WholeResponse) -> None:
        """Keep Django's response to a request, if it has a proof."""
        proof = response.proof
        if proof is None or ("ETag", proof.tag) not in response.headers:
            return
        if not _may_be_known(variables):
            return
        sql, values = proof.statement
        proof = proof._replace(statement=(sys.intern(sql), values))
        if proof.shared:
            key, answers, most = _key(variables, _PAGE), self.shared, settings.SHARED_PAGES
            response = replace(response, proof=proof)
        else:
            key, answers, most = _key(variables, _READER), self.own, _MOST_READERS
            response = replace(_not_modified(response), proof=proof)
        answers.pop(key, None)
        answers[key] = response
        while len(answers) > most:
            del answers[next(iter(answers))]

    async def _state(self, statement: Statement) -> str:
        """Return the state of a page as it is now, or "" if it cannot be read."""
        try:
            if self.database:
                return self.database.read(statement)
        except (sqlite3.Error, OSError):
            return ""
        if self.reading >= _MOST_READS:
            return ""
        self.reading += 1
        try:
            loop = asyncio.get_running_loop()
            return await loop.run_in_executor(self.thread, _read_by_django, statement)
        finally:
            self.reading -= 1


class _SqliteStates:
    """States read by a connection of the gateway's own, which opens nothing else."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self.connection: sqlite3.Connection  # opened by the first read
        self.inode = 0  # of the file that is open; 0 before the first read
        self.version = -1  # another number after each change of the database
        self.states: dict[Statement, str] = {}  # read at this version

    def read(self, statement: Statement) -> str:
        if (inode := self.file.stat().st_ino) != self.inode:
            uri = f"file:{quote(str(self.file))}?mode=ro"
            types = sqlite3.PARSE_DECLTYPES | sqlite3.PARSE_COLNAMES  # as Django reads
            if self.inode:
                self.connection.close()
            self.connection = sqlite3.connect(uri, uri=True, timeout=0, detect_types=types)
            self.inode, self.version = inode, -1
        [(version,)] = self.connection.execute("PRAGMA data_version").fetchall()
        if version != self.version:
            self.states.clear()
            self.version = version
        if statement not in self.states:
            sql, values = statement
            rows = self.connection.execute(sql.replace("%s", "?"), values).fetchall()
            self.states[statement] = _state_in(rows)
        return self.states[statement]


def _state_in(rows: Sequence[Any]) -> str:
    return repr(rows[0]) if rows else ""


def _read_by_django(statement: Statement) -> str:
    try:
        with connection.cursor() as cursor:
            cursor.execute(*statement)
            return _state_in(cursor.fetchall())
    except DatabaseError:
        connection.close()
        return ""


def _for_reader(known: WholeResponse, variables: Variables) -> WholeResponse | None:
    """Return the response to a reader who may have this page already, if it is known."""
    if known.proof.tag in variables.get("HTTP_IF_NONE_MATCH", ""):
        return _not_modified(known)
    return known if known.status == 200 else None


def _may_be_known(variables: Variables) -> bool:
    """Return whether this request may be answered here: another reader's look would differ."""
    cookies = variables.get("HTTP_COOKIE", "")
    return (
        variables["REQUEST_METHOD"] == "GET"
        and "HTTP_HOST" in variables
        and not _SPECIAL & variables.keys()
        and settings.SESSION_COOKIE_NAME not in cookies
        and settings.LANGUAGE_COOKIE_NAME not in cookies
        and "messages" not in cookies
    )


def _key(variables: Variables, names: Sequence[str]) -> bytes:
    # Over https the client's address decides whether its proxy is believed.
    sender = variables["REMOTE_ADDR"] if settings.HTTPS else ""
    parts = (sender, *map(variables.get, names))
    return sha256(repr(parts).encode()).digest()


def _not_modified(response: WholeResponse) -> WholeResponse:
    """Return the response 304 in place of this one."""
    return WholeResponse(304, [pair for pair in response.headers if pair[0] in _HEADERS_OF_304])
