"""What the organiser's buttons of an evening do."""

from collections.abc import Callable

from django.contrib import messages
from django.http import HttpRequest
from django.utils.translation import gettext as _

from games.errors import RuleError
from tracker.common.refusals import sentence
from tracker.common.web import access
from tracker.common.web.parameters import key_in, number_in
from tracker.common.web.returning import FROM_NIGHT
from tracker.copies.before import keep_copy
from tracker.models import ClubNight, RoundState, Sitting, Tournament
from tracker.nights.services.nights import end_night, renew_link, reopen_night
from tracker.nights.views.both_desks import answer_call, open_again
from tracker.nights.views.free_play import close_whole
from tracker.nights.views.official import ask_or_make, put_up
from tracker.seating.services.clocks import (
    give_minutes,
    pause_clocks,
    resume_clocks,
    start_clock,
    take_break,
)
from tracker.seating.services.rounds import shorten_round


def act(request: HttpRequest, night: ClubNight) -> str:
    """Do what the button says that was pressed, and return the address where that leads.

    Why not, if it cannot be, is said above the page.
    """
    do = _ACTS.get(request.POST.get("do", ""))
    try:
        return (do and do(request, night)) or night.get_absolute_url()
    except RuleError as error:
        messages.warning(request, sentence(error))
    except _GoneError:
        messages.warning(request, _("That is gone. The page is up to date now."))
    return night.get_absolute_url()


class _GoneError(LookupError):
    """What the button is about is not of this night, or not any more."""


def _start(request: HttpRequest, night: ClubNight) -> None:
    """Start the clock of every round that has none, or of the one that is named."""
    rounds = night.rounds.filter(state=RoundState.OPEN)
    wanted = rounds.filter(pk=key_in(request.POST.get("round", "")))
    minutes = number_in(request.POST.get("minutes", "")) or 0
    for round_ in wanted or rounds.filter(clock={}):
        start_clock(round_id=round_.pk, minutes=minutes, by=access.actor(request))


def _give(request: HttpRequest, night: ClubNight) -> None:
    sitting = Sitting.objects.filter(
        round__night=night, pk=key_in(request.POST.get("sitting", ""))
    ).first()
    if sitting is None:
        raise _GoneError
    minutes = number_in(request.POST.get("minutes", "")) or 0
    give_minutes(sitting_id=sitting.pk, minutes=minutes, by=access.actor(request))
    messages.success(
        request,
        _("Table %(table)d has %(minutes)d more minutes.")
        % {"table": sitting.number, "minutes": minutes},
    )


def _shorten(request: HttpRequest, night: ClubNight) -> None:
    round_ = night.rounds.filter(pk=key_in(request.POST.get("round", ""))).first()
    if round_ is None:
        raise _GoneError
    length = number_in(request.POST.get("length", "")) or 0
    said = _("Before round %(number)d of %(tournament)s was made shorter")
    keep_copy(request, said % {"number": round_.number, "tournament": round_.tournament.name})
    shorten_round(round_id=round_.pk, length=length, by=access.actor(request))
    messages.success(
        request,
        _("Round %(number)d ends after %(length)d.") % {"number": round_.number, "length": length},
    )


def _break(request: HttpRequest, night: ClubNight) -> None:
    minutes = number_in(request.POST.get("minutes", "")) or 0
    take_break(night_id=night.pk, minutes=minutes, by=access.actor(request))


def _new_link(request: HttpRequest, night: ClubNight) -> None:
    renew_link(night_id=night.pk, by=access.actor(request))
    messages.success(
        request, _("This is the new link. Send it to your people: the old one no longer works.")
    )


def _by(service: Callable[..., object]) -> Callable[[HttpRequest, ClubNight], None]:
    """Return the act that asks nothing more than which night, and who does it."""

    def act(request: HttpRequest, night: ClubNight) -> None:
        service(night_id=night.pk, by=access.actor(request))

    return act


def _tournament(request: HttpRequest, night: ClubNight) -> Tournament:
    played = Tournament.objects.filter(rounds__night=night).distinct()
    tournament = played.filter(pk=key_in(request.POST.get("tournament", ""))).first()
    if tournament is None:
        raise _GoneError
    return tournament


_ACTS: dict[str, Callable[[HttpRequest, ClubNight], str | None]] = {
    "start": _start,
    "pause": _by(pause_clocks),
    "resume": _by(resume_clocks),
    "give": _give,
    "shorten": _shorten,
    "break": _break,
    "close-finished": lambda request, night: close_whole(request, _tournament(request, night)),
    "publish": lambda request, night: put_up(request, _tournament(request, night)),
    "official": lambda request, night: ask_or_make(
        request, _tournament(request, night), back=FROM_NIGHT
    ),
    "end": _by(end_night),
    "reopen": _by(reopen_night),
    "new-link": _new_link,
    "reopen-round": lambda request, night: open_again(request, night.rounds.all()),
    "call-taken": lambda request, night: answer_call(request, night.rounds.all()),
    "call-done": lambda request, night: answer_call(request, night.rounds.all()),
}
