"""Three PostgreSQL kept by Patroni, on this machine, for a drill or to be looked at.

``python -m tests.drills.cluster`` starts it, says its ``DATABASE_URL``, and closes it with
Ctrl-C. Patroni, etcd and HAProxy are others' programs; nothing here is part of the site.

Every node has a member of etcd, as three small machines would: losing one takes its vote away
as well. (Patroni can also agree with itself, by Raft; its own makers call that deprecated.)
"""

import json
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from urllib.request import Request, urlopen

import psycopg

from tests import machine
from tests.drills.cluster.configuration import Node, of_haproxy, url
from tests.drills.cluster.machines import Machine, started
from tests.postgresql import free_port
from tests.serving import wait_until

PROXY = "127.0.0.10"
OPENS_WITHIN = 300  # seconds; a busy machine is no finding


@dataclass(slots=True)
class Cluster:
    """Three machines, and an HAProxy in front of them."""

    machines: list[Machine]
    url: str
    proxied_url: str

    def roles(self) -> dict[str, str]:
        """Return the role of every node, if all agree: who has just woken tells of long ago."""
        answers = [_roles_by(here.node) for here in self.machines]
        return answers[0] if answers.count(answers[0]) == len(answers) else {}

    def with_role(self, role: str) -> Machine:
        """Return the machine that has a role, ``leader`` or ``sync_standby``."""
        found: list[Machine] = []

        def is_found() -> bool:
            roles = self.roles()
            found[:] = [here for here in self.machines if roles.get(here.node.name) == role]
            return bool(found)

        wait_until(is_found, f"for a {role}", OPENS_WITHIN)
        return found[0]

    def is_whole(self) -> bool:
        """Tell whether it can lose a machine: one leads, one follows at once, the third follows.

        PostgreSQL is asked as well: Patroni lists a node as running before it follows the leader.
        """
        follows = "sync_standby" if self.machines[0].synchronous else "replica"
        roles = self.roles()
        if sorted(roles.values()) != ["leader", "replica", follows]:
            return False
        leader = next(here.node for here in self.machines if roles[here.node.name] == "leader")
        with suppress(psycopg.OperationalError), _as_superuser(self.url) as link:
            asked = link.execute(
                "SELECT host(inet_server_addr()), count(*) FROM pg_stat_replication"
                " WHERE state = 'streaming'"
            )
            return asked.fetchone() == (leader.address, len(self.machines) - 1)
        return False

    def timeline(self) -> int:
        """Return which timeline PostgreSQL writes: each machine that takes over begins the next."""
        with _as_superuser(self.url) as link:
            now = link.execute("SELECT left(pg_walfile_name(pg_current_wal_lsn()), 8)").fetchone()
        assert now is not None
        return int(now[0], 16)

    def wait_until_whole(self) -> None:
        wait_until(self.is_whole, "for the cluster to be whole", OPENS_WITHIN)

    def switch_over(self) -> None:
        """Ask Patroni to let the synchronous standby lead, as before a machine is looked after."""
        leader, candidate = self.with_role("leader"), self.with_role("sync_standby")
        asked = json.dumps({"leader": leader.node.name, "candidate": candidate.node.name}).encode()
        request = Request(f"{leader.node.rest_url}/switchover", asked)
        with urlopen(request, timeout=60) as answer:
            answer.read()


def _roles_by(node: Node) -> dict[str, str]:
    """Return the roles of those that are well, as this node's Patroni knows them."""
    with suppress(OSError, ValueError), urlopen(f"{node.rest_url}/cluster", timeout=2) as answer:
        members = json.load(answer)["members"]
        well = [member for member in members if member["state"] in {"running", "streaming"}]
        return {member["name"]: member["role"] for member in well}
    return {}


@contextmanager
def cluster(*, synchronous: bool = True) -> Iterator[Cluster]:
    """Run three nodes with an empty database for Kula, and leave nothing of them.

    Not *synchronous*, it loses hands: for a drill that has to see it.
    """
    folder = Path(tempfile.mkdtemp(prefix="kula-cluster-"))
    folder.chmod(0o755)  # its programs run as somebody else
    nodes = [
        Node(
            name=name,
            address=f"127.0.0.{number}",
            folder=folder / name,
            postgresql=free_port(),
            rest=free_port(),
            etcd=free_port(),
            etcd_peers=free_port(),
        )
        for number, name in enumerate(("one", "two", "three"), start=11)
    ]
    running = Cluster([Machine(node, nodes, synchronous) for node in nodes], url(nodes), "")
    try:
        for here in running.machines:
            here.start()
        running.wait_until_whole()
        _make_database(nodes)
        with _proxy(folder, nodes) as running.proxied_url:
            yield running
    except TimeoutError as error:
        logs = "\n".join(log.read_text()[-1500:] for log in folder.glob("*/*.log"))
        raise TimeoutError(f"{error}\n{logs}") from None
    finally:
        for here in running.machines:
            here.ask_to_close()
        for here in running.machines:
            here.close()
        shutil.rmtree(folder, ignore_errors=True)


def _make_database(nodes: Sequence[Node]) -> None:
    with _as_superuser(url(nodes)) as connection:
        connection.execute("CREATE ROLE kula LOGIN")
        connection.execute("CREATE DATABASE kula OWNER kula")


def _as_superuser(address: str) -> psycopg.Connection:
    """Connect to the leader as PostgreSQL's superuser."""
    address = address.replace("kula@", "postgres@").replace("/kula?", "/postgres?")
    # For each host; psycopg itself would wait for 130 s.
    return psycopg.connect(address, autocommit=True, connect_timeout=5)


@contextmanager
def _proxy(folder: Path, nodes: Sequence[Node]) -> Iterator[str]:
    port = free_port()
    (folder / "haproxy.cfg").write_text(of_haproxy(PROXY, port, nodes))
    command = [machine.haproxy(), "-db", "-f", folder / "haproxy.cfg"]
    program = started(command, folder / "haproxy.log")
    try:
        yield f"postgres://kula@{PROXY}:{port}/kula"
    finally:
        program.terminate()
        program.wait()
