"""Merging two players who are one person, and undoing a merger.

One player, ``gone`` in this module, is merged into another, who ``stays``. Both rows remain; seats,
entrants, teams and evenings get the key of the player who stays. The ``numbers`` of the log entry
say what moved, so that ``unmerge`` can move it back; ``merge_players`` explains their keys. Log
entries of early mergers lack the keys that ``unmerge`` reads with ``get``. If both players are
entrants of one tournament, the two entrants are *combined* into one. An entrant *rests* in a round
that it sits out, an *award* is points beside the hands, *tallies* are stored sums.
"""

from collections.abc import Collection, Mapping
from datetime import datetime
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import Q

from games.errors import gettext_noop
from tracker.common.actor import Actor
from tracker.common.audit_log import log
from tracker.common.errors import Refused
from tracker.models import (
    Attendance,
    Award,
    ClubNight,
    Entrant,
    LogEntry,
    Player,
    Rest,
    Round,
    RoundState,
    Rsvp,
    Seat,
    SeatingWish,
    Team,
    Tournament,
)
from tracker.people.services.players import name_taken
from tracker.tables.dealing_history import refresh_dealt_before
from tracker.tables.entrant_replacement import (
    replace_in_draws,
    replace_in_published,
    replace_in_rounds,
    swap_in_published,
    withdraw_rests,
)
from tracker.tables.locks import hold_tables_of
from tracker.tables.tallies import add_to_tallies, lock_and_tally


@transaction.atomic
def merge_players(*, player_id: int, into_id: int, by: Actor) -> LogEntry:
    """Merge a player into another, and return the log entry, which says what moved.

    :raises Refused: ``merge-same`` if they are not two players of one club, ``merge-two`` if both
        sat in one round, ``merge-seated`` if they sit in two running rounds, ``merge-resting`` if
        ``gone`` sits out a running round.
    """
    _lock_tournaments(player_id, into_id)
    locked = Player.objects.present().select_for_update(no_key=True).order_by("pk")
    players = locked.in_bulk([player_id, into_id])
    if len(players) != 2 or len({player.club_id for player in players.values()}) != 1:
        text = gettext_noop("Choose another player of this club.")
        raise Refused("merge-same", text, question="into")
    gone, stays = players[player_id], players[into_id]
    _check_one_person(gone, stays)
    # ``_move_seats``, ``_move_evenings`` and ``move_wishes`` move rows, and return what they moved.
    moved = {
        # Players who were merged into ``gone`` before.
        "followers": _keys(Player.objects.filter(merged_into=gone)),
        # Whether the login moves, and the key of its user.
        "user": gone.user_id is not None and stays.user_id is None,
        "login": gone.user_id,
        **_move_seats(gone, stays, by.at),
        **_move_evenings(gone, stays, by.at),
        "wishes": move_wishes(gone, stays),
        # Teams of ``gone``, and those of both players.
        "teams": _keys(gone.teams.all()),
        "teams_of_both": _keys(Team.objects.filter(roster=gone).filter(roster=stays)),
    }
    Player.objects.filter(pk__in=moved["followers"]).update(merged_into=stays)
    for team in Team.objects.filter(pk__in=moved["teams"]):
        team.roster.remove(gone)
        team.roster.add(stays)
    gone.merged_into, gone.claimed_by = stays, None
    if moved["user"]:
        gone.user = None
    gone.save(update_fields=["merged_into", "user", "claimed_by"])
    if moved["user"]:
        stays.user_id, stays.claimed_by = moved["login"], None
        stays.save(update_fields=["user", "claimed_by"])
    _recount_dealers(stays, by)
    keys: dict[str, Any] = {"club_id": gone.club_id, "player": gone.pk, "into": stays.pk}
    return log(by, "players-merged", **keys, numbers=moved)


def _lock_tournaments(*players: int) -> None:
    """Lock the players' tournaments, the nights they attend now, then the tournaments' tables."""
    entered = Tournament.objects.filter(entrants__player__in=players).values("pk")
    seated = Tournament.objects.filter(rounds__seats__player__in=players).values("pk")
    tournaments = Tournament.objects.select_for_update(no_key=True).order_by("pk")
    locked = list(tournaments.filter(Q(pk__in=entered) | Q(pk__in=seated)))
    attended = Attendance.objects.filter(player__in=players, until=None).values("night")
    list(ClubNight.objects.select_for_update(no_key=True).filter(pk__in=attended).order_by("pk"))
    hold_tables_of([tournament.pk for tournament in locked])


