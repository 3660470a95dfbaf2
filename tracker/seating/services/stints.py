"""TODO."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, zip_longest
from typing import TypeAlias

from django.db.models import F

from games.errors import gettext_noop
from tracker.common.errors import Refused
from tracker.models import (
    Player,
    RoundState,
    Seat,
)
from tracker.models.stints import Hands, overlap
from tracker.tables.locks import lock_free_players
from tracker.tables.tallies import add_to_tallies, lock_and_tally

Place: TypeAlias = tuple[int, int]  # of a sitting: its key, and the place at its table


@dataclass(frozen=True, slots=True)
class Stay:
    """A player at a place, for an entrant, from one hand to another, ``None`` if still there."""

    player: int
    entrant: int
    from_hand: int
    to_hand: int | None

    @classmethod
    def of(cls, seat: Seat) -> "Stay":
        return cls(seat.player_id, seat.entrant_id, seat.from_hand, seat.to_hand)

    @property
    def hands(self) -> Hands:
        return self.from_hand, self.to_hand

    @property
    def who(self) -> tuple[int, int]:
        return self.player, self.entrant


def seat_there(seat_id: int) -> Seat:
    """Return a seat with its table, round and tournament.

    :raises Refused: ``seat-left`` if somebody put right meanwhile who sat there, so that it is gone.
    """
    seats = Seat.objects.select_related("sitting", "round__tournament")
    seat = seats.filter(pk=seat_id).first()
    if seat is None:
        raise seat_left()
    return seat


def seat_left() -> Refused:
    return Refused(
        "seat-left", gettext_noop("Somebody else has taken over this seat since: look at it again.")
    )


def stays_of(sittings: Iterable[int]) -> dict[Place, list[Stay]]:
    """Return who sat at every place of these tables, the first first."""
    places: dict[Place, list[Stay]] = defaultdict(list)
    seats = Seat.objects.filter(sitting__in=set(sittings)).order_by("place", "from_hand", "pk")
    for seat in seats:
        places[seat.sitting_id, seat.place].append(Stay.of(seat))
    return dict(places)


def exchanged(stays: Iterable[Stay], hands: Hands, *, by: Stay) -> list[Stay]:
    """Return the stints of a place with *by* there during these hands."""
    first, last = hands
    after: list[Stay] = []
    for stay in stays:
        if overlap(stay.hands, hands) is None:
            after.append(stay)
            continue
        if stay.from_hand < first:
            after.append(replace(stay, to_hand=first - 1))
        after.append(replace(by, from_hand=first, to_hand=last))
        if last is not None and (stay.to_hand is None or stay.to_hand > last):
            after.append(replace(stay, from_hand=last + 1))
    return after


def joined(stays: Iterable[Stay]) -> list[Stay]:
    """Return the stints of a place, those one that follow one another with the same person."""
    whole: list[Stay] = []
    for stay in sorted(stays, key=lambda stay: stay.from_hand):
        last = whole[-1] if whole else None
        if last and last.who == stay.who and last.to_hand == stay.from_hand - 1:
            whole[-1] = replace(last, to_hand=stay.to_hand)
        else:
            whole.append(stay)
    return whole


def lay(wanted: Mapping[Place, Sequence[Stay]]) -> None:
    """Store these stints of these places, and add_to_tallies the tallies of their hands to match.

    All tables of the tournament are held. The first hand of a place stays with its seat.

    :raises Refused: ``seated-twice`` if somebody would sit at two places at once,
        ``seated-already`` if somebody who had left sits in another running round by now.
    """
    sittings = {sitting for sitting, _ in wanted}
    rows: dict[Place, list[Seat]] = defaultdict(list)
    seats = Seat.objects.filter(sitting__in=sittings).select_related("round")
    for seat in seats.order_by("from_hand", "pk"):
        rows[seat.sitting_id, seat.place].append(seat)
    before = lock_and_tally(sittings)
    touched = [seat.pk for place in wanted for seat in rows[place]]
    # Out of the way for a moment: nobody may run at two seats of a round, not even here.
    Seat.objects.filter(pk__in=touched).update(to_hand=F("from_hand") - 1)
    _check_nobody_twice(wanted, touched)
    seated = {seat.player_id for place in wanted for seat in rows[place] if seat.active}
    playing = {
        stay.player
        for place, stays in wanted.items()
        for stay in stays
        if stay.to_hand is None and rows[place][0].round.state == RoundState.OPEN
    }
    lock_free_players(sorted(playing - seated))
    spare: list[int] = []
    for place, stays in wanted.items():
        first = rows[place][0]
        for seat, stay in zip_longest(rows[place], joined(stays)):
            if stay is None:
                spare.append(seat.pk)
                continue
            row = seat or Seat(
                sitting_id=place[0], round_id=first.round_id, place=place[1], side=first.side
            )
            row.player_id, row.entrant_id = stay.who
            row.from_hand, row.to_hand = stay.hands
            row.save()
    add_to_tallies(lock_and_tally(sittings).less(before))
    Seat.objects.filter(pk__in=spare).delete()


def _check_nobody_twice(wanted: Mapping[Place, Sequence[Stay]], touched: Sequence[int]) -> None:
    """Make sure that no player has two places of a table at once, or two now of a round."""
    sittings = {sitting for sitting, _ in wanted}
    rounds = Seat.objects.filter(pk__in=touched).values_list("sitting", "round")
    round_of = dict(rounds.distinct())
    others = Seat.objects.filter(round__in=set(round_of.values())).exclude(pk__in=touched)
    at: dict[tuple[int, int], list[tuple[int, Hands]]] = defaultdict(list)  # by round and player
    for seat in others:
        at[seat.round_id, seat.player_id].append((seat.sitting_id, (seat.from_hand, seat.to_hand)))
    for (sitting, _), stays in wanted.items():
        for stay in joined(stays):
            at[round_of[sitting], stay.player].append((sitting, stay.hands))
    for (_, player), stints in at.items():
        for (sitting, hands), (other, more) in combinations(stints, 2):
            both_run = hands[1] is None and more[1] is None
            if both_run or (sitting == other and sitting in sittings and overlap(hands, more)):
                raise Refused(
                    "seated-twice",
                    gettext_noop("%(who)s cannot sit in two places at once: clear one of them."),
                    who=Player.objects.get(pk=player).name,
                )
