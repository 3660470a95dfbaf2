"""Merging of two players who are one person, and taking it back; seats, points and teams follow."""

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
    rename_in_plans,
    rename_in_published,
    rename_in_rounds,
    swap_in_published,
    withdraw_rests,
)
from tracker.tables.locks import hold_tables_of
from tracker.tables.tallies import add_to_tallies, lock_and_tally


@transaction.atomic
def merge_players(*, player_id: int, into_id: int, by: Actor) -> LogEntry:
    """Let one player be another from now on: seats, points, teams and evenings follow.

    What moved is kept with the act, so that ``unmerge`` finds it.

    :raises Refused: ``merge-same`` for one and the same, ``merge-two`` if both sat in one
        round, which makes them two people, ``merge-seated`` if they sit in two running rounds,
        ``merge-resting`` if one rests in a running round.
    """
    _hold_tables_played_at(player_id, into_id)
    wanted = (
        Player.objects.present().select_for_update(no_key=True).filter(pk__in=[player_id, into_id])
    )
    players = {player.pk: player for player in wanted.order_by("pk")}
    if len(players) != 2 or len({player.club_id for player in players.values()}) != 1:
        raise Refused(
            "merge-same", gettext_noop("Choose another player of this club."), question="into"
        )
    gone, stays = players[player_id], players[into_id]
    _check_one_person(gone, stays)
    moved = {
        "followers": _keys(Player.objects.filter(merged_into=gone)),
        "user": gone.user_id is not None and stays.user_id is None,
        "login": gone.user_id,
        **_move_seats(gone, stays, by.at),
        **_move_evenings(gone, stays, by.at),
        "wishes": move_wishes(gone, stays),
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
    if moved["user"]:  # who stays takes over the sign-in
        stays.user_id, stays.claimed_by = moved["login"], None
        stays.save(update_fields=["user", "claimed_by"])
    _recount_dealers(stays, by)
    return log(
        by, "players-merged", club_id=gone.club_id, player=gone.pk, into=stays.pk, numbers=moved
    )


def _hold_tables_played_at(*players: int) -> None:
    """Lock every tournament in which one of these plays or has played, and all their tables.

    Between them the nights at which one is here: whoever forms a table there takes people last.
    """
    entered = Tournament.objects.filter(entrants__player__in=players).values("pk")
    seated = Tournament.objects.filter(rounds__seats__player__in=players).values("pk")
    theirs = Tournament.objects.select_for_update(no_key=True).order_by("pk")
    keys = [each.pk for each in theirs.filter(Q(pk__in=entered) | Q(pk__in=seated))]
    here = Attendance.objects.filter(player__in=players, until=None).values("night")
    list(ClubNight.objects.select_for_update(no_key=True).filter(pk__in=here).order_by("pk"))
    hold_tables_of(keys)


def _recount_dealers(player: Player, by: Actor) -> None:
    """Recompute who dealt before at the tables of every tournament the player sat in."""
    tournaments = Round.objects.filter(seats__player=player).order_by("tournament")
    for tournament in tournaments.values_list("tournament", flat=True).distinct():
        refresh_dealt_before(tournament, after_round=0, at=by.at)


def _check_one_person(gone: Player, stays: Player) -> None:
    rounds = Round.objects.filter(seats__player=gone).filter(seats__player=stays)
    if both := rounds.select_related("tournament").order_by("pk").first():
        raise Refused(
            "merge-two",
            gettext_noop(
                "%(one)s and %(other)s both sat in round %(round)d of “%(tournament)s”:"
                " they are two people."
            ),
            question="into",
            one=gone.name,
            other=stays.name,
            round=both.number,
            tournament=both.tournament.name,
        )
    seats = Seat.objects.active().filter(player__in=[gone, stays]).order_by("pk")
    seated = list(seats.select_related("player", "sitting__round__tournament"))
    if len(seated) == 2:
        raise Refused(
            "merge-seated",
            gettext_noop(
                "%(one)s sits at table %(table)d of “%(tournament)s”, and %(other)s at table"
                " %(second)d of “%(another)s”: close one of these rounds first."
            ),
            question="into",
            one=seated[0].player.name,
            table=seated[0].sitting.number,
            tournament=seated[0].sitting.round.tournament.name,
            other=seated[1].player.name,
            second=seated[1].sitting.number,
            another=seated[1].sitting.round.tournament.name,
        )
    entered = Entrant.objects.filter(player=gone, tournament__entrants__player=stays)
    for entrant in entered:
        if entrant.rests.sat_out().filter(round__state=RoundState.OPEN).exists():
            raise Refused(
                "merge-resting",
                gettext_noop("%(name)s sits out a round that is being played. Close it first."),
                question="into",
                name=gone.name,
            )


def _combined(gone: Player, stays: Player) -> list[dict[str, Any]]:
    """Return the entrants that become one, as both were entered in the same tournament."""
    other = {entrant.tournament_id: entrant for entrant in stays.entrants.all()}

    return [
        {
            "entrant": entrant.pk,
            "uid": str(entrant.uid),
            "tournament": entrant.tournament_id,
            **_absence(entrant),
            "into": into.pk,
            # Why the other did not play, who takes the place of one who does.
            "into_before": _absence(into) if entrant.has_place and not into.has_place else None,
            "seed": entrant.seed,
            "seed_moves": entrant.seed is not None and into.seed is None,
            "seats": _keys(entrant.seats.all()),
            "awards": _keys(entrant.awards.all()),
            "rests": sorted(entrant.rests.values_list("round", flat=True)),
            "rests_of_both": sorted(
                entrant.rests.filter(round__rests__entrant=into).values_list("round", flat=True)
            ),
        }
        for entrant in gone.entrants.filter(tournament__in=other).order_by("pk")
        for into in [other[entrant.tournament_id]]
    ]


def _absence(entrant: Entrant) -> dict[str, str | None]:
    """Return when an entrant withdrew and since when it is a reserve, as ISO text."""
    return {
        name: moment.isoformat() if moment else None
        for name in ("withdrawn_at", "reserve_since")
        for moment in [getattr(entrant, name)]
    }


def _move_seats(gone: Player, stays: Player, now: datetime) -> dict[str, Any]:
    """Move every seat and entrant to the player who stays; return which they were."""
    combined = _combined(gone, stays)
    sittings = Seat.objects.filter(entrant__in=[row["entrant"] for row in combined])
    tables = set(sittings.values_list("sitting", flat=True))
    before = lock_and_tally(tables)
    for row in combined:
        if row["into_before"]:
            into = Entrant.objects.filter(pk=row["into"])
            into.update(withdrawn_at=None, reserve_since=None)
        Seat.objects.filter(pk__in=row["seats"]).update(entrant=row["into"])
        Award.objects.filter(pk__in=row["awards"]).update(entrant=row["into"])
        own = Rest.objects.filter(entrant=row["entrant"])
        own.exclude(round__in=row["rests_of_both"]).update(entrant=row["into"])
        names = row["tournament"], row["entrant"], row["into"]
        row["plans"] = rename_in_plans(*names)
        row["published"] = rename_in_published(*names)
    seats = _keys(Seat.objects.filter(player=gone))
    Seat.objects.filter(pk__in=seats).update(player=stays)
    add_to_tallies(lock_and_tally(tables).less(before))
    Entrant.objects.filter(pk__in=[row["entrant"] for row in combined]).delete()
    for row in combined:
        if row["seed_moves"]:
            Entrant.objects.filter(pk=row["into"]).update(seed=row["seed"])
    entrants = _keys(gone.entrants.all())
    Entrant.objects.filter(pk__in=entrants).update(player=stays)
    rests = withdraw_rests(Award.objects.filter(entrant__in=[row["into"] for row in combined]), now)
    return {"combined": combined, "seats": seats, "entrants": entrants, "rests_withdrawn": rests}


def _move_evenings(gone: Player, stays: Player, now: datetime) -> dict[str, Any]:
    here = Attendance.objects.filter(player=stays, until=None).values("night")
    twice = _keys(Attendance.objects.filter(player=gone, until=None, night__in=here))
    Attendance.objects.filter(pk__in=twice).end(now)
    attended = _keys(Attendance.objects.filter(player=gone))
    Attendance.objects.filter(pk__in=attended).update(player=stays)
    said = Rsvp.objects.filter(player=stays).values("night")
    Rsvp.objects.filter(player=gone, night__in=said).delete()
    rsvps = _keys(Rsvp.objects.filter(player=gone))
    Rsvp.objects.filter(pk__in=rsvps).update(player=stays)
    return {"attended": attended, "left": twice, "rsvps": rsvps}


def move_wishes(gone: Player, stays: Player, only: Collection[int] | None = None) -> list[int]:
    """Move the seating wishes of a player to another, and return their keys.

    *only* these wishes add_to_tallies; what the other was promised already, or from the one of them
    about the other, stays where it is: nobody asks for it there.
    """
    moved = []
    wishes = SeatingWish.objects.filter(Q(player=gone) | Q(other=gone)).order_by("pk")
    for wish in wishes if only is None else wishes.filter(pk__in=only):
        people = {wish.player_id, wish.other_id} - {gone.pk, None} | {stays.pk}
        first, *others = sorted(key for key in people if key is not None)
        if bool(others) != (wish.other_id is not None):
            continue
        wish.player_id, wish.other_id = first, others[0] if others else None
        there = SeatingWish.objects.filter(kind=wish.kind, player=first)
        if wish.other_id is not None:
            there = there.filter(other=wish.other_id)
        if there.exists():
            continue
        wish.save(update_fields=["player", "other"])
        moved.append(wish.pk)
    return moved


def _keys(rows: Any) -> list[int]:
    return sorted(rows.values_list("pk", flat=True))


# Taking it back -----------------------------------------------------------------------------------


@transaction.atomic
def unmerge(*, log_entry_id: int, by: Actor) -> Player:
    """Make two players of one again, as they were before the merger; doing it twice is once.

    :raises Refused: ``unmerge-late`` if seats moved since, or the player was merged on or
        erased; ``name-taken`` if somebody else has the name by now.
    """
    log_entry = LogEntry.objects.get(pk=log_entry_id, verb="players-merged")
    keys = log_entry.on["player"], log_entry.on["into"]
    _hold_tables_played_at(*keys)
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
        _recount_dealers(player, by)
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
        raise name_taken(gone.name) from None


def _split_seats(moved: Mapping[str, Any], gone: Player) -> None:
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
            reserve_since=row.get("reserve_since"),
            seed=None if seeded.exists() else seed,
        )
    seats = [seat for row in moved["combined"] for seat in row["seats"]]
    tables = set(Seat.objects.filter(pk__in=seats).values_list("sitting", flat=True))
    before = lock_and_tally(tables)
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
    add_to_tallies(lock_and_tally(tables).less(before))


def _late() -> Refused:
    return Refused(
        "unmerge-late",
        gettext_noop("Too much has happened since: these two cannot be told apart any more."),
    )