def _recount_dealers(player: Player, by: Actor) -> None:
    """Recompute who dealt before at the tables of every tournament the player sat in."""
    tournaments = Round.objects.filter(seats__player=player).order_by("tournament")
    for tournament in tournaments.values_list("tournament", flat=True).distinct():
        refresh_dealt_before(tournament, after_round=0, at=by.at)


def _check_one_person(gone: Player, stays: Player) -> None:
    """Check that the players never sat in one round, and that no running round is in the way."""
    rounds = Round.objects.filter(seats__player=gone).filter(seats__player=stays)
    if shared := rounds.select_related("tournament").order_by("pk").first():
        text = gettext_noop(
            "%(one)s and %(other)s both sat in round %(round)d of “%(tournament)s”:"
            " they are two people."
        )
        played = shared.tournament.name
        params: dict[str, Any] = {"one": gone.name, "other": stays.name, "tournament": played}
        raise Refused("merge-two", text, question="into", round=shared.number, **params)
    seats = Seat.objects.active().filter(player__in=[gone, stays]).order_by("pk")
    seated = list(seats.select_related("player", "sitting__round__tournament"))
    if len(seated) == 2:
        text = gettext_noop(
            "%(one)s sits at table %(table)d of “%(tournament)s”, and %(other)s at table"
            " %(second)d of “%(another)s”: close one of these rounds first."
        )
        (one, table), (other, other_table) = [(seat.player.name, seat.sitting) for seat in seated]
        params = {"one": one, "table": table.number, "other": other, "second": other_table.number}
        params["tournament"] = table.round.tournament.name
        params["another"] = other_table.round.tournament.name
        raise Refused("merge-seated", text, question="into", **params)
    for entrant in Entrant.objects.filter(player=gone, tournament__entrants__player=stays):
        if entrant.rests.sat_out().filter(round__state=RoundState.OPEN).exists():
            text = gettext_noop("%(name)s sits out a round that is being played. Close it first.")
            raise Refused("merge-resting", text, question="into", name=gone.name)


def _combination(entrant: Entrant, into: Entrant) -> dict[str, Any]:
    """Return what moves from an *entrant*, to be deleted, *into* another of the same tournament."""
    both_rest = entrant.rests.filter(round__rests__entrant=into)
    return {
        # The columns of the deleted entrant, to make it again.
        "entrant": entrant.pk,
        "uid": str(entrant.uid),
        "tournament": entrant.tournament_id,
        **_absence(entrant),
        "seed": entrant.seed,
        "into": into.pk,
        # When the remaining entrant lost its place, if it gets a place again by the merger.
        "into_before": _absence(into) if entrant.has_place and not into.has_place else None,
        "seed_moves": entrant.seed is not None and into.seed is None,
        "seats": _keys(entrant.seats.all()),
        "awards": _keys(entrant.awards.all()),
        # Keys of rounds that the deleted entrant sat out, and of rounds that both sat out.
        "rests": sorted(entrant.rests.values_list("round", flat=True)),
        "rests_of_both": sorted(both_rest.values_list("round", flat=True)),
    }


def _absence(entrant: Entrant) -> dict[str, str | bool | None]:
    """Return when an entrant withdrew and went on the reserve list, as ISO texts; and "expelled"."""
    moments = {"withdrawn_at": entrant.withdrawn_at, "reserve_since": entrant.reserve_since}
    texts = {name: moment.isoformat() if moment else None for name, moment in moments.items()}
    return {**texts, "expelled": entrant.expelled}


def _move_seats(gone: Player, stays: Player, now: datetime) -> dict[str, Any]:
    """Move all seats and entrants, with their tallies, to the player who stays; say what moved."""
    remaining = {entrant.tournament_id: entrant for entrant in stays.entrants.all()}
    of_gone = gone.entrants.filter(tournament__in=remaining).order_by("pk")
    # What moves between their entrants, for each tournament of both.
    combined = [_combination(entrant, remaining[entrant.tournament_id]) for entrant in of_gone]
    deleted = [row["entrant"] for row in combined]
    sittings = set(Seat.objects.filter(entrant__in=deleted).values_list("sitting", flat=True))
    # Once seats have another entrant, the stored tallies are changed by the difference.
    tallied_before = lock_and_tally(sittings)
    for row in combined:
        if row["into_before"]:
            Entrant.objects.filter(pk=row["into"]).update(
                withdrawn_at=None, expelled=False, reserve_since=None
            )
        Seat.objects.filter(pk__in=row["seats"]).update(entrant=row["into"])
        Award.objects.filter(pk__in=row["awards"]).update(entrant=row["into"])
        rests = Rest.objects.filter(entrant=row["entrant"])
        rests.exclude(round__in=row["rests_of_both"]).update(entrant=row["into"])
        replaced = row["tournament"], row["entrant"], row["into"]
        # Keys of the rounds whose plan, and of those whose published standing, was changed.
        row["plans"] = replace_in_draws(*replaced)
        row["published"] = replace_in_published(*replaced)
    seats = _keys(Seat.objects.filter(player=gone))
    Seat.objects.filter(pk__in=seats).update(player=stays)
    add_to_tallies(lock_and_tally(sittings).less(tallied_before))
    Entrant.objects.filter(pk__in=deleted).delete()
    for row in combined:
        if row["seed_moves"]:
            Entrant.objects.filter(pk=row["into"]).update(seed=row["seed"])
    entrants = _keys(gone.entrants.all())
    Entrant.objects.filter(pk__in=entrants).update(player=stays)
    awards = Award.objects.filter(entrant__in=[row["into"] for row in combined])
    return {
        "combined": combined,
        "seats": seats,
        "entrants": entrants,
        "rests_withdrawn": withdraw_rests(awards, now),
    }


