"""Rounds after they were opened: shorten, undo, restore them, decide level matches; lock and log.

A *match* is a table of a knock-out with two sides, *level* while both have equal points. An undone
round and a *struck* hand (one that was taken out) stay stored and count nowhere. A *sitting* is one
table in one round, and its *token* is the secret part of the URL by which phones report.
"""

import json
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from random import Random

from django.db import transaction
from django.db.models import F

from games.errors import gettext_noop
from tracker.common.actor import Actor
from tracker.common.audit_log import last_entry, log
from tracker.common.errors import Refused
from tracker.models import (
    DecidedBy,
    Hand,
    Movement,
    Round,
    RoundState,
    Sitting,
    TokenState,
    Tournament,
)
from tracker.models.progress import is_level
from tracker.tables.dealing_history import refresh_dealt_before
from tracker.tables.locks import hold_tables_of, lock_free_players, lock_table, lock_tables
from tracker.tables.table_now import TableNow
from tracker.tables.tallies import add_round_again, subtract_round
from tracker.tournaments.services.tournaments import check_goes_on, check_length


@transaction.atomic
def shorten_round(*, round_id: int, length: int, by: Actor) -> Round:
    """Let the round end after fewer hands or games at every table.

    :raises Refused: ``length`` if no round may be so short, ``round-not-shorter`` if it would not
        be shorter, or ``played-more`` if a table has played more already.
    """
    round_ = running_round(round_id)
    tables = lock_tables_of(round_id)
    field = "games" if round_.games is not None else "hands"
    old_length = getattr(round_, field)
    check_length(length)
    if old_length is not None and length >= old_length:
        template = gettext_noop("Round %(number)d is of %(whole)s: shorter is less than that.")
        raise Refused("round-not-shorter", template, number=round_.number, whole=old_length)
    # Hands or games entered as not played count, too.
    furthest = max(tables, key=lambda table: table.progress.done_or_not, default=None)
    if furthest and (done := furthest.progress.done_or_not) > length:
        template = gettext_noop("Table %(table)d has played %(done)d already: no round is shorter.")
        raise Refused("played-more", template, table=furthest.number, done=done)
    setattr(round_, field, length)
    round_.save(update_fields=[field])
    finish_whole_tables(round_id, by.at)
    record_round(by, "round-shortened", round_, **{"from": old_length, "to": length})
    return round_


@transaction.atomic
def undo_round(*, round_id: int, by: Actor, reason: str = "") -> Round:
    """Undo the last round: its points no longer count, but all its data stays stored.

    :raises Refused: ``round-not-last`` if another round followed, ``tournament-over`` if the
        tournament is finished.
    """
    round_ = _locked_with_tournament(round_id)
    if round_.state == RoundState.UNDONE:
        return round_
    check_goes_on(round_.tournament)
    if round_.tournament.rounds.not_undone().filter(number__gt=round_.number).exists():
        template = gettext_noop("Only the last round can be undone, and others followed this one.")
        raise Refused("round-not-last", template)
    hold_tables_of([round_.tournament_id])
    round_.sittings.filter(token_state=TokenState.OPEN).update(token_state=TokenState.CLOSED)
    subtract_round(round_.pk)
    round_.state = RoundState.UNDONE
    round_.save(update_fields=["state"])
    record_round(by, "round-undone", round_, reason=reason, hands=_counted_hands(round_))
    return round_


