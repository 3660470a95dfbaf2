"""Nobody can freeze the site: strangers hold lines, take files away, practise and guess, and tables report."""

from collections.abc import Iterator

import pytest

from tests.drilled import FULL
from tests.drills import hall
from tests.drills.pressed import TABLES, Tables, pressing
from tests.drills.strangers import CROWDS, Crowd
from tests.serving import PATIENCE, Site, serving

HANDS, BEFORE = (20, 60) if FULL else (4, 5)
LONGEST = 130 if FULL else 4  # hands while silent lines are held, for minutes
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
        waits = tables.report(LONGEST if "half" in strangers else HANDS, EVERY)
        page, _, _ = Crowd(site.port, tournament).ask("GET", f"/tournaments/{tournament}/")

    assert page == 200
    assert max(waits) < LATEST
    # Whoever comes when too many have come is told so, and nobody is left without an answer.
    assert set(crowd.statuses) <= {200, 302, 303, 429, 503}
    assert crowd.longest < PATIENCE


def test_every_hand_of_it_is_there(site: Site, tables: Tables) -> None:
    tokens = [phone.token for phone in tables.phones]

    for table in hall.read(site.data, tokens):
        assert table.hands == list(range(1, tables.reported + 1))
    assert "0 differences" in hall.recount(site.data)