def _move_evenings(gone: Player, stays: Player, now: datetime) -> dict[str, Any]:
    """Move attendances and replies to invitations to the player who stays; return what moved."""
    # One of two attendances that have not ended (``until=None``) at the same night ends now.
    nights = Attendance.objects.filter(player=stays, until=None).values("night")
    left = _keys(Attendance.objects.filter(player=gone, until=None, night__in=nights))
    Attendance.objects.filter(pk__in=left).end(now)
    attended = _keys(Attendance.objects.filter(player=gone))
    Attendance.objects.filter(pk__in=attended).update(player=stays)
    answered = Rsvp.objects.filter(player=stays).values("night")
    Rsvp.objects.filter(player=gone, night__in=answered).delete()
    rsvps = _keys(Rsvp.objects.filter(player=gone))
    Rsvp.objects.filter(pk__in=rsvps).update(player=stays)
    return {"attended": attended, "left": left, "rsvps": rsvps}


def move_wishes(gone: Player, stays: Player, only: Collection[int] | None = None) -> list[int]:
    """Move the seating wishes of ``gone``, or *only* those with these keys; return the keys moved.

    A wish that the player who stays has already, or that is about both players, does not move.
    """
    moved = []
    wishes = SeatingWish.objects.filter(Q(player=gone) | Q(other=gone)).order_by("pk")
    for wish in wishes if only is None else wishes.filter(pk__in=only):
        # A wish about one player has no ``other``; one about two has the smaller key first.
        people = {wish.player_id, wish.other_id} - {gone.pk, None} | {stays.pk}
        first, *others = sorted(key for key in people if key is not None)
        # A wish about two that would be about one is about both ``gone`` and ``stays``.
        if wish.other_id is not None and not others:
            continue
        wish.player_id, wish.other_id = first, others[0] if others else None
        same = SeatingWish.objects.filter(kind=wish.kind, player=first, other=wish.other_id)
        if not same.exists():
            wish.save(update_fields=["player", "other"])
            moved.append(wish.pk)
    return moved


def _keys(rows: Any) -> list[int]:
    return sorted(rows.values_list("pk", flat=True))


@transaction.atomic
def unmerge(*, log_entry_id: int, by: Actor) -> Player:
    """Undo a merger; doing it twice changes nothing more.

    :raises Refused: ``unmerge-late`` if seats moved since, or the player was merged again or
        erased; ``name-taken`` if another player has the name by now.
    """
    log_entry = LogEntry.objects.get(pk=log_entry_id, verb="players-merged")
    gone_id, stays_id = log_entry.on["player"], log_entry.on["into"]
    _lock_tournaments(gone_id, stays_id)
    locked = Player.objects.select_for_update(no_key=True).order_by("pk")
    players = locked.in_bulk([gone_id, stays_id])
    gone, stays = players[gone_id], players[stays_id]
    undone = LogEntry.objects.filter(undoes=log_entry).exists()
    if undone and gone.merged_into_id is None:  # and not merged again since
        return gone
    if undone or gone.merged_into_id != stays.pk or stays.merged_into_id or stays.erased_at:
        raise _too_late()
    moved = log_entry.numbers
    _check_unmoved(moved, stays)
    # The login moves back, unless the player who stays has another one by now.
    if moved["user"] and stays.user_id == moved.get("login", stays.user_id):
        gone.user, stays.user = stays.user, None
        stays.save(update_fields=["user"])
    gone.merged_into = None
    try:
        with transaction.atomic():
            gone.save(update_fields=["user", "merged_into"])
    except IntegrityError:
        raise name_taken(gone.name) from None
    _split_seats(moved, gone)
    Award.objects.filter(pk__in=moved.get("rests_withdrawn", ())).update(withdrawn_at=None)
    Attendance.objects.filter(pk__in=moved["attended"]).update(player=gone)
    # Attendances that the merger ended go on, unless the night itself has ended since.
    Attendance.objects.filter(pk__in=moved["left"], night__ended_at=None).update(until=None)
    Rsvp.objects.filter(pk__in=moved["rsvps"]).update(player=gone)
    move_wishes(stays, gone, only=moved.get("wishes", ()))
    Player.objects.filter(pk__in=moved["followers"]).update(merged_into=gone)
    for team in Team.objects.filter(pk__in=moved["teams"]):
        team.roster.add(gone)
        if team.pk not in moved["teams_of_both"]:
            team.roster.remove(stays)
    for player in (gone, stays):
        _recount_dealers(player, by)
    on: dict[str, Any] = {"player": gone.pk, "from": stays.pk}
    log(by, "merge-undone", club_id=gone.club_id, undoes=log_entry, **on)
    return gone


