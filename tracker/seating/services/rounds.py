"""Opening a round, shortening it, taking one back, bringing it back; and its lock and log."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from random import Random
from typing import Any

from django.db import transaction

from games.errors import gettext_noop
from tracker.common.actor import Actor
from tracker.common.audit_log import last_entry, log
from tracker.common.errors import Refused
from tracker.models import (
    ClubNight,
    Entrant,
    Hand,
    Movement,
    Rest,
    Round,
    RoundState,
    Sitting,
    TokenState,
    Tournament,
)
from tracker.seating.services.table_setup import TablePlan, check_tables, lay_tables
from tracker.tables.locks import hold_tables_of
from tracker.tables.memory import renew_memory
from tracker.tables.seated import check_free
from tracker.tables.statements import lock_tables
from tracker.tables.table import TableNow
from tracker.tables.tallies import put_back_round, take_out_round
from tracker.tournaments.services.tournaments import check_goes_on, checked_length


@transaction.atomic
def open_round(
    *,
    tournament_id: int,
    tables: Sequence[TablePlan],
    by: Actor,
    rng: Random,
    hands: int | None = None,
    games: int | None = None,
    resting: Sequence[int] = (),
    seating_plan: Mapping[str, Any] | None = None,
    night_id: int | None = None,
) -> Round:
    """Begin the next round: seat the players of *tables*, whose phones may then report.

    Without *hands* or *games* it is as long as the tournament's rounds are. *resting* are
    the entrants whom the seating left over, and *seating_plan* is what it was made from.
    A round of a night is played at the night's tables.

    :raises Refused: if a round is still open, nobody plays, somebody is at two tables,
        sits in another running round or is not entered, or the tournament is over.
    :raises ModeError: if the game has no such tables.
    """
    # One at a time: the round's number follows from those there are.
    tournament = Tournament.objects.select_for_update(no_key=True).get(pk=tournament_id)
    if night_id is not None:  # nor may two tournaments of a night take the same tables
        ClubNight.objects.select_for_update(no_key=True).get(pk=night_id)
    number = _next_number(tournament)
    _check_plans(tournament, tables)
    hold_tables_of([tournament.pk])  # who dealt there before is not put right meanwhile
    check_free([player for plan_ in tables for player in plan_.players])

    if hands is None and games is None:
        hands, games = tournament.hands, tournament.games
    round_ = tournament.rounds.create(
        number=number,
        night_id=night_id,
        hands=hands,
        games=games,
        seating_plan=dict(seating_plan or {}),
        opened_at=by.at,
    )
    tournament.draws.filter(number__lte=number).delete()
    Rest.objects.bulk_create(Rest(round=round_, entrant_id=entrant) for entrant in resting)
    if tournament.provisional_until is not None:  # it goes on after all
        tournament.provisional_until = None
        tournament.save(update_fields=["provisional_until"])
    lay_tables(round_=round_, plans=tables, now=by.at, rng=rng)
    record_round(by, "round-opened", round_, tables=len(tables))
    return round_


@transaction.atomic
def join_round(*, round_id: int, tables: Sequence[TablePlan], by: Actor, rng: Random) -> Round:
    """Lay more tables in a round that is being played; who rested in it and joins did not rest.

    :raises Refused: ``round-not-open``, or on the terms of ``open_round``.
    :raises ModeError: if the game has no such tables.
    """
    nights = ClubNight.objects.select_for_update(no_key=True)
    nights.filter(rounds=round_id).first()  # before the round, as whoever takes a break does
    round_ = running_round(round_id)
    _check_plans(round_.tournament, tables)
    hold_tables_of([round_.tournament_id])
    check_free([player for plan in tables for player in plan.players])
    lay_tables(round_=round_, plans=tables, now=by.at, rng=rng)
    record_round(by, "tables-joined", round_, tables=len(tables))
    return round_


@transaction.atomic
def shorten_round(*, round_id: int, length: int, by: Actor) -> Round:
    """Let the round end after fewer hands or games, alike at every table.

    :raises Refused: ``length`` if no round is so short, ``round-not-shorter`` if it would
        not be shorter, or ``played-more`` if some table has played more than that.
    """
    round_ = running_round(round_id)
    tables = lock_tables_of(round_id)
    unit = "games" if round_.games is not None else "hands"
    whole = getattr(round_, unit)
    checked_length(length)
    if whole is not None and length >= whole:
        raise Refused(
            "round-not-shorter",
            gettext_noop("Round %(number)d is of %(whole)s: shorter is less than that."),
            number=round_.number,
            whole=whole,
        )
    furthest = max(tables, key=lambda table: table.progress.done_or_not, default=None)
    if furthest and furthest.progress.done_or_not > length:
        raise Refused(
            "played-more",
            gettext_noop("Table %(table)d has played %(done)d already: no round is shorter."),
            table=furthest.number,
            done=furthest.progress.done_or_not,
        )
    setattr(round_, unit, length)
    round_.save(update_fields=[unit])
    finish_whole_tables(round_id, by.at)
    record_round(by, "round-shortened", round_, **{"from": whole, "to": length})
    return round_


@transaction.atomic
def undo_round(*, round_id: int, by: Actor, reason: str = "") -> Round:
    """Undo the last round: its points no longer count, but all its data stays.

    :raises Refused: ``round-not-last`` if another round followed, ``tournament-over`` if the
        tournament is finished.
    """
    round_ = _locked_with_tournament(round_id)
    if round_.state == RoundState.UNDONE:
        return round_
    check_goes_on(round_.tournament)
    later = Round.objects.filter(tournament=round_.tournament, number__gt=round_.number)
    if later.exclude(state=RoundState.UNDONE).exists():
        raise Refused(
            "round-not-last",
            gettext_noop("Only the last round can be undone, and others followed this one."),
        )
    hold_tables_of([round_.tournament_id])
    round_.sittings.filter(token_state=TokenState.OPEN).update(token_state=TokenState.CLOSED)
    take_out_round(round_.pk)
    round_.state = RoundState.UNDONE
    round_.save(update_fields=["state"])
    record_round(by, "round-undone", round_, reason=reason, hands=_standing_hands(round_))
    return round_


@transaction.atomic
def restore_round(*, round_id: int, by: Actor) -> Round:
    """Bring back a round that was taken back, with all its hands.

    :raises Refused: ``round-replaced`` if another round has its number by now,
        ``round-open``, ``seated-already`` or ``table-taken`` if it would run beside another,
        ``tournament-over`` if the tournament is finished.
    """
    round_ = _locked_with_tournament(round_id)
    if round_.state != RoundState.UNDONE:
        return round_
    there = round_.tournament.rounds.exclude(state=RoundState.UNDONE)
    if there.filter(number__gte=round_.number).exists():
        raise Refused(
            "round-replaced",
            gettext_noop("Another round %(number)d has been opened since."),
            number=round_.number,
        )
    _next_number(round_.tournament)
    hold_tables_of([round_.tournament_id])
    running = round_.closed_at is None
    if running:
        check_free(list(round_.seats.running().values_list("player", flat=True)))
        check_tables(round_)
        round_.sittings.filter(token_state=TokenState.CLOSED).update(token_state=TokenState.OPEN)
    round_.state = RoundState.OPEN if running else RoundState.CLOSED
    round_.save(update_fields=["state"])
    put_back_round(round_.pk)
    if running:
        finish_whole_tables(round_id, by.at)
    renew_memory(round_.tournament_id, after_round=round_.number - 1, at=by.at)
    record_round(by, "round-restored", round_, hands=_standing_hands(round_))
    return round_


def _standing_hands(round_: Round) -> dict[str, list[int]]:
    """Return the numbers of the hands that are not struck, by the numbers of their tables."""
    hands = Hand.objects.filter(sitting__round=round_, struck_at=None)
    by_table: dict[str, list[int]] = {}
    for table, number in hands.order_by("sitting__number", "number").values_list(
        "sitting__number", "number"
    ):
        by_table.setdefault(str(table), []).append(number)
    return by_table


def locked_round(round_id: int) -> Round:
    """Return a round, with its tournament, under its lock."""
    round_ = Round.objects.select_related("tournament").select_for_update(of=("self",), no_key=True)
    return round_.get(pk=round_id)


def _locked_with_tournament(round_id: int) -> Round:
    """Return a round under its lock and its tournament's: no other is opened meanwhile."""
    Tournament.objects.select_for_update(no_key=True).get(rounds=round_id)
    return locked_round(round_id)


