"""Command that imports a tournament from its file."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from games.errors import RuleError
from tracker.common.actor import Actor
from tracker.management.lookup import all_named
from tracker.models import Club
from tracker.tournament_files.queries.matches import FilePerson, people_of, refusal_sentence
from tracker.tournament_files.services.importing import import_tournament, refuse_known
from tracker.tournament_files.services.trial import Trial, try_file


class Command(BaseCommand):
    help = (
        "Take in a tournament that export_tournament wrote. Whoever is called as a player of the"
        " club is that player; whoever is called nearly so has to be named by --same or --new."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument("--club", required=True, help="its number in its address, or its name")
        parser.add_argument("--look", action="store_true", help="say what is in it, keep nothing")
        parser.add_argument(
            "--same", action="append", default=[], metavar="NAME=PLAYER", help="who is which player"
        )
        parser.add_argument(
            "--new", action="append", default=[], metavar="NAME", help="who is somebody new"
        )
        parser.add_argument(
            "--accept-differences",
            action="store_true",
            help="take it in though standings were published otherwise than they are counted",
        )

    def handle(
        self,
        *,
        file: Path,
        club: str,
        look: bool,
        same: list[str],
        new: list[str],
        accept_differences: bool,
        **_options: Any,
    ) -> None:
        clubs = all_named(Club, club)
        if len(clubs) != 1:
            raise CommandError(f"There is no club “{club}”, or several: say which by its number.")
        [chosen] = clubs
        by = Actor(at=timezone.now())
        try:
            content = file.read_bytes()
            trial = try_file(content, by=by)
            refuse_known(trial.document)
            people = people_of(chosen.pk, trial.document)
            if look:
                self._print_preview(people, trial)
                return
            tournament = import_tournament(
                club_id=chosen.pk,
                content=content,
                choices=_choices(people, same, new),
                by=by,
                accept_differences=accept_differences,
            )
        except OSError as error:
            raise CommandError(f"{file} cannot be read: {error.strerror}.") from error
        except RuleError as refusal:
            raise CommandError(refusal_sentence(refusal)) from refusal
        self.stdout.write(f"“{tournament.name}” is tournament {tournament.pk} of {chosen.name}.")

    def _print_preview(self, people: Sequence[FilePerson], trial: Trial) -> None:
        for stage in trial.document.stages:
            self.stdout.write(
                f"{stage.name}: {stage.rules.name}, {len(stage.entrants)} entrants,"
                f" {len(stage.rounds)} rounds, {stage.hands_reported} hands"
            )
        for person in people:
            if person.here:
                status = "plays here"
            elif person.open:  # players here are called nearly so
                status = f"new, or {' or '.join(each.name for each in person.alike)}?"
            else:
                status = "new"
            self.stdout.write(f"  {person.name}: {status}")
        for each in trial.differences:
            self.stdout.write(
                f"  {each['stage']}, round {each['round']}: {each['name']} was published as"
                f" {each['published']}, and is counted as {each['counted']}"
            )


def _choices(
    people: Sequence[FilePerson], same: list[str], new: list[str]
) -> dict[int, int | None]:
    """Return the player of each person named by --same, and ``None`` for each named by --new."""
    # {name in the file: name of the player here, or ``None``}; NAME=PLAYER is split at the "=".
    wanted = {**dict.fromkeys(new), **dict(pair.partition("=")[::2] for pair in same)}
    by_name = {person.name: person for person in people}
    choices: dict[int, int | None] = {}
    for name, player in wanted.items():
        person = by_name.get(name)
        if person is None:
            raise CommandError(f"Nobody in the file is called “{name}”.")
        keys = {each.name: each.pk for each in person.choices}
        if player is not None and player not in keys:
            known = ", ".join(f"“{each}”" for each in keys) or "nobody"
            raise CommandError(f"{name} may be new, or {known}.")
        choices[person.number] = None if player is None else keys[player]
    return choices
