"""Who sits where at a table, for whom, and what they have of it."""

from typing import Any

from tests import act, make
from tracker.models import Entrant, Round, Seat, Sitting, Tally

FOUR = ("Asha", "Neema", "Juma", "Baraka")
OTHERS = ("Ali", "Zawadi", "Omari", "Rehema")
EIGHT = (*FOUR, *OTHERS)
WON = {"eaten": [70, 50]}


def play(sitting: Sitting, hands: int = 1, sheet: Any = WON) -> Sitting:
    """Play so many hands, which the first side wins."""
    for _ in range(hands):
        make.report(sitting, sheet)
    return sitting


def seat(sitting: Sitting, place: int) -> Seat:
    return Seat.objects.running().get(sitting=sitting, place=place)


def people(sitting: Sitting) -> list[str]:
    """Return who sits at a table now, by place."""
    running = Seat.objects.running().filter(sitting=sitting).order_by("place")
    return list(running.values_list("player__name", flat=True))


def stints(sitting: Sitting, place: int = 0) -> list[tuple[str, str, int, int | None]]:
    """Return who had a place one after the other, for which entrant, from and to which hand."""
    seats = sitting.seats.filter(place=place).order_by("from_hand")
    return [(str(each.player), str(each.entrant), each.from_hand, each.to_hand) for each in seats]


def alone(name: str, first: int, last: int | None = None) -> tuple[str, str, int, int | None]:
    """Return a stint of somebody who played for themselves."""
    return name, name, first, last


def points(key: str = "victory_points") -> dict[str, int]:
    """Return what the entrants have, what is nothing left out."""
    rows = Tally.objects.filter(key=key).exclude(amount=0)
    return {str(row.entrant): row.amount for row in rows}


def entrants() -> list[str]:
    return sorted(map(str, Entrant.objects.select_related("player", "team")))


def close(round_: Round) -> None:
    act.close(round_, not_played=True)


def player(name: str, sitting: Sitting) -> int:
    return make.player(name, club=sitting.round.tournament.club).pk
