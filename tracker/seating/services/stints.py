"""Stints: one player at one place of a table from one hand to another, each stored as a ``Seat``.

A *sitting* is one table in one round, and a *place* one of the numbered chairs there. If somebody
takes over, a place has several stints.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, zip_longest
from typing import TypeAlias

from django.db.models import F

from games.errors import gettext_noop
from tracker.common.errors import Refused
from tracker.models import Player, RoundState, Seat
from tracker.models.stints import HandRange, overlap
from tracker.tables.locks import lock_free_players
from tracker.tables.tallies import add_to_tallies, lock_and_tally

# The key of a sitting, and the number of the chair there (the column ``place`` of ``Seat``).
Place: TypeAlias = tuple[int, int]


@dataclass(frozen=True, slots=True)
class PlaceStint:
    """A stint of a player for an entrant (keys); ``to_hand`` is ``None`` unless another followed."""

    player: int
    entrant: int
    from_hand: int
    to_hand: int | None

    @classmethod
    def of(cls, seat: Seat) -> "PlaceStint":
        return cls(seat.player_id, seat.entrant_id, seat.from_hand, seat.to_hand)

    @property
    def hands(self) -> HandRange:
        return self.from_hand, self.to_hand

    @property
    def who(self) -> tuple[int, int]:
        return self.player, self.entrant


def read_seat(seat_id: int) -> Seat:
    """Return a seat with its sitting, round and tournament, or raise ``seat_left_error()``."""
    seat = Seat.objects.select_related("sitting", "round__tournament").filter(pk=seat_id).first()
    if seat is None:  # a correction has deleted it meanwhile
        raise seat_left_error()
    return seat


def seat_left_error() -> Refused:
    template = gettext_noop("Somebody else has taken over this seat since: look at it again.")
    return Refused("seat-left", template)


def read_stints(sittings: Iterable[int]) -> dict[Place, list[PlaceStint]]:
    """Return the stints of every place of these sittings, in order of hands."""
    places: dict[Place, list[PlaceStint]] = defaultdict(list)
    for seat in Seat.objects.filter(sitting__in=set(sittings)).order_by("place", "from_hand", "pk"):
        places[seat.sitting_id, seat.place].append(PlaceStint.of(seat))
    return dict(places)


def with_stint(stints: Iterable[PlaceStint], new: PlaceStint) -> list[PlaceStint]:
    """Return the stints of a place after *new* takes over part of one of them.

    *new* must lie within a single stint, which keeps its hands before and after.
    """
    first, last = new.hands
    changed: list[PlaceStint] = []
    for stint in stints:
        if overlap(stint.hands, new.hands) is None:
            changed.append(stint)
            continue
        if stint.from_hand < first:
            changed.append(replace(stint, to_hand=first - 1))
        changed.append(new)
        if last is not None and (stint.to_hand is None or stint.to_hand > last):
            changed.append(replace(stint, from_hand=last + 1))
    return changed


def _merged(stints: Iterable[PlaceStint]) -> list[PlaceStint]:
    """Return the stints of a place, with successive ones of the same player and entrant merged."""
    merged: list[PlaceStint] = []
    for stint in sorted(stints, key=lambda stint: stint.from_hand):
        previous = merged[-1] if merged else None
        if previous and previous.who == stint.who and previous.to_hand == stint.from_hand - 1:
            merged[-1] = replace(previous, to_hand=stint.to_hand)
        else:
            merged.append(stint)
    return merged


def store_stints(wanted: Mapping[Place, Sequence[PlaceStint]]) -> None:
    """Store these stints as all stints of their places, and correct the tallies of the hands.

    Tallies are the stored sums of what hands give to a stint and an entrant; they change by the
    difference between the sums before and after. The caller has locked all tables of the tournament.
    Every place has at least one row (``Seat``) already. Its rows are overwritten in order of hands,
    missing rows are made, and spare rows deleted last, after their tallies are subtracted.

    :raises Refused: ``seated-twice`` if somebody would sit at two places at once,
        ``seated-already`` if somebody who had left now sits in another open round.
    """
    sittings = {sitting for sitting, _chair in wanted}
    rows: dict[Place, list[Seat]] = defaultdict(list)
    seats = Seat.objects.filter(sitting__in=sittings).select_related("round")
    for seat in seats.order_by("from_hand", "pk"):
        rows[seat.sitting_id, seat.place].append(seat)
    sums_before = lock_and_tally(sittings)  # locks the tables, and sums up their hands
    replaced = [seat.pk for place in wanted for seat in rows[place]]
    # A seat is *active* while its player sits there in an open round; here, before the update.
    seated_before = {seat.player_id for place in wanted for seat in rows[place] if seat.active}
    # The rows cover no hands for now: the database refuses a player at two seats of a round at once.
    Seat.objects.filter(pk__in=replaced).update(to_hand=F("from_hand") - 1)
    _check_nobody_twice(wanted, replaced)
    playing = {
        stint.player
        for place, stints in wanted.items()
        for stint in stints
        if stint.to_hand is None and rows[place][0].round.state == RoundState.OPEN
    }
    # Raises ``seated-already`` if one of them sits in another open round.
    lock_free_players(sorted(playing - seated_before))
    spare: list[int] = []
    for (sitting, chair), stints in wanted.items():
        rows_here = rows[sitting, chair]
        round_id, side = rows_here[0].round_id, rows_here[0].side
        for old_row, stint in zip_longest(rows_here, _merged(stints)):  # the shorter gives ``None``
            if stint is None:
                spare.append(old_row.pk)
                continue
            row = old_row or Seat(sitting_id=sitting, round_id=round_id, place=chair, side=side)
            row.player_id, row.entrant_id = stint.who
            row.from_hand, row.to_hand = stint.hands
            row.save()
    add_to_tallies(lock_and_tally(sittings).less(sums_before))  # the difference
    Seat.objects.filter(pk__in=spare).delete()


def _check_nobody_twice(
    wanted: Mapping[Place, Sequence[PlaceStint]], replaced: Sequence[int]
) -> None:
    """Refuse a player at two places of a table in one hand, or at two places of a round now.

    *replaced* are the keys of the rows that *wanted* replaces; all other rows of the rounds stay.
    """
    changed_tables = Seat.objects.filter(pk__in=replaced).values_list("sitting", "round").distinct()
    round_of = dict(changed_tables)  # the key of the round, keyed by sitting
    staying = Seat.objects.filter(round__in=set(round_of.values())).exclude(pk__in=replaced)
    # Keyed by round and player: pairs of sitting and stint.
    played: dict[tuple[int, int], list[tuple[int, PlaceStint]]] = defaultdict(list)
    for seat in staying:
        played[seat.round_id, seat.player_id].append((seat.sitting_id, PlaceStint.of(seat)))
    for (sitting, _chair), stints in wanted.items():
        for stint in stints:
            played[round_of[sitting], stint.player].append((sitting, stint))
    for (_round, player), player_stints in played.items():
        for (sitting_1, stint_1), (sitting_2, stint_2) in combinations(player_stints, 2):
            # Two tables: only that both go on can be checked, as each numbers its own hands.
            both_go_on = stint_1.to_hand is None and stint_2.to_hand is None
            # One table: only if it changes, as the others were checked when stored.
            at_changed_table = sitting_1 == sitting_2 and sitting_1 in round_of
            in_one_hand = overlap(stint_1.hands, stint_2.hands) is not None
            if both_go_on or (at_changed_table and in_one_hand):
                raise Refused(
                    "seated-twice",
                    gettext_noop("%(who)s cannot sit in two places at once: clear one of them."),
                    who=Player.objects.get(pk=player).name,
                )
