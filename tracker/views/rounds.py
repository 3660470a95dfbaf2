"""Opening and closing rounds, taking one back, putting seats right."""

from random import SystemRandom

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from games.errors import RuleError
from tracker.forms.refusals import refuse, sentence
from tracker.forms.rounds import ExchangeForm, RoundForm, SubstituteForm
from tracker.models import Format, Player, Role, Round, RoundState, Team, Tournament
from tracker.queries.next_round import coming_order, proposal
from tracker.queries.nights import going_on, waiting_players
from tracker.queries.rounds import missing
from tracker.queries.seats import free_players, seats_now
from tracker.services.closing import close_round
from tracker.services.next_round import seat_next_round
from tracker.services.rounds import restore_round, undo_round
from tracker.services.seats import exchange, substitute
from tracker.views import access
from tracker.views.returning import way_back


@access.page
@require_http_methods(["GET", "HEAD", "POST"])
def round_new(request: HttpRequest, tournament_id: int) -> HttpResponse:
    """Propose who sits where in the coming round, take changes, and open it."""
    tournament = access.tournament(request, tournament_id, Role.ORGANISER)
    last = tournament.rounds.exclude(state=RoundState.UNDONE).order_by("-number").first()
    if last and last.state == RoundState.OPEN:
        return redirect(way_back(request, last))
    form = _round_form(request, tournament, last)
    if form.is_valid():
        if "look" in request.POST:
            form = _round_form(request, tournament, last, order=form.order)
        elif opened := _open(request, tournament, form):
            return redirect(way_back(request, opened))
    context = access.context(
        request,
        tournament.club,
        tournament=tournament,
        round=last,
        form=form,
        number=last.number + 1 if last else 1,
    )
    return render(request, "rounds/new.html", context)


@access.page
@require_http_methods(["GET", "HEAD", "POST"])
def round_close(request: HttpRequest, round_id: int) -> HttpResponse:
    """Say what a round still waits for, and close it."""
    round_ = _round(request, round_id)
    how = request.POST.get("how", "")
    waiting = missing(round_)
    if request.method == "POST":
        try:
            closed = close_round(
                round_id=round_.pk,
                anyway=how == "anyway",
                not_played=how == "not-played",
                now=timezone.now(),
                user_id=access.signed_in(request),
            )
        except RuleError as error:
            messages.warning(request, sentence(error))
            return redirect(request.get_full_path())
        messages.success(request, _("Round %(number)d is closed.") % {"number": closed.number})
        return redirect(way_back(request, closed))
    context = _context(
        request, round_, waiting=waiting, short=sum(table.short for table in waiting)
    )
    return render(request, "rounds/close.html", context)


@access.page
@require_http_methods(["GET", "HEAD", "POST"])
def round_undo(request: HttpRequest, round_id: int) -> HttpResponse:
    """Take a round back, or bring back one that was."""
    round_ = _round(request, round_id)
    if request.method == "POST":
        change = restore_round if round_.state == RoundState.UNDONE else undo_round
        try:
            change(round_id=round_.pk, now=timezone.now(), user_id=access.signed_in(request))
        except RuleError as error:
            messages.error(request, sentence(error))
        return redirect("desk", round_.tournament_id)
    return render(request, "rounds/undo.html", _context(request, round_))


@access.page
@require_http_methods(["GET", "HEAD", "POST"])
def round_seats(request: HttpRequest, round_id: int) -> HttpResponse:
    """Let two people change seats, or somebody take over."""
    round_ = _round(request, round_id)
    club = round_.tournament.club
    seats, free = seats_now(round_), free_players(club.pk)
    swapping = request.POST.get("do") == "exchange"
    taking = request.POST.get("do") == "substitute"
    swap = ExchangeForm(request.POST if swapping else None, seats=seats)
    take = SubstituteForm(request.POST if taking else None, seats=seats, free=free)
    if (swapping and _swap(request, swap)) or (taking and _take_over(request, take)):
        return redirect(way_back(request, round_))
    context = _context(request, round_, swap=swap, take=take, seats=seats, free=free)
    return render(request, "rounds/seats.html", context)


