"""The page on which points are given and taken beside the hands."""

from dataclasses import dataclass

from django.utils.translation import gettext

from tracker.models import Award, AwardKind, Entrant, RoundState, Tournament
from tracker.standings.queries.awards import KINDS


@dataclass(frozen=True, slots=True, kw_only=True)
class AwardGiven:
    """An award, also one that was taken back."""

    award_id: int
    name: str
    kind: str
    points: str
    round: int | None
    reason: str
    withdrawn: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class AwardPage:
    given: tuple[AwardGiven, ...]
    entrants: tuple[tuple[int, str], ...]
    rounds: tuple[tuple[int, int], ...]


def award_page(tournament: Tournament) -> AwardPage:
    """Return every award of a tournament, the latest first, in three queries."""
    entrants = Entrant.objects.filter(tournament=tournament).select_related("player", "team")
    rounds = tournament.rounds.filter(state__in=[RoundState.OPEN, RoundState.CLOSED])
    awards = Award.objects.filter(tournament=tournament).select_related(
        "entrant__player", "entrant__team", "round"
    )
    return AwardPage(
        given=tuple(map(_given, awards.order_by("-pk"))),
        entrants=tuple(
            (entrant.pk, str(entrant))
            for entrant in entrants.order_by("player__name_key", "team__name_key", "pk")
        ),
        rounds=tuple(rounds.order_by("-number").values_list("pk", "number")),
    )


def _given(award: Award) -> AwardGiven:
    return AwardGiven(
        award_id=award.pk,
        name=str(award.entrant),
        kind=gettext(KINDS[AwardKind(award.kind)]),
        points=_points(award),
        round=award.round.number if award.round else None,
        reason=gettext(award.reason),
        withdrawn=award.withdrawn_at is not None,
    )


def _points(award: Award) -> str:
    if award.amount is None:
        return gettext("own average")
    if award.kind == AwardKind.PENALTY:
        return f"−{abs(award.amount)}"
    return f"{award.amount:+d}".replace("-", "−")
