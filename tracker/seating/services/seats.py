"""Who sits where, put right: a swap for all hands, or somebody who takes over from here."""

from django.db import transaction

from games.errors import gettext_noop
from tracker.common.actor import Actor
from tracker.common.audit_log import log
from tracker.common.errors import Refused
from tracker.ledger.locks import hold_later_tables, hold_tables_of
from tracker.ledger.memory import renew_memory
from tracker.ledger.statements import lock_table
from tracker.ledger.tallies import move, tallied_tables
from tracker.models import Format, Player, RoundState, Seat, Sitting, Substitution, Tournament
from tracker.seating.services.opening import check_free
from tracker.tournaments.services.entering import enter_player


@transaction.atomic
def substitute(*, seat_id: int, player_id: int, by: Actor) -> Seat:
    """Let a player take over a seat from the coming hand on; what was played stays as it is.

    In a team's seat the newcomer plays for the team, otherwise as the tournament has it: for
    themselves, whether or not a place is free, or for whoever they replace.

    :raises Refused: if the round is not running, the seat was left already, or the newcomer
        is not of the club or sits in a running round.
    """
    # The tournament before its tables, as whoever enters somebody may open a round. It alone: who
    # exchanges the seat that leads to it has the tables already.
    tournaments = Tournament.objects.select_for_update(of=("self",), no_key=True)
    tournaments.get(rounds__seats=seat_id)
    sitting_id = Seat.objects.values_list("sitting", flat=True).get(pk=seat_id)
    hold_later_tables(lock_table(sitting_id=sitting_id))
    seat = Seat.objects.select_related("sitting__round__tournament").get(pk=seat_id)
    sitting, tournament = seat.sitting, seat.sitting.round.tournament
    if seat.to_hand is not None:
        raise Refused("seat-left", gettext_noop("Somebody else has taken over this seat since."))
    if sitting.round.state != RoundState.OPEN:
        raise Refused("round-not-open", gettext_noop("This round is not being played."))
    if not Player.objects.present().filter(pk=player_id, club=tournament.club_id).exists():
        raise Refused(
            "player-unknown", gettext_noop("Somebody you chose is not a player of this club.")
        )
    check_free([player_id])
    if tournament.format == Format.TEAMS or tournament.substitution == Substitution.ABSENT:
        entrant = seat.entrant_id
    else:
        entrant = enter_player(
            tournament_id=tournament.pk, player_id=player_id, by=by, beyond_places=True
        ).pk
    left = seat.player_id
    seat = _taken_over(seat, sitting, player_id, entrant)
    if seat.from_hand == 1:  # nobody had played there yet: the table opens with the newcomer
        renew_memory(tournament.pk, after_round=sitting.round.number - 1, at=by.at)
    log(
        by,
        "seat-taken-over",
        club_id=tournament.club_id,
        sitting=sitting.pk,
        seat=seat.pk,
        left=left,
        came=player_id,
        numbers={"place": seat.place, "from_hand": seat.from_hand},
    )
    return seat


@transaction.atomic
def exchange(*, seats: tuple[int, int], by: Actor) -> None:
    """Exchange the people of two seats of a round for all its hands: they sat down otherwise.

    Sheets and dealers stay with the place, and the points go with the people.

    :raises Refused: if the seats are not two of one round that is not undone, or somebody
        took over at one of them.
    """
    whose = (
        Seat.objects.filter(pk__in=seats)
        .order_by("sitting_id")
        .values_list("sitting_id", flat=True)
    )
    sittings = [*dict.fromkeys(whose)]
    tournaments = Tournament.objects.filter(rounds__sittings__in=sittings)
    hold_tables_of(tournaments.values_list("pk", flat=True))
    before = tallied_tables(sittings)  # under their locks
    # Only now: until the lock somebody else may have changed who sits there.
    running = Seat.objects.running().filter(pk__in=seats)
    both = list(running.select_related("player", "sitting__round__tournament").order_by("pk"))
    if len({seat.round_id for seat in both}) != 1 or len(both) != 2:
        raise Refused("seats-two", gettext_noop("Choose two people of the same round."))
    first, second = both
    round_ = first.sitting.round
    if round_.state == RoundState.UNDONE:
        raise Refused("round-undone", gettext_noop("This round was taken back."))
    for seat in both:
        if Seat.objects.filter(sitting=seat.sitting_id, place=seat.place).count() > 1:
            raise Refused(
                "seat-taken-over",
                gettext_noop("%(who)s took over a seat during the round, and cannot be swapped."),
                who=seat.player.name,
            )

    people = {
        first: (second.player_id, second.entrant_id),
        second: (first.player_id, first.entrant_id),
    }
    # Out of the way for a moment: nobody may run at two seats of a round, not even here.
    Seat.objects.filter(pk__in=seats).update(to_hand=0)
    for seat, (player, entrant) in people.items():
        seat.player_id, seat.entrant_id, seat.to_hand = player, entrant, None
        seat.save(update_fields=["player", "entrant", "to_hand"])
    move(tallied_tables(sittings).less(before))
    # What everybody remembers of earlier deals goes with them.
    renew_memory(round_.tournament_id, after_round=round_.number - 1, at=by.at)
    log(
        by,
        "seats-exchanged",
        club_id=round_.tournament.club_id,
        round=first.round_id,
        seats=sorted(seats),
        sittings=sittings,
    )


def _taken_over(seat: Seat, sitting: Sitting, player_id: int, entrant: int) -> Seat:
    """Return the seat in which the newcomer sits from the coming hand on."""
    if seat.from_hand > sitting.last_number:  # nothing was played from here: nobody was there
        seat.player_id, seat.entrant_id = player_id, entrant
        seat.save(update_fields=["player", "entrant"])
        return seat
    seat.to_hand = sitting.last_number
    seat.save(update_fields=["to_hand"])
    return sitting.seats.create(
        round=sitting.round,
        place=seat.place,
        side=seat.side,
        player_id=player_id,
        entrant_id=entrant,
        from_hand=sitting.last_number + 1,
    )
