"""Who sits where in a round, who could take over, and who waits for a seat."""

from collections import Counter
from dataclasses import dataclass

from django.db.models import Exists, OuterRef
from django.utils.translation import gettext

from tracker.models import Attendance, ClubNight, Player, Rest, Round, RoundState, Seat


@dataclass(frozen=True, slots=True)
class SeatNow:
    """A seat with its player and table; ``shared`` if others sat there before or after."""

    seat: Seat
    shared: bool
    letter: str  # of the side; none where everybody plays alone

    @property
    def called(self) -> str:
        """Return the name, and where others sat there too, for which hands."""
        seat = self.seat
        if not self.shared:
            return seat.player.name
        numbers = {"who": seat.player.name, "first": seat.from_hand, "last": seat.to_hand}
        if seat.to_hand is None:
            return gettext("%(who)s, from hand %(first)d") % numbers
        if seat.from_hand == seat.to_hand:
            return gettext("%(who)s, hand %(first)d") % numbers
        return gettext("%(who)s, hands %(first)d to %(last)d") % numbers


def seats_of(round_: Round) -> list[SeatNow]:
    """Return all seats of the round, former ones too, table by table, in one query."""
    rules = round_.tournament.rules
    seats = (
        Seat.objects.filter(round=round_)
        .select_related("player", "sitting")
        .order_by("sitting__number", "place", "from_hand")
    )
    modes = {
        seat.sitting_id: rules.mode(seat.sitting.mode, rules.resume_options(seat.sitting.options))
        for seat in seats
    }
    at = Counter((seat.sitting_id, seat.place) for seat in seats)
    return [
        SeatNow(
            seat,
            shared=at[seat.sitting_id, seat.place] > 1,
            letter=modes[seat.sitting_id].letters[seat.side],
        )
        for seat in seats
    ]


def players_of(club_id: int) -> list[tuple[int, str, bool]]:
    """Return the players of the club by name, and whether each sits at no table now, in one query."""
    sitting = Seat.objects.active().filter(player=OuterRef("pk"))
    players = Player.objects.present().filter(club=club_id).annotate(free=~Exists(sitting))
    return list(players.order_by("name_key").values_list("pk", "name", "free"))


def waiting_players(night: ClubNight | None) -> list[int]:
    """Return who is at the night and neither sits at a table nor rests, in one query."""
    if night is None:
        return []
    resting = Rest.objects.sat_out().filter(round__night=night, round__state=RoundState.OPEN)
    sitting = Seat.objects.active()
    here = Attendance.objects.here(night).people().exclude(pk__in=sitting.values("player"))
    return list(here.exclude(pk__in=resting.people()).values_list("pk", flat=True))
