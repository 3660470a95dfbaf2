"""Scenes for browsers: clubs, halls and hands, put into the database of a served site.

Run in a process of its own, as the browser's event loop and the ORM do not go together:
``python -m tests.browser.scenes SCENE`` prints where everything is.
"""

import json
import sys
from datetime import timedelta
from itertools import product
from random import Random
from typing import Any
from urllib.parse import urlencode

import django

django.setup()

from django.urls import reverse  # noqa: E402
from django.utils import timezone  # noqa: E402

from tests import make, tour  # noqa: E402
from tests.browser.laid import ORGANISER, RUNS_THE_NIGHT  # noqa: E402
from tests.browser.waiting_hall import ORGANISER as KEEPER  # noqa: E402
from tests.drilled import FULL  # noqa: E402
from tracker.models import CarryOver, Format, Membership, Movement, Role, RoundState  # noqa: E402
from tracker.practice.moves import deal_hand  # noqa: E402
from tracker.practice.state import practisable  # noqa: E402
from tracker.seating.services.draws import draw_rounds  # noqa: E402
from tracker.standings.queries.standings import standings  # noqa: E402
from tracker.standings.services.stages import StagePlan, begin_stage  # noqa: E402
from tracker.tables.clocks import Clock  # noqa: E402

CLUB = "Chama cha Karata"
SIZES = (4, 10, 20, 40)
_GIVEN = (
    "Asha", "Juma", "Neema", "Baraka", "Mwajuma", "Salome", "Omari", "Fatuma", "Hasina", "Rajabu",
    "Chausiku", "Daudi", "Eshe", "Faraji", "Grace", "Hamisi", "Imani", "Khadija", "Lulu", "Mosi",
)  # fmt: skip
_FAMILIES = (
    "Mushi", "Kassim", "Hassan", "Josephat", "Mwinyi", "Lema", "Temba", "Rashidi",
)  # fmt: skip
PEOPLE = [f"{given} {family}" for family, given in product(_FAMILIES, _GIVEN)]


def stages(club: Any) -> dict[str, str]:
    """Lay an event whose final is played by pairs, and one from which eight are to go on."""
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


def whole_club() -> dict[str, str]:
    """Lay a club with something on every page."""
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
    return {name: path for name, path in pages.items() if "forged" not in name}


def few_tables() -> dict[str, str]:
    """Lay a few tables of four."""
    club = make.club()
    make.user(ORGANISER[0], role=Role.ORGANISER, club=club)
    cup = make.tournament(club=club)
    pages = {
        "standings": reverse("tournament", args=[cup.pk]),
        "club": reverse("club", args=[club.pk]),
        "my table": reverse("my-table", args=[club.pk]),
    }
    for letter, number in zip("ABCD", range(1, 5), strict=True):
        people = (f"{name} {letter}." for name in ("Asha", "Juma", "Neema", "Omari"))
        card = make.table(cup, number)
        sitting = make.sitting(*people, at=cup, number=number)
        pages[f"table {number}"] = reverse("table", args=[sitting.token])
        pages[f"card {number}"] = reverse("card", args=[card.card_token])
    return pages


def two_tables() -> dict[str, str]:
    """Lay a night on which two tables of a tournament are played."""
    club = make.club("Playing now")
    make.user(RUNS_THE_NIGHT[0], role=Role.ORGANISER, club=club)
    night = make.night(club, starts_at=timezone.now())
    cup = make.tournament(club=club, hands=12)
    round_ = make.round_of(cup, night=night, opened_at=timezone.now())
    first = make.sitting("Asha", "Neema", "Juma", "Baraka", in_round=round_)
    make.sitting("Rehema", "Said", "Tatu", "Upendo", in_round=round_)
    make.report(first, {"eaten": [60, 60]})
    return {
        "table": first.get_absolute_url(),
        "standings": cup.get_absolute_url(),
        "dealers": reverse("dealers", args=[cup.pk]),
        "desk": reverse("desk", args=[cup.pk]),
        "night": night.get_absolute_url(),
        "front": club.get_absolute_url(),
        "display": reverse("tournament-display", args=[cup.pk]),
    }


