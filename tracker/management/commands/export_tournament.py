"""Command that exports a tournament with its stages as a file."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from games.errors import RuleError
from tracker.management.lookup import tournament_named
from tracker.tournament_files.queries.export import tournament_file
from tracker.tournament_files.queries.matches import refusal_sentence


class Command(BaseCommand):
    help = "Write a tournament with its stages into one file, to be taken in elsewhere."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("tournament", help="its number in its address, or its whole name")
        parser.add_argument("file", type=Path, help="where to write it; it must not be there yet")

    def handle(self, *, tournament: str, file: Path, **_options: Any) -> None:
        try:
            content = tournament_file(tournament_named(tournament))
            with file.open("xb") as opened:
                opened.write(content)
        except RuleError as refusal:
            raise CommandError(refusal_sentence(refusal)) from refusal
        except FileExistsError:
            raise CommandError(f"{file} is there already.") from None
        except OSError as error:
            raise CommandError(f"{file} cannot be written: {error.strerror}.") from error
        self.stdout.write(f"{file}, {len(content)} bytes.")
