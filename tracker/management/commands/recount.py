"""Command that counts all hands again from their sheets, and compares or corrects the counts."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from tracker.backups.automatic import copy_before
from tracker.common.actor import Actor
from tracker.models import Tournament
from tracker.results.services.recount import recount


class Command(BaseCommand):
    help = "Read every stored sheet again, and say where what is kept differs from it."

    def add_arguments(self, parser: CommandParser) -> None:
        how = parser.add_mutually_exclusive_group()
        how.add_argument("--check", action="store_true", help="only look (this is the default)")
        how.add_argument("--write", action="store_true", help="keep what was counted")

    def handle(self, *, write: bool, **_options: Any) -> None:
        if write:
            problem = copy_before(why="Before everything was counted again", now=timezone.now())
            if problem:
                self.stderr.write(problem)
        hands = differences = 0
        for tournament_id in Tournament.objects.order_by("pk").values_list("pk", flat=True):
            counted = recount(tournament_id=tournament_id, by=Actor(at=timezone.now()), write=write)
            hands += counted.hands
            differences += len(counted.findings)
            for finding in counted.findings:
                self.stdout.write(str(finding))
        if differences and not write:
            raise CommandError(f"{differences} differences in {hands} hands.", returncode=1)
        self.stdout.write(f"{hands} hands, {differences} differences.")