def practice() -> dict[str, str]:
    """Deal a hand of practice in every game for every number of players."""
    dealt = {}
    for game in practisable():
        for mode in game.modes(game.default_options()):
            if mode.seats > 10:
                continue
            hand = deal_hand(
                game=game.slug,
                mode=mode.code,
                options={},
                strength="beginner",
                name="Asha",
                seed=7,
                clock=lambda: 0.0,
            )
            query = urlencode({"hand": hand.signed()})
            dealt[f"{game.slug} {mode.code}"] = (
                f"{reverse('practice-game', args=[game.slug])}?{query}"
            )
    return dealt


def halls() -> dict[str, str]:
    """Lay halls of four tables and of forty, before, during and after their rounds."""
    cups = {**_rounds(), **_ends(make.club(CLUB))}
    return {name: reverse("tournament-display", args=[cup.pk]) for name, cup in cups.items()}


def _rounds() -> dict[str, Any]:
    """Lay halls of every size before, during and after a round, each in a club of its own."""
    cups = {}
    for tables in SIZES:
        club = make.club(CLUB)
        cup = make.tournament(club=club, name="Albastini of the great hall", hands=8, planned=4)
        _sit(cup, tables)
        cups[f"seats {tables}"] = cup
        club = make.club(CLUB)
        cup = make.tournament(club=club, name="Friday Cup", hands=8, planned=4)
        _play(cup, tables, hands=4)
        _ring(cup, minutes=15)
        cups[f"playing {tables}"] = cup
        club = make.club(CLUB)
        cup = make.tournament(club=club, name="Friday Cup", hands=2, planned=4)
        for _ in range(2):
            _play(cup, tables)
            _close(cup)
        cups[f"after {tables}"] = cup
    return cups


def _ends(club: Any) -> dict[str, Any]:
    """Lay what comes first and last: a welcome, a bell, prizes."""
    bell = make.tournament("dalmuti", club=club, name="Dalmuti", hands=2)
    make.report(make.sitting(*PEOPLE[:4], at=bell), {"order": [0, 1, 2, 3]})
    _ring(bell, minutes=-2)
    club = make.club(CLUB)
    won = make.tournament(club=club, name="The last cup", hands=2)
    for _ in range(3):
        _play(won, 5)
        _close(won)
    won.official_at = make.NOON
    won.save()
    empty = make.tournament(club=club, name="Not yet begun")
    for name in PEOPLE[:23]:
        make.entrant(make.player(name, club=club), at=empty)
    return {"bell": bell, "prizes": won, "welcome": empty}


def _sit(cup: Any, tables: int) -> list[Any]:
    people = PEOPLE[: 4 * tables]
    return [make.sitting(*people[4 * at : 4 * at + 4], at=cup) for at in range(tables)]


def _play(cup: Any, tables: int, hands: int = 1) -> None:
    for at, sitting in enumerate(_sit(cup, tables)):
        for hand in range(min(hands, 1 + at % 4)):
            make.report(sitting, {"eaten": [61 + (at + hand) % 40, 59 - (at + hand) % 40]})


def _ring(cup: Any, *, minutes: int) -> None:
    """Let the clock of the round have so many minutes left."""
    clock = Clock.start(25, timezone.now() - timedelta(minutes=25 - minutes))
    cup.rounds.update(clock=clock.to_json())


def _close(cup: Any) -> None:
    cup.rounds.update(state=RoundState.CLOSED, closed_at=make.NOON)


def waiting_hall() -> list[list[str]]:
    """Lay tables at which hands wait for the network, each of a club of its own."""
    owner = make.user(KEEPER[0])
    laid = []
    for number in range(1, 1 + (62 if FULL else 17)):
        club = make.club(name="Waiting Hall")  # each of its own, for the same four
        Membership.objects.create(user=owner, role=Role.OWNER, club=club)
        cup = make.tournament(club=club, name=f"Cup {number}", hands=8)
        sitting = make.sitting(*("Asha", "Neema", "Juma", "Baraka"), at=cup, number=number)
        laid.append([sitting.token, reverse("desk", args=[cup.pk])])
    return laid


SCENES = (whole_club, few_tables, two_tables, practice, halls, waiting_hall)

if __name__ == "__main__":
    print(json.dumps({scene.__name__: scene for scene in SCENES}[sys.argv[1]]()))
