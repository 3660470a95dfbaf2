"""Awards: points given or taken apart from hands, and the credit for a *rest* (sitting out).

An award is a fixed amount of points, or the entrant's own average: what it got on average in as
many hands as the award's round has. Usually a rest gives this average. Where match points rank
first, a rest is called a bye, and may give the match points of a win or a draw.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from django.db.models import Count, OuterRef, Subquery, Sum
from django.utils.translation import gettext

from games.sheet import Criterion, criterion
from tracker.common.figures import in_unit, signed
from tracker.criteria.ranking_criteria import DRAW, MATCH_POINTS, WIN, criteria_of
from tracker.models import (
    Award,
    AwardKind,
    AwardRule,
    RestCredit,
    Round,
    RoundState,
    SeatTally,
    Sitting,
    Tournament,
)
from tracker.standings.queries.match_points import DECIDED
from tracker.standings.queries.sums import Sums


@dataclass(frozen=True, slots=True, kw_only=True)
class GivenAward:
    """An award with its amount, which is below 0 if points are taken.

    It adds to the figure of the criterion ``unit``, and ``counts`` if this ranks first. Of an
    average, ``rounds`` is the number of rounds that it is taken from.
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
    def counted_amount(self) -> Fraction:
        return self.amount if self.counts else Fraction(0)


def live_awards(tournaments: Collection[Tournament], upto: Round | None = None) -> list[Award]:
    """Return the awards of these tournaments that were not withdrawn, in one query.

    *upto* leaves out awards for later rounds, and awards for no round that were given later. If
    there are averages, a second query sets their ``rounds_played``, by the entrant; and of averages
    for a rest ``part_played``, how much of the round its tables have played: 5 of 8 hands are 5/8.
    """
    live = Award.objects.filter(tournament__in=tournaments, withdrawn_at=None)
    live = live.exclude(round__state=RoundState.UNDONE)
    awards = [
        award
        for award in live.select_related("round").order_by("pk")
        if upto is None or award.stands_after(upto.number, upto.closed_at)
    ]
    averages = {award.pk: award for award in awards if award.rule == AwardRule.AVERAGE}
    for row in _numbers_for_averages(averages, upto) if averages else ():
        award = averages[row["pk"]]
        award.rounds_played = row["rounds_played"] or 0
        if award.kind == AwardKind.RESTING and award.round is not None:
            tables, hands = row["tables"] or 1, award.round.hands
            if hands is None:  # no set number: a table has played its part once it played a hand
                played, planned = row["tables_begun"], tables
            else:
                played, planned = row["hands_played"], tables * hands
            award.part_played = min(Fraction(1), Fraction(played or 0, planned))
    tournament_by_key = {tournament.pk: tournament for tournament in tournaments}
    for award in awards:
        award.tournament = tournament_by_key[award.tournament_id]  # so that it is not read again
    return awards


def _numbers_for_averages(keys: Collection[int], upto: Round | None) -> Iterable[Mapping[str, Any]]:
    """Return a row of numbers, ``None`` instead of 0, for each award with one of these *keys*.

    Its entrant has played in ``rounds_played`` rounds, up to the round *upto*. Its round has so
    many ``tables``; a hand was played at ``tables_begun`` of them, and ``hands_played`` at all.
    """
    # Each number is a subquery, grouped by what it is counted for. The empty order_by() leaves out
    # the usual order of the rows, which would split the groups.
    hand_tallies = SeatTally.objects.filter(key="hands", amount__gt=0).order_by()
    own_tallies = hand_tallies.filter(seat__entrant=OuterRef("entrant"))
    own_tallies = own_tallies.exclude(seat__round__state=RoundState.UNDONE)
    if upto is not None:
        own_tallies = own_tallies.filter(seat__round__number__lte=upto.number)
    of_entrant = own_tallies.values("seat__entrant")
    # In each hand exactly one player sits at place 0, so that a hand counts once.
    at_place_0 = hand_tallies.filter(seat__round=OuterRef("round"), seat__place=0)
    of_round = at_place_0.values("seat__round")
    sittings = Sitting.objects.filter(round=OuterRef("round")).order_by().values("round")
    return Award.objects.filter(pk__in=keys).values(
        "pk",
        rounds_played=Subquery(of_entrant.values_list(Count("seat__round", distinct=True))),
        tables=Subquery(sittings.values_list(Count("pk"))),
        tables_begun=Subquery(of_round.values_list(Count("seat__sitting", distinct=True))),
        hands_played=Subquery(of_round.values_list(Sum("amount"))),
    )


