"""Command that prepares the data and serves the site to phones on the local network."""

import io
import os
import socket
import sys
import threading
import webbrowser
from argparse import ArgumentParser
from collections.abc import Sequence
from contextlib import suppress
from time import sleep
from typing import Any

import segno
from django.conf import settings
from django.core.management import BaseCommand, CommandError
from django.utils import timezone
from tqdm import tqdm

from games.game import is_installed
from tracker.backups.automatic import make_copies
from tracker.config import static_files
from tracker.management.server import gateway
from tracker.management.server.application import load_before_fork
from tracker.management.server.startup import (
    StartError,
    check_folder,
    claim_port,
    folder_lock,
    migrate_database,
)
from tracker.management.server.supervisor import Supervisor, handle_stop_signals
from tracker.management.server.webhooks import send_webhooks
from tracker.models import Club
from tracker.people.services.clubs import first_owner_path

_DEMO_SEED = 7  # any number: the same one makes the same demo


class Command(BaseCommand):
    help = "Open the club’s site, on this machine and for the phones around it."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--host",
            default="0.0.0.0",  # noqa: S104
            help="the address to listen on; with 127.0.0.1 no phone can reach it",
        )
        parser.add_argument("--port", type=int, default=8000)
        parser.add_argument("--workers", type=int, default=max(2, min(4, os.cpu_count() or 2)))
        parser.add_argument(
            "--demo", action="store_true", help="open a club in full swing, apart from your own"
        )
        parser.add_argument("--no-browser", action="store_true", help="do not open a page here")

    def handle(
        self, *, host: str, port: int, workers: int, demo: bool, no_browser: bool, **_: Any
    ) -> None:
        try:
            warning = check_folder(settings.DATA_DIR)
            claim_port(host, port, settings.DATA_DIR, say=self._say)
            with folder_lock(settings.DATA_DIR):
                migrate_database(can_write=not warning)
                if demo and not warning:
                    self._make_demo()
                static_files.prepare()
                # One file for each phone that reached the site: this time none has yet.
                with suppress(OSError):  # a read-only folder
                    for phone_file in settings.PHONES_FOLDER.glob("*"):
                        phone_file.unlink()
                self._serve(host, port, workers, browser=not no_browser, warning=warning)
        except StartError as error:
            raise CommandError(str(error)) from None
        self.stdout.write("Closed. The data is safe in " + str(settings.DATA_DIR))

    def _serve(self, host: str, port: int, workers: int, *, browser: bool, warning: str) -> None:
        addresses = [] if is_loopback(host) else lan_addresses()
        here = f"http://localhost:{port}"
        allow_addresses(addresses, f"http://{addresses[0]}:{port}" if addresses else "")
        there = settings.SITE_URL or settings.PHONES_URL
        owner_path = first_owner_path(now=timezone.now())
        # With https, plain http would only redirect to it.
        link = f"{settings.SITE_URL or here}{owner_path}" if owner_path else ""
        stop = handle_stop_signals()
        load_before_fork()
        serving = (gateway.serve, host, port, workers, settings.DATA_DIR)
        site = Supervisor("The server", *serving, say=self._say)
        # Trap: a process that is forked later holds the pipe by which an earlier one sees that the
        # supervisor has ended. So the last one is the sender, which then ends itself.
        sender = Supervisor("The sender of webhooks", send_webhooks, say=self._say)
        self._welcome(here, there, link, why_not=why_phones_cannot_reach(host))
        if warning:
            self._say(f"\n  {warning}")
        threading.Thread(target=self._count_phones, daemon=True).start()
        # The event would stop the copies, but is never set: the thread ends with the process.
        threading.Thread(target=make_copies, args=(threading.Event(),), daemon=True).start()
        if link and browser:
            # In a thread: on some systems this returns only when the browser is closed.
            threading.Thread(target=webbrowser.open, args=(link,), daemon=True).start()
        sending = threading.Thread(target=sender.run)
        sending.start()
        try:
            site.run()
        finally:  # if it fails, the sender does not keep a site open that serves nothing
            stop.set()
            sending.join()

    def _make_demo(self) -> None:
        """Fill the database with the demo if it is empty, and print how to sign in."""
        if not is_installed("games.play"):
            raise StartError("The demo is played by bots, and this copy of Kula has no play.")
        from tracker.management.demo.evening import OWNER, PASSWORD
        from tracker.management.demo.history import NIGHTS, make_demo

        if not Club.objects.exists():
            # disable=None: a progress bar in a terminal only.
            with tqdm(total=NIGHTS + 1, unit="evening", disable=None) as bar:  # and tonight
                make_demo(seed=_DEMO_SEED, today=timezone.now(), step=bar.update)
        login = f"Sign in as {OWNER} with the password {PASSWORD}"
        self.stdout.write(f"\n  A club in full swing. {login}")

    def _welcome(self, here: str, there: str, link: str, *, why_not: str) -> None:
        """Print the addresses here and for phones, and the first owner's link, if any."""
        self.stdout.write(f"\n  Kula is open.\n\n  On this machine   {here}/")
        if there:
            self.stdout.write(f"  On phones         {there.rstrip('/')}/\n")
            if (getattr(sys.stdout, "encoding", None) or "").lower().replace("-", "") == "utf8":
                qr_code = io.StringIO()
                segno.make(there).terminal(out=qr_code, compact=True)
                self.stdout.write(qr_code.getvalue())
        else:
            self.stdout.write(f"  On phones         {why_not}\n")
        if link:
            self.stdout.write(f"\n  The club has no owner yet. Open this link, once:\n  {link}")
        self._say("\n  Ctrl-C closes it.\n")

    def _count_phones(self) -> None:
        """Print how many phones have reached the site, whenever there are more."""
        last_count = 0
        while True:
            sleep(2)  # seconds
            count = len(list(settings.PHONES_FOLDER.glob("*")))
            if count > last_count:
                last_count = count
                phones = "1 phone has" if count == 1 else f"{count} phones have"
                self._say(f"  {phones} reached this site.")

    def _say(self, text: str) -> None:
        self.stdout.write(text)
        self.stdout.flush()


