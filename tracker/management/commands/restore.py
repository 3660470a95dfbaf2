"""Command that restores a copy, after listing what that would lose."""

from contextlib import suppress
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from tracker.backups.copies import CopyFailed, copies_folder
from tracker.backups.losses import loss_by_database
from tracker.backups.restoring import UnpackedCopy, restore, unpacked_copy
from tracker.management.server.supervisor import orphan_file


class Command(BaseCommand):
    help = (
        "Put a copy in the place of everything that is there. It says first what would be lost, and"
        " asks; what is there is copied before. Kula must be closed."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, help="a copy, or its name in the folder of copies")
        parser.add_argument("--yes", action="store_true", help="do not ask")

    def handle(self, *, file: Path, yes: bool, **_options: Any) -> None:
        if orphan_file(settings.DATA_DIR).exists():
            raise CommandError(
                "A Kula whose window is gone may still be serving. Start Kula once and close it,"
                " then restore. Nothing was changed."
            )
        if not file.exists() and (copies_folder() / file.name).exists():
            file = copies_folder() / file.name
        try:
            with unpacked_copy(file) as copy:
                self._describe(copy)
                if not yes:
                    self.stdout.write("Put it in the place of what is there? Type yes: ", ending="")
                    self.stdout.flush()
                    with suppress(EOFError):
                        yes = input().strip().casefold() == "yes"
                if not yes:
                    raise CommandError("Nothing was changed.")
                copy_of_present = restore(copy, now=timezone.now())
        except CopyFailed as failure:
            raise CommandError(str(failure)) from None
        if copy_of_present:
            self.stdout.write(f"What was there is kept in {copy_of_present}.")
        self.stdout.write("Restored. Start Kula again.")

    def _describe(self, copy: UnpackedCopy) -> None:
        note = copy.note
        self.stdout.write(
            f"A copy of {note.made_at:%Y-%m-%d %H:%M} (UTC): clubs {note.clubs}, tournaments"
            f" {note.tournaments}, hands {note.hands}. {note.why}".rstrip()
        )
        if not note.secret:
            self.stdout.write(
                "Its secret was in KULA_SECRET and is not in the copy: set the same one, or"
                " people must sign in again and links that are out no longer work."
            )
        try:
            lost = loss_by_database(copy.database)
        except CopyFailed as failure:
            self.stdout.write(f"{failure} So nobody can say what would be lost.")
            return
        sentence = "Not in it, and so lost:" if lost else "Nothing that is there now would be lost."
        self.stdout.write("\n  ".join([sentence, *lost]))