@transaction.atomic
def restore_round(*, round_id: int, by: Actor) -> Round:
    """Bring back an undone round with all its hands.

    :raises Refused: ``round-replaced`` if another round has its number by now, ``tournament-over``
        if the tournament is finished; ``round-open``, ``seated-already`` or ``table-taken`` if the
        round was still open when it was undone, and another open one is in its way.
    """
    round_ = _locked_with_tournament(round_id)
    if round_.state != RoundState.UNDONE:
        return round_
    if round_.tournament.rounds.not_undone().filter(number__gte=round_.number).exists():
        template = gettext_noop("Another round %(number)d has been opened since.")
        raise Refused("round-replaced", template, number=round_.number)
    next_round_number(round_.tournament)  # only for its refusals
    hold_tables_of([round_.tournament_id])
    was_open = round_.closed_at is None
    if was_open:
        lock_free_players(list(round_.seats.running().values_list("player", flat=True)))
        check_tables(round_)
        round_.sittings.filter(token_state=TokenState.CLOSED).update(token_state=TokenState.OPEN)
    round_.state = RoundState.OPEN if was_open else RoundState.CLOSED
    round_.save(update_fields=["state"])
    add_round_again(round_.pk)
    if was_open:
        finish_whole_tables(round_id, by.at)
    # Tables of this round and later ones have stored when their players dealt before.
    refresh_dealt_before(round_.tournament_id, after_round=round_.number - 1, at=by.at)
    record_round(by, "round-restored", round_, hands=_counted_hands(round_))
    return round_


@transaction.atomic
def decide_match(*, sitting_id: int, side: int | None, by: Actor, rng: Random) -> int:
    """Decide which side of a level match goes on, by lot if *side* is ``None``; return that side.

    To decide in the same way again changes nothing.

    :raises Refused: ``not-a-match``, ``match-not-level``, ``side-unknown``, or ``match-decided`` if
        it was decided otherwise.
    """
    table, points = _locked_match(sitting_id)
    how = DecidedBy.LOT if side is None else DecidedBy.ORGANISER
    if table.decided_side is not None:
        # The same decision again: by lot, or by the organiser for this side.
        if table.decided_by == how and side in {None, table.decided_side}:
            return table.decided_side
        template = gettext_noop("This match is decided already: take that back first.")
        raise Refused("match-decided", template)
    if not is_level(points, decided_side=None):
        template = gettext_noop("One side leads in this match: there is nothing to decide.")
        raise Refused("match-not-level", template)
    sides = range(len(points))
    chosen = rng.choice(sides) if side is None else side
    if chosen not in sides:
        raise Refused("side-unknown", gettext_noop("Choose one of the two sides."))
    match = Sitting.objects.get(pk=sitting_id)
    match.side_points, match.decided_side, match.decided_by = list(points), chosen, how
    # A match is finished once it is decided and has played the whole round.
    decided = replace(table, decided_side=chosen, side_points_json=json.dumps(points))
    if match.finished_at is None and decided.progress.whole:
        match.finished_at = by.at
    _save_match(match)
    log(by, "match-decided", **table.log_keys, numbers={"side": chosen, "how": how})
    return chosen


@transaction.atomic
def reopen_match(*, sitting_id: int, by: Actor) -> None:
    """Take back the decision of a level match.

    :raises Refused: ``round-followed`` by another, or ``tournament-over``.
    """
    table, _points = _locked_match(sitting_id)
    if table.decided_side is None:
        return
    rounds = Round.objects.filter(tournament=table.tournament_id).not_undone()
    if rounds.filter(number__gt=table.round_number).exists():
        template = gettext_noop("Another round follows this match: undo that round first.")
        raise Refused("round-followed", template)
    check_goes_on(Tournament.objects.get(pk=table.tournament_id))
    match = Sitting.objects.get(pk=sitting_id)
    match.decided_side, match.decided_by = None, ""
    if table.takes_reports:  # so the match goes on
        match.finished_at = None
    _save_match(match)
    decided = last_entry("match-decided", club_id=table.club_id, sitting=table.sitting_id)
    decision = {"side": table.decided_side, "how": table.decided_by}
    log(by, "match-reopened", **table.log_keys, numbers=decision, undoes=decided)


def _locked_match(sitting_id: int) -> tuple[TableNow, Sequence[int]]:
    """Lock a match of a bracket, and return it with the points of its sides."""
    table = lock_table(sitting_id=sitting_id)
    points = table.side_points
    if points is None and Tournament.objects.get(pk=table.tournament_id).has_bracket:
        # The match is older than ``side_points``; the marks of a hand are the sides' results.
        marks = Hand.objects.filter(sitting=sitting_id, struck_at=None)
        points = table.side_points_of(marks.values_list("marks", flat=True))
    # The hands of a table are tallied (summed up) unless its round was undone.
    if points is None or len(points) != 2 or not table.tallied:
        raise Refused("not-a-match", gettext_noop("This table is no match of a knock-out."))
    return table, points