def with_amounts(
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
        unit, rounds = _unit_of(award, points), None
        amount = _fixed_amount(award, unit)
        if amount is None:
            rounds = award.rounds_played
            if rounds_played is not None:
                rounds = rounds_played.get(award.entrant_id, 0)
            amount = _average(award, points, sums.get(award.entrant_id, Counter()), rounds)
        elif unit.fewest and award.kind in {AwardKind.PENALTY, AwardKind.AWARD}:
            # A penalty harms and an award helps, also if the fewest points are best.
            amount = -amount
        counts = unit.key == points.key
        each = GivenAward(award=award, amount=amount, unit=unit, counts=counts, rounds=rounds)
        given.append(each)
    return tuple(given)


def _unit_of(award: Award, points: Criterion) -> Criterion:
    """Return the criterion an award adds to: the one that ranked first when it was given.

    The award has its key. Old awards and averages have none: they add to *points*, which rank
    first now.
    """
    if award.unit in {"", points.key}:
        return points
    rules, options = award.tournament.rules, award.tournament.house_rules
    criteria = {each.key: each for each in (MATCH_POINTS, *rules.tie_breaks(options))}
    # A criterion that the game no longer has gets its key for a name.
    return criteria.get(award.unit, criterion(award.unit, award.unit))


def _fixed_amount(award: Award, unit: Criterion) -> Fraction | None:
    """Return the amount as it was given, below 0 for a penalty; ``None`` for an average."""
    if award.amount is None:
        return None
    amount = -abs(award.amount) if award.kind == AwardKind.PENALTY else award.amount
    # Amounts of a share are stored in percent.
    return Fraction(amount, 100 if unit.percent else 1)


def _average(award: Award, points: Criterion, marks: Counter[str], rounds: int) -> Fraction:
    """Return what sums of *marks* come to on average in a round like the award's.

    Match points are those of an average match, other points those of as many average hands as the
    round has. If it has no set number of hands, they are the average of the *rounds* played.
    """
    if points.per or not marks["hands"]:
        # Sitting out changes no share, and without a hand there is no average.
        return Fraction(0)
    total = points.value(marks)
    if award.part_played is not None:  # of a rest
        total *= award.part_played
    if points.key == MATCH_POINTS.key:
        return total / max(1, marks[DECIDED])
    hands = award.round.hands if award.round else award.tournament.hands
    return total / rounds if hands is None else total * hands / marks["hands"]


def awards_in_words(tournament: Tournament, points: Criterion) -> list[tuple[Award, str]]:
    """Return every award, withdrawn ones too, the latest first, with its amount as text.

    *points* is the criterion that ranks first. It takes one query.
    """

    def amount_in_words(award: Award) -> str:
        unit = _unit_of(award, points)
        amount = _fixed_amount(award, unit)
        return gettext("own average") if amount is None else signed(amount, unit)

    awards = tournament.awards.select_related("entrant__player", "entrant__team", "round")
    return [(award, amount_in_words(award)) for award in awards.order_by("-pk")]


def worth_of_a_rest(tournament: Tournament) -> dict[str, Any] | None:
    """Return the fields of an award for a rest: amount and unit, or rule; ``None`` for no award."""
    points = criteria_of(tournament)[0]
    match _rest_credit(tournament, points):
        case RestCredit.WIN:
            return {"amount": WIN, "unit": points.key}
        case RestCredit.DRAW:
            return {"amount": DRAW, "unit": points.key}
        case RestCredit.FIXED:
            return {"amount": tournament.rest_points, "unit": points.key}
        case RestCredit.AVERAGE:
            return {"rule": AwardRule.AVERAGE}
        case RestCredit.NOTHING | None:
            return None


def rest_in_words(tournament: Tournament, points: Criterion) -> str:
    """Return a sentence on what a rest is worth in *points*; empty for a knock-out."""
    match _rest_credit(tournament, points):
        case RestCredit.WIN:
            return gettext("A bye counts as a win.")
        case RestCredit.DRAW:
            return gettext("A bye counts as a draw.")
        case RestCredit.FIXED:
            amount = Fraction(tournament.rest_points or 0)
            return gettext("Sitting out earns %(points)s.") % {"points": in_unit(amount, points)}
        case RestCredit.AVERAGE:
            return (
                gettext("Sitting out changes nobody’s share.")
                if points.per
                else gettext("Sitting out earns your own average.")
            )
        case RestCredit.NOTHING:
            return gettext("Sitting out earns nothing.")
        case None:
            return ""


def _rest_credit(tournament: Tournament, points: Criterion) -> RestCredit | None:
    """Return the credit that a rest gets where *points* rank first; ``None`` in a knock-out.

    Only match points have wins and draws, and only points that are no share have fixed numbers:
    where the credit of the tournament does not fit, a rest gets the average.
    """
    if tournament.has_bracket:
        return None  # sitting out is a bye into the next round, and points decide nothing
    credit = RestCredit(tournament.rest_credit)
    match credit:
        case RestCredit.WIN | RestCredit.DRAW if points.key != MATCH_POINTS.key:
            return RestCredit.AVERAGE
        case RestCredit.FIXED if points.per:
            return RestCredit.AVERAGE
    return credit
