"""What etcd, Patroni and HAProxy are told, each as its own documentation names it."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

# The least that Patroni takes: a leader that is lost is replaced after 15 to 20 s.
_SECONDS = {"ttl": 20, "loop_wait": 5, "retry_timeout": 5}
# Small, as three of them share a machine with all that presses them; nothing here is less safe.
_PARAMETERS = {"shared_buffers": "48MB", "max_connections": 80, "max_wal_size": "256MB"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    """One machine: a PostgreSQL, the Patroni that keeps it, and a member of etcd."""

    name: str
    address: str
    folder: Path
    postgresql: int
    rest: int
    etcd: int
    etcd_peers: int

    @property
    def rest_url(self) -> str:
        return f"http://{self.address}:{self.rest}"


def url(nodes: Sequence[Node]) -> str:
    """Return the ``DATABASE_URL`` that names every host."""
    hosts = ",".join(f"{node.address}:{node.postgresql}" for node in nodes)
    return f"postgres://kula@{hosts}/kula?target_session_attrs=read-write"


def of_etcd(node: Node, nodes: Sequence[Node]) -> list[str]:
    """Return the arguments of a member of etcd."""
    here, peers = (f"http://{node.address}:{port}" for port in (node.etcd, node.etcd_peers))
    options = {
        "name": node.name,
        "data-dir": node.folder / "etcd",
        "listen-client-urls": here,
        "advertise-client-urls": here,
        "listen-peer-urls": peers,
        "initial-advertise-peer-urls": peers,
        "initial-cluster": ",".join(
            f"{other.name}=http://{other.address}:{other.etcd_peers}" for other in nodes
        ),
        "logger": "zap",
        "log-level": "warn",
    }
    return [f"--{name}={value}" for name, value in options.items()]


def of_patroni(
    node: Node, nodes: Sequence[Node], tools: Path, *, synchronous: bool = True
) -> dict[str, Any]:
    """Return the configuration of a Patroni; as JSON it is YAML, too."""
    postgresql = f"{node.address}:{node.postgresql}"
    rest = f"{node.address}:{node.rest}"
    return {
        "scope": "kula",
        "name": node.name,
        "restapi": {"listen": rest, "connect_address": rest},
        "etcd3": {"hosts": [f"{other.address}:{other.etcd}" for other in nodes]},
        "bootstrap": {
            "dcs": {
                **_SECONDS,
                # What is acknowledged is on two machines; with one alone nothing is taken in.
                "synchronous_mode": synchronous,
                "synchronous_mode_strict": synchronous,
                "postgresql": {"use_pg_rewind": True, "parameters": _PARAMETERS},
            },
            "initdb": [{"encoding": "UTF8"}, {"locale": "C.UTF-8"}, "data-checksums"],
        },
        "postgresql": {
            "listen": postgresql,
            "connect_address": postgresql,
            "data_dir": str(node.folder / "data"),
            "bin_dir": str(tools),
            "pgpass": str(node.folder / "pgpass"),
            "parameters": {"unix_socket_directories": str(node.folder)},
            # On loopback; elsewhere scram-sha-256 and hostssl.
            "pg_hba": [
                "local all all trust",
                "host all all 127.0.0.0/8 trust",
                "host replication all 127.0.0.0/8 trust",
            ],
            "basebackup": [{"checkpoint": "fast"}],
            "authentication": {
                "superuser": {"username": "postgres"},
                "replication": {"username": "replicator"},
                "rewind": {"username": "rewinder"},
            },
        },
    }


def of_haproxy(address: str, port: int, nodes: Sequence[Node]) -> str:
    """Return the configuration of an HAProxy that leads to whichever node takes writes."""
    servers = "\n".join(
        f"    server {node.name} {node.address}:{node.postgresql} check port {node.rest}"
        for node in nodes
    )
    return f"""\
defaults
    mode tcp
    timeout connect 3s
    timeout check 2s
    timeout client 1h
    timeout server 1h
listen kula
    bind {address}:{port}
    option httpchk OPTIONS /primary
    http-check expect status 200
    default-server inter 1s fall 2 rise 1 on-marked-down shutdown-sessions
{servers}
"""
