"""Corrections of seats: who sat at which place from which hand on, and with which tallies."""

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
from tracker.seating.services.stints import (
    Place,
    Stay,
    exchanged,
    lay,
    seat_left,
    seat_there,
    stays_of,
)
from tracker.tables.dealing_history import refresh_dealt_before
from tracker.tables.locks import hold_later_tables, hold_tables_of, lock_free_players, lock_table
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
    seat = seat_there(seat_id)
    Tournament.objects.select_for_update(no_key=True).get(pk=seat.round.tournament_id)
    table = lock_table(sitting_id=seat.sitting_id)
    hold_later_tables(table)
    seat = seat_there(seat_id)
    sitting, tournament = seat.sitting, seat.round.tournament
    if seat.to_hand is not None:
        raise seat_left()
    if seat.round.state != RoundState.OPEN:
        raise Refused(
            "round-not-open",
            gettext_noop("This round is not being played: only an open one can be changed."),
        )
    if not Player.objects.present().filter(pk=player_id, club=tournament.club_id).exists():
        raise Refused("player-unknown", gettext_noop("Choose only players of this club."))
    lock_free_players([player_id])
    if tournament.format == Format.TEAMS or tournament.substitution == Substitution.ABSENT:
        entrant = seat.entrant_id
    else:
        entrant = enter_player(
            tournament_id=tournament.pk, player_id=player_id, by=by, beyond_places=True
        ).pk
    left = seat.player_id
    if table.undone_report is not None:
        # That hand was played without who comes now: its number is used up.
        last = sitting.hands.aggregate(last=Max("number"))["last"]
        sitting.chosen_after = None if table.chosen is None else last
        sitting.last_number = last
        sitting.save(update_fields=["last_number", "chosen_after"])
    seat = _taken_over(seat, sitting, player_id, entrant)
    if seat.from_hand == 1:  # nobody had played there yet: the table opens with the newcomer
        refresh_dealt_before(tournament.pk, after_round=seat.round.number - 1, at=by.at)
    log(
        by,
        "seat-taken-over",
        club_id=tournament.club_id,
        tournament=tournament.pk,
        sitting=sitting.pk,
        seat=seat.pk,
        left=left,
        came=player_id,
        numbers={"place": seat.place, "from_hand": seat.from_hand},
    )
    return seat


@transaction.atomic
def exchange(
    *, seats: tuple[int, int], by: Actor, only_together: bool = False, reason: str = ""
) -> LogEntry:
    """Exchange the people of two places of a round for all its hands: they sat down otherwise.

    Sheets and dealers stay with the place, and the points go with the people. They are whole
    places that change: whoever took over there, before or after, took over that chair, and goes
    along. With *only_together* it is the two people alone, at one table for the hands that both
    were there, at two tables for as long as each sat at theirs. At another table a take-over
    comes after as many hands as at its own, or where fewer were played, after the last.

    :raises Refused: if the seats are not two of one round that is not undone, if they are of one
        place, or somebody would then sit at two at once.
    """
    asked = Seat.objects.filter(pk__in=seats).order_by("sitting_id")
    sittings = [*dict.fromkeys(asked.values_list("sitting_id", flat=True))]
    tournaments = Tournament.objects.filter(rounds__sittings__in=sittings)
    hold_tables_of(tournaments.values_list("pk", flat=True))
    # Only now: until the lock somebody else may have changed who sits there.
    named = Seat.objects.filter(pk__in=seats).select_related("player", "sitting__round__tournament")
    both = list(named.order_by("pk"))
    if len({seat.round_id for seat in both}) != 1 or len(both) != 2:
        raise Refused("seats-two", gettext_noop("Choose two people of the same round."))
    first, second = both
    round_ = first.sitting.round
    if round_.state == RoundState.UNDONE:
        raise Refused("round-undone", gettext_noop("This round was undone: bring it back first."))
    if (first.sitting_id, first.place) == (second.sitting_id, second.place):
        raise Refused(
            "seats-one-place",
            gettext_noop("%(one)s and %(other)s had the same seat, one after the other."),
            one=first.player.name,
            other=second.player.name,
        )
    stays = stays_of(sittings)
    here, there = stays[first.sitting_id, first.place], stays[second.sitting_id, second.place]
    if only_together:
        lay(_people_exchanged(first, second, stays))
    else:
        at_one_table = first.sitting_id == second.sitting_id
        lay(
            {
                (seat.sitting_id, seat.place): list(theirs)
                if at_one_table
                else _fitted(theirs, seat.sitting.last_number)
                for seat, theirs in ((first, there), (second, here))
            }
        )
    # What everybody remembers of earlier deals goes with them.
    refresh_dealt_before(round_.tournament_id, after_round=round_.number - 1, at=by.at)
    club_id, players = round_.tournament.club_id, [first.player_id, second.player_id]
    before = last_entry("seats-exchanged", club_id=club_id, round=round_.pk)
    return log(
        by,
        "seats-exchanged",
        club_id=club_id,
        tournament=round_.tournament_id,
        round=first.round_id,
        seats=sorted(seats),
        players=players,
        sittings=sittings,
        # Of the same two in the same way, and not the way back itself.
        undoes=before
        if before
        and before.undoes_id is None
        and before.numbers.get("only_together") == only_together
        and set(before.on.get("players", ())) == set(players)
        else None,
        numbers={"only_together": only_together},
        reason=reason,
    )


def _fitted(stays: Sequence[Stay], last_number: int) -> list[Stay]:
    """Return stints of another table at one that has played so many hands."""
    fitted, coming = [], 1
    for stay in stays:
        last = None if stay.to_hand is None else min(stay.to_hand, last_number)
        if last is None or last >= coming:
            fitted.append(replace(stay, from_hand=coming, to_hand=last))
            coming = (last or 0) + 1
    return fitted


def _people_exchanged(
    first: Seat, second: Seat, stays: Mapping[Place, Sequence[Stay]]
) -> dict[Place, list[Stay]]:
    """Return the stints of two places after two of their players swap.

    :raises Refused: ``seats-never-together`` if one had left when the other came.
    """
    own, others = Stay.of(first), Stay.of(second)
    if first.sitting_id == second.sitting_id:
        hands = overlap(own.hands, others.hands)
        if hands is None:
            raise Refused(
                "seats-never-together",
                gettext_noop("%(one)s and %(other)s never sat there together."),
                one=first.player.name,
                other=second.player.name,
            )
        reach = (hands, hands)
    else:
        reach = (own.hands, others.hands)
    return {
        (seat.sitting_id, seat.place): exchanged(
            stays[seat.sitting_id, seat.place], hands, by=comes
        )
        for seat, hands, comes in zip((first, second), reach, (others, own), strict=True)
    }


def _taken_over(seat: Seat, sitting: Sitting, player_id: int, entrant: int) -> Seat:
    """Return the seat in which the newcomer sits from the coming hand on."""
    if seat.from_hand > sitting.last_number:  # nothing was played from here: nobody was there
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
