"""Put a club with something on every page into the database of a served site.

Run in a process of its own, as the browser's event loop and the ORM do not go together:
``python -m tests.browser.laid`` prints where everything is.
"""

import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import django

from tests.serving import ROOT, beside

ORGANISER = ("organiser", "cards")


@dataclass(frozen=True, slots=True)
class Club:
    """Paths of the laid club's pages, by a name that says which."""

    pages: dict[str, str]

    @property
    def at_tables(self) -> dict[str, str]:
        """Return what a phone at a table is shown."""
        return {name: path for name, path in self.pages.items() if path[:3] in {"/t/", "/c/"}}

    @property
    def open_to_all(self) -> dict[str, str]:
        """Return what a stranger may read."""
        first = ("home", "sign-in", "card", "club", "players", "teams", "tournaments")
        each = ("tournament, ", "dealers, ", "hands, ")
        return {
            name: path
            for name, path in self.pages.items()
            if name in first or name.startswith(each)
        }


def lay(data: Path, database: str) -> Club:
    """Lay the club in the site whose data are there."""
    return Club(run("tests.browser.laid", data, database))


def run(module: str, data: Path, database: str = "") -> Any:
    """Run a module beside the site whose data are there, and return what it prints."""
    done = subprocess.run(
        [sys.executable, "-m", module],
        cwd=ROOT,
        env=beside(data, DATABASE_URL=database),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def stages(club: Any) -> dict[str, str]:
    """Lay an event whose final is played by pairs, and one from which eight are to go on."""
    from django.urls import reverse

    from tests import make
    from tracker.models import CarryOver, Format, Movement, RoundState
    from tracker.standings.queries.standings import standings
    from tracker.standings.services.stages import StagePlan, begin_stage

    people = [
        f"{name} {letter}." for letter in "ABC" for name in ("Asha", "Juma", "Neema", "Omari")
    ]
    events = []
    for number in range(2):
        cup = make.tournament(club=club, name=f"Cup in stages {number + 1}", hands=8, planned=1)
        for table in range(3):
            sitting = make.sitting(*people[4 * table : 4 * table + 4], at=cup)
            make.report(sitting, {"eaten": [70 + 5 * table, 50 - 5 * table]})
        cup.rounds.update(state=RoundState.CLOSED, closed_at=make.NOON)
        events.append(cup)
    played, coming = events
    final = begin_stage(
        sources=[played.pk],
        entrants=[row.entrant for row in standings(played).rows[:8]],
        plan=StagePlan(
            stage="Final",
            mode="4t2",
            format_=Format.TEAMS,
            movement=Movement.ROUND_ROBIN,
            length=8,
            carry_over=CarryOver.HALF,
        ),
        by=make.actor(),
    )
    return {
        "stages, first": reverse("tournament", args=[played.pk]),
        "stages, final": reverse("tournament", args=[final.pk]),
        "stages, ranking": reverse("final-ranking", args=[played.pk]),
        "stages, desk": reverse("desk", args=[played.pk]),
        "stages, rest": reverse("stage-new", args=[played.pk]),
        "stages, next": reverse("stage-new", args=[coming.pk]),
        "stages, desk before": reverse("desk", args=[coming.pk]),
    }


def between_rounds(club: Any) -> dict[str, str]:
    """Lay a cup between two rounds, as the organiser says who sits where in the next."""
    from django.urls import reverse

    from tests import make
    from tracker.models import RoundState

    cup = make.tournament(club=club, name="Cup between rounds", hands=8)
    past = make.round_of(cup, state=RoundState.CLOSED, closed_at=make.NOON)
    make.sitting("Rehema", "Said", "Tatu", "Upendo", in_round=past)
    make.entrant(make.player("Wema", club=club), at=cup)
    return {
        "draw, between": reverse("draw", args=[cup.pk]),
        "desk, between": reverse("desk", args=[cup.pk]),
        "tournament, between": reverse("tournament", args=[cup.pk]),
        "tournament-display, between": reverse("tournament-display", args=[cup.pk]),
        "tournament, after a round": reverse("tournament", args=[cup.pk]) + "?round=1",
    }


def drawn(club: Any) -> dict[str, str]:
    """Lay two draws: of pairs, of whom some meet again and one sits out, and of long names."""
    from django.urls import reverse

    from tests import make
    from tracker.models import RoundState
    from tracker.seating.services.draws import draw_rounds

    pairs = make.tournament(club=club, name="Cup that is drawn", hands=8)
    past = make.round_of(pairs, state=RoundState.CLOSED, closed_at=make.NOON)
    for letter in "ABC":
        people = (f"{name} {letter}." for name in ("Mwajuma", "Neema", "Omari", "Upendo"))
        make.sitting(*people, in_round=past)
    alone = make.tournament("dalmuti", club=club, name="Dalmuti that is drawn", hands=8)
    for cup, names in (
        (pairs, ["Abdulrahman"]),
        (alone, ["Mwanahamisi", "Chandrasekhar", "Bartholomew", "Wilhelmina", "Zainabu"]),
    ):
        draw_rounds(tournament_id=cup.pk, new_names=names, by=make.actor(), rng=Random(1))
    return {
        "draw, drawn": reverse("draw", args=[pairs.pk]),
        "draw, each alone": reverse("draw", args=[alone.pk]),
    }


def about_to_begin(club: Any) -> dict[str, str]:
    """Lay a cup of seven tables, none of which has played a hand."""
    from django.urls import reverse

    from tests import make

    cup = make.tournament(club=club, name="Cup about to begin", hands=8)
    tables = [
        make.sitting(*(f"{name} {number}" for name in ("Asha", "Neema", "Juma", "Baraka")), at=cup)
        for number in range(7)
    ]
    return {
        "tournament-display, seats": reverse("tournament-display", args=[cup.pk]),
        "desk, about to begin": reverse("desk", args=[cup.pk]),
        "paper, nothing written": reverse("paper", args=[tables[0].pk]),
    }


def of_forty(club: Any) -> dict[str, str]:
    """Lay a cup of ten tables, each with a hand, of a night that is over."""
    from django.urls import reverse

    from tests import make

    cup = make.tournament(club=club, name="Cup of forty", hands=8)
    for number in range(10):
        people = (f"{name} {number}" for name in ("Abasi", "Bahati", "Chiku", "Dalila"))
        make.report(make.sitting(*people, at=cup), {"eaten": [70, 50]})
    night = make.night(club, ended_at=make.NOON, place="Bar Kijiji")
    cup.rounds.update(night=night)
    return {
        "tournament, of forty": reverse("tournament", args=[cup.pk]),
        "night, of forty": reverse("night", args=[night.pk]),
        "print-results, of forty": reverse("print-results", args=[night.pk]),
    }


def main() -> None:
    django.setup()
    # Models can be imported only now.
    from django.urls import reverse

    from tests import make, tour
    from tracker.models import Role

    laid = tour.lay()
    keeper = make.user(ORGANISER[0], role=Role.OWNER, club=laid.club)
    keeper.is_superuser = True
    keeper.save()
    laid.hand_in(keeper)
    cups = {
        **between_rounds(laid.club),
        **drawn(laid.club),
        **about_to_begin(laid.club),
        **of_forty(laid.club),
        **stages(laid.club),
    }
    pages = {
        **laid.pages(),
        "copies": reverse("copies"),
        "copy": reverse("copy", args=[laid.copy]),
        "keeping": reverse("keeping"),
        "round-seats": reverse("round-seats", args=[laid.round.pk]),
        **cups,
    }
    there = {name: path for name, path in pages.items() if "forged" not in name}
    print(json.dumps(there))


if __name__ == "__main__":
    main()
