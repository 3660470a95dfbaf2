"""Who sits where in a round, who could take over, and who waits for a seat."""

from dataclasses import dataclass

from tracker.models import Attendance, ClubNight, Player, Rest, Round, RoundState, Seat


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatNow:
    seat_id: int
    table: int
    place: int
    name: str


def seats_now(round_: Round) -> list[SeatNow]:
    """Return everybody who has a seat in the round, table by table, in one query."""
    seats = (
        Seat.objects.running()
        .filter(round=round_)
        .select_related("player", "sitting")
        .order_by("sitting__number", "place")
    )
    return [
        SeatNow(seat_id=seat.pk, table=seat.sitting.number, place=seat.place, name=seat.player.name)
        for seat in seats
    ]


def free_players(club_id: int) -> list[tuple[int, str]]:
    """Return the players of the club who sit at no table now, by name, in one query."""
    sitting = Seat.objects.running().filter(round__state=RoundState.OPEN)
    free = Player.objects.present().filter(club=club_id).exclude(pk__in=sitting.values("player"))
    return list(free.order_by("name_key").values_list("pk", "name"))


def waiting_players(night: ClubNight | None) -> list[int]:
    """Return who is at the night and neither sits at a table nor rests, in one query."""
    if night is None:
        return []
    resting = Rest.objects.sat_out().filter(round__night=night, round__state=RoundState.OPEN)
    sitting = Seat.objects.running().filter(round__state=RoundState.OPEN)
    here = Attendance.objects.here(night).people().exclude(pk__in=sitting.values("player"))
    return list(here.exclude(pk__in=resting.people()).values_list("pk", flat=True))
