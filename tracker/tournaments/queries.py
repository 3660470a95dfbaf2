"""The tournaments of a club."""

from django.db.models import Count, Exists, OuterRef, Q, QuerySet, Subquery

from tracker.models import Club, Round, RoundState, Tournament


def tournaments_of(club: Club) -> QuerySet[Tournament]:
    """Return the tournaments of a club, each with what a list tells of it.

    ``last`` is the number of its last round, ``playing`` whether people sit at its
    tables, ``entered`` how many are in it.
    """
    rounds = Round.objects.filter(tournament=OuterRef("pk")).exclude(state=RoundState.UNDONE)
    return (
        Tournament.objects.filter(club=club)
        .select_related("season")
        .annotate(
            last=Subquery(rounds.order_by("-number").values("number")[:1]),
            playing=Exists(rounds.filter(state=RoundState.OPEN)),
            entered=Count("entrants", filter=Q(entrants__withdrawn_at=None)),
        )
        .order_by("-created_at", "-pk")
    )