def is_loopback(host: str) -> bool:
    """Return whether only this machine can reach this address.

    >>> is_loopback("127.0.0.1"), is_loopback("0.0.0.0")
    (True, False)
    """
    return host.startswith("127.") or host in {"localhost", "::1"}


def why_phones_cannot_reach(host: str) -> str:
    """Return why no phone can reach a site without a known address."""
    if is_loopback(host):
        return f"none can reach it: --host {host} is for this machine alone"
    return "none can reach it yet: join the Wi-Fi of the hall, then start it again"


def lan_addresses() -> list[str]:
    """Return this machine's addresses that other machines may reach, the likeliest first."""
    addresses: list[str] = []
    # Connecting a datagram socket sends nothing; it only picks the outgoing interface.
    with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(("10.255.255.255", 1))
        addresses.append(str(probe.getsockname()[0]))
    with suppress(OSError):
        answers = socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)
        addresses += [str(address[0]) for *_, address in answers]
    return list(dict.fromkeys(address for address in addresses if not address.startswith("127.")))


def allow_addresses(addresses: Sequence[str], phones: str) -> None:
    """Add these addresses to the allowed hosts; set *phones* as the site's address for phones."""
    # Forked workers keep the settings of this process; spawned ones read the environment.
    hosts = [os.environ.get("KULA_HOSTS", ""), *addresses]
    os.environ["KULA_HOSTS"] = ",".join(filter(None, hosts))
    os.environ.setdefault("KULA_PHONES", phones)
    settings.ALLOWED_HOSTS = [*settings.ALLOWED_HOSTS, *addresses]
    settings.PHONES_URL = os.environ["KULA_PHONES"]
