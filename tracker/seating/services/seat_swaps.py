"""Changes of seats: two players or places swap for hands already played; a substitute takes over.

A *place* is a chair of a table, written as a pair: the table's *sitting* (the table in one round),
and the chair's number. If somebody takes over, it has several *stints* (database: ``Seat``).
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from django.db import transaction
from django.db.models import Max

from games.errors import gettext_noop
from tracker.common.actor import Actor
from tracker.common.audit_log import last_entry, log
from tracker.common.errors import Refused
from tracker.models import (
    Format,
    LogEntry,
    Player,
    RoundState,
    Seat,
    Sitting,
    Substitution,
    Tournament,
)
from tracker.models.stints import overlap
from tracker.seating.services.rounds import check_is_open
from tracker.seating.services.stints import (
    Place,
    PlaceStint,
    read_seat,
    read_stints,
    seat_left_error,
    store_stints,
    with_stint,
)
from tracker.tables.dealing_history import refresh_dealt_before
from tracker.tables.locks import hold_later_tables, hold_tables_of, lock_free_players, lock_table
from tracker.tournaments.services.entering import enter_player


@transaction.atomic
def swap_seats(
    *, seats: tuple[int, int], by: Actor, only_together: bool = False, reason: str = ""
) -> LogEntry:
    """Swap the people of two places of a round for all its hands, because they sat the other way.

    Result sheets and dealers stay with the place; the points go with the people. All people of the
    two places swap, also substitutes who took over there. If the places are at two tables, each
    stint keeps its hands as far as the other table has played.

    With *only_together* just the two players swap. At one table they swap the hands in which both
    were there; at two tables each gets all hands of the other's seat.

    :raises Refused: if the seats are not two of one round that was not undone, if they are of one
        place, or if somebody would then sit at two places at once.
    """
    chosen = Seat.objects.filter(pk__in=seats).order_by("sitting_id")
    sittings = [*dict.fromkeys(chosen.values_list("sitting_id", flat=True))]
    tournaments = Tournament.objects.filter(rounds__sittings__in=sittings)
    hold_tables_of(tournaments.values_list("pk", flat=True))
    # Read after the lock: before it, others may have changed who sits there.
    first, second = _two_places(seats)
    round_ = first.sitting.round
    swap = _players_swapped if only_together else _places_swapped
    store_stints(swap(first, second, read_stints(sittings)))
    # Later tables have stored when their players dealt before: that has changed.
    refresh_dealt_before(round_.tournament_id, after_round=round_.number - 1, at=by.at)
    club_id, players = round_.tournament.club_id, [first.player_id, second.player_id]
    last_swap = last_entry("seats-exchanged", club_id=club_id, round=round_.pk)
    # The same swap again undoes the last one, unless that one undid another.
    undoes_it = (
        last_swap is not None
        and last_swap.undoes_id is None
        and last_swap.numbers.get("only_together") == only_together
        and set(last_swap.on.get("players", ())) == set(players)
    )
    return log(
        by,
        "seats-exchanged",
        club_id=club_id,
        tournament=round_.tournament_id,
        round=round_.pk,
        seats=sorted(seats),
        players=players,
        sittings=sittings,
        undoes=last_swap if undoes_it else None,
        numbers={"only_together": only_together},
        reason=reason,
    )


def _two_places(seats: tuple[int, int]) -> tuple[Seat, Seat]:
    """Return the two seats, which must be of one round and at different places."""
    chosen = Seat.objects.filter(pk__in=seats).order_by("pk")
    rows = list(chosen.select_related("player", "sitting__round__tournament"))
    if len({seat.round_id for seat in rows}) != 1 or len(rows) != 2:
        raise Refused("seats-two", gettext_noop("Choose two people of the same round."))
    first, second = rows
    if first.sitting.round.state == RoundState.UNDONE:
        raise Refused("round-undone", gettext_noop("This round was undone: bring it back first."))
    if (first.sitting_id, first.place) == (second.sitting_id, second.place):
        template = gettext_noop("%(one)s and %(other)s had the same seat, one after the other.")
        raise Refused("seats-one-place", template, one=first.player.name, other=second.player.name)
    return first, second


def _places_swapped(
    first: Seat, second: Seat, stints: Mapping[Place, Sequence[PlaceStint]]
) -> dict[Place, list[PlaceStint]]:
    """Return the stints of the two places after all their people swap."""
    swapped = {}
    for seat, other in ((first, second), (second, first)):
        incoming = list(stints[other.sitting_id, other.place])
        if seat.sitting_id != other.sitting_id:
            incoming = _cut_to_hands(incoming, seat.sitting.last_number)
        swapped[seat.sitting_id, seat.place] = incoming
    return swapped


def _cut_to_hands(stints: Sequence[PlaceStint], last_number: int) -> list[PlaceStint]:
    """Return the stints of a place, moved to a table where hand *last_number* was the last one.

    Stints that began after that hand are dropped, but one without an end follows the others.
    """
    cut, next_hand = [], 1
    for stint in stints:
        last = None if stint.to_hand is None else min(stint.to_hand, last_number)
        if last is None or last >= next_hand:
            cut.append(replace(stint, from_hand=next_hand, to_hand=last))
            next_hand = (last or 0) + 1
    return cut


def _players_swapped(
    first: Seat, second: Seat, stints: Mapping[Place, Sequence[PlaceStint]]
) -> dict[Place, list[PlaceStint]]:
    """Return the stints of the two places after only the players of the two seats swap."""
    stint_1, stint_2 = PlaceStint.of(first), PlaceStint.of(second)
    hands_1, hands_2 = stint_1.hands, stint_2.hands
    if first.sitting_id == second.sitting_id:
        hands_of_both = overlap(hands_1, hands_2)
        if hands_of_both is None:
            template = gettext_noop("%(one)s and %(other)s never sat there together.")
            one, other = first.player.name, second.player.name
            raise Refused("seats-never-together", template, one=one, other=other)
        hands_1 = hands_2 = hands_of_both
    return {
        (seat.sitting_id, seat.place): with_stint(
            stints[seat.sitting_id, seat.place],
            replace(incoming, from_hand=hands[0], to_hand=hands[1]),
        )
        for seat, hands, incoming in ((first, hands_1, stint_2), (second, hands_2, stint_1))
    }


@transaction.atomic
def substitute(*, seat_id: int, player_id: int, by: Actor) -> Seat:
    """Let a player take over a seat from the coming hand on; hands already played stay as they are.

    In a team's seat the newcomer plays for the team. Otherwise the tournament's rule decides whether
    the newcomer plays for the absent player or alone, and is then entered even if it is full.

    :raises Refused: if the round is not open, the seat was left already, or the newcomer is not of
        the club or sits in an open round.
    """
    # Trap: lock the tournament before its tables, as opening a round does: otherwise deadlock. So
    # lock no table yet: a swap of this very seat may hold them all.
    seat = read_seat(seat_id)
    Tournament.objects.select_for_update(no_key=True).get(pk=seat.round.tournament_id)
    table = lock_table(sitting_id=seat.sitting_id)
    hold_later_tables(table)  # as ``refresh_dealt_before`` may change them
    seat = read_seat(seat_id)  # again, as it may have changed before the lock
    sitting, tournament = seat.sitting, seat.round.tournament
    if seat.to_hand is not None:
        raise seat_left_error()
    check_is_open(seat.round)
    if not Player.objects.present().filter(pk=player_id, club=tournament.club_id).exists():
        raise Refused("player-unknown", gettext_noop("Choose only players of this club."))
    lock_free_players([player_id])
    if tournament.format == Format.TEAMS or tournament.substitution == Substitution.ABSENT:
        entrant = seat.entrant_id
    else:
        entrant = enter_player(
            tournament_id=tournament.pk, player_id=player_id, by=by, beyond_places=True
        ).pk
    leaving_player = seat.player_id
    if table.undone_report is not None:
        # A hand played without the newcomer was taken back: its number stays used up. A dealer
        # chosen for the coming hand stays chosen, now after that number.
        last = sitting.hands.aggregate(last=Max("number"))["last"]
        sitting.chosen_after = None if table.chosen is None else last
        sitting.last_number = last
        sitting.save(update_fields=["last_number", "chosen_after"])
    seat = _taken_over(seat, sitting, player_id, entrant)
    if seat.from_hand == 1:  # nobody has played there yet: the table begins with the newcomer
        refresh_dealt_before(tournament.pk, after_round=seat.round.number - 1, at=by.at)
    log(
        by,
        "seat-taken-over",
        **table.log_keys,
        seat=seat.pk,
        left=leaving_player,
        came=player_id,
        numbers={"place": seat.place, "from_hand": seat.from_hand},
    )
    return seat


def _taken_over(seat: Seat, sitting: Sitting, player_id: int, entrant: int) -> Seat:
    """Store the take-over, and return the newcomer's seat from the coming hand on."""
    if seat.from_hand > sitting.last_number:  # no hand was played in it: the newcomer gets the row
        seat.player_id, seat.entrant_id = player_id, entrant
        seat.save(update_fields=["player", "entrant"])
        return seat
    seat.to_hand = sitting.last_number
    seat.save(update_fields=["to_hand"])
    return sitting.seats.create(
        round=seat.round,
        place=seat.place,
        side=seat.side,
        player_id=player_id,
        entrant_id=entrant,
        from_hand=sitting.last_number + 1,
    )
