"""The buttons that both desks have, of a tournament and of a night: calls, and closed rounds."""

from collections.abc import Callable
from typing import TypeVar

from django.contrib import messages
from django.db.models import Model, QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext as _

from games.errors import gettext_noop
from tracker.common.errors import Refused
from tracker.common.web import access
from tracker.common.web.parameters import key_in, number_in
from tracker.copies.before import keep_copy
from tracker.models import ClubNight, Issue, IssueKind, Round, Tournament
from tracker.nights.services.closing import reopen_round
from tracker.reports.services.calls import finish_call, take_call

M = TypeVar("M", bound=Model)
GONE = "button-gone"


def named(request: HttpRequest, field: str, rows: QuerySet[M]) -> M:
    """Return which of *rows* the button names.

    :raises Refused: ``button-gone`` if it is none of them, or not any more.
    """
    row = rows.filter(pk=key_in(request.POST.get(field, ""))).first()
    if row is None:
        raise Refused(GONE, gettext_noop("That is gone. The page is up to date now."))
    return row


def copy_before(request: HttpRequest, round_: Round, said: str) -> None:
    """Keep a copy before something is done to a round; *said* tells what, in a sentence."""
    keep_copy(request, said % {"number": round_.number, "tournament": round_.tournament.name})


def pressed(
    service: Callable[..., object], key: str, *numbers: str
) -> Callable[[HttpRequest, ClubNight | Tournament], None]:
    """Return the act that asks for no more than *numbers*: by *key* of what, and who does it."""

    def act(request: HttpRequest, about: ClubNight | Tournament) -> None:
        asked = {name: number_of(request, name) for name in numbers}
        service(**{key: about.pk}, **asked, by=access.actor(request))

    return act


def number_of(request: HttpRequest, name: str) -> int:
    """Return the number that was written, 0 if it is none."""
    return number_in(request.POST.get(name, "")) or 0


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

    :raises Refused: as ``named`` and ``reopen_round`` do.
    """
    round_ = named(request, "round", rounds)
    copy_before(request, round_, _("Before round %(number)d of %(tournament)s was opened again"))
    reopened = reopen_round(round_id=round_.pk, by=access.actor(request))
    messages.success(
        request,
        _("Round %(number)d is open again: its tables can send results.")
        % {"number": reopened.number},
    )
