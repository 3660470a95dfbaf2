"""The organiser of a drill's night, in a process of its own: a line of JSON asks, a line answers.

``python -m tests.drills.night_desk`` works on the site whose data the environment names.
"""

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

from tests.serving import ROOT, beside

if TYPE_CHECKING:
    from tracker.common.actor import Actor
    from tracker.models import Round, Tournament

SEATS = 4


@dataclass
class Desk:
    """The process that organises."""

    process: subprocess.Popen[str]

    def ask(self, what: str, **more: Any) -> Any:
        """Let it do something, and return what it says."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(json.dumps({"what": what, **more}) + "\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        assert line, f"the desk is gone: {self.process.wait()}"
        return json.loads(line)


@contextmanager
def organising(data: Path) -> Iterator[Desk]:
    """Let a desk work on the site; it goes when nobody can ask it anything any more."""
    with subprocess.Popen(
        [sys.executable, "-m", "tests.drills.night_desk"],
        cwd=ROOT,
        env=beside(data),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        yield Desk(process)


class _Evening:
    """What the desk knows of the one tournament that is played."""

    def __init__(self) -> None:
        self.tournament: Tournament
        self.rng = Random(7)

    def by(self) -> "Actor":
        from django.utils import timezone

        from tracker.common.actor import Actor

        return Actor(at=timezone.now())

    def begin(self, *, tables: int, hands: int) -> dict[str, Any]:
        """Let people come, sit down and wait for their first hand."""
        from django.test import Client
        from django.urls import reverse

        from tests import make
        from tracker.models import Role
        from tracker.people.services.players import add_players
        from tracker.tournaments.services.entering import enter_players

        club = make.club("Night Hall")
        client = Client()
        client.force_login(make.user("keeper", role=Role.ORGANISER, club=club))
        self.tournament = make.tournament("albastini", "4t2", club=club, hands=hands)
        names = [f"Player {number}" for number in range(1, SEATS * tables + 1)]
        people = add_players(club_id=club.pk, names=names, by=self.by()).players
        keys = [player.pk for player in people]
        enter_players(tournament_id=self.tournament.pk, players=keys, by=self.by())
        return {
            "session": client.cookies["sessionid"].value,
            "desk": reverse("desk", args=[self.tournament.pk]),
            "display": reverse("tournament-display", args=[self.tournament.pk]),
            "standing": reverse("tournament", args=[self.tournament.pk]),
            "tables": self.next_round(),
        }

    def next_round(self) -> list[dict[str, Any]]:
        """Close the round that is played, whatever is missing, and open the next."""
        from tracker.models import RoundState
        from tracker.nights.services.closing import close_round
        from tracker.seating.services.round_opening import seat_round

        for round_ in self.tournament.rounds.filter(state=RoundState.OPEN):
            close_round(round_id=round_.pk, by=self.by(), anyway=True)
        entrants = list(self.tournament.entrants.values_list("pk", flat=True))
        self.rng.shuffle(entrants)
        opened = seat_round(
            tournament_id=self.tournament.pk, entrants=entrants, by=self.by(), rng=self.rng
        )
        return self._tables(opened)

    def _tables(self, round_: "Round") -> list[dict[str, Any]]:
        from django.urls import reverse

        return [
            {
                "number": sitting.number,
                "round": round_.number,
                "page": reverse("table", args=[sitting.token]),
                "card": reverse("card", args=[sitting.table.card_token]),
            }
            for sitting in round_.sittings.select_related("table").order_by("number")
            if sitting.table
        ]

    def settle(self) -> list[Any]:
        """Settle one of the different counts that wait, and return of which hand at which table."""
        from django.urls import reverse

        from tracker.models import Issue, IssueKind
        from tracker.results.services.settling import IssueOutcome, settle

        waiting = Issue.objects.filter(kind=IssueKind.CONFLICT, settled_at=None)
        waiting = waiting.filter(sitting__round__tournament=self.tournament)
        issue = waiting.select_related("sitting").order_by("pk").first()
        if issue is None:
            return []
        outcome = self.rng.choice([IssueOutcome.KEEP, IssueOutcome.TAKE])
        settle(issue_id=issue.pk, outcome=outcome, reason="Asked at the table", by=self.by())
        return [reverse("table", args=[issue.sitting.token]), issue.number]

    def read(self) -> dict[str, Any]:
        """Return what stands, by the address of the table: hands, reports and what waits."""
        from django.urls import reverse

        from tracker.models import Hand, Issue, Report, Sitting

        by_page: dict[str, Any] = {}
        sittings = Sitting.objects.filter(round__tournament=self.tournament)
        for sitting in sittings.select_related("round").order_by("pk"):
            hands = Hand.objects.filter(sitting=sitting).order_by("number")
            reports = Report.objects.filter(sitting=sitting).order_by("pk")
            issues = Issue.objects.filter(sitting=sitting).order_by("pk")
            by_page[reverse("table", args=[sitting.token])] = {
                "state": sitting.round.state,
                "hands": {
                    hand.number: {
                        "totals": hand.sheet["eaten"],
                        "entry": str(hand.accepted_report.entry),
                    }
                    for hand in hands.select_related("accepted_report")
                },
                "reports": {
                    str(each.entry): {
                        "number": each.number,
                        "verdict": each.verdict,
                        "totals": each.sheet["eaten"],
                    }
                    for each in reports
                },
                "late": [
                    str(issue.report.entry)
                    for issue in issues.filter(kind="late").select_related("report")
                    if issue.report
                ],
                "conflicts": sitting.open_conflicts,
            }
        return by_page


def main() -> None:
    import django

    django.setup()
    evening = _Evening()
    for line in sys.stdin:
        asked = json.loads(line)
        what = asked.pop("what")
        print(json.dumps(getattr(evening, what)(**asked)), flush=True)


if __name__ == "__main__":
    main()
