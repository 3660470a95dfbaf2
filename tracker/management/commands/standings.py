"""Command that prints the standing of a tournament as a table, JSON or CSV."""

import csv
import json
from fractions import Fraction
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from tracker.common.columns import in_file
from tracker.common.figures import figure
from tracker.management.lookup import tournament_named
from tracker.models import RoundState
from tracker.standings.columns import StandingsTable
from tracker.standings.queries.standings import standings


class Command(BaseCommand):
    help = "Print the standing of a tournament, which is named by its number or its name."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("tournament", help="its number in its address, or its whole name")
        parser.add_argument("--format", choices=["table", "json", "csv"], default="table")
        parser.add_argument("--round", type=int, help="as after this round, by today’s knowledge")

    def handle(self, *, tournament: str, format: str, round: int | None, **_options: Any) -> None:  # noqa: A002 - named by the command line
        chosen = tournament_named(tournament)
        played = chosen.rounds.filter(state__in=[RoundState.OPEN, RoundState.CLOSED])
        upto = None if round is None else played.filter(number=round).first()
        if round is not None and upto is None:
            raise CommandError(f"“{chosen}” has no round {round}.")
        standing = standings(chosen, upto=upto)
        if format == "json":
            rows = [
                {
                    "place": row.place if standing.begun else None,
                    "name": row.name,
                    "hands": row.hands,
                    **{each.key: in_file(row.figures[each.key]) for each in standing.columns},
                    "opened": row.opened,
                    "dealt": row.dealt,
                }
                for row in standing.rows
            ]
            self.stdout.write(json.dumps(rows, ensure_ascii=False, indent=2))
            return
        table = StandingsTable(standing, chosen)
        if format == "csv":
            csv.writer(self.stdout, lineterminator="\n").writerows(table.as_values())
            return
        texts = table.as_values(
            convert=lambda value: figure(value) if isinstance(value, Fraction) else in_file(value)
        )
        lines = [list(map(str, line)) for line in texts]
        # Aligned to the right, but the second column, the names, to the left.
        widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
        for line in lines:
            cells = (
                cell.ljust(width) if column == 1 else cell.rjust(width)
                for column, (cell, width) in enumerate(zip(line, widths, strict=True))
            )
            self.stdout.write("  ".join(cells).rstrip())