def _save_match(match: Sitting) -> None:
    match.revision = F("revision") + 1  # so that phones load the table again
    decision = ["side_points", "decided_side", "decided_by"]
    match.save(update_fields=[*decision, "finished_at", "revision"])


def _counted_hands(round_: Round) -> dict[str, list[int]]:
    """Return the numbers of the hands that are not struck, keyed by table number."""
    hands = Hand.objects.filter(sitting__round=round_, struck_at=None)
    rows = hands.order_by("sitting__number", "number").values_list("sitting__number", "number")
    by_table: dict[str, list[int]] = {}
    for table, number in rows:
        by_table.setdefault(str(table), []).append(number)
    return by_table


def locked_round(round_id: int) -> Round:
    """Lock a round, and return it with its tournament."""
    rounds = Round.objects.select_related("tournament").select_for_update(of=("self",), no_key=True)
    return rounds.get(pk=round_id)


def _locked_with_tournament(round_id: int) -> Round:
    """Lock a round and its tournament, so that no other round is opened meanwhile."""
    Tournament.objects.select_for_update(no_key=True).get(rounds=round_id)
    return locked_round(round_id)


def running_round(round_id: int) -> Round:
    """Lock a round, and return it; raise ``Refused`` (``round-not-open``) if it is not open."""
    round_ = locked_round(round_id)
    check_is_open(round_)
    return round_


def check_is_open(round_: Round) -> None:
    if round_.state != RoundState.OPEN:
        template = gettext_noop("This round is not being played: only an open one can be changed.")
        raise Refused("round-not-open", template)


def lock_tables_of(round_id: int) -> list[TableNow]:
    """Lock the tables of a round, and return their present state."""
    return lock_tables(Sitting.objects.filter(round=round_id).values_list("pk", flat=True))


def finish_whole_tables(round_id: int, at: datetime) -> None:
    """Mark as finished those tables of an open round that have played it all, and no others.

    While the round was closed, corrections may have added or struck hands of a table.
    """
    whole = [table.sitting_id for table in lock_tables_of(round_id) if table.progress.whole]
    sittings = Sitting.objects.filter(round=round_id)
    sittings.filter(pk__in=whole, finished_at=None).update(finished_at=at)
    sittings.exclude(pk__in=whole).update(finished_at=None)


def next_round_number(tournament: Tournament) -> int:
    """Return the number of the next round.

    :raises Refused: ``tournament-over``, or ``round-open`` unless the tournament is free play.
    """
    check_goes_on(tournament)
    last = tournament.rounds.not_undone().order_by("-number").first()
    if last and last.state != RoundState.CLOSED and tournament.movement != Movement.FREE:
        template = gettext_noop("Round %(number)d is still being played: close it first.")
        raise Refused("round-open", template, number=last.number)
    return last.number + 1 if last else 1


def record_round(
    by: Actor, verb: str, round_: Round, /, *, reason: str = "", **numbers: object
) -> None:
    """Log what was done to a round, with the entry that it undoes, if any."""
    club_id = round_.tournament.club_id
    undone_verb = {"round-restored": "round-undone", "round-reopened": "round-closed"}.get(verb)
    log(
        by,
        verb,
        club_id=club_id,
        undoes=last_entry(undone_verb, club_id=club_id, round=round_.pk) if undone_verb else None,
        tournament=round_.tournament_id,
        round=round_.pk,
        numbers={"number": round_.number, **numbers},
        reason=reason,
    )


def check_tables(round_: Round) -> None:
    """Raise ``Refused`` (``table-taken``) if an open round has one of this round's tables."""
    tables = list(round_.sittings.exclude(table=None).values_list("table", flat=True))
    open_sittings = Sitting.objects.filter(table__in=tables, round__state=RoundState.OPEN)
    taken = open_sittings.select_related("round__tournament").order_by("number").first()
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
