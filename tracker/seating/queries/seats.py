"""Who sits where in a round, who could take over, and who waits for a seat."""

from collections import Counter
from dataclasses import dataclass

from django.db.models import Exists, OuterRef
from django.utils.translation import gettext

from games.mode import Mode
from tracker.models import Attendance, ClubNight, Player, Rest, Round, RoundState, Seat


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatNow:
    """Somebody at a place of a table; ``shared`` if others sat there before or after."""

    seat_id: int
    table: int
    place: int
    player_id: int
    name: str
    from_hand: int
    to_hand: int | None
    shared: bool
    side: int
    letter: str  # of the side; none where everybody plays alone

    @property
    def running(self) -> bool:
        return self.to_hand is None

    @property
    def called(self) -> str:
        """Return the name, and where others sat there too, for which hands."""
        if not self.shared:
            return self.name
        numbers = {"who": self.name, "first": self.from_hand, "last": self.to_hand}
        if self.running:
            return gettext("%(who)s, from hand %(first)d") % numbers
        if self.from_hand == self.to_hand:
            return gettext("%(who)s, hand %(first)d") % numbers
        return gettext("%(who)s, hands %(first)d to %(last)d") % numbers


def seats_of(round_: Round) -> list[SeatNow]:
    """Return everybody who has or had a seat in the round, table by table, in one query."""
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
            seat_id=seat.pk,
            table=seat.sitting.number,
            place=seat.place,
            player_id=seat.player_id,
            name=seat.player.name,
            from_hand=seat.from_hand,
            to_hand=seat.to_hand,
            shared=at[seat.sitting_id, seat.place] > 1,
            side=side,
            letter="" if modes[seat.sitting_id].individual else chr(ord("A") + side),
        )
        for seat in seats
        for side in [_side_of(modes[seat.sitting_id], seat.place)]
    ]


def _side_of(mode: Mode, place: int) -> int:
    return next(side for side, seats in enumerate(mode.sides) if place in seats)


def last_seat_in(round_: Round, player_id: int) -> int | None:
    """Return the seat of the round at which somebody was last."""
    seats = Seat.objects.filter(round=round_, player=player_id).order_by("from_hand", "pk")
    return seats.values_list("pk", flat=True).last()


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
