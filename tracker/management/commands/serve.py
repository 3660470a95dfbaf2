"""Open the club: everything from an empty folder to a site that phones can reach."""

import io
import os
import sys
import threading
import webbrowser
from argparse import ArgumentParser
from typing import Any

import segno
from django.conf import settings
from django.core.management import BaseCommand, CommandError, call_command
from django.db import connections
from django.utils import timezone
from tqdm import tqdm

from tracker.config.middleware import phones_folder
from tracker.management import demo as demos
from tracker.management import serving
from tracker.management.server import supervisor
from tracker.management.server import workers as server_workers
from tracker.models import Club
from tracker.people.services.clubs import first_owner_path

_DEMO_SEED = 7


class Command(BaseCommand):
    help = "Serve the club's site to this machine and to the phones around it."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--host", default="0.0.0.0", help="the address to listen on")  # noqa: S104
        parser.add_argument("--port", type=int, default=8000)
        parser.add_argument("--workers", type=int, default=max(2, min(4, os.cpu_count() or 2)))
        parser.add_argument(
            "--demo", action="store_true", help="open a club in full swing, apart from your own"
        )
        parser.add_argument(
            "--no-browser", action="store_true", help="do not open a page on this machine"
        )

    def handle(
        self, *, host: str, port: int, workers: int, demo: bool, no_browser: bool, **_: Any
    ) -> None:
        try:
            serving.check_folder(settings.DATA_DIR)
            serving.claim_port(host, port, settings.DATA_DIR, say=self.stdout.write)
            serving.bring_database_up_to_date()
        except serving.Obstacle as obstacle:
            raise CommandError(str(obstacle)) from None
        if demo:
            self._make_demo()
        call_command("collectstatic", interactive=False, verbosity=0)
        for seen in phones_folder().glob("*"):
            seen.unlink()

        addresses = [] if host.startswith("127.") else serving.own_addresses()
        here = f"http://localhost:{port}"
        serving.make_known(addresses, f"http://{addresses[0]}:{port}" if addresses else "")
        there = settings.SITE_URL or settings.PHONES_URL or here
        owner = first_owner_path(now=timezone.now())
        supervisor.heed_ctrl_c()
        connections.close_all()  # nothing opened here is carried into the workers
        site = supervisor.Supervisor(
            server_workers.run, host, port, workers, settings.DATA_DIR, say=self._say
        )
        self._welcome(here, there, owner)
        if owner and not no_browser:
            # A thread: some machines' browsers answer only when they are closed.
            threading.Thread(target=webbrowser.open, args=[here + owner], daemon=True).start()
        threading.Thread(target=self._count_phones, daemon=True).start()
        site.run()
        self.stdout.write("Closed. The data is safe in " + str(settings.DATA_DIR))

    def _make_demo(self) -> None:
        """Fill the demo's own database, unless an earlier start has."""
        if not Club.objects.exists():
            # disable=None: a bar for a person at a terminal, silence in a log file.
            with tqdm(total=demos.NIGHTS + 1, unit="evening", disable=None) as bar:
                demos.make_demo(seed=_DEMO_SEED, today=timezone.now(), step=bar.update)
        self.stdout.write(
            f"\n  A club in full swing. Sign in as {demos.OWNER} with the password {demos.PASSWORD}"
        )

    def _welcome(self, here: str, there: str, owner: str | None) -> None:
        self.stdout.write(f"\n  Kula is open.\n\n  On this machine   {here}/")
        self.stdout.write(f"  On phones         {there.rstrip('/')}/\n")
        if (getattr(sys.stdout, "encoding", None) or "").lower().replace("-", "") == "utf8":
            picture = io.StringIO()
            segno.make(there).terminal(out=picture, compact=True)
            self.stdout.write(picture.getvalue())
        if owner:
            self.stdout.write(f"\n  It has no owner yet. Open this link, once:\n  {here}{owner}")
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
