"""Command that records the results in a CSV or XLSX file."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from tracker.backups.automatic import copy_before
from tracker.common.actor import Actor
from tracker.common.uploads import text_in
from tracker.management.lookup import tournament_named
from tracker.results.forms.results_file import MOST_BYTES, MOST_LINES, read_file, record_file


class Command(BaseCommand):
    help = (
        "Write down the results in a CSV or XLSX file: a line a hand, with the columns round,"
        " table, hand, dealer, and the answers (eaten A, eaten B; order; or bare). All or nothing,"
        " and running it again changes nothing."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("tournament", help="its number in its address, or its whole name")
        parser.add_argument("file", type=Path)
        parser.add_argument("--check", action="store_true", help="only say what would happen")

    def handle(self, *, tournament: str, file: Path, check: bool, **_options: Any) -> None:
        chosen = tournament_named(tournament)
        if not check:
            problem = copy_before(why="Before a file of results was taken in", now=timezone.now())
            if problem:
                self.stderr.write(problem)
        try:
            text = text_in(file.read_bytes(), most_bytes=MOST_BYTES, most_lines=MOST_LINES)
        except OSError as error:
            raise CommandError(f"{file}: {error.strerror}.") from None
        except ValueError:
            raise CommandError(f"{file} is no CSV or XLSX file, or too large.") from None
        results = record_file(read_file(chosen, text), keep=not check, by=Actor(at=timezone.now()))
        if results.errors:
            for line in results.errors:
                where = f" ({line.where})" if line.where else ""
                self.stderr.write(f"line {line.line}{where}: {line.error}")
            raise CommandError("Nothing was written down.")
        verb = "would be written down" if check else "written down"
        known = len(results.lines) - results.new
        self.stdout.write(f"{results.new} {verb}, {known} there already.")
