"""The tournaments of a club, and who plays in one."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Count, Exists, OuterRef, Q, QuerySet, Subquery

from tracker.models import (
    Club,
    Entrant,
    Format,
    Player,
    Round,
    RoundState,
    Seat,
    Team,
    Tournament,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class WhoPlays:
    """The entrants of a tournament by name: those with a place, the reserve list, the others."""

    playing: Sequence[Entrant]  # by seed
    reserve: Sequence[Entrant]  # the first to move up first
    withdrawn: Sequence[Entrant]


def tournaments_of(club: Club) -> QuerySet[Tournament]:
    """Return the tournaments of a club, each with what a list tells of it, its stages as one.

    ``last`` is the number of its last round, ``playing`` whether people sit at its
    tables or those of a stage after it, ``entered`` how many have a place in it.
    """
    rounds = Round.objects.filter(tournament=OuterRef("pk")).exclude(state=RoundState.UNDONE)
    of_event = Round.objects.filter(
        Q(tournament=OuterRef("pk"))
        | Q(tournament__follows=OuterRef("pk"))
        | Q(tournament__follows__follows=OuterRef("pk"))
    )
    with_place = Q(entrants__withdrawn_at=None, entrants__reserve_since=None)
    return (
        Tournament.objects.filter(club=club, follows=None)
        .select_related("season")
        .annotate(
            last=Subquery(rounds.order_by("-number").values("number")[:1]),
            playing=Exists(of_event.filter(state=RoundState.OPEN)),
            entered=Count("entrants", filter=with_place),
        )
        .order_by("-created_at", "-pk")
    )


def who_plays(tournament: Tournament) -> WhoPlays:
    """Return all entrants, each with the ``table`` of a running round, in one query."""
    seats = Seat.objects.active().filter(entrant=OuterRef("pk"))
    named = Entrant.objects.filter(tournament=tournament).by_name()
    entrants = named.annotate(table=Subquery(seats.values("sitting__number")[:1]))
    playing = [entrant for entrant in entrants if entrant.has_place]
    waiting = [entrant for entrant in entrants if entrant.reserve_since is not None]
    return WhoPlays(
        playing=sorted(playing, key=lambda entrant: (entrant.seed is None, entrant.seed or 0)),
        reserve=sorted(waiting, key=lambda entrant: (entrant.reserve_since, entrant.pk)),
        withdrawn=[entrant for entrant in entrants if entrant.withdrawn_at is not None],
    )


def newcomers(tournament: Tournament) -> list[tuple[int, str]]:
    """Return by name who of the club is not in the tournament, or withdrew, in one query."""
    entered = tournament.entrants.filter(withdrawn_at=None)
    new: QuerySet[Team] | QuerySet[Player]
    if tournament.format == Format.TEAMS:
        new = Team.objects.exclude(pk__in=entered.values("team"))
    else:
        new = Player.objects.present().exclude(pk__in=entered.values("player"))
    in_club = new.filter(club=tournament.club_id).order_by("name_key")
    return list(in_club.values_list("pk", "name"))


def gone_on(tournament: str = "pk") -> Q:
    """Say of *tournament* in a query whether it goes on elsewhere, and waits for nothing itself.

    Stages follow it, or the groups of which it is one, and no round of it is open.
    """
    way = "" if tournament == "pk" else f"{tournament}__"
    key, made = OuterRef(tournament), OuterRef(f"{way}created_at")
    beside = Tournament.objects.filter(follows=OuterRef(f"{way}follows"))
    groups = beside.filter(created_at=made).exclude(pk=key)
    after_groups = beside.filter(created_at__gt=made)
    playing = Round.objects.filter(tournament=key, state=RoundState.OPEN)
    return (
        Q(Exists(Tournament.objects.filter(follows=key)))
        | (Q(Exists(groups)) & Q(Exists(after_groups)))
    ) & ~Q(Exists(playing))