def _round(request: HttpRequest, round_id: int) -> Round:
    found = Round.objects.select_related("tournament__club").filter(pk=round_id).first()
    access.check(request, found.tournament.club if found else None, Role.ORGANISER)
    if found is None:  # ``check`` has raised already; this tells the type checker
        raise Http404
    return found


def _context(request: HttpRequest, round_: Round, **more: object) -> dict[str, object]:
    return access.context(
        request,
        round_.tournament.club,
        tournament=round_.tournament,
        round=round_,
        back=way_back(request, round_),
        **more,
    )


def _round_form(
    request: HttpRequest,
    tournament: Tournament,
    last: Round | None,
    order: list[int] | None = None,
) -> RoundForm:
    """Return the form; with *order* it shows again what was typed, as people would sit then.

    Whether everybody plays is as it was in the *last* round, unless somebody says otherwise.
    """
    rules = tournament.rules
    modes = rules.modes(rules.complete_options(tournament.options))
    if tournament.format == Format.TEAMS:
        modes = tuple(mode for mode in modes if not mode.individual)
    known = {mode.code: mode for mode in modes}
    asked = request.POST.get("mode", tournament.mode)
    mode = known.get(asked) or known.get(tournament.mode) or modes[0]
    looking = order is not None
    night = going_on(tournament.club_id, timezone.now())
    data = request.POST.copy() if request.method == "POST" else None
    everybody = bool(last and last.plan.get("everybody"))
    if data is not None:
        everybody = bool(data.get("everybody"))
    if order is None:
        order = coming_order(tournament, mode, last, night, everybody=everybody)
    proposed = proposal(tournament, order, mode, night, everybody=everybody)
    if data is not None and looking:
        for one in proposed:
            data[f"place_{one.entrant}"] = str(one.number or "")
    return RoundForm(
        data,
        tournament=tournament,
        modes=modes,
        proposed=proposed,
        others=_others(tournament),
        here=waiting_players(night),
        everybody=everybody,
    )


def _others(tournament: Tournament) -> list[tuple[int, str]]:
    """Return who of the club is not in the tournament yet."""
    if tournament.format == Format.TEAMS:
        teams = Team.objects.filter(club=tournament.club_id)
        there = tournament.entrants.filter(withdrawn_at=None).values("team")
        new = teams.exclude(pk__in=there)
        return list(new.order_by("name_key").values_list("pk", "name"))
    entered = tournament.entrants.filter(withdrawn_at=None).values("player")
    players = Player.objects.present().filter(club=tournament.club_id).exclude(pk__in=entered)
    return list(players.order_by("name_key").values_list("pk", "name"))


def _open(request: HttpRequest, tournament: Tournament, form: RoundForm) -> Round | None:
    """Open the round as the form says, or put beside the form why not."""
    asked = form.cleaned_data
    try:
        return seat_next_round(
            tournament_id=tournament.pk,
            entrants=form.order,
            newcomers=asked["more"],
            new_names=asked.get("names", []),
            mode=asked["mode"],
            length=asked["length"],
            minutes=asked["minutes"],
            movement=asked["movement"],
            everybody=asked["everybody"],
            now=timezone.now(),
            rng=SystemRandom(),
            user_id=access.signed_in(request),
        )
    except RuleError as error:
        refuse(form, error)
        return None


def _swap(request: HttpRequest, form: ExchangeForm) -> bool:
    if not form.is_valid():
        return False
    try:
        exchange(
            seats=form.cleaned_data["seats"], now=timezone.now(), user_id=access.signed_in(request)
        )
    except RuleError as error:
        return _refused(form, error)
    messages.success(request, _("They have changed seats, for all that was played."))
    return True


def _take_over(request: HttpRequest, form: SubstituteForm) -> bool:
    if not form.is_valid():
        return False
    try:
        seat = substitute(
            seat_id=form.cleaned_data["seat"],
            player_id=form.cleaned_data["player"],
            now=timezone.now(),
            user_id=access.signed_in(request),
        )
    except RuleError as error:
        return _refused(form, error)
    messages.success(request, _("%(name)s takes over.") % {"name": seat.player.name})
    return True


def _refused(form: forms.Form, error: RuleError) -> bool:
    refuse(form, error)
    return False
