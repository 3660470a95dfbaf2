"""Changes of a standing apart from hands: awards, publishing, the official result, ties."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from django.db import transaction

from games.errors import gettext_noop
from tracker.common.actor import Actor
from tracker.common.audit_log import last_entry, log
from tracker.common.errors import Refused
from tracker.criteria.ranking_criteria import criteria_of
from tracker.criteria.tie_breaks import draw_lots
from tracker.models import (
    Award,
    AwardKind,
    AwardRule,
    Entrant,
    Issue,
    IssueKind,
    LogEntry,
    RoundState,
    Sitting,
    TieResolution,
    Tournament,
)
from tracker.standings.queries.prizes import open_ties
from tracker.standings.queries.standings import standings
from tracker.standings.queries.tournament_stages import Event, event_of, events_of, people_in
from tracker.tables.sql import LARGEST_ROUND
from tracker.tournaments.services.tournaments import check_goes_on, record_tournament

# Why a standing cannot be official, keyed by kind of issue.
_MISSING_RESULTS: Mapping[str, str] = {
    IssueKind.CONFLICT: gettext_noop(
        "Round %(round)d, table %(table)d: there are two counts of one result. Say which is right,"
        " then make the standings official."
    ),
    IssueKind.PARKED: gettext_noop(
        "Round %(round)d, table %(table)d: a result does not add up. Correct it or record it as not"
        " played, then make the standings official."
    ),
    IssueKind.LATE: gettext_noop(
        "Round %(round)d, table %(table)d: a result came after the round was closed. Take it or"
        " dismiss it, then make the standings official."
    ),
}


@transaction.atomic
def give_award(
    *,
    tournament_id: int,
    entrant_id: int,
    kind: AwardKind,
    amount: int | None,
    reason: str,
    round_id: int | None = None,
    by: Actor,
) -> Award:
    """Give an entrant points, or take some by a penalty.

    ``None`` as *amount* stands for the points that the entrant gets on average in a round.
    """
    tournament = Tournament.objects.get(pk=tournament_id)
    if not Entrant.objects.filter(pk=entrant_id, tournament=tournament).exists():
        text = gettext_noop("Choose somebody of this tournament.")
        raise Refused("not-entered", text, question="entrant")
    if round_id is not None and not tournament.rounds.filter(pk=round_id).exists():
        text = gettext_noop("Choose a round of this tournament.")
        raise Refused("round-unknown", text, question="round")
    if amount == 0:
        raise Refused("amount-zero", gettext_noop("Nothing would change."), question="amount")
    if amount is None and kind is AwardKind.PENALTY:
        text = gettext_noop("Say how many points it costs.")
        raise Refused("penalty-average", text, question="amount")
    award = Award.objects.create(
        tournament=tournament,
        entrant_id=entrant_id,
        round_id=round_id,
        kind=kind,
        amount=amount,
        rule=AwardRule.AVERAGE if amount is None else "",
        # The key of the points that the amount is in.
        unit="" if amount is None else criteria_of(tournament)[0].key,
        reason=reason,
        given_at=by.at,
    )
    _log_award(by, "award-given", award)
    return award


@transaction.atomic
def withdraw_award(*, tournament_id: int, award_id: int, by: Actor) -> None:
    """Withdraw an award of this tournament, unless it is withdrawn already."""
    awards = Award.objects.select_for_update(no_key=True)
    award = awards.filter(pk=award_id, tournament=tournament_id).first()
    if award is None:
        text = gettext_noop("There is no such award here: look at the list again.")
        raise Refused("award-unknown", text)
    if award.withdrawn_at is not None:
        return
    award.withdrawn_at = by.at
    award.save(update_fields=["withdrawn_at"])
    giving = last_entry("award-given", club_id=award.tournament.club_id, award=award.pk)
    _log_award(by, "award-withdrawn", award, undoes=giving)


def _log_award(by: Actor, verb: str, award: Award, *, undoes: LogEntry | None = None) -> None:
    keys = {**award.tournament.log_keys, "award": award.pk, "entrant": award.entrant_id}
    numbers = {field: getattr(award, field) for field in ("kind", "amount", "rule", "unit")}
    log(by, verb, **keys, numbers=numbers, reason=award.reason, undoes=undoes)


@transaction.atomic
def finish_tournament(*, tournament_id: int, by: Actor) -> Tournament:
    """Make the standing official; finishing it again changes nothing.

    An earlier stage becomes official with the last of the stages that its players went on to.

    :raises Refused: ``round-open``, or ``result-missing``.
    """
    [event] = events_of(Tournament.objects.filter(pk=tournament_id))
    # All its stages are locked, in the order in which merging two players locks them: otherwise
    # each could wait for the other (a deadlock).
    stages = Tournament.objects.select_for_update(no_key=True).order_by("pk")
    locked = stages.in_bulk([stage.pk for stage in event.stages])
    tournament = locked[tournament_id]
    if tournament.official_at is not None:
        return tournament
    refuse_open_round(tournament)
    if missing := missing_result(tournament):
        raise missing
    for stage in _carried_stages(event, tournament):
        if stage.rounds.filter(state=RoundState.OPEN).exists() or missing_result(stage):
            text = gettext_noop(
                "Points of %(stage)s count here, and results are missing there: enter them or"
                " record them as not played first."
            )
            raise Refused("result-missing", text, stage=stage.name)
    tournament.official_at = by.at
    tournament.save(update_fields=["official_at"])
    record_tournament(by, "tournament-finished", tournament)
    if tournament.follows_id is not None:
        _finish_earlier_stages(tournament, by)
    return tournament


def _carried_stages(event: Event, stage: Tournament) -> list[Tournament]:
    """Return the earlier stages whose points count in a stage, directly or through another stage."""
    if not stage.carries_over:
        return []
    people = people_in(event.stages)
    sources = [
        each for each in event.sources(stage) if people[each.pk].keys() & people[stage.pk].keys()
    ]
    return [*sources, *(each for source in sources for each in _carried_stages(event, source))]


def _finish_earlier_stages(finished: Tournament, by: Actor) -> None:
    """Make stages of the event official if all stages that their players went on to are.

    A stage from which no player went on, or that has an open round or a missing result, stays as it
    is.
    """
    event = event_of(finished)
    people = people_in(event.stages)
    # The latest stage comes first: ``waits`` below sees that it became official in an earlier turn.
    for stage in reversed(event.stages):
        went_on_to = [
            later
            for later in event.stages
            if stage in event.sources(later) and people[stage.pk].keys() & people[later.pk].keys()
        ]
        waits = any(later.official_at is None for later in went_on_to)
        if stage.official_at is not None or not went_on_to or waits:
            continue
        open_rounds = stage.rounds.filter(state=RoundState.OPEN)
        if not (open_rounds.exists() or missing_result(stage)):
            stage.official_at = by.at
            stage.save(update_fields=["official_at"])
            record_tournament(by, "tournament-finished", stage)


@transaction.atomic
def publish_standing(*, tournament_id: int, until: datetime, by: Actor) -> Tournament:
    """Publish the standing as provisional *until* then; an organiser makes it official later."""
    tournament = Tournament.objects.select_for_update(no_key=True).get(pk=tournament_id)
    check_goes_on(tournament)
    refuse_open_round(tournament)
    tournament.provisional_until = until
    tournament.save(update_fields=["provisional_until"])
    record_tournament(by, "standing-published", tournament)
    return tournament


@transaction.atomic
def reopen_tournament(*, tournament_id: int, by: Actor) -> Tournament:
    """Let an official tournament go on, and forget how its ties were resolved."""
    tournament = Tournament.objects.select_for_update(no_key=True).get(pk=tournament_id)
    if tournament.official_at is not None:
        tournament.official_at = tournament.provisional_until = tournament.tie_resolutions = None
        tournament.save(update_fields=["official_at", "provisional_until", "tie_resolutions"])
        record_tournament(by, "tournament-reopened", tournament)
    return tournament


def refuse_open_round(tournament: Tournament) -> None:
    """Refuse to go on with the whole tournament while one of its rounds is being played."""
    if running := tournament.rounds.filter(state=RoundState.OPEN).first():
        text = gettext_noop("Round %(number)d is still being played: close it first.")
        raise Refused("round-open", text, number=running.number)


def missing_result(tournament: Tournament, upto: int = LARGEST_ROUND) -> Refused | None:
    """Return the refusal that names a result without which no standing is official, if any.

    Only results of rounds up to the number *upto* count.
    """
    owing = Sitting.objects.owing(tournament).filter(round__number__lte=upto)
    owing = owing.select_related("round").order_by("round__number")
    missing = Issue.objects.missing_results(tournament).order_by("raised_at", "pk")
    missing = missing.filter(sitting__round__number__lte=upto)
    if issue := missing.select_related("sitting__round").first():
        table, text = issue.sitting, _MISSING_RESULTS[issue.kind]
    elif owes := owing.first():
        table = owes
        text = gettext_noop(
            "Round %(round)d, table %(table)d: results are missing. Enter them or record them as not"
            " played, then make the standings official."
        )
    else:
        return None
    number, round_number = table.number, table.round.number
    return Refused("result-missing", text, table=number, round=round_number, sitting=table.pk)


@transaction.atomic
def resolve_tie(
    *, tournament_id: int, how: TieResolution, order: Sequence[int], seed: int, by: Actor
) -> Tournament:
    """Store *how* a tie was resolved, with its entrants as *order*.

    They are in the order of a cut or play-off, the best first; if they share, in any order. Lots
    give their own order: they are drawn from the tournament's number, which is *seed* if it has
    none yet. This applies while exactly these entrants are tied, and until the tournament is
    reopened; the number stays.
    """
    tournament = Tournament.objects.select_for_update(no_key=True).get(pk=tournament_id)
    if tournament.official_at is None:
        raise Refused("prize-not-over", gettext_noop("Make the standings official first."))
    ties = open_ties(tournament, standings(tournament).rows)
    if sorted(order) not in [sorted(entrant for entrant, _ in tie.entrants) for tie in ties]:
        text = gettext_noop("The standings have changed. Please look again.")
        raise Refused("prize-not-tied", text)
    if how is TieResolution.LOT:
        if tournament.lots_seed is None:
            tournament.lots_seed = seed
        uids = Entrant.objects.filter(pk__in=order).values_list("pk", "uid")
        places = draw_lots(tournament.lots_seed, {key: str(uid) for key, uid in uids})
        order = sorted(places, key=places.__getitem__)
    resolution = {"how": how, "order": list(order)}
    tournament.tie_resolutions = [*(tournament.tie_resolutions or ()), resolution]
    tournament.save(update_fields=["tie_resolutions", "lots_seed"])
    log(by, "tie-resolved", **tournament.log_keys, entrants=list(order), numbers={"how": how})
    return tournament
