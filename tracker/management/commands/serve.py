"""Open the club: everything from an empty folder to a site that phones can reach."""

import io
import os
import sys
import threading
import webbrowser
from argparse import ArgumentParser
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any

import segno
from django.conf import settings
from django.core.management import BaseCommand, CommandError
from django.db import connections
from django.utils import timezone
from tqdm import tqdm

from tracker.backups.automatic import make_copies
from tracker.config.middleware import phones_folder
from tracker.management import demo as demos
from tracker.management.server import startup, static_files, supervisor
from tracker.management.server import workers as server_workers
from tracker.models import Club
from tracker.people.services.clubs import first_owner_path

_DEMO_SEED = 7


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
            warning = startup.check_folder(settings.DATA_DIR)
            startup.claim_port(host, port, settings.DATA_DIR, say=self._say)
            with startup.folder_lock(settings.DATA_DIR):
                startup.migrate_database(can_write=not warning)
                if demo and not warning:
                    self._make_demo()
                static_files.prepare()
                with suppress(OSError):  # a folder that can only be read
                    for seen in phones_folder().glob("*"):
                        seen.unlink()
                self._serve(host, port, workers, browser=not no_browser, warning=warning)
        except startup.StartError as error:
            raise CommandError(str(error)) from None
        self.stdout.write("Closed. The data is safe in " + str(settings.DATA_DIR))

    def _serve(self, host: str, port: int, workers: int, *, browser: bool, warning: str) -> None:
        alone = startup.is_loopback(host)
        addresses = [] if alone else startup.lan_addresses()
        here = f"http://localhost:{port}"
        startup.allow_addresses(addresses, f"http://{addresses[0]}:{port}" if addresses else "")
        there = settings.SITE_URL or settings.PHONES_URL
        owner = first_owner_path(now=timezone.now())
        # Where there is https, plain http from here leads to it.
        link = f"{settings.SITE_URL or here}{owner}" if owner else ""
        supervisor.handle_stop_signals()
        connections.close_all()  # nothing opened here is carried into the workers
        site = supervisor.Supervisor(
            server_workers.run, host, port, workers, settings.DATA_DIR, say=self._say
        )
        self._welcome(here, there, link, why_not=startup.why_phones_cannot_reach(host))
        if warning:
            self._say(f"\n  {warning}")
        beside: list[Callable[[], object]] = [
            self._count_phones,
            partial(make_copies, threading.Event()),
        ]
        if link and browser:
            # A thread: some machines' browsers answer only when they are closed.
            beside.append(partial(webbrowser.open, link))
        for act in beside:
            threading.Thread(target=act, daemon=True).start()
        site.run()

    def _make_demo(self) -> None:
        """Fill the demo's own database, unless an earlier start has."""
        if not Club.objects.exists():
            # disable=None: a bar for a person at a terminal, silence in a log file.
            with tqdm(total=demos.NIGHTS + 1, unit="evening", disable=None) as bar:
                demos.make_demo(seed=_DEMO_SEED, today=timezone.now(), step=bar.update)
        self.stdout.write(
            f"\n  A club in full swing. Sign in as {demos.OWNER} with the password {demos.PASSWORD}"
        )

    def _welcome(self, here: str, there: str, link: str, *, why_not: str) -> None:
        self.stdout.write(f"\n  Kula is open.\n\n  On this machine   {here}/")
        if there:
            self.stdout.write(f"  On phones         {there.rstrip('/')}/\n")
            if (getattr(sys.stdout, "encoding", None) or "").lower().replace("-", "") == "utf8":
                picture = io.StringIO()
                segno.make(there).terminal(out=picture, compact=True)
                self.stdout.write(picture.getvalue())
        else:
            self.stdout.write(f"  On phones         {why_not}\n")
        if link:
            self.stdout.write(f"\n  The club has no owner yet. Open this link, once:\n  {link}")
        self.stdout.write("\n  Ctrl-C closes it.\n")
        self.stdout.flush()

    def _count_phones(self) -> None:
        """Say how many phones have reached the site whenever there are more."""
        last_count = 0
        pause = threading.Event()
        while not pause.wait(2):
            seen = len(list(phones_folder().glob("*")))
            if seen > last_count:
                last_count = seen
                phones = "1 phone has" if seen == 1 else f"{seen} phones have"
                self._say(f"  {phones} reached this site.")

    def _say(self, words: str) -> None:
        self.stdout.write(words)
        self.stdout.flush()
