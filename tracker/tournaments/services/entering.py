"""Entrants (players or teams) of a tournament: enter, withdraw, return, limit places, seed.

If the number of places is limited, later entrants wait on the reserve list; its first entrant moves
up as soon as a place is free. A *seed* is a rank by strength before the first round, from 1.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta

from django.db import transaction

from games.errors import gettext_noop
from tracker.common.actor import Actor
from tracker.common.audit_log import log
from tracker.common.errors import Refused
from tracker.models import Entrant, Format, Player, Seat, Team, Tournament

MOST_PLACES = MOST_SEEDS = 999
_MICROSECOND = timedelta(microseconds=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Withdrawal:
    """A withdrawn entrant, the number of their table if a round is running, and who moved up."""

    entrant: Entrant
    table: int | None
    moved_up: tuple[Entrant, ...]


@transaction.atomic
def enter_players(
    *, tournament_id: int, players: Sequence[int], by: Actor, beyond_places: bool = False
) -> list[Entrant]:
    """Enter *players* (keys) of the club, in this order, and return the entrants of all of them.

    Players who are entered already stay so. If all places are taken, players go on the reserve
    list; with *beyond_places* they get a place all the same, even from that list.
    """
    tournament = Tournament.objects.select_for_update(no_key=True).get(pk=tournament_id)
    if tournament.format != Format.PLAYERS:
        raise Refused("teams-enter", gettext_noop("Fixed pairs or teams play here, not players."))
    in_club = Player.objects.present().filter(club_id=tournament.club_id, pk__in=players)
    if in_club.count() != len(set(players)):
        raise Refused("player-unknown", gettext_noop("Choose only players of this club."))
    return _enter(tournament, "player_id", players, by, beyond_places=beyond_places)


@transaction.atomic
def enter_teams(*, tournament_id: int, teams: Sequence[int], by: Actor) -> list[Entrant]:
    """Enter teams of the club, as ``enter_players`` does players."""
    tournament = Tournament.objects.select_for_update(no_key=True).get(pk=tournament_id)
    if tournament.format != Format.TEAMS:
        raise Refused("players-enter", gettext_noop("Players enter here one by one, not as teams."))
    if len(Team.objects.filter(club_id=tournament.club_id).in_bulk(list(teams))) != len(set(teams)):
        raise Refused("team-unknown", gettext_noop("Choose only teams of this club."))
    return _enter(tournament, "team_id", teams, by)


def enter_player(
    *, tournament_id: int, player_id: int, by: Actor, beyond_places: bool = False
) -> Entrant:
    return enter_players(
        tournament_id=tournament_id, players=[player_id], by=by, beyond_places=beyond_places
    )[0]


@transaction.atomic
def withdraw(*, entrant_id: int, by: Actor, expelled: bool = False, reason: str = "") -> Withdrawal:
    """Withdraw an entrant; results and the seat in a running round stay, the seed becomes free.

    In a bracket that has begun, the seed stays too: it says where those with a bye stand.
    With *expelled* the organiser does so for a *reason*, also to somebody who has withdrawn.
    """
    if expelled and not reason:
        raise Refused("reason-missing", gettext_noop("Say why."), question="reason")
    entrant, tournament = _with_tournament(entrant_id)
    moved_up: list[Entrant] = []
    if entrant.withdrawn_at is None or (expelled and not entrant.expelled):
        entrant.withdrawn_at = entrant.withdrawn_at or by.at
        entrant.expelled, entrant.reserve_since = expelled, None
        if not (tournament.has_bracket and tournament.rounds.not_undone().exists()):
            entrant.seed = None
        entrant.save(update_fields=["withdrawn_at", "expelled", "reserve_since", "seed"])
        verb = "entrant-expelled" if expelled else "entrant-withdrew"
        log(by, verb, **tournament.log_keys, entrant=entrant.pk, reason=reason)
        moved_up = _move_up(tournament, by)
    seats = Seat.objects.active().filter(entrant=entrant)
    table = seats.values_list("sitting__number", flat=True).first()
    return Withdrawal(entrant=entrant, table=table, moved_up=tuple(moved_up))


@transaction.atomic
def come_back(*, entrant_id: int, by: Actor) -> Entrant:
    """Let a withdrawn entrant play again: in the coming round, or from the reserve list."""
    entrant, tournament = _with_tournament(entrant_id)
    if entrant.team_id is not None:
        return enter_teams(tournament_id=tournament.pk, teams=[entrant.team_id], by=by)[0]
    # An entrant without a team has a player. The 0 is for the type checker: no player has that key.
    return enter_player(tournament_id=tournament.pk, player_id=entrant.player_id or 0, by=by)


@transaction.atomic
def limit_places(*, tournament_id: int, places: int | None, by: Actor) -> list[Entrant]:
    """Limit the places (``None``: no limit), which takes no place away. Return who moves up."""
    tournament = Tournament.objects.select_for_update(no_key=True).get(pk=tournament_id)
    if places is not None and not 1 <= places <= MOST_PLACES:
        text = gettext_noop("1 to %(most)d places, please.")
        raise Refused("places", text, question="places", most=MOST_PLACES)
    if tournament.places == places:
        return []
    before, tournament.places = tournament.places, places
    tournament.save(update_fields=["places"])
    log(by, "places-limited", **tournament.log_keys, numbers={"before": before, "places": places})
    return _move_up(tournament, by)


@transaction.atomic
def seed_entrants(*, tournament_id: int, seeds: Mapping[int, int | None], by: Actor) -> None:
    """Set *seeds*, keyed by entrant: 1 for the strongest, ``None`` for none; others stay."""
    tournament = Tournament.objects.select_for_update(no_key=True).get(pk=tournament_id)
    before = dict(tournament.entrants.values_list("pk", "seed"))  # keyed by entrant, like *seeds*
    if not seeds.keys() <= before.keys():
        raise Refused("entrant-unknown", gettext_noop("Only who is in the tournament gets a seed."))
    after = before | dict(seeds)
    entrants_with = Counter(seed for seed in after.values() if seed is not None)
    for entrant, seed in seeds.items():
        if seed is None:
            continue
        if not 1 <= seed <= MOST_SEEDS:
            text = gettext_noop("Seeds go from 1 to %(most)d.")
            raise Refused("seed", text, question=f"seed_{entrant}", most=MOST_SEEDS)
        if entrants_with[seed] > 1:
            text = gettext_noop("Two of them are number %(seed)d: give each a number of its own.")
            raise Refused("seed-twice", text, question=f"seed_{entrant}", seed=seed)
    changed = sorted(entrant for entrant, seed in after.items() if seed != before[entrant])
    if not changed:
        return
    # Cleared first: the database refuses two equal seeds, which a swap would have in between.
    tournament.entrants.filter(pk__in=changed).update(seed=None)
    for entrant in changed:
        tournament.entrants.filter(pk=entrant).update(seed=after[entrant])
    numbers = {"seeds": [after[entrant] for entrant in changed]}
    log(by, "entrants-seeded", **tournament.log_keys, entrants=changed, numbers=numbers)


def _with_tournament(entrant_id: int) -> tuple[Entrant, Tournament]:
    """Return an entrant and its tournament, locked so that one place is given at a time."""
    tournament = Tournament.objects.select_for_update(no_key=True).get(entrants=entrant_id)
    return Entrant.objects.select_related("player", "team").get(pk=entrant_id), tournament


def _enter(
    tournament: Tournament,
    column: str,
    keys: Sequence[int],
    by: Actor,
    *,
    beyond_places: bool = False,
) -> list[Entrant]:
    """Enter players or teams by *keys* for this *column* of an entrant; withdrawn ones return."""
    entrant_of = {getattr(entrant, column): entrant for entrant in tournament.entrants.all()}
    places_taken = sum(entrant.has_place for entrant in entrant_of.values())
    entrants, changed, on_reserve = [], [], []
    # The reserve list is ordered by this time: whoever joins it comes after all who wait.
    waiting = [entrant.reserve_since for entrant in entrant_of.values() if entrant.reserve_since]
    reserve_since = max([by.at, *(moment + _MICROSECOND for moment in waiting)])
    for key in keys:
        entrant = entrant_of.get(key) or Entrant(tournament=tournament, **{column: key})
        entrants.append(entrant)
        # With *beyond_places*, even those on the reserve list get a place.
        gets_place = beyond_places and entrant.reserve_since is not None
        if entrant.pk and entrant.withdrawn_at is None and not gets_place:
            continue  # entered already, and stays so
        entrant.expelled = False
        full = tournament.places is not None and places_taken >= tournament.places
        if full and not beyond_places:
            entrant.withdrawn_at, entrant.reserve_since = None, reserve_since
            reserve_since += _MICROSECOND
        else:
            entrant.withdrawn_at = entrant.reserve_since = None
            places_taken += 1
        entrant.save()
        entrant_of[key] = entrant  # so that a key listed twice enters once
        changed.append(entrant.pk)
        if entrant.reserve_since is not None:
            on_reserve.append(entrant.pk)
    if changed:
        numbers = {"reserve": sorted(on_reserve)} if on_reserve else {}
        log(by, "entered", **tournament.log_keys, entrants=sorted(changed), numbers=numbers)
    return entrants


def _move_up(tournament: Tournament, by: Actor) -> list[Entrant]:
    """Give the free places to the first entrants of the reserve list, and return these."""
    waiting = tournament.entrants.exclude(reserve_since=None).select_related("player", "team")
    in_order = waiting.order_by("reserve_since", "pk")
    if tournament.places is not None:
        in_order = in_order[: max(0, tournament.places - tournament.entrants.playing().count())]
    moved = list(in_order)
    keys = [entrant.pk for entrant in moved]
    Entrant.objects.filter(pk__in=keys).update(reserve_since=None)
    for entrant in moved:
        entrant.reserve_since = None
    if moved:
        log(by, "reserve-moved-up", **tournament.log_keys, entrants=keys)
    return moved
