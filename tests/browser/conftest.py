"""A served site with a club, and browsers that must not complain of anything."""

import os
from collections.abc import Iterator
from urllib.parse import urlsplit, urlunsplit
from uuid import uuid4

import psycopg
import pytest
from playwright.sync_api import Browser, Page, StorageState, expect

from tests.browser import club as opening, laid
from tests.browser.laid import Club
from tests.browser.visiting import PATIENCE, Visitors, chromium, sign_in, violations
from tests.browser.waiting_phones import Phones, Table
from tests.serving import Site, serving

expect.set_options(timeout=PATIENCE)


@pytest.fixture(scope="session")
def database() -> Iterator[str]:
    """Return the address of an empty PostgreSQL database; without DATABASE_URL none: SQLite."""
    server = os.environ.get("DATABASE_URL", "")
    if not server:
        yield ""
        return
    name = f"kula_{uuid4().hex}"
    with psycopg.connect(server, autocommit=True) as link:
        link.execute(f'CREATE DATABASE "{name}"')
        try:
            yield urlunsplit(urlsplit(server)._replace(path=f"/{name}"))
        finally:
            link.execute(f'DROP DATABASE "{name}" WITH (FORCE)')


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory, database: str) -> Iterator[Site]:
    """Serve a site from an empty folder, as a club does on its first evening."""
    data = tmp_path_factory.mktemp("club")
    with serving(data, "--workers", "2", environment={"DATABASE_URL": database}) as served:
        yield served


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with chromium() as running:
        yield running


@pytest.fixture
def visitors(site: Site, browser: Browser) -> Iterator[Visitors]:
    """Let people visit; a complaint of any of their browsers, or of the site, fails the test."""
    people = Visitors(browser, site.port)
    said_before = len(site.said)
    yield people
    try:
        people.leave()
    finally:
        said = "".join(site.said[said_before:])
        assert "Traceback" not in said, said[-6_000:]


@pytest.fixture(scope="session")
def owner(site: Site, browser: Browser) -> StorageState:
    """Open the one-time link once, as the first owner does, and return who is signed in."""
    people = Visitors(browser, site.port)
    page = people.laptop()
    page.goto(site.owner_link())
    assert violations(page) == []
    opening.open_first(page)
    signed_in = page.context.storage_state()
    people.leave()
    return signed_in


@pytest.fixture(scope="session")
def club(site: Site, database: str, owner: StorageState) -> Club:
    """Lay a club with something on every page, once for all who look at it.

    After the *owner*: the link that makes the first owner is gone where people already are.
    """
    return laid.lay(site.data, database)


@pytest.fixture(scope="session")
def organiser(site: Site, browser: Browser, club: Club) -> StorageState:
    """Sign the organiser of the laid club in, once for all who look as one."""
    people = Visitors(browser, site.port)
    page = people.laptop()
    sign_in(page, *laid.ORGANISER)
    signed_in = page.context.storage_state()
    people.leave()
    return signed_in


@pytest.fixture
def desk(visitors: Visitors, organiser: StorageState) -> Page:
    """Open the organiser's laptop."""
    return visitors.laptop(storage_state=organiser)


@pytest.fixture
def mobile(visitors: Visitors, organiser: StorageState) -> Page:
    """Open the organiser's phone."""
    return visitors.phone(host="127.0.0.1", storage_state=organiser)


@pytest.fixture
def phone(visitors: Visitors) -> Page:
    """Open a player's phone."""
    return visitors.phone()


@pytest.fixture
def laptop(visitors: Visitors) -> Page:
    """Open a stranger's laptop."""
    return visitors.laptop()


@pytest.fixture(scope="session")
def tables(site: Site, database: str, owner: StorageState) -> Iterator[Table]:
    """Give every test a table of its own, from one hall."""
    assert owner  # the link that makes the first owner is gone where people already are
    rows = laid.run("waiting_hall", site.data, database)
    return iter([Table(site, database, token, desk) for token, desk in rows])


@pytest.fixture
def table(tables: Iterator[Table]) -> Table:
    return next(tables)


@pytest.fixture
def hall(site: Site, browser: Browser) -> Iterator[Phones]:
    people = Phones(browser, site.port, [], [])
    yield people
    for context in people.contexts:
        context.close()
    assert not people.faults
