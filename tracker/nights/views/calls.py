"""The buttons by which an organiser answers a table that calls, at both desks."""

from django.db.models import QuerySet
from django.http import HttpRequest

from tracker.common.web import access
from tracker.common.web.parameters import key_in
from tracker.models import Issue, IssueKind, Round
from tracker.reports.services.calls import finish_call, take_call


def take(request: HttpRequest, rounds: QuerySet[Round]) -> None:
    """Say to the table that somebody is coming.

    :raises Refused: as ``take_call`` does.
    """
    if call := _call(request, rounds):
        take_call(call_id=call.pk, by=access.actor(request))


def finish(request: HttpRequest, rounds: QuerySet[Round]) -> None:
    """Mark the call as answered."""
    if call := _call(request, rounds):
        finish_call(call_id=call.pk, by=access.actor(request))


def _call(request: HttpRequest, rounds: QuerySet[Round]) -> Issue | None:
    """Return the call that the button names, if it is of one of *rounds*."""
    calls = Issue.objects.filter(kind=IssueKind.CALL, sitting__round__in=rounds)
    return calls.filter(pk=key_in(request.POST.get("call", ""))).first()
