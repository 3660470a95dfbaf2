"""Replacing a player who was entered by mistake with the one who really sat there all the time.

In a *stint* (database: ``Seat``) a player plays for an *entrant*, mostly the player's own.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from django.db import transaction
from django.db.models import Q

from games.errors import gettext_noop
from tracker.common.actor import Actor
from tracker.common.audit_log import log
from tracker.common.errors import Refused
from tracker.models import (
    Attendance,
    Award,
    AwardKind,
    Entrant,
    Format,
    LogEntry,
    Player,
    Round,
    RoundState,
    Seat,
    Substitution,
    Tournament,
)
from tracker.models.stints import HandRange, overlap
from tracker.seating.services.stints import (
    Place,
    PlaceStint,
    read_seat,
    read_stints,
    store_stints,
    with_stint,
)
from tracker.tables.dealing_history import refresh_dealt_before
from tracker.tables.entrant_replacement import replace_in_draws, withdraw_rests
from tracker.tables.locks import hold_tournament
from tracker.tournaments.services.entering import enter_player


class Reach(StrEnum):
    """What a correction changes: hands of one seat, one round, or the whole tournament."""

    HANDS = "hands"
    ROUND = "round"
    TOURNAMENT = "tournament"


@dataclass(frozen=True, slots=True)
class WrongEntry:
    """A player entered by mistake, and the right one.

    ``seat`` is where the organiser saw the mistake, and ``seats`` are all seats of the wrong player
    to be corrected. With ``Reach.HANDS`` that is only ``seat``, and of it only the hands from
    ``from_hand`` on; otherwise ``from_hand`` does not matter.
    """

    tournament: Tournament
    wrong: Player
    right: Player
    reach: Reach
    seat: Seat
    seats: Sequence[Seat]
    from_hand: int

    def hands(self, seat: Seat) -> HandRange:
        """Return the hands of a seat that the right player really played."""
        if self.reach is Reach.HANDS:
            return max(self.from_hand, seat.from_hand), seat.to_hand
        return seat.from_hand, seat.to_hand

    @property
    def sittings(self) -> list[int]:
        return sorted({seat.sitting_id for seat in self.seats})

    @property
    def plays_for_others(self) -> bool:
        """Return whether the right player plays for the entrant that the seat has already.

        That is so in a team, and for a substitute if substitutes play for the absent player here.
        The right player was a substitute if the wrong player really played the hands before.
        """
        is_substitute = self.reach is Reach.HANDS and self.from_hand > self.seats[0].from_hand
        for_absent = self.tournament.substitution == Substitution.ABSENT
        return self.tournament.format == Format.TEAMS or (for_absent and is_substitute)


@transaction.atomic
def replace_player(
    *,
    seat_id: int,
    player_id: int,
    by: Actor,
    reach: Reach = Reach.ROUND,
    from_hand: int = 1,
    reason: str = "",
) -> LogEntry:
    """Replace a player entered by mistake by the one who really sat there, from the start.

    *seat_id* is where the wrong player is entered, and *reach* says what is corrected. ``HANDS``:
    this seat alone, from *from_hand* on, where a take-over was not reported. ``ROUND``: all seats
    of the wrong player in the round, with the awards (points beside the hands) for it.
    ``TOURNAMENT``: all rounds, and everything else of the wrong player in the tournament. In a team
    the right player plays for the team. An entrant left with nothing is removed. Published
    standings do not change.

    :raises Refused: if the right player is not of the club, is the same, or sits elsewhere in one
        of these rounds or in an open one; if the round was undone, or has no such hand.
    """
    # Lock the tournament before its tables, as opening a round does: otherwise deadlock.
    tournament = hold_tournament(read_seat(seat_id).round.tournament_id)
    entry = _read_wrong_entry(tournament, seat_id, player_id, reach, from_hand)
    _check_sits_nowhere_else(entry)
    # Read all stints that may change, correct them in memory, and store them.
    wrong_entrant = tournament.entrants.filter(player=entry.wrong).first()
    sittings = entry.sittings
    if wrong_entrant is not None and reach is Reach.TOURNAMENT:
        # Also where substitutes played for the wrong player.
        substitutes = wrong_entrant.seats.exclude(player=entry.wrong)
        sittings += substitutes.values_list("sitting", flat=True)
    stints_before = read_stints(sittings)
    right_entrant = _hand_over(entry, wrong_entrant, by)
    corrected_stints = _corrected_stints(entry, stints_before, wrong_entrant, right_entrant)
    store_stints(corrected_stints)
    # Then what else hangs on the two players.
    awards_in_question = Q(round__in={seat.round_id for seat in entry.seats})
    if wrong_entrant and right_entrant and right_entrant != wrong_entrant:
        _remove_if_empty(wrong_entrant, right_entrant, by)
    if reach is Reach.TOURNAMENT:
        if right_entrant is not None:
            awards_in_question |= Q(entrant=right_entrant)
        _move_attendance(entry)
    # Points for a rest no longer count if the entrant now played the round, or has them twice now.
    withdraw_rests(Award.objects.filter(awards_in_question), by.at)
    first_round = min(seat.round.number for seat in entry.seats)
    refresh_dealt_before(tournament.pk, after_round=first_round - 1, at=by.at)
    return _log(entry, stints_before, corrected_stints, by, reason)


def _read_wrong_entry(
    tournament: Tournament, seat_id: int, player_id: int, reach: Reach, from_hand: int
) -> WrongEntry:
    """Return what is to be corrected, with both players locked; raise ``Refused`` if it cannot be."""
    seat = read_seat(seat_id)
    locked = Player.objects.select_for_update(no_key=True).order_by("pk")
    players = {player.pk: player for player in locked.filter(pk__in=[seat.player_id, player_id])}
    in_club = Player.objects.present().filter(pk=player_id, club=tournament.club_id).exists()
    if player_id not in players or not in_club:
        raise Refused("player-unknown", gettext_noop("Choose only players of this club."))
    wrong, right = players[seat.player_id], players[player_id]
    if right == wrong:
        template = gettext_noop("%(who)s is who is entered there already.")
        raise Refused("same-player", template, question="player", who=right.name)
    if seat.round.state == RoundState.UNDONE:
        raise Refused("round-undone", gettext_noop("This round was undone: bring it back first."))
    # In a seat where no hand was played so far, the first one to come may be corrected.
    last_hand = seat.sitting.last_number if seat.to_hand is None else seat.to_hand
    if reach is Reach.HANDS and from_hand > max(last_hand, seat.from_hand):
        template = gettext_noop("%(who)s played no hand %(number)d there.")
        raise Refused(
            "hand-unknown", template, question="from_hand", who=wrong.name, number=from_hand
        )
    seats = Seat.objects.select_related("round", "sitting", "entrant").order_by("pk")
    match reach:
        case Reach.HANDS:
            seats = seats.filter(pk=seat.pk)
        case Reach.ROUND:
            seats = seats.filter(player=wrong, round=seat.round_id)
        case Reach.TOURNAMENT:  # undone rounds in which both sat stay as they are
            with_right = Round.objects.filter(state=RoundState.UNDONE, seats__player=right)
            seats = seats.filter(player=wrong, round__tournament=tournament)
            seats = seats.exclude(round__in=with_right.values("pk"))
    return WrongEntry(tournament, wrong, right, reach, seat, list(seats), from_hand)


def _check_sits_nowhere_else(entry: WrongEntry) -> None:
    """Refuse if the right player sat at another table, or at the same table in the same hands."""
    right_seats = Seat.objects.filter(player=entry.right).select_related("sitting", "round")
    for seat in entry.seats:
        for other in right_seats.filter(round=seat.round_id):
            hands = other.from_hand, other.to_hand
            if other.sitting_id != seat.sitting_id or overlap(hands, entry.hands(seat)):
                raise Refused(
                    "sits-elsewhere",
                    gettext_noop(
                        "%(who)s sits at table %(table)d in round %(round)d. Swap the two instead."
                    ),
                    question="player",
                    who=entry.right.name,
                    table=other.sitting.number,
                    round=other.round.number,
                )


def _hand_over(entry: WrongEntry, wrong_entrant: Entrant | None, by: Actor) -> Entrant | None:
    """Give what the wrong player's own entrant has to the right player; return the entrant with it.

    ``None`` means that the own entrant keeps everything. If the whole tournament is corrected, the
    own entrant becomes the right player's; or, if the right player is entered already, that other
    entrant takes over its awards and rests. Otherwise the right player is entered; the new entrant
    takes over the awards of the round if the whole round is corrected.
    """
    if wrong_entrant is None or entry.plays_for_others:
        return None
    if entry.reach is Reach.TOURNAMENT:
        other = entry.tournament.entrants.filter(player=entry.right).first()
        if other is None:
            wrong_entrant.player = entry.right
            wrong_entrant.save(update_fields=["player"])
            return wrong_entrant
        if wrong_entrant.withdrawn_at is None and wrong_entrant.reserve_since is None:
            other.withdrawn_at, other.expelled, other.reserve_since = None, False, None
            other.save(update_fields=["withdrawn_at", "expelled", "reserve_since"])
        wrong_entrant.awards.update(entrant=other)
        wrong_entrant.rests.exclude(round__rests__entrant=other).update(entrant=other)
        wrong_entrant.rests.all().delete()  # of rounds in which both rested
        return other
    if all(seat.entrant_id != wrong_entrant.pk for seat in entry.seats):
        return None  # there the wrong player was only a substitute for others
    entrant = enter_player(
        tournament_id=entry.tournament.pk, player_id=entry.right.pk, by=by, beyond_places=True
    )
    if entry.reach is Reach.ROUND:
        awards = wrong_entrant.awards.filter(round=entry.seat.round_id)
        awards.exclude(kind=AwardKind.RESTING).update(entrant=entrant)
    return entrant


def _corrected_stints(
    entry: WrongEntry,
    before: Mapping[Place, Sequence[PlaceStint]],
    wrong_entrant: Entrant | None,
    right_entrant: Entrant | None,
) -> dict[Place, list[PlaceStint]]:
    """Return the stints *before* the correction, changed to how people really sat."""
    corrected = {place: list(stints) for place, stints in before.items()}
    for seat in entry.seats:
        place = (seat.sitting_id, seat.place)
        real_stint = PlaceStint(entry.right.pk, seat.entrant_id, *entry.hands(seat))
        corrected[place] = with_stint(corrected[place], real_stint)
    if wrong_entrant is None or right_entrant is None:
        return corrected
    own_places = {
        (seat.sitting_id, seat.place) for seat in entry.seats if seat.entrant_id == wrong_entrant.pk
    }
    changed_places = set(corrected) if entry.reach is Reach.TOURNAMENT else own_places
    # Substitutes now play for the right entrant; hands that the wrong player really played stay.
    for place in changed_places:
        corrected[place] = [
            replace(stint, entrant=right_entrant.pk)
            if stint.entrant == wrong_entrant.pk and stint.player != entry.wrong.pk
            else stint
            for stint in corrected[place]
        ]
    return corrected


def _move_attendance(entry: WrongEntry) -> None:
    """Move the wrong player's attendance of the nights of these rounds to the right player.

    It stays for nights where the wrong player still has a seat, or the right player attended too.
    """
    nights = {seat.round.night_id for seat in entry.seats} - {None}
    wrong_seats = Seat.objects.filter(player=entry.wrong, round__night__in=nights)
    attended = Attendance.objects.filter(player=entry.right, night__in=nights)
    to_move = Attendance.objects.filter(player=entry.wrong, night__in=nights)
    to_move = to_move.exclude(night__in=list(wrong_seats.values_list("round__night", flat=True)))
    to_move = to_move.exclude(night__in=list(attended.values_list("night", flat=True)))
    to_move.update(player=entry.right)


def _remove_if_empty(entrant: Entrant, heir: Entrant, by: Actor) -> None:
    """Delete an entrant that has nothing left; withdraw one that has only seats in undone rounds.

    Its seed (rank before the first round) goes to the *heir*, the right player's entrant; if it has
    nothing left, its place in plans and draws too. Where lots are drawn, which go by the entrant's
    uid, it is withdrawn all the same: entered anew, it would have drawn another lot.
    """
    if entrant.awards.exists() or entrant.rests.exists():
        return
    entrant_id, seed = entrant.pk, entrant.seed
    if not entrant.seats.exists():
        replace_in_draws(heir.tournament_id, entrant_id, heir.pk)
    if not (entrant.seats.exists() or entrant.tournament.lots_seed):
        entrant.delete()
    elif not entrant.seats.exclude(round__state=RoundState.UNDONE).exists():
        entrant.withdrawn_at, entrant.reserve_since, entrant.seed = by.at, None, None
        entrant.save(update_fields=["withdrawn_at", "reserve_since", "seed"])
    else:
        return
    if heir.seed is None:
        heir.seed = seed
        heir.save(update_fields=["seed"])


def _log(
    entry: WrongEntry,
    stints_before: Mapping[Place, Sequence[PlaceStint]],
    corrected_stints: Mapping[Place, Sequence[PlaceStint]],
    by: Actor,
    reason: str,
) -> LogEntry:
    one_sitting: dict[str, Any] = {"sitting": entry.seat.sitting_id}
    places = sorted({(seat.sitting_id, seat.place) for seat in entry.seats})
    # Stints are logged as sitting, place, player, entrant, first and last hand.
    logged_stints = {
        name: [[*place, *stint.who, *stint.hands] for place in places for stint in stints[place]]
        for name, stints in (("before", stints_before), ("after", corrected_stints))
    }
    return log(
        by,
        "player-replaced",
        club_id=entry.tournament.club_id,
        tournament=entry.tournament.pk,
        sittings=entry.sittings,
        round=entry.seat.round_id,
        left=entry.wrong.pk,
        came=entry.right.pk,
        numbers={"reach": entry.reach.value, "from_hand": entry.from_hand, **logged_stints},
        reason=reason,
        **(one_sitting if entry.reach is Reach.HANDS else {}),
    )
