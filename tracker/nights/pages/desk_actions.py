"""Buttons that two pages share: the desk of a tournament, and the desk of a night.

A *desk* is the page on which organisers run what is played. The field "do" of its form has the name
of the pressed button, and maps to an ``Action``.
"""

from collections.abc import Callable, Mapping
from datetime import timedelta
from typing import TypeAlias, TypeVar

from django.contrib import messages
from django.db.models import Model, QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.formats import time_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _, ngettext

from games.errors import RuleError, gettext_noop
from tracker.backups.automatic import copy_before_request
from tracker.common.errors import Refused
from tracker.common.forms import refusal_text
from tracker.common.web import access
from tracker.common.web.requests import FROM_NIGHT, key_in, number_in
from tracker.common.wording import together
from tracker.models import ClubNight, Issue, IssueKind, Round, RoundState, Tournament
from tracker.nights.queries.desk import needs_of
from tracker.nights.services.closing import close_finished, pending_tables, reopen_round
from tracker.results.services.calls import finish_call, take_call
from tracker.standings.queries.prizes import open_ties
from tracker.standings.queries.standings import standings
from tracker.standings.services.standings import (
    finish_tournament,
    missing_result,
    publish_standing,
)

RowT = TypeVar("RowT", bound=Model)
# What a desk is about. A shared action takes either; the others take the one of their desk.
Subject: TypeAlias = ClubNight | Tournament
SubjectT = TypeVar("SubjectT", ClubNight, Tournament)
# What a button does to the desk's subject; returns the URL to go to, ``None`` for the desk.
Action: TypeAlias = Callable[[HttpRequest, SubjectT], str | None]
Actions: TypeAlias = Mapping[str, Action[SubjectT]]  # keyed by the name of the button
_GONE = "button-gone"  # the code of the refusal if the row that a button names is gone
_TIME_TO_OBJECT = timedelta(minutes=20)  # in which players may object to a published standing


def run_action(
    request: HttpRequest, actions: Actions[SubjectT], subject: SubjectT, *, refusal_level: int
) -> str | None:
    """Do what the pressed button says, and return the URL to go to, ``None`` for the desk.

    A refusal becomes a message of *refusal_level* (``messages.ERROR``); that a row is gone is
    always only a warning. A button that the desk does not have does nothing.
    """
    action = actions.get(request.POST.get("do", ""))
    try:
        return action(request, subject) if action else None
    except RuleError as error:
        level = messages.WARNING if error.code == _GONE else refusal_level
        messages.add_message(request, level, refusal_text(error))
        return None


def row_named(request: HttpRequest, field: str, rows: QuerySet[RowT]) -> RowT:
    """Return the row whose key the button sends in the form's *field*.

    :raises Refused: ``button-gone`` if it is not among *rows* any more.
    """
    row = rows.filter(pk=key_in(request.POST.get(field, ""))).first()
    if row is None:
        raise Refused(_GONE, gettext_noop("That is gone. The page is up to date now."))
    return row


def copy_database_before(request: HttpRequest, round_: Round, title: str) -> None:
    """Copy the database before a change to a round; *title* names the copy after the change."""
    names = {"number": round_.number, "tournament": round_.tournament.name}
    copy_before_request(request, title % names)


def service_action(
    service: Callable[..., object], key_argument: str, *number_fields: str, message: str = ""
) -> Callable[[HttpRequest, Subject], None]:
    """Return an action that calls *service*, and then shows the *message*, if any.

    The subject's key is passed under the name *key_argument*, such as "night_id", and the value of
    each of the form's *number_fields*, such as "minutes", under the name of the field.
    """

    def action(request: HttpRequest, subject: Subject) -> None:
        numbers = {name: number_of(request, name) for name in number_fields}
        service(**{key_argument: subject.pk}, **numbers, by=access.actor(request))
        if message:
            messages.success(request, _(message))

    return action


def number_of(request: HttpRequest, name: str) -> int:
    """Return a number of the form, 0 if it is none."""
    return number_in(request.POST.get(name, "")) or 0


