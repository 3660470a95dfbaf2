"""Changes of seats: two players or places swap for what was played, and a substitute takes over."""

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
    seat_left,
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

    Sheets and dealers stay with the place; the points go with the people. Whole places swap:
    substitutes who took over there go along. At another table they take over after as many hands
    as at their own, or after its last hand if it has fewer.

    With *only_together* just the two players swap: at one table for the hands in which both were
    there, at two tables for as long as each sat at theirs.

    :raises Refused: if the seats are not two of one round that was not undone, if they are of one
        place, or if somebody would then sit at two places at once.
    """
    chosen = Seat.objects.filter(pk__in=seats).order_by("sitting_id")
    sittings = [*dict.fromkeys(chosen.values_list("sitting_id", flat=True))]
    tournaments = Tournament.objects.filter(rounds__sittings__in=sittings)
    hold_tables_of(tournaments.values_list("pk", flat=True))
    # Read only now: before the lock others may have changed who sits there.
    first, second = _two_places(seats)
    round_ = first.sitting.round
    stints = read_stints(sittings)
    swapped = _players_swapped if only_together else _places_swapped
    store_stints(swapped(first, second, stints))
    # What players remember of earlier deals goes with them.
    refresh_dealt_before(round_.tournament_id, after_round=round_.number - 1, at=by.at)
    club_id, players = round_.tournament.club_id, [first.player_id, second.player_id]
    before = last_entry("seats-exchanged", club_id=club_id, round=round_.pk)
    # The same swap again takes the first one back, unless that was itself such a way back.
    undoes_it = (
        before is not None
        and before.undoes_id is None
        and before.numbers.get("only_together") == only_together
        and set(before.on.get("players", ())) == set(players)
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
        undoes=before if undoes_it else None,
        numbers={"only_together": only_together},
        reason=reason,
    )


def _two_places(seats: tuple[int, int]) -> tuple[Seat, Seat]:
    """Return two seats of one round at different places."""
    named = Seat.objects.filter(pk__in=seats).select_related("player", "sitting__round__tournament")
    rows = list(named.order_by("pk"))
    if len({seat.round_id for seat in rows}) != 1 or len(rows) != 2:
        raise Refused("seats-two", gettext_noop("Choose two people of the same round."))
    first, second = rows
    if first.sitting.round.state == RoundState.UNDONE:
        raise Refused("round-undone", gettext_noop("This round was undone: bring it back first."))
    if (first.sitting_id, first.place) == (second.sitting_id, second.place):
        raise Refused(
            "seats-one-place",
            gettext_noop("%(one)s and %(other)s had the same seat, one after the other."),
            one=first.player.name,
            other=second.player.name,
        )
    return first, second


def _places_swapped(
    first: Seat, second: Seat, stints: Mapping[Place, Sequence[PlaceStint]]
) -> dict[Place, list[PlaceStint]]:
    """Return the stints of two places with each other's people."""
    swapped = {}
    for seat, other in ((first, second), (second, first)):
        theirs = list(stints[other.sitting_id, other.place])
        if seat.sitting_id != other.sitting_id:
            theirs = _cut_to_hands(theirs, seat.sitting.last_number)
        swapped[seat.sitting_id, seat.place] = theirs
    return swapped


def _cut_to_hands(stints: Sequence[PlaceStint], last_number: int) -> list[PlaceStint]:
    """Return the stints of a place as they would be at a table that has played so many hands."""
    cut, coming = [], 1
    for stint in stints:
        last = None if stint.to_hand is None else min(stint.to_hand, last_number)
        if last is None or last >= coming:
            cut.append(replace(stint, from_hand=coming, to_hand=last))
            coming = (last or 0) + 1
    return cut


def _players_swapped(
    first: Seat, second: Seat, stints: Mapping[Place, Sequence[PlaceStint]]
) -> dict[Place, list[PlaceStint]]:
    """Return the stints of two places after two of their players swap."""
    one, other = PlaceStint.of(first), PlaceStint.of(second)
    of_one, of_other = one.hands, other.hands
    if first.sitting_id == second.sitting_id:
        both = overlap(of_one, of_other)
        if both is None:
            raise Refused(
                "seats-never-together",
                gettext_noop("%(one)s and %(other)s never sat there together."),
                one=first.player.name,
                other=second.player.name,
            )
        of_one = of_other = both
    return {
        (seat.sitting_id, seat.place): with_stint(
            stints[seat.sitting_id, seat.place],
            replace(comes, from_hand=hands[0], to_hand=hands[1]),
        )
        for seat, hands, comes in ((first, of_one, other), (second, of_other, one))
    }


@transaction.atomic
def substitute(*, seat_id: int, player_id: int, by: Actor) -> Seat:
    """Let a player take over a seat from the coming hand on; what was played stays as it is.

    In a team's seat the newcomer plays for the team. Otherwise the tournament's rule decides: for
    themselves, entered even if no place is free, or for the player they replace.

    :raises Refused: if the round is not open, the seat was left already, or the newcomer is not
        of the club or sits in an open round.
    """
    # Trap: lock the tournament before its tables, as a transaction that enters somebody may open a
    # round. Lock no table yet: a swap of this very seat may hold them all.
    seat = read_seat(seat_id)
    Tournament.objects.select_for_update(no_key=True).get(pk=seat.round.tournament_id)
    table = lock_table(sitting_id=seat.sitting_id)
    hold_later_tables(table)
    seat = read_seat(seat_id)
    sitting, tournament = seat.sitting, seat.round.tournament
    if seat.to_hand is not None:
        raise seat_left()
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
    player_who_leaves = seat.player_id
    if table.undone_report is not None:
        # A hand was taken back that was played without the newcomer: its number is used up.
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
        club_id=tournament.club_id,
        tournament=tournament.pk,
        sitting=sitting.pk,
        seat=seat.pk,
        left=player_who_leaves,
        came=player_id,
        numbers={"place": seat.place, "from_hand": seat.from_hand},
    )
    return seat


def _taken_over(seat: Seat, sitting: Sitting, player_id: int, entrant: int) -> Seat:
    """Store the take-over, and return the newcomer's seat from the coming hand on."""
    if seat.from_hand > sitting.last_number:  # nobody has played in it: it changes hands as a whole
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
