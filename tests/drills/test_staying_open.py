"""Nobody can freeze the site: strangers hold lines, take files away, practise and guess, and tables report."""

import os
import signal
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.drilled import FULL
from tests.drills import hall
from tests.drills.pressed import TABLES, Tables, pressing
from tests.drills.processes import descendants
from tests.drills.strangers import CROWDS, LONGEST, Crowd
from tests.reading import Forms
from tests.serving import Site, serving

HANDS, BEFORE = (20, 40) if FULL else (4, 5)
HELD = 70 if FULL else 4  # hands while silent lines are held, until the site hangs up
EVERY = 1.0  # seconds
LATEST = 60.0  # seconds; a frozen worker never answers, and a busy machine is no finding


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with serving(tmp_path_factory.mktemp("open"), "--workers", "4") as site:
        yield site


@pytest.fixture(scope="module")
def tables(site: Site) -> Tables:
    tables = Tables.seated(site, TABLES)
    tables.report(BEFORE, 0.0)
    return tables


@pytest.mark.parametrize("strangers", CROWDS)
def test_tables_report_while_strangers(site: Site, tables: Tables, strangers: str) -> None:
    tournament = hall.tournament_of(site.data, tables.phones[0].token)

    with pressing(site, tournament, strangers) as crowd:
        waits = tables.report(HELD if "half" in strangers else HANDS, EVERY)
        page, _, _ = Crowd(site.port, tournament).ask("GET", f"/tournaments/{tournament}/")

    assert page == 200
    assert max(waits) < LATEST
    # Whoever comes when too many have come is told so, and nobody is left without an answer.
    assert set(crowd.statuses) <= {200, 302, 303, 429, 503}
    assert crowd.longest < LONGEST


def test_every_hand_of_it_is_there(site: Site, tables: Tables) -> None:
    tokens = [phone.token for phone in tables.phones]

    for table in hall.read(site.data, tokens):
        assert table.hands == list(range(1, tables.reported + 1))
    assert "0 differences" in hall.recount(site.data)


@pytest.mark.skipif(not hasattr(os, "SCHED_IDLE"), reason="bots have no turn of their own here")
def test_practice_shows_its_pages_while_its_bots_are_busy(site: Site) -> None:
    visitor = Crowd(site.port, 0)
    path = "/practice/albastini/"
    form = Forms(visitor.ask("GET", path)[2], path).forms[-1]
    answers = form.pressing(mode="4t2", strength="beginner", name="Asha")
    table = visitor.ask("POST", form.path, answers)[1]
    bots = [
        pid for pid in descendants(site.process.pid) if os.sched_getscheduler(pid) == os.SCHED_IDLE
    ]
    assert len(bots) == 4  # one in each worker

    with ThreadPoolExecutor(1) as another:
        for pid in bots:
            os.kill(pid, signal.SIGSTOP)
        try:
            deal = another.submit(visitor.ask, "POST", form.path, answers)
            shown = [
                visitor.ask("GET", page)[0] for page in ("/practice/", path, table, "/replay/")
            ]
            waits = not deal.done()
        finally:
            for pid in bots:
                os.kill(pid, signal.SIGCONT)
        dealt = deal.result()[0]

    assert (shown, waits, dealt) == ([200] * 4, True, 303)
