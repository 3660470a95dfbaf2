"""Points given or taken beside the hands."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from django.db.models import Count, OuterRef, QuerySet, Subquery
from django.utils.translation import gettext_noop

from games.sheet import Criterion
from tracker.models import Award, AwardKind, RoundState, SeatTally, Tournament
from tracker.standings.queries.sums import Sums

KINDS = {
    AwardKind.PENALTY: gettext_noop("Penalty"),
    AwardKind.AWARD: gettext_noop("Award"),
    AwardKind.RESTING: gettext_noop("Resting"),
    AwardKind.BYE: gettext_noop("Bye"),
    AwardKind.FORFEIT: gettext_noop("Forfeit"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Given:
    """What an entrant was given, or below 0 what was taken, and why."""

    entrant: int
    kind: AwardKind
    round: int | None
    reason: str
    points: Fraction


def given(
    tournament: Tournament, points: Criterion, sums: Sums, upto: int | None = None
) -> tuple[Given, ...]:
    """Return the awards that count, in one query.

    *points* is what the tournament ranks by first, *sums* what everybody has got of
    it by playing. *upto* leaves out those of later rounds and of no round.
    """
    awards = live_awards([tournament], upto)
    return amounts(awards, {tournament.pk: points}, sums, rounds_played(awards))


def live_awards(tournaments: Collection[Tournament], upto: int | None = None) -> list[Award]:
    """Return the awards that count in these tournaments, in one query.

    Each knows in how many rounds its entrant has played: an average may go by them.
    """
    live = Award.objects.filter(tournament__in=tournaments, withdrawn_at=None)
    live = live.exclude(round__state=RoundState.UNDONE)
    if upto is not None:
        live = live.filter(round__number__lte=upto)
    counted = live.annotate(rounds_played=Subquery(_rounds_played()))
    return list(counted.select_related("round", "tournament").order_by("pk"))


def rounds_played(awards: Iterable[Award]) -> Mapping[int, int]:
    """Return the rounds in which the entrants of these live awards have played a hand."""
    return {award.entrant_id: getattr(award, "rounds_played", None) or 0 for award in awards}


def amounts(
    awards: Iterable[Award],
    points: Mapping[int, Criterion],
    sums: Sums,
    rounds: Mapping[int, int],
) -> tuple[Given, ...]:
    """Return what these awards come to; *points* are by tournament, *rounds* by entrant."""

    def amount(award: Award) -> Fraction:
        criterion = points[award.tournament_id]
        if award.amount is not None:
            return _fixed(AwardKind(award.kind), award.amount, criterion)
        own = sums.get(award.entrant_id, Counter())
        hands = _usual_hands(award)
        return _own_average(criterion, own, hands, rounds.get(award.entrant_id, 0))

    return tuple(
        Given(
            entrant=award.entrant_id,
            kind=AwardKind(award.kind),
            round=award.round.number if award.round else None,
            reason=award.reason,
            points=amount(award),
        )
        for award in awards
    )


def _usual_hands(award: Award) -> int | None:
    """Return how many hands were to be played where the award stands for playing."""
    return award.round.hands if award.round else award.tournament.hands


def _fixed(kind: AwardKind, amount: int, points: Criterion) -> Fraction:
    """Return what to add: a penalty harms and a prize helps, also where the fewest is best.

    Where a share decides, a point is one of a hundred.
    """
    harm = 1 if points.fewest else -1
    whole = 100 if points.percent else 1
    match kind:
        case AwardKind.PENALTY:
            return Fraction(harm * abs(amount), whole)
        case AwardKind.AWARD:
            return Fraction(-harm * amount, whole)
        case _:
            return Fraction(amount, whole)


def _own_average(points: Criterion, own: Counter[str], hands: int | None, rounds: int) -> Fraction:
    """Return what somebody usually gets in so many hands, or without a number in a round."""
    played = own["hands"]
    if points.per or not played:
        return Fraction(0)  # a share needs no credit, and who has not played has no average
    share = Fraction(hands, played) if hands is not None else Fraction(1, rounds)
    return points.value(own) * share


def _rounds_played() -> QuerySet[SeatTally, int]:
    """Return the number of rounds in which the entrant of an award has played a hand."""
    played = SeatTally.objects.filter(
        seat__entrant=OuterRef("entrant"), key="hands", amount__gt=0
    ).exclude(seat__round__state=RoundState.UNDONE)
    by_entrant = played.order_by().values("seat__entrant")
    return by_entrant.annotate(rounds=Count("seat__round", distinct=True)).values_list(
        "rounds", flat=True
    )
