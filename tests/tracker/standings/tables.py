"""Tables that play for a standing, usually Asha & Juma against Neema & Baraka."""

from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any, TypeAlias

from tests import make
from tests.make import NOON
from tracker.models import Entrant, RoundState, Seat, Sitting, Tournament

FOUR = ("Asha", "Neema", "Juma", "Baraka")
CROSSED = ("Asha", "Juma", "Neema", "Baraka")  # Asha & Neema against Juma & Baraka
OTHERS = ("Zuwena", "Ali", "Rehema", "Omari")
Sheet: TypeAlias = Mapping[str, Any]


def eaten(*totals: int) -> list[Sheet]:
    """Return a hand of Albastini for each of these totals of the first side."""
    return [{"eaten": [total, 120 - total]} for total in totals]


def play(sitting: Sitting, *sheets: Sheet) -> Sitting:
    """Report these sheets, a minute one after another."""
    for minute, sheet in enumerate(sheets):
        make.report(sitting, sheet, now=sitting.started_at + timedelta(minutes=minute))
    return sitting


def played(at: Tournament, *sheets: Sheet, names: Sequence[str] = FOUR) -> Sitting:
    """Seat one more table in the round that is open, and play there."""
    return play(make.sitting(*names, at=at), *sheets)


def over(tournament: Tournament) -> Tournament:
    """Close what is open, whatever is missing."""
    opened = tournament.rounds.filter(state=RoundState.OPEN)
    opened.update(state=RoundState.CLOSED, closed_at=NOON)
    return tournament


def next_round(at: Tournament, *sheets: Sheet, names: Sequence[str] = FOUR) -> Sitting:
    """Close what is open, and play at a table of the next round, an hour after the last one."""
    sitting = make.sitting(*names, in_round=make.round_of(over(at)))
    sitting.started_at = NOON + timedelta(hours=at.rounds.count())
    sitting.save()
    return play(sitting, *sheets)


def entrant(tournament: Tournament, name: str) -> Entrant:
    return tournament.entrants.get(player__name=name)


def takes_over(sitting: Sitting, leaves: str, comes: str, *, after: int) -> Seat:
    """Write down that somebody had another's place after this hand, for the same entrant."""
    seat = sitting.seats.get(player__name=leaves)
    Seat.objects.filter(pk=seat.pk).update(to_hand=after)
    return Seat.objects.create(
        sitting=sitting,
        round=sitting.round,
        place=seat.place,
        side=seat.side,
        player=make.player(comes, club=sitting.round.tournament.club),
        entrant=seat.entrant,
        from_hand=after + 1,
    )
