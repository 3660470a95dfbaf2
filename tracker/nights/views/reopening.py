"""The button that opens a closed round again, at both desks."""

from django.contrib import messages
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext as _

from tracker.common.web import access
from tracker.common.web.parameters import key_in
from tracker.copies.before import keep_copy
from tracker.models import Round
from tracker.nights.services.reopening import reopen_round


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
