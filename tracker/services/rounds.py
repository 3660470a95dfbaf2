"""Opening a round, closing it, and taking one back."""

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import datetime
from random import Random
from typing import Any
from uuid import uuid5

from django.db import transaction

from games.errors import gettext_noop
from games.sheet import VOID
from tracker.models import (
    AwardKind,
    AwardRule,
    ClubNight,
    Entrant,
    Hand,
    Instead,
    Player,
    Round,
    RoundState,
    Seat,
    Sitting,
    TokenState,
    Tournament,
)
from tracker.queries.rounds import Missing, missing
from tracker.queries.standings import closing, standings
from tracker.services.acts import record_act
from tracker.services.errors import Refused
from tracker.services.hands import Submission, report_hand
from tracker.services.ledger import lock_sitting
from tracker.services.opening import TablePlan, lay_tables
from tracker.services.tallies import put_back_round, take_out_round


@transaction.atomic
def open_round(
    *,
    tournament_id: int,
    tables: Sequence[TablePlan],
    now: datetime,
    rng: Random,
    user_id: int | None = None,
    hands: int | None = None,
    games: int | None = None,
    plan: Mapping[str, Any] | None = None,
    night_id: int | None = None,
) -> Round:
    """Begin the next round: everybody of *tables* sits down, and their phones may report.

    Without *hands* or *games* it is as long as the tournament's rounds are. *plan*
    is what the seating was made from, kept with the round. A round of a night is
    played at the night's tables.

    :raises Refused: if a round is still open, nobody plays, somebody is at two tables,
        sits in another running round or is not entered, or the tournament is over.
    :raises ModeError: if the game has no such tables.
    """
    # One at a time: the round's number follows from those there are.
    tournament = Tournament.objects.select_for_update().get(pk=tournament_id)
    if night_id is not None:  # nor may two tournaments of a night take the same tables
        ClubNight.objects.select_for_update().get(pk=night_id)
    number = _next_number(tournament)
    _check_plans(tournament, tables)
    check_free([player for plan_ in tables for player in plan_.players])

    if hands is None and games is None:
        hands, games = tournament.hands, tournament.games
    round_ = tournament.rounds.create(
        number=number,
        night_id=night_id,
        hands=hands,
        games=games,
        plan=dict(plan or {}),
        opened_at=now,
    )
    if tournament.provisional_until is not None:  # it goes on after all
        tournament.provisional_until = None
        tournament.save(update_fields=["provisional_until"])
    lay_tables(round_=round_, plans=tables, now=now, rng=rng)
    _record("round-opened", round_, at=now, user_id=user_id, numbers={"tables": len(tables)})
    return round_


@transaction.atomic
def close_round(
    *,
    round_id: int,
    now: datetime,
    user_id: int | None = None,
    anyway: bool = False,
    not_played: bool = False,
) -> Round:
    """End a round, and keep the standing as it is now; later reports wait for the organiser.

    With *not_played* every hand still missing is recorded as void, and every game as one
    void hand, so that the round is whole; what was dealt of a game that did not end stays.
    With *anyway* it closes over what is missing. Closing it again changes nothing.

    :raises Refused: ``round-waits`` if something is missing and neither is said,
        ``round-undone`` if the round was taken back.
    """
    round_ = _locked(round_id)
    if round_.state == RoundState.CLOSED:
        return round_
    if round_.state != RoundState.OPEN:
        raise Refused("round-undone", gettext_noop("This round was taken back."))
    # A hand being reported just now is in before anybody says that it is missing.
    for sitting in round_.sittings.order_by("pk").values_list("pk", flat=True):
        lock_sitting(sitting)
    waiting = missing(round_)
    if waiting and not (anyway or not_played):
        raise Refused(
            "round-waits",
            gettext_noop("Round %(number)d still waits for some of its tables."),
            number=round_.number,
        )
    if not_played:
        _record_not_played(waiting, now=now, user_id=user_id)

    round_.sittings.filter(token_state=TokenState.OPEN).update(token_state=TokenState.CLOSED)
    round_.sittings.filter(finished_at=None).update(finished_at=now)
    _credit_rests(round_)
    round_.state, round_.closed_at = RoundState.CLOSED, now
    round_.closing = {
        **closing(standings(round_.tournament)),
        "missing": [
            {"table": table.number, "short": table.short, "matters": table.matters}
            for table in waiting
        ],
    }
    round_.save(update_fields=["state", "closed_at", "closing"])
    short = sum(table.short for table in waiting)
    _record("round-closed", round_, at=now, user_id=user_id, numbers={"short": short})
    return round_


