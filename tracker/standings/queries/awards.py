"""Awards: points given or taken apart from hands, and the credit for a *rest* (sitting out).

An award is a fixed amount of points, or the entrant's own average: what it got on average in as
many hands as the award's round has. Usually a rest gives this average.
"""

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
# Where match points rank, a rest is called a bye: its match points, and the sentence about them.
_BYES: Mapping[str, tuple[int, str]] = {
    RestCredit.WIN: (WIN, gettext_noop("A bye counts as a win.")),
    RestCredit.DRAW: (DRAW, gettext_noop("A bye counts as a draw.")),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class GivenAward:
    """An award with its amount, which is below 0 if points are taken.

    It adds to the figure of the criterion ``unit``. If this ranks first, the award ``counts``, and
    has ``points``. Of an average, ``rounds`` is the number of rounds that it is taken from.
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
    if averages:
        last_round = upto.number if upto else None
        for pk, *counts in _counts_for_averages(list(averages), last_round):
            award = averages[pk]
            award.rounds_played, award.tables, award.played = counts
    tournament_by = {tournament.pk: tournament for tournament in tournaments}
    for award in awards:
        award.tournament = tournament_by[award.tournament_id]  # so that it is not read again
    return awards


def _counts_for_averages(awards: Collection[int], upto: int | None) -> Iterable[tuple[int, ...]]:
    """Return for each award: its key, the number of rounds its entrant has played, and two counts.

    The two are of the round that a rest sat out, ``None`` for other awards: its number of tables,
    and how many hands were played at them; or, if the round has no set number of hands, at how many
    tables a hand was played.
    """
    # Each count is a subquery, grouped by what it is counted for. The empty order_by() leaves out
    # the usual order of the rows, which would split the groups.
    hands = SeatTally.objects.filter(key="hands", amount__gt=0).order_by()  # hands at each seat
    of_entrant = hands.filter(seat__entrant=OuterRef("entrant"))
    of_entrant = of_entrant.exclude(seat__round__state=RoundState.UNDONE)
    if upto is not None:
        of_entrant = of_entrant.filter(seat__round__number__lte=upto)
    rounds_played = of_entrant.values("seat__entrant").values_list(
        Count("seat__round", distinct=True)
    )
    tables = Sitting.objects.filter(round=OuterRef("round")).order_by().values("round")
    # In each hand exactly one player sits at place 0, so that a hand counts once.
    of_round = hands.filter(seat__round=OuterRef("round"), seat__place=0).values("seat__round")
    is_rest = Q(kind=AwardKind.RESTING)
    hands_or_tables_played = Case(
        When(
            is_rest & Q(round__hands=None),
            then=Subquery(of_round.values_list(Count("seat__sitting", distinct=True))),
        ),
        When(is_rest, then=Subquery(of_round.values_list(Sum("amount")))),
        output_field=BigIntegerField(),
    )
    return Award.objects.filter(pk__in=awards).values_list(
        "pk",
        Subquery(rounds_played),
        Case(When(is_rest, then=Subquery(tables.values_list(Count("pk"))))),
        hands_or_tables_played,
    )


def amounts(
    awards: Iterable[Award],
    points: Criterion,
    sums: Sums,
    rounds_played: Mapping[int, int] | None = None,
) -> tuple[GivenAward, ...]:
    """Return the awards of a tournament with their amounts.

    *points* is the criterion that ranks first. *rounds_played*, keyed by entrant, replace the
    numbers of rounds that ``live_awards`` counted.
    """
    given = []
    for award in awards:
        unit, rounds = unit_of(award, points), None
        if award.amount is not None:
            amount = fixed_points(award, award.amount, unit)
        else:
            rounds = award.rounds_played or 0
            if rounds_played is not None:
                rounds = rounds_played.get(award.entrant_id, 0)
            amount = _average(award, points, sums.get(award.entrant_id, Counter()), rounds)
        counts = unit.key == points.key
        each = GivenAward(award=award, amount=amount, unit=unit, counts=counts, rounds=rounds)
        given.append(each)
    return tuple(given)


def _average(award: Award, points: Criterion, marks: Counter[str], rounds: int) -> Fraction:
    """Return what sums of *marks* come to on average in a round like the award's.

    Match points are those of an average match, other points those of as many average hands as the
    round has. If it has no set number of hands, they are the average of the *rounds* played.
    """
    if points.per or not marks["hands"]:
        # Sitting out changes no share, and without a hand there is no average.
        return Fraction(0)
    # A rest counts only as far as the tables of its round have played: 5 of 8 hands are 5/8 of it.
    played_part = Fraction(*award.part[:2]) if award.part else 1
    total = points.value(marks) * played_part
    if points.key == MATCH_POINTS.key:
        return total / max(1, marks[DECIDED])
    hands = award.round.hands if award.round else award.tournament.hands
    return total / rounds if hands is None else total * hands / marks["hands"]


def unit_of(award: Award, points: Criterion) -> Criterion:
    """Return the criterion an award adds to: the one that ranked first when it was given.

    Awards that have not stored it add to what ranks first now.
    """
    if award.unit in {"", points.key}:
        return points
    rules, options = award.tournament.rules, award.tournament.house_rules
    criteria = {each.key: each for each in (MATCH_POINTS, *rules.tie_breaks(options))}
    # A criterion that the game no longer has gets its key for a name.
    return criteria.get(award.unit, criterion(award.unit, award.unit))


def fixed_points(award: Award, amount: int, points: Criterion) -> Fraction:
    """Return what to add to the points for an award of a fixed *amount*.

    A penalty harms and an award helps, also if the fewest points are best; others keep their sign.
    If the points are a share, the amount is in percent.
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

    def points_in_words(award: Award) -> str:
        if award.amount is None:
            return gettext("own average")
        amount = -abs(award.amount) if award.kind == AwardKind.PENALTY else award.amount
        unit = unit_of(award, ranked_by)
        return signed(Fraction(amount, 100 if unit.percent else 1), unit)

    awards = tournament.awards.select_related("entrant__player", "entrant__team", "round")
    return [(award, points_in_words(award)) for award in awards.order_by("-pk")]


def worth_of_a_rest(tournament: Tournament) -> dict[str, Any] | None:
    """Return the fields of an award for a rest: amount and unit, or rule; ``None`` for no award."""
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
