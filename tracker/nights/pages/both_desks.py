"""What the buttons do that both desks have, that of a tournament and that of a night."""

from collections.abc import Callable, Mapping
from datetime import timedelta
from typing import TypeAlias, TypeVar

from django.contrib import messages
from django.db.models import Model, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path, reverse
from django.utils.formats import time_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from games.errors import RuleError, gettext_noop
from tracker.backups.automatic import copy_before_request
from tracker.common.errors import Refused
from tracker.common.forms import refusal_text
from tracker.common.web import access
from tracker.common.web.requests import FROM_NIGHT, came_from_night, key_in, number_in, return_page
from tracker.common.wording import together
from tracker.models import ClubNight, Issue, IssueKind, Role, Round, RoundState, Tournament
from tracker.nights.queries.desk import needs_of
from tracker.nights.services.closing import pending_tables, reopen_round
from tracker.nights.services.free_play import close_finished
from tracker.results.services.calls import finish_call, take_call
from tracker.standings.queries.prizes import open_ties
from tracker.standings.queries.standings import standings
from tracker.standings.services.standings import finish_tournament, publish_standing

M = TypeVar("M", bound=Model)
About: TypeAlias = ClubNight | Tournament
A = TypeVar("A", ClubNight, Tournament)
Act: TypeAlias = Callable[[HttpRequest, A], str | None]
_GONE = "button-gone"
_TO_OBJECT = timedelta(minutes=20)  # in which a published standing may be objected to


def act(request: HttpRequest, acts: Mapping[str, Act[A]], about: A, *, level: int) -> str | None:
    """Do what the button says that was pressed; return the address where that leads, if it does.

    Why not, if it cannot be, is said above the page at the *level* of a message.
    """
    do = acts.get(request.POST.get("do", ""))
    try:
        return do(request, about) if do else None
    except RuleError as error:
        level = messages.WARNING if error.code == _GONE else level
        messages.add_message(request, level, refusal_text(error))
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
    copy_before_request(
        request, said % {"number": round_.number, "tournament": round_.tournament.name}
    )


def pressed(
    service: Callable[..., object], key: str, *numbers: str, says: str = ""
) -> Callable[[HttpRequest, About], None]:
    """Return the act of a service that takes a *key*, *numbers* and who does it; then it *says*."""

    def act(request: HttpRequest, about: About) -> None:
        asked = {name: number_of(request, name) for name in numbers}
        service(**{key: about.pk}, **asked, by=access.actor(request))
        if says:
            messages.success(request, _(says))

    return act


def number_of(request: HttpRequest, name: str) -> int:
    """Return the number that was written, 0 if it is none."""
    return number_in(request.POST.get(name, "")) or 0


def answer_call(request: HttpRequest, about: About) -> None:
    """Mark a table's call as taken, or as answered: the one that the button names.

    :raises Refused: as ``take_call`` does.
    """
    calls = Issue.objects.filter(kind=IssueKind.CALL, sitting__round__in=about.rounds.all())
    call = calls.filter(pk=key_in(request.POST.get("call", ""))).first()
    if call is not None:
        answer = take_call if request.POST.get("do") == "call-taken" else finish_call
        answer(call_id=call.pk, by=access.actor(request))


def open_again(request: HttpRequest, about: About) -> None:
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


def _tournament_of(request: HttpRequest, about: About) -> Tournament:
    """Return the tournament of the desk, or the one of the night that the button names.

    :raises Refused: as ``named`` does.
    """
    if isinstance(about, Tournament):
        return about
    played = Tournament.objects.filter(rounds__night=about).distinct()
    return named(request, "tournament", played)


def close_whole(request: HttpRequest, about: About) -> None:
    """Close the rounds in which everything is in, and say which only wait to be confirmed."""
    tournament = _tournament_of(request, about)
    close_finished(tournament_id=tournament.pk, by=access.actor(request))
    waiting = [
        table
        for round_ in tournament.rounds.filter(state=RoundState.OPEN).select_related("tournament")
        for table in pending_tables(round_)
        if table.to_do.unconfirmed and not (table.progress.owed or table.to_do.issues)
    ]
    if waiting:
        words = ngettext(
            "Nobody has confirmed all results of table %(tables)s: look at it, or ask there.",
            "Nobody has confirmed all results of tables %(tables)s: look at them, or ask there.",
            len(waiting),
        )
        numbers = ", ".join(str(table.number) for table in waiting)
        messages.warning(request, words % {"tables": numbers})


# The standing, published and then made official ---------------------------------------------------


def put_up(request: HttpRequest, about: About) -> None:
    """Put a standing up as provisional for a while.

    :raises Refused: as ``publish_standing`` does.
    """
    tournament, by = _tournament_of(request, about), access.actor(request)
    until = by.at + _TO_OBJECT
    publish_standing(tournament_id=tournament.pk, until=until, by=by)
    first = [row.name for row in standings(tournament).rows if row.place == 1]
    says = ngettext(
        "Published. %(names)s leads. Players may object until %(time)s; then make it official.",
        "Published. %(names)s lead. Players may object until %(time)s; then make it official.",
        len(first),
    )
    words = {"names": together(first), "time": time_format(localtime(until), "TIME_FORMAT")}
    messages.success(request, says % words)


def ask_or_make(request: HttpRequest, about: About) -> str | None:
    """Make a standing official, or ask first if results in it still wait.

    Return the address where that leads, if it leads anywhere.

    :raises Refused: as ``finish_tournament`` does.
    """
    tournament = _tournament_of(request, about)
    back = FROM_NIGHT if isinstance(about, ClubNight) else ""
    if tournament.official_at is None and needs_of([tournament]).waiting:
        return reverse("official", args=[tournament.pk]) + back
    return _make(request, tournament, back=back)


@access.page
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def official(request: HttpRequest, tournament_id: int) -> HttpResponse:
    """Say which results still wait, and make the standing official all the same."""
    tournament = access.tournament(request, tournament_id, Role.ORGANISER)
    last = tournament.rounds.exclude(state=RoundState.UNDONE).order_by("-number").first()
    came_back = return_page(request, last) if last else reverse("desk", args=[tournament.pk])
    back = FROM_NIGHT if came_from_night(request) else ""
    if request.method == "POST":
        try:
            return redirect(_make(request, tournament, back=back) or came_back)
        except RuleError as error:
            messages.warning(request, refusal_text(error))
            return redirect(came_back)
    if tournament.official_at is not None:
        return redirect(came_back)
    context = access.context(
        request,
        tournament.club,
        tournament=tournament,
        round=last,
        waiting=needs_of([tournament]).waiting,
        came_back=came_back,
        back=back,
    )
    return render(request, "standings/official.html", context)


def _make(request: HttpRequest, tournament: Tournament, *, back: str) -> str | None:
    """Make it official; some who stand level for a prize are asked about at once."""
    made = finish_tournament(tournament_id=tournament.pk, by=access.actor(request))
    messages.success(request, _("The standings of “%(name)s” are official.") % {"name": made.name})
    if not open_ties(made, standings(made).rows):
        return None
    return reverse("prizes", args=[made.pk]) + back


ACTS: Mapping[str, Callable[[HttpRequest, About], str | None]] = {
    "close-finished": close_whole,
    "publish": put_up,
    "official": ask_or_make,
    "reopen-round": open_again,
    "call-taken": answer_call,
    "call-done": answer_call,
}


urlpatterns = [
    path("tournaments/<int:tournament_id>/official/", official, name="official"),
]