@transaction.atomic
def undo_round(
    *, round_id: int, now: datetime, user_id: int | None = None, reason: str = ""
) -> Round:
    """Take the last round back: its points no longer count, and everything of it is kept.

    :raises Refused: ``round-not-last`` if another round followed.
    """
    round_ = _locked(round_id)
    if round_.state == RoundState.UNDONE:
        return round_
    later = Round.objects.filter(tournament=round_.tournament, number__gt=round_.number)
    if later.exclude(state=RoundState.UNDONE).exists():
        raise Refused(
            "round-not-last",
            gettext_noop("Only the last round can be taken back, and others followed this one."),
        )
    round_.sittings.filter(token_state=TokenState.OPEN).update(token_state=TokenState.CLOSED)
    take_out_round(round_.pk)
    round_.state = RoundState.UNDONE
    round_.save(update_fields=["state"])
    _record("round-undone", round_, at=now, user_id=user_id, numbers={}, reason=reason)
    return round_


@transaction.atomic
def restore_round(*, round_id: int, now: datetime, user_id: int | None = None) -> Round:
    """Bring back a round that was taken back, with all its hands.

    :raises Refused: ``round-replaced`` if another round has its number by now,
        ``round-open``, ``seated-already`` or ``table-taken`` if it would run beside another.
    """
    round_ = _locked(round_id)
    if round_.state != RoundState.UNDONE:
        return round_
    there = round_.tournament.rounds.exclude(state=RoundState.UNDONE)
    if there.filter(number__gte=round_.number).exists():
        raise Refused(
            "round-replaced",
            gettext_noop("Another round %(number)d has been opened since."),
            number=round_.number,
        )
    running = round_.closed_at is None
    if running:
        _next_number(round_.tournament)
        check_free(list(round_.seats.running().values_list("player", flat=True)))
        _check_tables(round_)
        round_.sittings.filter(token_state=TokenState.CLOSED).update(token_state=TokenState.OPEN)
    round_.state = RoundState.OPEN if running else RoundState.CLOSED
    round_.save(update_fields=["state"])
    put_back_round(round_.pk)
    _record("round-restored", round_, at=now, user_id=user_id, numbers={})
    return round_


def check_free(players: Sequence[int]) -> None:
    """Make sure that nobody of *players* sits at two tables, or in a running round.

    :raises Refused: ``seated-twice`` or ``seated-already``.
    """
    # Locked in one order, so that two rounds cannot be opened past each other.
    names = dict(
        Player.objects.select_for_update()
        .filter(pk__in=players)
        .order_by("pk")
        .values_list("pk", "name")
    )
    twice = [player for player, times in Counter(players).items() if times > 1]
    if twice:
        raise Refused(
            "seated-twice",
            gettext_noop("%(who)s cannot sit in two places at once."),
            who=names[twice[0]],
        )
    seat = (
        Seat.objects.running()
        .filter(player__in=players, round__state=RoundState.OPEN)
        .select_related("player", "sitting__round__tournament")
        .order_by("pk")
        .first()
    )
    if seat:
        raise Refused(
            "seated-already",
            gettext_noop(
                "%(who)s still sits at table %(table)d of “%(tournament)s”: "
                "close round %(round)d there first."
            ),
            who=seat.player.name,
            table=seat.sitting.number,
            tournament=seat.sitting.round.tournament.name,
            round=seat.sitting.round.number,
        )


