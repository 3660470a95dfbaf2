"""Awards: points given or taken apart from hands, and the credit for a rest (sitting out)."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from django.db.models import BigIntegerField, Case, Count, OuterRef, Q, Subquery, Sum, When
from django.utils.translation import gettext

from games.errors import gettext_noop
from games.sheet import Criterion, criterion
from tracker.common.figures import in_unit, signed
from tracker.models import (
    Award,
    AwardKind,
    AwardRule,
    Movement,
    RankedBy,
    RestCredit,
    Round,
    RoundState,
    SeatTally,
    Sitting,
    Tournament,
)
from tracker.standings.queries.match_points import DECIDED
from tracker.standings.queries.ranking_criteria import DRAW, MATCH_POINTS, WIN, criteria_of
from tracker.standings.queries.sums import Sums

# In these, sitting out is a bye into the next round, and points decide nothing.
NEVER_CREDITED = frozenset({Movement.KNOCKOUT, Movement.DOUBLE_ELIMINATION})
# Where match points rank: the match points of a bye, and the sentence about them.
_BYES: Mapping[str, tuple[int, str]] = {
    RestCredit.WIN: (WIN, gettext_noop("A bye counts as a win.")),
    RestCredit.DRAW: (DRAW, gettext_noop("A bye counts as a draw.")),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class GivenAward:
    """An award with its amount, which is below 0 if points are taken.

    It adds to the figure of the criterion ``unit``, and ``counts`` if that ranks first. If it is an
    average, ``rounds`` is the number of rounds that the average is taken from.
    """

    award: Award
    amount: Fraction
    unit: Criterion
    counts: bool = True
    rounds: int | None = None

    @property
    def entrant(self) -> int:
        return self.award.entrant_id

    @property
    def points(self) -> Fraction:
        return self.amount if self.counts else Fraction(0)


def live_awards(tournaments: Collection[Tournament], upto: Round | None = None) -> list[Award]:
    """Return the awards of these tournaments that were not withdrawn, in one query.

    *upto* leaves out awards for later rounds, and awards for no round that were given later. If
    there are averages, a second query sets their ``rounds_played``, ``tables`` and ``played``, as
    ``_counts_for_averages`` says.
    """
    live = Award.objects.filter(tournament__in=tournaments, withdrawn_at=None)
    live = live.exclude(round__state=RoundState.UNDONE)
    awards = [
        award
        for award in live.select_related("round").order_by("pk")
        if upto is None or award.stands_after(upto.number, upto.closed_at)
    ]
    averages = {award.pk: award for award in awards if award.rule == AwardRule.AVERAGE}
    counts = _counts_for_averages([*averages], upto.number if upto else None) if averages else ()
    for pk, rounds, tables, played in counts:
        averages[pk].rounds_played = rounds
        averages[pk].tables, averages[pk].played = tables, played
    tournament_by = {tournament.pk: tournament for tournament in tournaments}
    for award in awards:
        award.tournament = tournament_by[award.tournament_id]
    return awards


def _counts_for_averages(awards: Collection[int], upto: int | None) -> Iterable[tuple[int, ...]]:
    """Return for each award its key, the rounds its entrant has played, and two counts for a rest.

    These say how much of the award's round was played: the number of its tables, and the hands they
    have played, or for a round without a number of hands the tables that have played at all.
    """
    played = SeatTally.objects.filter(
        seat__entrant=OuterRef("entrant"), key="hands", amount__gt=0
    ).exclude(seat__round__state=RoundState.UNDONE)
    if upto is not None:
        played = played.filter(seat__round__number__lte=upto)
    # In each subquery, order_by() leaves out the usual order, which would split the groups.
    by_entrant = played.order_by().values("seat__entrant")
    rounds = by_entrant.annotate(rounds=Count("seat__round", distinct=True))
    rest = Q(kind=AwardKind.RESTING)
    tables = Sitting.objects.filter(round=OuterRef("round")).order_by().values("round")
    # Exactly one player sits at place 0 in each hand.
    hands = SeatTally.objects.filter(
        seat__round=OuterRef("round"), seat__place=0, key="hands", amount__gt=0
    )
    by_round = hands.order_by().values("seat__round")
    tables_played = by_round.values_list(Count("seat__sitting", distinct=True))
    return Award.objects.filter(pk__in=awards).values_list(
        "pk",
        Subquery(rounds.values_list("rounds", flat=True)),
        Case(When(rest, then=Subquery(tables.values_list(Count("pk"))))),
        Case(
            When(rest & Q(round__hands=None), then=Subquery(tables_played)),
            When(rest, then=Subquery(by_round.values_list(Sum("amount")))),
            output_field=BigIntegerField(),
        ),
    )


def amounts(
    awards: Iterable[Award],
    points: Criterion,
    sums: Sums,
    rounds_played: Mapping[int, int] | None = None,
) -> tuple[GivenAward, ...]:
    """Return the awards of a tournament with their amounts.

    *points* is the criterion that ranks first. An average is what an entrant gets on average in as
    many hands as the round has, or if rounds have no number of hands, in a round; of match points,
    in a match. *rounds_played*, keyed by entrant, replace those that ``live_awards`` counted.
    """

    def rounds(award: Award) -> int:
        counted = award.rounds_played or 0
        return counted if rounds_played is None else rounds_played.get(award.entrant_id, 0)

    def average(award: Award) -> Fraction:
        marks = sums.get(award.entrant_id, Counter())
        if points.per or not marks["hands"]:
            # Sitting out changes no share, and without a hand there is no average.
            return Fraction(0)
        # Of a rest, only the part of the round that its tables have played: 5 of 8 hands.
        share = Fraction(*award.part[:2]) if award.part else 1
        if points.key == MATCH_POINTS.key:
            return points.value(marks) / max(1, marks[DECIDED]) * share
        hands = award.round.hands if award.round else award.tournament.hands
        if hands is None:
            return points.value(marks) / rounds(award) * share
        return points.value(marks) * hands / marks["hands"] * share

    def given(award: Award) -> GivenAward:
        unit, fixed = unit_of(award, points), award.amount
        return GivenAward(
            award=award,
            amount=average(award) if fixed is None else fixed_points(award, fixed, unit),
            unit=unit,
            counts=unit.key == points.key,
            rounds=rounds(award) if fixed is None else None,
        )

    return tuple(map(given, awards))


def unit_of(award: Award, points: Criterion) -> Criterion:
    """Return the criterion an award adds to: the one that ranked first when it was given.

    Awards that have not stored it add to what ranks first now.
    """
    if award.unit in {"", points.key}:
        return points
    rules, options = award.tournament.rules, award.tournament.house_rules
    criteria = {each.key: each for each in (MATCH_POINTS, *rules.tie_breaks(options))}
    return criteria.get(award.unit, criterion(award.unit, award.unit))


def fixed_points(award: Award, amount: int, points: Criterion) -> Fraction:
    """Return what to add to the points for an award of a fixed *amount*.

    A penalty harms and an award helps, also if the fewest points are best. If the points are a
    share, the amount is in percent.
    """
    harm = 1 if points.fewest else -1  # the sign of points that harm
    if award.kind == AwardKind.PENALTY:
        amount = harm * abs(amount)
    elif award.kind == AwardKind.AWARD:
        amount *= -harm
    return Fraction(amount, 100 if points.percent else 1)


def awards_with_points(tournament: Tournament, ranked_by: Criterion) -> list[tuple[Award, str]]:
    """Return every award, withdrawn ones too, the latest first, with its points in words.

    *ranked_by* is the criterion that ranks first. It takes one query.
    """

    def points(award: Award) -> str:
        if award.amount is None:
            return gettext("own average")
        amount = -abs(award.amount) if award.kind == AwardKind.PENALTY else award.amount
        unit = unit_of(award, ranked_by)
        return signed(Fraction(amount, 100 if unit.percent else 1), unit)

    awards = tournament.awards.select_related("entrant__player", "entrant__team", "round")
    return [(award, points(award)) for award in awards.order_by("-pk")]


def worth_of_a_rest(tournament: Tournament) -> dict[str, Any] | None:
    """Return the fields of the award for a rest: amount and unit, or rule; ``None`` for no award."""
    if Movement(tournament.movement) in NEVER_CREDITED:
        return None
    if tournament.rest_credit in _BYES and tournament.ranked_by == RankedBy.MATCH_POINTS:
        return {"amount": _BYES[tournament.rest_credit][0], "unit": MATCH_POINTS.key}
    points = criteria_of(tournament)[0]
    match RestCredit(tournament.rest_credit):
        case RestCredit.FIXED if not points.per:
            return {"amount": tournament.rest_points, "unit": points.key}
        # Without match points a win or draw means an average; so do fixed points beside a share.
        case RestCredit.AVERAGE | RestCredit.WIN | RestCredit.DRAW | RestCredit.FIXED:
            return {"rule": AwardRule.AVERAGE}
        case RestCredit.NOTHING:
            return None


def rest_in_words(tournament: Tournament, points: Criterion) -> str:
    """Return a sentence on what a rest is worth in *points*; empty for a knock-out."""
    if Movement(tournament.movement) in NEVER_CREDITED:
        return ""
    if tournament.rest_credit in _BYES and points.key == MATCH_POINTS.key:
        return gettext(_BYES[tournament.rest_credit][1])
    match RestCredit(tournament.rest_credit):
        case RestCredit.AVERAGE | RestCredit.WIN | RestCredit.DRAW | RestCredit.FIXED if points.per:
            return gettext("Sitting out changes nobody’s share.")
        case RestCredit.AVERAGE | RestCredit.WIN | RestCredit.DRAW:
            return gettext("Sitting out earns your own average.")
        case RestCredit.NOTHING:
            return gettext("Sitting out earns nothing.")
        case RestCredit.FIXED:
            amount = Fraction(tournament.rest_points or 0)
            return gettext("Sitting out earns %(points)s.") % {"points": in_unit(amount, points)}
