"""All by which somebody could come to sit in two running rounds, done at once through the pages."""

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from html import unescape
from pathlib import Path
from random import Random
from time import monotonic

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from tests import make
from tests.drilled import FULL
from tests.drills.phones import at_once
from tests.one_file import file_from_elsewhere
from tests.serving import PATIENCE
from tracker.models import Club, LogEntry, Player, Role, RoundState, Tournament
from tracker.results.services.recount import recount

SECONDS = 45 if FULL else 2
ACTS = ("open", "close", "undo", "restore", "reopen", "merge", "unmerge", "import")
NOTES = re.compile(r'<p class="note [^"]*" role="(?:alert|status)">(.*?)</p>', re.DOTALL)
ERRORS = re.compile(r'<div class="error-summary".*?</div>', re.DOTALL)
ELSEWHERE = re.compile(
    r"sits at table \d+ of “[^”]+”.*: close (round \d+ there|one of these rounds)"
)
# Whoever was merged is the other.
TWICE = """
SELECT COALESCE(p.merged_into_id, p.id), count(*) FROM tracker_seat s
JOIN tracker_round r ON r.id = s.round_id JOIN tracker_player p ON p.id = s.player_id
WHERE s.to_hand IS NULL AND r.state = 'open' GROUP BY 1 HAVING count(*) > 1
"""


@dataclass(slots=True)
class Evening:
    """What was done and what people were told; *faults* must not be."""

    ends: float
    done: Counter[str] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)  # as somebody sits elsewhere
    faults: list[str] = field(default_factory=list)

    @property
    def is_over(self) -> bool:
        """Say whether the time is up; on a busy machine everything has to come about first."""
        now, everything = monotonic(), all(map(self.done.get, ACTS)) and self.refused["open"]
        late = now > self.ends and (bool(everything) or now > self.ends + PATIENCE)
        return bool(self.faults) or late

    def answered(self, what: str, status: int, page: str) -> None:
        """Note that it was done, or why not; whoever is told nothing has met a fault."""
        told = " ".join(unescape(re.sub(r"<[^>]+>", " ", "".join(ERRORS.findall(page)))).split())
        notes = [unescape(note) for note in NOTES.findall(page)]
        if status >= 500:
            self.faults.append(f"{what}: {status}")
        elif ELSEWHERE.search(" ".join([told, *notes])):
            self.refused[what] += 1
        elif 'class="note success' in page or (what == "open" and not notes):
            self.done[what] += 1
        elif not (told or notes):
            self.faults.append(f"{what}: told nothing")

    def look(self, after: str) -> None:
        """See that nobody sits in two running rounds."""
        with connection.cursor() as cursor:
            cursor.execute(TWICE)
            if twice := cursor.fetchall():
                self.faults.append(f"after {after} sit in two running rounds: {twice}")

    def keep_on(self, act: Callable[[], None]) -> None:
        try:
            while not self.is_over:
                act()
        finally:
            connection.close()


@dataclass(slots=True)
class Organiser:
    """Somebody signed in, who presses buttons."""

    client: Client
    evening: Evening
    dice: Random

    def play(self, tournament: Tournament) -> None:
        """Open the next round if everybody is free, do something to it, and close it."""
        draw, desk = (reverse(page, args=[tournament.pk]) for page in ("draw", "desk"))
        self.client.post(draw, {"do": "draw"})
        self._press("open", draw, do="open")
        running = tournament.rounds.filter(state=RoundState.OPEN).first()
        if running is None:
            return
        undo, close = (reverse(page, args=[running.pk]) for page in ("round-undo", "round-close"))
        if self.dice.random() < 0.5:
            self._press("undo", undo)
            self._press("restore", undo)
            self._press("close", close, how="anyway")
        else:
            self._press("close", close, how="anyway")
            self._press("reopen", desk, do="reopen-round", round=str(running.pk))
            self._press("close", close, how="anyway")

    def merge(self, stays: Player) -> None:
        """Let somebody new who sits at a table be Asha, and nobody else again."""
        name = f"Asha {Player.objects.count()}"
        tournament = entered(stays.club, name, "Ali", "Bo", "Cy")
        gone = make.player(name, club=stays.club)
        draw = reverse("draw", args=[tournament.pk])
        self.client.post(draw, {"do": "draw"})
        self._press("open", draw, do="open")
        self._press("merge", reverse("player-merge", args=[gone.pk]), into=str(stays.pk))
        if merged := LogEntry.objects.filter(verb="players-merged", on__player=gone.pk).first():
            self._press("unmerge", reverse("merge-undo", args=[merged.pk]))
        for running in tournament.rounds.filter(state=RoundState.OPEN):
            self._press("close", reverse("round-close", args=[running.pk]), how="anyway")

    def take_in(self, elsewhere: Tournament, club: Club, file: Path) -> None:
        """Take in a tournament that runs elsewhere."""
        file.write_bytes(file_from_elsewhere(elsewhere))
        try:
            call_command("import_tournament", str(file), club=str(club.pk))
        except CommandError:  # with its sentence
            return
        self.evening.done["import"] += 1
        self.evening.look("import")

    def _press(self, what: str, path: str, **fields: str) -> None:
        page = self.client.post(path, fields, follow=True)
        self.evening.answered(what, page.status_code, page.text)
        self.evening.look(what)


def entered(club: Club, *names: str) -> Tournament:
    """Return a new tournament in which these are entered."""
    tournament = make.tournament(club=club, name=f"Cup of {names[0]}")
    for name in names:
        make.entrant(make.player(name, club=club), at=tournament)
    return tournament


@pytest.mark.django_db(transaction=True)
def test_nobody_sits_in_two_running_rounds_whoever_presses_at_once(
    tmp_path: Path, settings: Settings
) -> None:
    settings.DATA_DIR = tmp_path
    club = make.club()
    asha = make.player("Asha", club=club)
    tournaments = [
        entered(club, *("Asha" if letter == "A" else f"{letter} {nth}" for letter in "ABCD"))
        for nth in range(2)
    ]
    elsewhere = make.tournament(club=make.club("Ilala"), name="Elsewhere")
    make.sitting("Asha", "Xenia", "Yusuf", "Zuri", at=elsewhere)
    evening = Evening(monotonic() + SECONDS)

    def organiser(nth: int) -> Organiser:
        client = Client(raise_request_exception=False)
        client.force_login(make.user(role=Role.OWNER, club=club))
        return Organiser(client, evening, Random(nth))

    merging, importing = organiser(8), organiser(9)
    acts: list[Callable[[], None]] = [
        *(partial(organiser(nth).play, each) for nth, each in enumerate(tournaments)),
        partial(merging.merge, asha),
        partial(importing.take_in, elsewhere, club, tmp_path / "elsewhere.zip"),
    ]
    at_once([partial(evening.keep_on, act) for act in acts])

    assert evening.faults == []
    assert all(map(evening.done.get, ACTS)), evening.done
    assert evening.refused["open"], evening.refused
    for tournament in Tournament.objects.filter(club=club):
        assert recount(tournament_id=tournament.pk, by=make.actor()).findings == ()