def _check_tables(round_: Round) -> None:
    """Make sure that nobody else plays at the round's tables by now.

    :raises Refused: ``table-taken``.
    """
    tables = round_.sittings.exclude(table=None).values_list("table", flat=True)
    taken = (
        Sitting.objects.filter(table__in=list(tables), round__state=RoundState.OPEN)
        .select_related("round__tournament")
        .order_by("number")
        .first()
    )
    if taken:
        raise Refused(
            "table-taken",
            gettext_noop(
                "Table %(table)d is taken by “%(tournament)s”: close round %(round)d there first."
            ),
            table=taken.number,
            tournament=taken.round.tournament.name,
            round=taken.round.number,
        )


def _locked(round_id: int) -> Round:
    round_ = Round.objects.select_related("tournament").select_for_update(of=("self",))
    return round_.get(pk=round_id)


def _next_number(tournament: Tournament) -> int:
    if tournament.official_at is not None:
        raise Refused("tournament-over", gettext_noop("This tournament is finished."))
    last = tournament.rounds.exclude(state=RoundState.UNDONE).order_by("-number").first()
    if last and last.state != RoundState.CLOSED:
        raise Refused(
            "round-open",
            gettext_noop("Round %(number)d is still being played: close it first."),
            number=last.number,
        )
    return last.number + 1 if last else 1


def _check_plans(tournament: Tournament, tables: Sequence[TablePlan]) -> None:
    if not tables:
        raise Refused("nobody-plays", gettext_noop("There is nobody to sit down."))
    options = tournament.rules.complete_options(tournament.options)
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
    entered = Entrant.objects.filter(tournament=tournament, withdrawn_at=None, pk__in=wanted)
    if entered.count() != len(wanted):
        raise Refused(
            "not-entered", gettext_noop("Somebody at these tables is not in the tournament.")
        )


def _record_not_played(waiting: Sequence[Missing], *, now: datetime, user_id: int | None) -> None:
    sittings = Sitting.objects.in_bulk([table.sitting_id for table in waiting])
    for table in waiting:
        sitting = sittings[table.sitting_id]
        last = sitting.last_number  # of which some may have been struck
        for number in range(last + 1, last + table.short + 1):
            submission = Submission(
                # Named after what it is, so that saying it twice says it once.
                entry=uuid5(sitting.uid, f"not-played-{number}"),
                number=number,
                sheet={"bare": VOID},
                device="desk",
            )
            answer = report_hand(
                token=sitting.token, submission=submission, user_id=user_id, now=now
            )
            Hand.objects.filter(sitting=sitting, standing_id=answer.report_id or 0).update(
                instead=Instead.NOT_PLAYED, reason=gettext_noop("Not played in its round")
            )


def _credit_rests(round_: Round) -> None:
    """Credit whoever the seating left over with their own average, once."""
    seated = set(round_.seats.values_list("entrant", flat=True))
    for entrant in round_.plan.get("resting", ()):
        if entrant not in seated:
            round_.awards.get_or_create(
                tournament=round_.tournament,
                entrant_id=entrant,
                kind=AwardKind.RESTING,
                defaults={"rule": AwardRule.AVERAGE, "reason": gettext_noop("Rested")},
            )


def _record(
    verb: str,
    round_: Round,
    *,
    at: datetime,
    user_id: int | None,
    numbers: Mapping[str, Any],
    reason: str = "",
) -> None:
    record_act(
        club_id=round_.tournament.club_id,
        verb=verb,
        on={"tournament": round_.tournament_id, "round": round_.pk},
        numbers={"number": round_.number, **numbers},
        user_id=user_id,
        reason=reason,
        at=at,
    )
