"""Taking a merger back, while nothing has been built upon it."""

from collections.abc import Mapping
from typing import Any

from django.db import IntegrityError, transaction

from games.errors import gettext_noop
from tracker.common.actor import Actor
from tracker.common.audit_log import log
from tracker.common.errors import Refused
from tracker.ledger.plans import rename_in_rounds, swap_in_published
from tracker.ledger.tallies import move, tallied_tables
from tracker.models import (
    Attendance,
    Award,
    Entrant,
    LogEntry,
    Player,
    Rest,
    Round,
    Rsvp,
    Seat,
    Team,
)
from tracker.people.services.merging import hold_tables_played_at, move_wishes, recount_dealers
from tracker.people.services.players import taken


@transaction.atomic
def unmerge(*, log_entry_id: int, by: Actor) -> Player:
    """Make two players of one again, as they were before the merger; doing it twice is once.

    :raises Refused: ``unmerge-late`` if seats moved since, or the player was merged on or
        erased; ``name-taken`` if somebody else has the name by now.
    """
    log_entry = LogEntry.objects.get(pk=log_entry_id, verb="players-merged")
    keys = log_entry.on["player"], log_entry.on["into"]
    hold_tables_played_at(*keys)
    players = (
        Player.objects.select_for_update(no_key=True).filter(pk__in=keys).order_by("pk").in_bulk()
    )
    gone, stays = players[keys[0]], players[keys[1]]
    if gone.merged_into_id is None and LogEntry.objects.filter(undoes=log_entry).exists():
        return gone
    if (
        gone.merged_into_id != stays.pk
        or stays.merged_into_id
        or stays.erased_at
        or LogEntry.objects.filter(undoes=log_entry).exists()
    ):
        raise _late()
    moved = log_entry.numbers
    _check_unmoved(moved, stays)
    _split_logins(moved, gone, stays)
    _split_seats(moved, gone)
    Award.objects.filter(pk__in=moved.get("rests_withdrawn", ())).update(withdrawn_at=None)
    Attendance.objects.filter(pk__in=moved["attended"]).update(player=gone)
    # Of a night that has ended since everybody has gone home.
    Attendance.objects.filter(pk__in=moved["left"], night__ended_at=None).update(until=None)
    Rsvp.objects.filter(pk__in=moved["rsvps"]).update(player=gone)
    move_wishes(stays, gone, only=moved.get("wishes", ()))
    Player.objects.filter(pk__in=moved["followers"]).update(merged_into=gone)
    for team in Team.objects.filter(pk__in=moved["teams"]):
        team.roster.add(gone)
        if team.pk not in moved["teams_of_both"]:
            team.roster.remove(stays)
    for player in (gone, stays):
        recount_dealers(player, by)
    on: dict[str, Any] = {"player": gone.pk, "from": stays.pk}
    log(by, "merge-undone", club_id=gone.club_id, undoes=log_entry, **on)
    return gone


def _check_unmoved(moved: Mapping[str, Any], stays: Player) -> None:
    """Make sure that what moved is where it was left, and nothing was added to it."""
    seats = set(moved["seats"])
    entrants = set(moved["entrants"])
    there = Seat.objects.filter(pk__in=seats, player=stays).count() == len(seats)
    still = Entrant.objects.filter(pk__in=entrants, player=stays).count() == len(entrants)
    into = {seat: row["into"] for row in moved["combined"] for seat in row["seats"]}
    combined = dict(Seat.objects.filter(pk__in=into).values_list("pk", "entrant"))
    later = Seat.objects.filter(entrant__in=entrants, player=stays).exclude(pk__in=seats)
    # One who never sat may be gone with an import that was undone.
    kept = {row["into"] for row in moved["combined"]}
    gone = Entrant.objects.filter(pk__in=kept).count() < len(kept)
    if gone or not there or not still or combined != into or later.exists():
        raise _late()


def _split_logins(moved: Mapping[str, Any], gone: Player, stays: Player) -> None:
    # Who signs in as the one who stays may be somebody else by now.
    if moved["user"] and stays.user_id == moved.get("login", stays.user_id):
        login, stays.user = stays.user, None
        stays.save(update_fields=["user"])
        gone.user = login
    gone.merged_into = None
    try:
        with transaction.atomic():
            gone.save(update_fields=["user", "merged_into"])
    except IntegrityError:
        raise taken(gone.name) from None


def _split_seats(moved: Mapping[str, Any], gone: Player) -> None:
    for row in moved["combined"]:
        Entrant.objects.create(
            pk=row["entrant"],
            uid=row["uid"],
            tournament_id=row["tournament"],
            player=gone,
            withdrawn_at=row["withdrawn_at"],
            reserve_since=row.get("reserve_since"),
            seed=_seed_taken_back(row),
        )
    seats = [seat for row in moved["combined"] for seat in row["seats"]]
    tables = set(Seat.objects.filter(pk__in=seats).values_list("sitting", flat=True))
    before = tallied_tables(tables)
    for row in moved["combined"]:
        if was := row.get("into_before"):
            Entrant.objects.filter(pk=row["into"]).update(**was)
        Seat.objects.filter(pk__in=row["seats"]).update(entrant=row["entrant"])
        Award.objects.filter(pk__in=row["awards"]).update(entrant=row["entrant"])
        moved_rests = Rest.objects.filter(entrant=row["into"], round__in=row["rests"])
        moved_rests.exclude(round__in=row["rests_of_both"]).update(entrant=row["entrant"])
        Rest.objects.bulk_create(
            Rest(round_id=round_id, entrant_id=row["entrant"]) for round_id in row["rests_of_both"]
        )
        # A draw keeps who stays: it is drawn anew for the other.
        own = Round.objects.filter(pk__in=row.get("plans", ()))
        rename_in_rounds(own, row["into"], row["entrant"])
        published = Round.objects.filter(pk__in=row.get("published", ()))
        swap_in_published(published, row["into"], row["entrant"])
    Seat.objects.filter(pk__in=moved["seats"]).update(player=gone)
    Entrant.objects.filter(pk__in=moved["entrants"]).update(player=gone)
    move(tallied_tables(tables).less(before))


def _seed_taken_back(row: Mapping[str, Any]) -> int | None:
    """Return an entrant's seed from before the merger, unless another entrant has it by now."""
    seed: int | None = row.get("seed")
    seeded = Entrant.objects.filter(tournament=row["tournament"], seed=seed)
    if seed is not None and row["seed_moves"]:
        seeded.filter(pk=row["into"]).update(seed=None)
    return None if seeded.exists() else seed


def _late() -> Refused:
    return Refused(
        "unmerge-late",
        gettext_noop("Too much has happened since: these two cannot be told apart any more."),
    )
