"""Points given beside the hands, and taken back."""

from django.db import transaction

from games.errors import gettext_noop
from tracker.common.actor import Actor
from tracker.common.audit_log import last_entry, log
from tracker.common.errors import Refused
from tracker.models import Award, AwardKind, AwardRule, Entrant, LogEntry, Tournament
from tracker.standings.queries.criteria import criteria_of


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
    """Give an entrant points, or take some; without an *amount* it is their own average.

    :raises Refused: ``not-entered``, ``round-unknown``, ``amount-zero`` or ``penalty-average``.
    """
    tournament = Tournament.objects.get(pk=tournament_id)
    if not Entrant.objects.filter(pk=entrant_id, tournament=tournament).exists():
        raise Refused(
            "not-entered",
            gettext_noop("Choose somebody of this tournament."),
            question="entrant",
        )
    if round_id is not None and not tournament.rounds.filter(pk=round_id).exists():
        raise Refused(
            "round-unknown", gettext_noop("Choose a round of this tournament."), question="round"
        )
    if amount == 0:
        raise Refused("amount-zero", gettext_noop("Nothing would change."), question="amount")
    if amount is None and kind is AwardKind.PENALTY:
        raise Refused(
            "penalty-average", gettext_noop("Say how many points it costs."), question="amount"
        )
    award = Award.objects.create(
        tournament=tournament,
        entrant_id=entrant_id,
        round_id=round_id,
        kind=kind,
        amount=amount,
        rule=AwardRule.AVERAGE if amount is None else "",
        unit="" if amount is None else criteria_of(tournament)[0].key,
        reason=reason,
        given_at=by.at,
    )
    _log_award(by, "award-given", award, tournament)
    return award


@transaction.atomic
def withdraw_award(*, tournament_id: int, award_id: int, by: Actor) -> None:
    """Take an award of this tournament back; it stays in the log. Twice is once.

    :raises Refused: ``award-unknown``.
    """
    tournament = Tournament.objects.get(pk=tournament_id)
    award = (
        Award.objects.select_for_update(no_key=True)
        .filter(pk=award_id, tournament=tournament)
        .first()
    )
    if award is None:
        raise Refused(
            "award-unknown", gettext_noop("There is no such award here: look at the list again.")
        )
    if award.withdrawn_at is not None:
        return
    award.withdrawn_at = by.at
    award.save(update_fields=["withdrawn_at"])
    given = last_entry("award-given", club_id=tournament.club_id, award=award.pk)
    _log_award(by, "award-withdrawn", award, tournament, given)


def _log_award(
    by: Actor, verb: str, award: Award, tournament: Tournament, undoes: LogEntry | None = None
) -> None:
    log(
        by,
        verb,
        club_id=tournament.club_id,
        tournament=tournament.pk,
        award=award.pk,
        entrant=award.entrant_id,
        numbers={
            "kind": award.kind,
            "amount": award.amount,
            "rule": award.rule,
            "unit": award.unit,
        },
        reason=award.reason,
        undoes=undoes,
    )
