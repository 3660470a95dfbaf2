"""The loss of a machine: PostgreSQL kept by Patroni, the leader lost while phones report.

Only in full, and once for both databases, as it brings its own; what it is told is read always.
Ten and more by hand: ``python -m tests.drills.failover kill kill hang switchover …``.
"""

import os
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path

import psycopg
import pytest

from tests.drilled import FULL
from tests.drills import failover, schema_change
from tests.drills.cluster import Cluster, cluster
from tests.drills.cluster.configuration import Node, of_etcd, of_haproxy, of_patroni, url
from tests.serving import wait_until
from tracker.config.environment import postgresql as database
from tracker.config.postgresql.base import Connection

# Seconds, without anybody touching a phone: 30 where nothing else runs (RESULTS.md), and a busy
# machine is no finding.
AGAIN_WITHIN = 90
HEAVY = pytest.mark.skipif(
    not FULL or bool(os.environ.get("DATABASE_URL")), reason="heavy: once, and only in full"
)
NODES = [
    Node(
        name=name,
        address=f"127.0.0.{number}",
        folder=Path("/cluster") / name,
        postgresql=5432,
        rest=8008,
        etcd=2379,
        etcd_peers=2380,
    )
    for number, name in enumerate(("one", "two", "three"), start=11)
]


def test_kula_is_told_of_every_host_and_wants_the_one_that_takes_writes() -> None:
    setting = database(url(NODES))

    assert setting["HOST"] == "127.0.0.11,127.0.0.12,127.0.0.13"
    assert setting["PORT"] == "5432,5432,5432"
    assert setting["OPTIONS"]["target_session_attrs"] == "read-write"


def test_patroni_acknowledges_nothing_that_one_machine_alone_has() -> None:
    configuration = of_patroni(NODES[0], NODES, Path("/usr/lib/postgresql/15/bin"))
    everywhere = configuration["bootstrap"]["dcs"]

    assert everywhere["synchronous_mode"] is everywhere["synchronous_mode_strict"] is True
    assert "synchronous_commit" not in everywhere["postgresql"]["parameters"]
    # Patroni's own rule, and what leaves ten of the thirty seconds to all others.
    assert everywhere["loop_wait"] + 2 * everywhere["retry_timeout"] <= everywhere["ttl"] <= 20
    assert len(configuration["etcd3"]["hosts"]) == 3


def test_every_node_listens_on_its_own_machine_alone() -> None:
    assert "--listen-client-urls=http://127.0.0.12:2379" in of_etcd(NODES[1], NODES)
    assert of_patroni(NODES[1], NODES, Path())["postgresql"]["listen"] == "127.0.0.12:5432"
    assert "bind 127.0.0.10:5000" in of_haproxy("127.0.0.10", 5000, NODES)


@pytest.fixture(scope="module")
def running() -> Iterator[Cluster]:
    with cluster() as made:
        yield made


@HEAVY
def test_the_leader_is_lost_and_no_hand(running: Cluster, tmp_path: Path) -> None:
    with failover.evening(running, tmp_path) as evening:
        before = running.timeline()
        waited = evening.disturb("schema")

        if running.timeline() == before:  # on a busy machine the lead may be lost by itself
            assert max(waited.values()) < schema_change.AT_MOST, waited
            assert set(evening.answers()) == {"303"}, evening.answers()
        for act in ("kill", "hang"):
            before = running.timeline()
            waited = evening.disturb(act)

            # Not by who leads now: on a busy machine the lead may be lost once more, and come back.
            wait_until(
                partial(_has_gone_on, running, before),
                f"a timeline after {before}, as the leader was lost ({act}); tables waited {waited}",
            )
            assert max(waited.values()) < AGAIN_WITHIN, (act, waited)
    assert [page for table in evening.tables for page in table.odd] == []
    outcome = failover.look(evening)
    assert outcome.acknowledged > failover.PHONES * len(evening.cluster.machines)
    assert (outcome.lost, outcome.doubled, outcome.out_of_order) == (0, 0, 0)
    assert "0 differences" in outcome.recount


def _has_gone_on(running: Cluster, before: int) -> bool:
    with suppress(psycopg.OperationalError):  # of a machine that is just being put in its place
        return running.timeline() > before
    return False


@HEAVY
def test_what_is_no_leader_any_more_is_left_at_the_first_write(running: Cluster) -> None:
    running.wait_until_whole()

    follower = running.with_role("sync_standby").node
    with Connection.connect(
        host=follower.address, port=follower.postgresql, user="kula", dbname="kula", autocommit=True
    ) as connection:
        with pytest.raises(psycopg.errors.ReadOnlySqlTransaction):
            connection.execute("CREATE TABLE one_more ()")

        assert connection.closed
