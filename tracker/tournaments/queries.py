"""The tournaments of a club."""

from django.db.models import Count, Exists, OuterRef, Q, QuerySet, Subquery

from tracker.models import Club, Round, RoundState, Tournament


def tournaments_of(club: Club) -> QuerySet[Tournament]:
    """Return the tournaments of a club, each with what a list tells of it, its stages as one.

    ``last`` is the number of its last round, ``playing`` whether people sit at its
    tables or those of a stage after it, ``entered`` how many are in it.
    """
    rounds = Round.objects.filter(tournament=OuterRef("pk")).exclude(state=RoundState.UNDONE)
    of_event = Round.objects.filter(
        Q(tournament=OuterRef("pk"))
        | Q(tournament__follows=OuterRef("pk"))
        | Q(tournament__follows__follows=OuterRef("pk"))
    )
    return (
        Tournament.objects.filter(club=club, follows=None)
        .select_related("season")
        .annotate(
            last=Subquery(rounds.order_by("-number").values("number")[:1]),
            playing=Exists(of_event.filter(state=RoundState.OPEN)),
            entered=Count("entrants", filter=Q(entrants__withdrawn_at=None)),
        )
        .order_by("-created_at", "-pk")
    )


def gone_on(tournament: str = "pk") -> Q:
    """Say of *tournament* in a query whether it goes on elsewhere, and waits for nothing itself.

    Stages follow it, or the groups of which it is one, and no round of it is open.
    """
    its = {field: OuterRef(f"{tournament}__{field}") for field in ("follows", "created_at")}
    key = OuterRef(tournament)
    if tournament == "pk":
        its = {field: OuterRef(field) for field in its}
    beside = Tournament.objects.filter(follows=its["follows"])
    groups = beside.filter(created_at=its["created_at"]).exclude(pk=key)
    after_groups = beside.filter(created_at__gt=its["created_at"])
    playing = Round.objects.filter(tournament=key, state=RoundState.OPEN)
    return (
        Q(Exists(Tournament.objects.filter(follows=key)))
        | (Q(Exists(groups)) & Q(Exists(after_groups)))
    ) & ~Q(Exists(playing))
