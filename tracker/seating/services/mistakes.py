"""A mistake about who sat somewhere: who was entered, who it was, and for how much of it."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from games.errors import gettext_noop
from tracker.common.errors import Refused
from tracker.models import Format, Player, Round, RoundState, Seat, Substitution, Tournament
from tracker.models.stints import overlap
from tracker.seating.services.stints import seat_there


class Reach(StrEnum):
    """How far a wrong entry reaches: some hands of a seat, a round, or the tournament."""

    HANDS = "hands"
    ROUND = "round"
    TOURNAMENT = "tournament"


@dataclass(frozen=True, slots=True, kw_only=True)
class Mistake:
    """Who was entered where, and who it was; *asked* is the seat where it was seen."""

    tournament: Tournament
    wrong: Player
    right: Player
    reach: Reach
    asked: Seat
    seats: Sequence[Seat]  # the wrong one's that are meant
    from_hand: int  # from which on, of a single seat

    def hands(self, seat: Seat) -> tuple[int, int | None]:
        first = self.from_hand if self.reach is Reach.HANDS else seat.from_hand
        return max(first, seat.from_hand), seat.to_hand

    @property
    def sittings(self) -> list[int]:
        return sorted({seat.sitting_id for seat in self.seats})

    @property
    def takes_over(self) -> bool:
        """Say whether the wrong one did sit there, up to a hand."""
        return self.reach is Reach.HANDS and self.from_hand > self.seats[0].from_hand

    @property
    def plays_for_others(self) -> bool:
        """Return whether the right player plays on behalf of others, as the wrong one did."""
        absent = self.tournament.substitution == Substitution.ABSENT and self.takes_over
        return self.tournament.format == Format.TEAMS or absent


def mistake_of(
    tournament: Tournament, seat_id: int, player_id: int, reach: Reach, from_hand: int
) -> Mistake:
    """Return what is to be put right, under the locks of the two people.

    :raises Refused: on the terms of ``replace_player``.
    """
    seat = seat_there(seat_id)
    wrong, right = _people(tournament, seat.player_id, player_id)
    if seat.round.state == RoundState.UNDONE:
        raise Refused("round-undone", gettext_noop("This round was undone: bring it back first."))
    last = seat.sitting.last_number if seat.to_hand is None else seat.to_hand
    if reach is Reach.HANDS and from_hand > max(last, seat.from_hand):
        raise Refused(
            "hand-unknown",
            gettext_noop("%(who)s played no hand %(number)d there."),
            question="from_hand",
            who=wrong.name,
            number=from_hand,
        )
    mistake = Mistake(
        tournament=tournament,
        wrong=wrong,
        right=right,
        reach=reach,
        asked=seat,
        seats=_seats_meant(seat, right, reach),
        from_hand=from_hand,
    )
    _check_elsewhere(mistake)
    return mistake


def _people(tournament: Tournament, wrong_id: int, right_id: int) -> tuple[Player, Player]:
    """Return both people, locked.

    :raises Refused: ``player-unknown`` or ``same-player``.
    """
    people = Player.objects.select_for_update(no_key=True).order_by("pk")
    players = {each.pk: each for each in people.filter(pk__in=[wrong_id, right_id])}
    known = Player.objects.present().filter(pk=right_id, club=tournament.club_id)
    if right_id not in players or not known.exists():
        raise Refused("player-unknown", gettext_noop("Choose only players of this club."))
    if right_id == wrong_id:
        raise Refused(
            "same-player",
            gettext_noop("%(who)s is who is entered there already."),
            question="player",
            who=players[right_id].name,
        )
    return players[wrong_id], players[right_id]


def _seats_meant(seat: Seat, right: Player, reach: Reach) -> list[Seat]:
    """Return the wrong one's seats; of rounds taken back those where both were stay as they are."""
    seats = Seat.objects.select_related("round", "sitting", "entrant").order_by("pk")
    match reach:
        case Reach.HANDS:
            return list(seats.filter(pk=seat.pk))
        case Reach.ROUND:
            return list(seats.filter(player=seat.player_id, round=seat.round_id))
        case Reach.TOURNAMENT:
            both = Round.objects.filter(state=RoundState.UNDONE, seats__player=right)
            own = seats.filter(player=seat.player_id)
            own = own.filter(round__tournament=seat.round.tournament_id)
            return list(own.exclude(round__in=both.values("pk")))


def _check_elsewhere(mistake: Mistake) -> None:
    """Make sure that the right player sat nowhere else in these rounds.

    :raises Refused: ``sits-elsewhere``.
    """
    right = mistake.right
    own = Seat.objects.filter(player=right, round__in={seat.round_id for seat in mistake.seats})
    for seat in mistake.seats:
        for other in own.filter(round=seat.round_id).select_related("sitting", "round"):
            hands = other.from_hand, other.to_hand
            if other.sitting_id != seat.sitting_id or overlap(hands, mistake.hands(seat)):
                raise Refused(
                    "sits-elsewhere",
                    gettext_noop(
                        "%(who)s sits at table %(table)d in round %(round)d. Swap the two instead."
                    ),
                    question="player",
                    who=right.name,
                    table=other.sitting.number,
                    round=other.round.number,
                )
