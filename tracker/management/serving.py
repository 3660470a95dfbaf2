"""What ``manage.py serve`` has to find out and put in order before it serves.

Whatever stands in the way is said in one sentence: ``Obstacle``.
"""

import os
import socket
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from time import monotonic

from django.conf import settings
from django.core.management import call_command
from django.db import OperationalError, connection, transaction
from django.db.migrations.executor import MigrationExecutor
from django.utils import timezone

from tracker.backups import data_folder
from tracker.backups.damage import found_damage
from tracker.backups.making import make_copy
from tracker.backups.stored import CopyFailed, CopyKind
from tracker.common.files import refuses_to_write
from tracker.management.server.supervisor import ask_orphans_to_close

_MAKING_WAY = 15  # seconds
# The tables were made by other migrations until then.
_BEFORE_THE_FIRST_RELEASE = "0001_initial"


class Obstacle(Exception):
    """Why the site cannot be served; the sentence says what would help."""


def check_folder(folder: Path) -> str:
    """See that the data folder can be written; return a warning if it can only be read.

    :raises Obstacle: if it cannot be written, and holds no database that could be read.
    """
    error = refuses_to_write(folder)
    if error is None:
        return ""
    if connection.vendor != "sqlite" or not Path(connection.settings_dict["NAME"]).exists():
        message = (
            f"The folder {folder} cannot be written ({error.strerror}). "
            "Make it writable, or name another in KULA_DATA."
        )
        raise Obstacle(message)
    return (
        f"Nothing can be saved: the folder {folder} cannot be written ({error.strerror}). "
        "What is there can be read. Make room, or make it writable: then it saves again by itself."
    )


def claim_port(host: str, port: int, folder: Path, *, say: Callable[[str], None]) -> None:
    """See that nothing else listens there; what an earlier start left running makes way.

    :raises Obstacle: if something does, or if the address is not this machine's.
    """
    if ask_orphans_to_close(folder):
        say("  What an earlier start left running is closed; this one takes over.")
        until = monotonic() + _MAKING_WAY
        pause = threading.Event()
        while monotonic() < until:
            with suppress(Obstacle):
                check_port(host, port)
                return
            pause.wait(0.1)
    check_port(host, port)


@contextmanager
def held(folder: Path) -> Iterator[None]:
    """Hold the lock of a SQLite database's folder, so that no copy is restored meanwhile.

    :raises Obstacle: if another Kula holds it. Over PostgreSQL several may stand side by side.
    """
    if connection.vendor != "sqlite":
        yield
        return
    until = monotonic() + _MAKING_WAY
    pause = threading.Event()
    with ExitStack() as stack:
        try:
            while (
                data_folder.is_held(folder) and monotonic() < until
            ):  # what makes way takes a moment
                pause.wait(0.1)
            stack.enter_context(data_folder.hold(folder))
        except data_folder.FolderInUse:
            message = (
                f"Another Kula is open with the folder {folder}, or a copy is put back there. "
                "Close that one, or name another folder in KULA_DATA."
            )
            raise Obstacle(message) from None
        except OSError:  # a folder that is only read: nothing can be put back there either
            pass
        yield


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


def bring_database_up_to_date(*, can_write: bool = True) -> None:
    """Apply the migrations that are missing; a SQLite file is copied before.

    :raises Obstacle: if the database is damaged or not to be reached, or a newer version made it, or one
        from before the first release; or if it lacks some and cannot be written.
    """
    if damage := found_damage():
        raise Obstacle(damage)
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
            "The database is from before Kula’s first release and cannot be brought up to date; "
            "it is left as it is. Start in another folder (KULA_DATA), or with a new database."
        )
    if newest and ("tracker", newest) not in loader.disk_migrations:
        message = (
            f"The database is from a newer version of Kula (it has {newest}). "
            "Start that version, or restore an older copy of the data."
        )
        raise Obstacle(message)
    if not executor.migration_plan(loader.graph.leaf_nodes()):
        return
    if not can_write:
        raise Obstacle(
            "The data is of an older version, and cannot be brought up to date where nothing "
            "can be written. Make room, or make the folder writable."
        )
    if newest:
        _keep_a_copy(newest)
    with _all_or_none():
        call_command("migrate", interactive=False, verbosity=0)


@contextmanager
def _all_or_none() -> Iterator[None]:
    """Apply all migrations of a SQLite file, or none.

    Trap: Django writes down that a migration was applied after the transaction that makes indexes.
    With a power cut between the two no later start would get past the tables that are there already.
    """
    if connection.vendor != "sqlite":
        yield
        return
    # Within a transaction SQLite cannot be told to leave foreign keys alone, as a migration asks.
    with connection.constraint_checks_disabled(), transaction.atomic():
        yield


def _keep_a_copy(version: str) -> None:
    """Keep a copy of SQLite's data before the tables change, which were of that *version*.

    Another database has tools of its own for this, and keepers who know them.

    :raises Obstacle: if there is no room for it.
    """
    if connection.vendor != "sqlite":
        return
    try:
        make_copy(
            kind=CopyKind.UPGRADE, now=timezone.now(), why=f"Before an upgrade from {version}"
        )
    except CopyFailed as failure:
        message = f"The data is of an older version, and is copied before it changes. {failure}"
        raise Obstacle(message) from None


def reaches_this_machine_alone(host: str) -> bool:
    """Say whether no other machine can reach what listens at this address.

    >>> reaches_this_machine_alone("127.0.0.1"), reaches_this_machine_alone("0.0.0.0")
    (True, False)
    """
    return host.startswith("127.") or host in {"localhost", "::1"}


def why_no_phone(host: str) -> str:
    """Say why no phone reaches the site, where no address is known by which it could.

    >>> print(why_no_phone("127.0.0.1"))
    none can reach it: --host 127.0.0.1 is for this machine alone
    """
    if reaches_this_machine_alone(host):
        return f"none can reach it: --host {host} is for this machine alone"
    return "none can reach it yet: join the Wi-Fi of the hall, then start it again"


def own_addresses() -> list[str]:
    """List this machine's addresses that others may reach, the likeliest first."""
    addresses: list[str] = []
    # Connecting a datagram socket sends nothing; it only asks which way one would go.
    with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(("10.255.255.255", 1))
        addresses.append(str(probe.getsockname()[0]))
    with suppress(OSError):
        answers = socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)
        addresses += [str(address[0]) for *_, address in answers]
    return list(dict.fromkeys(address for address in addresses if not address.startswith("127.")))


def make_known(addresses: Sequence[str], phones: str) -> None:
    """Answer at these addresses too, and pass *phones* on as where phones reach the site."""
    # Workers that are forked keep the settings of this process; others read the environment anew.
    hosts = [os.environ.get("KULA_HOSTS", ""), *addresses]
    os.environ["KULA_HOSTS"] = ",".join(filter(None, hosts))
    os.environ.setdefault("KULA_PHONES", phones)
    settings.ALLOWED_HOSTS = [*settings.ALLOWED_HOSTS, *addresses]
    settings.PHONES_URL = os.environ["KULA_PHONES"]
