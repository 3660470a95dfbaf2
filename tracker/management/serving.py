"""What ``manage.py serve`` has to find out and put in order before it serves.

Whatever stands in the way is said in one sentence: ``Obstacle``.
"""

import os
import socket
import sqlite3
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from time import monotonic

from django.conf import settings
from django.core.management import call_command
from django.db import OperationalError, connection
from django.db.migrations.executor import MigrationExecutor

from tracker.management.server.supervisor import ask_orphans_to_close

_MAKING_WAY = 15  # seconds
# The tables were made by other migrations until then.
_BEFORE_THE_FIRST_RELEASE = "0001_initial"


class Obstacle(Exception):
    """Why the site cannot be served; the sentence says what would help."""


def check_folder(folder: Path) -> None:
    """Make the data folder and see that it can be written.

    :raises Obstacle: if it cannot.
    """
    probe = folder / ".writable"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        probe.write_text("")
        probe.unlink()
    except OSError as error:
        message = (
            f"The folder {folder} cannot be written ({error.strerror}). "
            "Make it writable, or name another in KULA_DATA."
        )
        raise Obstacle(message) from None


def claim_port(host: str, port: int, folder: Path, *, say: Callable[[str], None]) -> None:
    """See that nothing else listens there; what an earlier start left running makes way.

    :raises Obstacle: if something does, or if the address is not this machine's.
    """
    if ask_orphans_to_close(folder):
        say("  What an earlier start left running is closed; this one takes over.")
        until = monotonic() + _MAKING_WAY
        pause = threading.Event()
        while monotonic() < until and not _is_free(host, port):
            pause.wait(0.1)
    check_port(host, port)


def _is_free(host: str, port: int) -> bool:
    try:
        check_port(host, port)
    except Obstacle:
        return False
    return True


def check_port(host: str, port: int) -> None:
    """See that nothing else listens there.

    :raises Obstacle: if something does, or if the address is not this machine's.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            message = (
                f"Port {port} cannot be used ({error.strerror}): another program has it, perhaps "
                f"another Kula. Stop that one, or choose another port: serve --port {port + 1}"
            )
            raise Obstacle(message) from None


def bring_database_up_to_date() -> None:
    """Apply the migrations that are missing; a SQLite file is copied before.

    :raises Obstacle: if the database is not to be reached, or a newer version made it, or one
        from before the first release.
    """
    try:
        executor = MigrationExecutor(connection)
    except OperationalError as error:
        message = f"The database cannot be reached: {' '.join(str(error).split())}"
        raise Obstacle(message) from None
    loader = executor.loader
    applied = sorted(name for app, name in loader.applied_migrations if app == "tracker")
    newest = applied[-1] if applied else ""
    if _BEFORE_THE_FIRST_RELEASE in applied:
        raise Obstacle(
            "The database is from before Kula's first release and cannot be brought up to date; "
            "it is left as it is. Start in another folder (KULA_DATA), or with a new database."
        )
    if newest and ("tracker", newest) not in loader.disk_migrations:
        message = (
            f"The database is from a newer version of Kula (it has {newest}). "
            "Start that version, or restore an older copy of the data."
        )
        raise Obstacle(message)
    if newest and executor.migration_plan(loader.graph.leaf_nodes()):
        _keep_a_copy(newest)
    call_command("migrate", interactive=False, verbosity=0)


def _keep_a_copy(version: str) -> None:
    """Copy the SQLite file beside itself, named for the *version* that it is of.

    Another database has tools of its own for this, and keepers who know them.

    :raises Obstacle: if there is no room for it.
    """
    if connection.vendor != "sqlite":
        return
    file = Path(connection.settings_dict["NAME"])
    copied_to = file.with_stem(f"{file.stem}-{version}")
    try:
        with closing(sqlite3.connect(copied_to)) as copy:
            connection.connection.backup(copy)  # unlike a copied file, whole while others write
    except sqlite3.Error as error:
        message = (
            f"The data is of an older version, and cannot be copied to {copied_to} before it is "
            f"brought up to date ({error}). Make room there, and start again."
        )
        raise Obstacle(message) from None


def own_addresses() -> list[str]:
    """List this machine's addresses that others may reach, the likeliest first."""
    addresses = [*_address_towards("10.255.255.255", socket.AF_INET), *_addresses_by_name()]
    return list(dict.fromkeys(address for address in addresses if not address.startswith("127.")))


def make_known(addresses: Sequence[str], phones: str) -> None:
    """Answer at these addresses too, and pass *phones* on as where phones reach the site."""
    # Workers that are forked keep the settings of this process; others read the environment anew.
    hosts = [os.environ.get("KULA_HOSTS", ""), *addresses]
    os.environ["KULA_HOSTS"] = ",".join(filter(None, hosts))
    os.environ.setdefault("KULA_PHONES", phones)
    settings.ALLOWED_HOSTS = [*settings.ALLOWED_HOSTS, *addresses]
    settings.PHONES_URL = os.environ["KULA_PHONES"]


def _address_towards(target: str, family: socket.AddressFamily) -> Iterator[str]:
    # Connecting a datagram socket sends nothing; it only asks which way one would go.
    with socket.socket(family, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect((target, 1))
        except OSError:
            return
        yield str(probe.getsockname()[0])


def _addresses_by_name() -> Iterator[str]:
    try:
        answers = socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)
    except OSError:
        return
    for *_, address in answers:
        yield str(address[0])
