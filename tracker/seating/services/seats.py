"""Corrections of seats: who sat at which place from which hand on, and with which tallies."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, zip_longest
from typing import TypeAlias

from django.db import transaction
from django.db.models import F, Max

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
from tracker.models.stints import Hands, overlap
from tracker.tables.locks import hold_later_tables, hold_tables_of
from tracker.tables.memory import renew_memory
from tracker.tables.seated import check_free
from tracker.tables.statements import lock_table
from tracker.tables.tallies import move, tallied_tables
from tracker.tournaments.services.entering import enter_player

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
    """Store these stints of these places, and move the tallies of their hands to match.

    All tables of the tournament are held. The first hand of a place stays with its seat.

    :raises Refused: ``seated-twice`` if somebody would sit at two places at once,
        ``seated-already`` if somebody who had left sits in another running round by now.
    """
    sittings = {sitting for sitting, _ in wanted}
    rows: dict[Place, list[Seat]] = defaultdict(list)
    seats = Seat.objects.filter(sitting__in=sittings).select_related("round")
    for seat in seats.order_by("from_hand", "pk"):
        rows[seat.sitting_id, seat.place].append(seat)
    before = tallied_tables(sittings)
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
    check_free(sorted(playing - seated))
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
    move(tallied_tables(sittings).less(before))
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
    check_free([player_id])
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
        renew_memory(tournament.pk, after_round=seat.round.number - 1, at=by.at)
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
    renew_memory(round_.tournament_id, after_round=round_.number - 1, at=by.at)
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
