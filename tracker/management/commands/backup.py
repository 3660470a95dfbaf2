"""Command that makes a copy of the whole site, also while it is running."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from tracker.backups.archive import make_copy
from tracker.backups.copies import CopyFailed, CopyFile, CopyKind, read_note


class Command(BaseCommand):
    help = (
        "Make a copy of everything the site knows: one file, whole although people report"
        " meanwhile. It holds everybody’s data and the site’s secret: keep it as you keep a key."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        where = "a file or a folder; else the site’s folder of copies"
        parser.add_argument("file", nargs="?", type=Path, help=where)

    def handle(self, *, file: Path | None, **_options: Any) -> None:
        now = timezone.now()
        if file is not None and file.is_dir():
            file /= CopyFile(now, CopyKind.ASKED).name
        try:
            path = make_copy(kind=CopyKind.ASKED, now=now, to=file)
        except CopyFailed as failure:
            raise CommandError(str(failure)) from None
        note = read_note(path)
        self.stdout.write(
            f"{path}: clubs {note.clubs}, tournaments {note.tournaments}, hands {note.hands};"
            f" {path.stat().st_size / 1_000_000:.1f} MB."
        )
        if not note.secret:
            self.stdout.write("The secret is not in it: it is in KULA_SECRET, keep that, too.")
