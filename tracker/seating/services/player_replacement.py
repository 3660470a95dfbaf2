"""A wrong person was entered: the right one has been there all the time, for all that was played."""

from collections.abc import Iterable, Mapping, Sequence
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
from tracker.models.stints import overlap
from tracker.seating.services.stints import Place, Stay, exchanged, lay, seat_there, stays_of
from tracker.tables.dealing_history import refresh_dealt_before
from tracker.tables.entrant_replacement import replace_in_draws, withdraw_rests
from tracker.tables.locks import hold_tournament
from tracker.tournaments.services.entering import enter_player


class Reach(StrEnum):
    """How far a wrong entry reaches: some hands of a seat, a round, or the tournament."""

    HANDS = "hands"
    ROUND = "round"
    TOURNAMENT = "tournament"


@dataclass(frozen=True, slots=True, kw_only=True)
class Mistake:
    """Who was entered by mistake, where, and who really sat there; *asked* is the seat where it was seen."""

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
    own = Seat.objects.select_related("round", "sitting", "entrant").order_by("pk")
    match reach:
        case Reach.HANDS:
            own = own.filter(pk=seat.pk)
        case Reach.ROUND:
            own = own.filter(player=wrong, round=seat.round_id)
        case Reach.TOURNAMENT:  # rounds taken back in which both were stay as they are
            both = Round.objects.filter(state=RoundState.UNDONE, seats__player=right)
            own = own.filter(player=wrong, round__tournament=seat.round.tournament_id)
            own = own.exclude(round__in=both.values("pk"))
    mistake = Mistake(
        tournament=tournament,
        wrong=wrong,
        right=right,
        reach=reach,
        asked=seat,
        seats=list(own),
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

    *seat_id* is where the wrong one is entered. With ``HANDS`` it is that seat alone, from
    *from_hand* on: somebody took over, and nobody said so. With ``ROUND`` it is wherever the
    wrong one sits in that round, and what was awarded for it goes along; with ``TOURNAMENT`` all
    rounds, and everything else of the wrong one there. For a team whoever is right plays for the
    team. An entrant of whom nothing is left is taken out. What was published stays as it was.

    :raises Refused: if the right one is not of the club, is the same, or sits elsewhere in one of
        these rounds or in one that runs; if the round was taken back, or has no such hand.
    """
    # The tournament before its tables, as whoever enters somebody may open a round.
    tournament = hold_tournament(seat_there(seat_id).round.tournament_id)
    mistake = mistake_of(tournament, seat_id, player_id, reach, from_hand)
    own = tournament.entrants.filter(player=mistake.wrong).first()
    sittings = [*mistake.sittings]
    if own is not None and reach is Reach.TOURNAMENT:  # where others played for the wrong one
        sittings += own.seats.exclude(player=mistake.wrong).values_list("sitting", flat=True)
    before = stays_of(sittings)
    theirs = _entrant_of_right(mistake, own, by)
    wanted = _put_right(mistake, before, own, theirs)
    lay(wanted)
    if own is not None and theirs is not None and theirs != own:
        _take_out(own, theirs, by)
    credited = Q(round__in={seat.round_id for seat in mistake.seats})
    if reach is Reach.TOURNAMENT:
        if theirs is not None:
            credited |= Q(entrant=theirs)
        # They were at the nights at which the wrong one then played nothing.
        nights = {seat.round.night_id for seat in mistake.seats} - {None}
        played = Seat.objects.filter(player=mistake.wrong, round__night__in=nights)
        there = Attendance.objects.filter(player=mistake.right, night__in=nights)
        stays = Attendance.objects.filter(player=mistake.wrong, night__in=nights)
        stays = stays.exclude(night__in=list(played.values_list("round__night", flat=True)))
        stays.exclude(night__in=list(there.values_list("night", flat=True))).update(
            player=mistake.right
        )
    withdraw_rests(Award.objects.filter(credited), by.at)
    first_round = min(seat.round.number for seat in mistake.seats)
    refresh_dealt_before(tournament.pk, after_round=first_round - 1, at=by.at)
    return _logged(mistake, before, wanted, by, reason)


def _entrant_of_right(mistake: Mistake, own: Entrant | None, by: Actor) -> Entrant | None:
    """Return the entrant for which the right player takes over the wrong one's own play, if any.

    *own* is the wrong one's entrant; what hangs on it goes along. In a whole tournament the right
    player becomes it, or has all of it if entered already.
    """
    if own is None or mistake.plays_for_others:
        return None
    if mistake.reach is Reach.TOURNAMENT:
        other = Entrant.objects.filter(tournament=own.tournament_id, player=mistake.right).first()
        if other is None:
            own.player = mistake.right
            own.save(update_fields=["player"])
            return own
        if own.withdrawn_at is None and own.reserve_since is None:
            other.withdrawn_at = other.reserve_since = None
            other.save(update_fields=["withdrawn_at", "reserve_since"])
        own.awards.update(entrant=other)
        own.rests.exclude(round__rests__entrant=other).update(entrant=other)
        own.rests.all().delete()
        return other
    if not any(seat.entrant_id == own.pk for seat in mistake.seats):
        return None
    theirs = enter_player(
        tournament_id=mistake.tournament.pk, player_id=mistake.right.pk, by=by, beyond_places=True
    )
    if mistake.reach is Reach.ROUND:
        awards = own.awards.filter(round=mistake.seats[0].round_id)
        awards.exclude(kind=AwardKind.RESTING).update(entrant=theirs)
    return theirs


def _put_right(
    mistake: Mistake,
    before: Mapping[Place, Sequence[Stay]],
    own: Entrant | None,
    theirs: Entrant | None,
) -> dict[Place, list[Stay]]:
    """Return the corrected stints; the wrong player's substitutes become the right one's."""
    wanted = {place: list(stays) for place, stays in before.items()}
    for seat in mistake.seats:
        place, hands = (seat.sitting_id, seat.place), mistake.hands(seat)
        comes = Stay(mistake.right.pk, seat.entrant_id, *hands)
        wanted[place] = exchanged(wanted[place], hands, by=comes)
    if own is None or theirs is None:
        return wanted
    whole = mistake.reach is Reach.TOURNAMENT
    places = {(seat.sitting_id, seat.place) for seat in mistake.seats if seat.entrant_id == own.pk}
    for place in wanted.keys() if whole else places:
        wanted[place] = [
            replace(stay, entrant=theirs.pk)
            if stay.entrant == own.pk and stay.player != mistake.wrong.pk
            else stay
            for stay in wanted[place]
        ]
    return wanted


def _take_out(own: Entrant, heir: Entrant, by: Actor) -> None:
    """Delete an entrant without anything left; withdraw one who sat only in undone rounds.

    The *heir* has the seed, and the place in what was drawn.
    """
    if own.awards.exists() or own.rests.exists():
        return
    gone, seed, own.seed = own.pk, own.seed, None
    if not own.seats.exists():
        own.delete()
        replace_in_draws(heir.tournament_id, gone, heir.pk)
    elif not own.seats.exclude(round__state=RoundState.UNDONE).exists():
        own.withdrawn_at, own.reserve_since = by.at, None
        own.save(update_fields=["withdrawn_at", "reserve_since", "seed"])
    else:
        return
    if heir.seed is None:
        heir.seed = seed
        heir.save(update_fields=["seed"])


def _logged(
    mistake: Mistake,
    before: Mapping[Place, Sequence[Stay]],
    after: Mapping[Place, Sequence[Stay]],
    by: Actor,
    reason: str,
) -> LogEntry:
    on: dict[str, Any] = {"tournament": mistake.tournament.pk, "sittings": mistake.sittings}
    if mistake.reach is Reach.HANDS:
        on["sitting"] = mistake.seats[0].sitting_id
    places = {(seat.sitting_id, seat.place) for seat in mistake.seats}
    return log(
        by,
        "player-replaced",
        club_id=mistake.tournament.club_id,
        round=mistake.asked.round_id,
        left=mistake.wrong.pk,
        came=mistake.right.pk,
        numbers={
            "reach": mistake.reach.value,
            "from_hand": mistake.from_hand,
            "before": _written(before, places),
            "after": _written(after, places),
        },
        reason=reason,
        **on,
    )


def _written(stays: Mapping[Place, Sequence[Stay]], places: Iterable[Place]) -> list[list[Any]]:
    """Return stints as the log keeps them: sitting, place, player, entrant, first and last hand."""
    return [[*place, *stay.who, *stay.hands] for place in sorted(places) for stay in stays[place]]
