"""The buttons that both desks have, of a tournament and of a night: calls, and closed rounds."""

from collections.abc import Callable, Mapping
from typing import TypeAlias, TypeVar

from django.contrib import messages
from django.db.models import Model, QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext as _

from games.errors import RuleError, gettext_noop
from tracker.common.errors import Refused
from tracker.common.refusals import sentence
from tracker.common.web import access
from tracker.common.web.parameters import key_in, number_in
from tracker.copies.before import keep_copy
from tracker.models import ClubNight, Issue, IssueKind, Round, Tournament
from tracker.nights.services.closing import reopen_round
from tracker.reports.services.calls import finish_call, take_call

M = TypeVar("M", bound=Model)
About: TypeAlias = ClubNight | Tournament
A = TypeVar("A", ClubNight, Tournament)
Act: TypeAlias = Callable[[HttpRequest, A], str | None]
_GONE = "button-gone"


def act(request: HttpRequest, acts: Mapping[str, Act[A]], about: A, *, level: int) -> str | None:
    """Do what the button says that was pressed; return the address where that leads, if it does.

    Why not, if it cannot be, is said above the page at the *level* of a message.
    """
    do = acts.get(request.POST.get("do", ""))
    try:
        return do(request, about) if do else None
    except RuleError as error:
        level = messages.WARNING if error.code == _GONE else level
        messages.add_message(request, level, sentence(error))
        return None


def named(request: HttpRequest, field: str, rows: QuerySet[M]) -> M:
    """Return which of *rows* the button names.

    :raises Refused: ``button-gone`` if it is none of them, or not any more.
    """
    row = rows.filter(pk=key_in(request.POST.get(field, ""))).first()
    if row is None:
        raise Refused(_GONE, gettext_noop("That is gone. The page is up to date now."))
    return row


def copy_before(request: HttpRequest, round_: Round, said: str) -> None:
    """Keep a copy before something is done to a round; *said* tells what, in a sentence."""
    keep_copy(request, said % {"number": round_.number, "tournament": round_.tournament.name})


def pressed(
    service: Callable[..., object], key: str, *numbers: str
) -> Callable[[HttpRequest, About], None]:
    """Return the act that asks for no more than *numbers*: by *key* of what, and who does it."""

    def act(request: HttpRequest, about: About) -> None:
        asked = {name: number_of(request, name) for name in numbers}
        service(**{key: about.pk}, **asked, by=access.actor(request))

    return act


def number_of(request: HttpRequest, name: str) -> int:
    """Return the number that was written, 0 if it is none."""
    return number_in(request.POST.get(name, "")) or 0


def _answer_call(request: HttpRequest, about: About) -> None:
    """Mark a table's call as taken, or as answered: the one that the button names.

    :raises Refused: as ``take_call`` does.
    """
    calls = Issue.objects.filter(kind=IssueKind.CALL, sitting__round__in=about.rounds.all())
    call = calls.filter(pk=key_in(request.POST.get("call", ""))).first()
    if call is not None:
        answer = take_call if request.POST.get("do") == "call-taken" else finish_call
        answer(call_id=call.pk, by=access.actor(request))


def _open_again(request: HttpRequest, about: About) -> None:
    """Open the round again that the button names.

    :raises Refused: as ``named`` and ``reopen_round`` do.
    """
    round_ = named(request, "round", about.rounds.all())
    copy_before(request, round_, _("Before round %(number)d of %(tournament)s was opened again"))
    reopened = reopen_round(round_id=round_.pk, by=access.actor(request))
    messages.success(
        request,
        _("Round %(number)d is open again: its tables can send results.")
        % {"number": reopened.number},
    )


ACTS: Mapping[str, Callable[[HttpRequest, About], None]] = {
    "reopen-round": _open_again,
    "call-taken": _answer_call,
    "call-done": _answer_call,
}