def _check_unmoved(moved: Mapping[str, Any], stays: Player) -> None:
    """Check that seats and entrants are where the merger moved them, and that none were added."""
    seats, entrants = set(moved["seats"]), set(moved["entrants"])
    entrant_of_seat = {seat: row["into"] for row in moved["combined"] for seat in row["seats"]}
    stored = Seat.objects.filter(pk__in=entrant_of_seat).values_list("pk", "entrant")
    # Undoing the import that made an entrant deletes it, if it has no seats.
    remaining = {row["into"] for row in moved["combined"]}
    if (
        Seat.objects.filter(pk__in=seats, player=stays).count() != len(seats)
        or Entrant.objects.filter(pk__in=entrants, player=stays).count() != len(entrants)
        or dict(stored) != entrant_of_seat
        or Seat.objects.filter(entrant__in=entrants, player=stays).exclude(pk__in=seats).exists()
        or Entrant.objects.filter(pk__in=remaining).count() != len(remaining)
    ):
        raise _too_late()


def _split_seats(moved: Mapping[str, Any], gone: Player) -> None:
    """Make the deleted entrants again, and give back seats, awards, rests and places in draws."""
    for row in moved["combined"]:
        # The seed from before the merger, unless another entrant has it by now.
        seed = row.get("seed")
        seeded = Entrant.objects.filter(tournament=row["tournament"], seed=seed)
        if seed is not None and row["seed_moves"]:
            seeded.filter(pk=row["into"]).update(seed=None)
        Entrant.objects.create(
            pk=row["entrant"],
            uid=row["uid"],
            tournament_id=row["tournament"],
            player=gone,
            withdrawn_at=row["withdrawn_at"],
            expelled=row.get("expelled", False),
            reserve_since=row.get("reserve_since"),
            seed=None if seeded.exists() else seed,
        )
    seats = [seat for row in moved["combined"] for seat in row["seats"]]
    sittings = set(Seat.objects.filter(pk__in=seats).values_list("sitting", flat=True))
    tallied_before = lock_and_tally(sittings)
    for row in moved["combined"]:
        if absence := row.get("into_before"):
            Entrant.objects.filter(pk=row["into"]).update(**absence)
        Seat.objects.filter(pk__in=row["seats"]).update(entrant=row["entrant"])
        Award.objects.filter(pk__in=row["awards"]).update(entrant=row["entrant"])
        moved_rests = Rest.objects.filter(entrant=row["into"], round__in=row["rests"])
        moved_rests.exclude(round__in=row["rests_of_both"]).update(entrant=row["entrant"])
        Rest.objects.bulk_create(
            Rest(round_id=round_id, entrant_id=row["entrant"]) for round_id in row["rests_of_both"]
        )
        # A draw whose round is not open keeps the remaining entrant until it is drawn again.
        opened = Round.objects.filter(pk__in=row.get("plans", ()))
        replace_in_rounds(opened, row["into"], row["entrant"])
        published = Round.objects.filter(pk__in=row.get("published", ()))
        swap_in_published(published, row["into"], row["entrant"])
    Seat.objects.filter(pk__in=moved["seats"]).update(player=gone)
    Entrant.objects.filter(pk__in=moved["entrants"]).update(player=gone)
    add_to_tallies(lock_and_tally(sittings).less(tallied_before))


def _too_late() -> Refused:
    text = gettext_noop("Too much has happened since: these two cannot be told apart any more.")
    return Refused("unmerge-late", text)