def running_round(round_id: int) -> Round:
    """Return a round that is being played, under its lock.

    :raises Refused: ``round-not-open``.
    """
    round_ = locked_round(round_id)
    if round_.state != RoundState.OPEN:
        raise Refused(
            "round-not-open",
            gettext_noop("This round is not being played: only an open one can be changed."),
        )
    return round_


def lock_tables_of(round_id: int) -> list[TableNow]:
    """Lock the tables of a round: a hand that is being reported just now is in then."""
    return lock_tables(Sitting.objects.filter(round=round_id).values_list("pk", flat=True))


def finish_whole_tables(round_id: int, at: datetime) -> None:
    """Let the tables of a round that goes on be finished where nothing more is owed, only there.

    While it was closed a table may have become whole, or have lost a hand that was struck.
    """
    whole = [table.sitting_id for table in lock_tables_of(round_id) if table.progress.whole]
    sittings = Sitting.objects.filter(round=round_id)
    sittings.filter(pk__in=whole, finished_at=None).update(finished_at=at)
    sittings.exclude(pk__in=whole).update(finished_at=None)


def _next_number(tournament: Tournament) -> int:
    check_goes_on(tournament)
    last = tournament.rounds.exclude(state=RoundState.UNDONE).order_by("-number").first()
    if last and last.state != RoundState.CLOSED and tournament.movement != Movement.FREE:
        raise Refused(
            "round-open",
            gettext_noop("Round %(number)d is still being played: close it first."),
            number=last.number,
        )
    return last.number + 1 if last else 1


def _check_plans(tournament: Tournament, tables: Sequence[TablePlan]) -> None:
    if not tables:
        raise Refused(
            "nobody-plays", gettext_noop("There is nobody to sit down: say first who plays.")
        )
    options = tournament.house_rules
    for plan in tables:
        seats = tournament.rules.mode(plan.mode, options).seats
        if not seats == len(plan.players) == len(plan.entrants):
            raise Refused(
                "table-not-full",
                gettext_noop("A table has %(seats)d seats here, but %(players)d people."),
                seats=seats,
                players=len(plan.players),
            )
    wanted = {entrant for plan in tables for entrant in plan.entrants}
    entered = Entrant.objects.playing().filter(tournament=tournament, pk__in=wanted)
    if entered.count() != len(wanted):
        raise Refused(
            "not-entered",
            gettext_noop("Somebody at these tables is not in the tournament: add them first."),
        )


def record_round(
    by: Actor, verb: str, round_: Round, /, *, reason: str = "", **numbers: object
) -> None:
    club_id = round_.tournament.club_id
    undone = {"round-restored": "round-undone", "round-reopened": "round-closed"}.get(verb)
    log(
        by,
        verb,
        club_id=club_id,
        undoes=last_entry(undone, club_id=club_id, round=round_.pk) if undone else None,
        tournament=round_.tournament_id,
        round=round_.pk,
        numbers={"number": round_.number, **numbers},
        reason=reason,
    )