def _answer_call(request: HttpRequest, subject: Subject) -> None:
    """Mark a table's call for the organiser as taken, or as finished.

    A call that is gone was withdrawn by the table: nothing is left to do, and nothing is refused.
    """
    calls = Issue.objects.filter(kind=IssueKind.CALL, sitting__round__in=subject.rounds.all())
    call = calls.filter(pk=key_in(request.POST.get("call", ""))).first()
    if call is not None:
        service = take_call if request.POST.get("do") == "call-taken" else finish_call
        service(call_id=call.pk, by=access.actor(request))


def _reopen_round(request: HttpRequest, subject: Subject) -> None:
    round_ = row_named(request, "round", subject.rounds.all())
    copy_database_before(
        request, round_, _("Before round %(number)d of %(tournament)s was opened again")
    )
    reopened = reopen_round(round_id=round_.pk, by=access.actor(request))
    sentence = _("Round %(number)d is open again: its tables can send results.")
    messages.success(request, sentence % {"number": reopened.number})


def _tournament_of(request: HttpRequest, subject: Subject) -> Tournament:
    """Return the tournament of the desk; on the desk of a night, the one that the button names."""
    if isinstance(subject, Tournament):
        return subject
    played = Tournament.objects.filter(rounds__night=subject).distinct()
    return row_named(request, "tournament", played)


def _close_finished(request: HttpRequest, subject: Subject) -> None:
    """Close the rounds that have all results, and warn about tables that only lack confirmation."""
    tournament = _tournament_of(request, subject)
    close_finished(tournament_id=tournament.pk, by=access.actor(request))
    only_unconfirmed = [
        table
        for round_ in tournament.rounds.filter(state=RoundState.OPEN).select_related("tournament")
        for table in pending_tables(round_)
        if table.to_do.unconfirmed and not (table.progress.owed or table.to_do.issues)
    ]
    if only_unconfirmed:
        text = ngettext(
            "Nobody has confirmed all results of table %(tables)s: look at it, or ask there.",
            "Nobody has confirmed all results of tables %(tables)s: look at them, or ask there.",
            len(only_unconfirmed),
        )
        numbers = ", ".join(str(table.number) for table in only_unconfirmed)
        messages.warning(request, text % {"tables": numbers})


def _publish(request: HttpRequest, subject: Subject) -> None:
    """Publish the standing as provisional, so that players can object to it."""
    tournament, by = _tournament_of(request, subject), access.actor(request)
    until = by.at + _TIME_TO_OBJECT
    publish_standing(tournament_id=tournament.pk, until=until, by=by)
    leaders = [row.name for row in standings(tournament).rows if row.place == 1]
    text = _(
        "Published. In the lead: %(names)s. Players may object until %(time)s; then make it"
        " official."
    )
    values = {"names": together(leaders), "time": time_format(localtime(until), "TIME_FORMAT")}
    messages.success(request, text % values)


def _make_official_if_settled(request: HttpRequest, subject: Subject) -> str | None:
    """Make the standing official; if a result is missing or in question, return the URL to settle it."""
    tournament = _tournament_of(request, subject)
    # A query string with which the next page leads back to the desk of the night.
    back = FROM_NIGHT if isinstance(subject, ClubNight) else ""
    # If it is official already, it stays so, and nothing has to be asked.
    unsettled = needs_of([tournament]).about_results or missing_result(tournament)
    if tournament.official_at is None and unsettled:
        return reverse("official", args=[tournament.pk]) + back
    return make_official(request, tournament, back=back)


def make_official(request: HttpRequest, tournament: Tournament, *, back: str) -> str | None:
    """Make the standing official; if there are ties for a prize, return the URL to settle them.

    *back* is the query string of that URL.
    """
    tournament = finish_tournament(tournament_id=tournament.pk, by=access.actor(request))
    sentence = _("The standings of “%(name)s” are official.")
    messages.success(request, sentence % {"name": tournament.name})
    if not open_ties(tournament, standings(tournament).rows):
        return None
    return reverse("prizes", args=[tournament.pk]) + back


SHARED_ACTIONS: Mapping[str, Callable[[HttpRequest, Subject], str | None]] = {
    "close-finished": _close_finished,
    "publish": _publish,
    "official": _make_official_if_settled,
    "reopen-round": _reopen_round,
    "call-taken": _answer_call,
    "call-done": _answer_call,
}
