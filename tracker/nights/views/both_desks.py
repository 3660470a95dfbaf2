"""The buttons that both desks have, of a tournament and of a night: calls, and closed rounds."""

from django.contrib import messages
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext as _

from tracker.common.web import access
from tracker.common.web.parameters import key_in
from tracker.copies.before import keep_copy
from tracker.models import Issue, IssueKind, Round
from tracker.nights.services.closing import reopen_round
from tracker.reports.services.calls import finish_call, take_call


def answer_call(request: HttpRequest, rounds: QuerySet[Round]) -> None:
    """Mark a table's call as taken, or as answered.

    It is the call that the button names, if it is of one of *rounds*.

    :raises Refused: as ``take_call`` does.
    """
    calls = Issue.objects.filter(kind=IssueKind.CALL, sitting__round__in=rounds)
    call = calls.filter(pk=key_in(request.POST.get("call", ""))).first()
    if call is not None:
        answer = take_call if request.POST.get("do") == "call-taken" else finish_call
        answer(call_id=call.pk, by=access.actor(request))


def open_again(request: HttpRequest, rounds: QuerySet[Round]) -> None:
    """Open the round again that the button names, if it is one of *rounds*.

    :raises Refused: as ``reopen_round`` does.
    """
    round_ = rounds.filter(pk=key_in(request.POST.get("round", ""))).first()
    if round_ is None:
        messages.warning(request, _("That is gone. The page is up to date now."))
        return
    said = _("Before round %(number)d of %(tournament)s was opened again")
    keep_copy(request, said % {"number": round_.number, "tournament": round_.tournament.name})
    reopened = reopen_round(round_id=round_.pk, by=access.actor(request))
    messages.success(
        request,
        _("Round %(number)d is open again: its tables can send results.")
        % {"number": reopened.number},
    )
