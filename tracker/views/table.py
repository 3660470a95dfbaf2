"""What the players at a table stand in front of."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from games.errors import RuleError
from tracker.forms.asked import answered, asked_at, session_of
from tracker.forms.hands import AskedOfTable, HandForm, How
from tracker.forms.pile import filled_in, pile_at
from tracker.forms.results import sides_asked
from tracker.forms.shown import SheetShown
from tracker.models import Matter, MatterKind, TokenState, Verdict
from tracker.queries.clocks import clock_told
from tracker.queries.posted import table_posted_to
from tracker.queries.preview import Preview, preview
from tracker.queries.sittings import AtTable, HandRead, people_of, table_by_token
from tracker.queries.table import TablePage, besides, table_page
from tracker.queries.wording import NAMELESS, Names, say
from tracker.services.dealers import choose_dealer
from tracker.services.doubts import query_hand
from tracker.services.hands import Answer, Submission, report_hand
from tracker.services.replays import ReplayRefused
from tracker.services.settling import Outcome, settle
from tracker.views import access
from tracker.views.devices import device_of, remember_club, remember_device, remember_side, side_of
from tracker.views.reading import number_in

ASK, COUNT = "ask", "count"


@dataclass(frozen=True, slots=True)
class Saved:
    """The hand that has just been handed in, and what became of it."""

    number: int
    called: str
    verdict: str
    hand: HandRead | None


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def table(request: HttpRequest, token: str) -> HttpResponse:
    """Show the sheet that lies on a table, and take it in when it is sent."""
    find = table_posted_to if request.method == "POST" else table_by_token
    found = find(token)
    if found is None or found.sitting.token_state == TokenState.REVOKED:
        return _no_table(request, withdrawn=found is not None)
    if request.method == "POST":
        return _take_in(request, found)
    page = table_page(found)
    response = _render(request, page, _sheet(request, page), saved=_saved(request, page))
    remember_device(request, response)
    remember_club(request, response, found.sitting.round.tournament.club_id)
    return response


@require_POST
@never_cache
def table_check(request: HttpRequest, token: str) -> HttpResponse:
    """Say what a sheet would come to; nothing is stored."""
    found = table_by_token(token)
    if found is None or found.sitting.token_state == TokenState.REVOKED:
        return _no_table(request, withdrawn=found is not None)
    names = people_of(found).at_hand(found.sitting.last_number + 1)
    form = _posted(request, found, names)
    told: Preview | None = None
    if form.is_valid():
        told = preview(found, session_of(found, form.number), form.sheet(), names)
    return render(request, "table/check.html", {"told": told, "form": form})


@require_POST
def table_dealer(request: HttpRequest, token: str) -> HttpResponse:
    """Let somebody deal the coming hand instead of whom the rules name."""
    place = number_in(request.POST.get("place", ""))

    def choose() -> None:
        choose_dealer(
            token=token,
            place=place,
            device=device_of(request),
            user_id=request.user.pk,
            now=timezone.now(),
        )

    return _done(request, token, choose, keep=("saved", "as"))


@require_POST
def table_settle(request: HttpRequest, token: str, matter_id: int) -> HttpResponse:
    """Settle two different counts at the table they are about."""
    offered = {Outcome.KEEP, Outcome.TAKE, Outcome.TWO}
    chosen = request.POST.get("outcome", "")
    known = Matter.objects.filter(
        pk=matter_id, sitting__token=token, kind=MatterKind.CONFLICT, settled_at=None
    ).exclude(sitting__token_state=TokenState.REVOKED)
    if chosen not in offered or not known.exists():
        messages.info(request, _("That was settled already."))
        return _back(token)

    def decide() -> None:
        settle(
            matter_id=matter_id,
            outcome=Outcome(chosen),
            reason=_("Settled at the table"),
            user_id=None,
            device=device_of(request),
            now=timezone.now(),
            at_table=True,
        )

    return _done(request, token, decide)


@require_POST
def table_query(request: HttpRequest, token: str, number: int) -> HttpResponse:
    """Ask the organiser to look at a hand that stands."""

    def ask() -> None:
        query_hand(
            token=token,
            number=number,
            note=request.POST.get("note", "").strip()[:200],
            device=device_of(request),
            now=timezone.now(),
        )
        messages.success(request, _("The organiser will look at it."))

    return _done(request, token, ask)


# Taking in ------------------------------------------------------------------------------------


def _take_in(request: HttpRequest, posted: AtTable) -> HttpResponse:
    if request.POST.get("how") == COUNT:
        return _counted(request, _again(posted))
    form = HandForm(answered(_asked_by(request, posted), request.POST), request.POST)
    refusal: RuleError | None = None
    if form.is_valid():
        try:
            answer = _report(request, posted, form)
        except RuleError as error:
            refusal = error
        else:
            if answer.verdict == ASK:
                return _ask(request, _again(posted), form, answer)
            response = _back(posted.sitting.token, saved=answer.number, verdict=answer.verdict)
            remember_side(request, response, form.side)
            return response
    return _refused(request, _again(posted), refusal)


def _counted(request: HttpRequest, found: AtTable) -> HttpResponse:
    """Show the sheet with the count of the pile in it; nothing is stored."""
    page = table_page(found)
    form = _posted(request, found, page.names)
    pile = pile_at(found.game, page.session, form, request.POST)
    return _render(request, page, filled_in(pile, form, request.POST))


def _again(posted: AtTable) -> AtTable:
    """Return with all that a page shows a table of which only the sheet was to be read."""
    return table_by_token(posted.sitting.token) or posted


def _report(request: HttpRequest, found: AtTable, form: HandForm) -> Answer:
    return report_hand(
        token=found.sitting.token,
        submission=Submission(
            entry=form.entry,
            number=form.number,
            sheet=form.sheet(),
            device=device_of(request),
            side=form.side,
            is_next=form.is_next,
            parked=form.how is How.PARK,
        ),
        user_id=request.user.pk,
        now=timezone.now(),
    )


def _posted(request: HttpRequest, found: AtTable, names: Names) -> HandForm:
    """Return the whole form as it was sent, with everybody's name."""
    return HandForm(_asked_by(request, found, names), request.POST)


def _asked_by(request: HttpRequest, found: AtTable, names: Names = NAMELESS) -> AskedOfTable:
    """Return what the page asked from which this was sent."""
    number = number_in(request.POST.get("number", "")) or 0
    return asked_at(found, session_of(found, number), number, names=names)


def _refused(request: HttpRequest, found: AtTable, refusal: RuleError | None) -> HttpResponse:
    page = table_page(found)
    form = _posted(request, found, page.names)
    if form.is_valid() and refusal is not None:
        if isinstance(refusal, ReplayRefused):
            then = _("Then %(hand)s could not be: %(why)s") % {
                "hand": found.numbered(refusal.number),
                "why": say(refusal, page.names),
            }
            form.refuse_all(then)
        else:
            form.refuse(refusal)
    return _render(request, page, form)


def _ask(request: HttpRequest, found: AtTable, form: HandForm, answer: Answer) -> HttpResponse:
    """Ask whether a different sheet for a hand that stands is that hand, or the next."""
    page = table_page(found)
    about = answer.asked_about or form.number
    sent = [
        (key, value)
        for key, values in request.POST.lists()
        if key not in {"csrfmiddlewaretoken", "is_next"}
        for value in values
    ]
    context = {
        "page": page,
        "club": found.sitting.round.tournament.club,
        "about": about,
        "standing": page.hand(about),
        "told": preview(found, session_of(found, about), form.sheet(), page.names),
        "sent": sent,
    }
    return render(request, "table/ask.html", context)


# Showing --------------------------------------------------------------------------------------


def _sheet(request: HttpRequest, page: TablePage) -> HandForm:
    """Return the form for the coming hand, or for the one that is to be changed."""
    found = page.table
    hand = page.hand(number_in(request.GET.get("hand", "")) or 0)
    if hand is not None and not hand.struck:
        asked = asked_at(found, hand.before, hand.number, names=hand.names)
        return HandForm(asked, standing=hand.sheet, side=side_of(request))
    asked = asked_at(found, page.session, page.number, names=page.names)
    return HandForm(asked, side=side_of(request))


def _render(
    request: HttpRequest, page: TablePage, form: HandForm, saved: Saved | None = None
) -> HttpResponse:
    found, club = page.table, page.table.sitting.round.tournament.club
    changing = form.asked.number <= found.sitting.last_number
    context: dict[str, Any] = {
        "page": page,
        "club": club,
        # Asked for only where it matters: a phone at a private club's table may read no other page.
        "may_read": lambda: club.public or access.role_in(request, club) is not None,
        "form": form,
        "pile": pile_at(found.game, page.session, form, request.POST),
        "sheet": SheetShown(form, besides(found, page.session, page.names)),
        "called": found.numbered(form.asked.number),
        "changing": changing,
        "saved": saved,
        "token": found.sitting.token,
        "clock": clock_told(found.sitting.round, now=timezone.now(), table=found.sitting.number),
        "only_result": page.state == "open" and not changing and bool(sides_asked(form.asked.bare)),
        "ask_now": changing or form.is_bound or page.state == "open" or "form" in request.GET,
    }
    return render(request, "table/page.html", context)


def _saved(request: HttpRequest, page: TablePage) -> Saved | None:
    number, verdict = number_in(request.GET.get("saved", "")), request.GET.get("as", "")
    if number is None or verdict not in Verdict.values:
        return None
    return Saved(number, page.table.numbered(number), verdict, page.hand(number))


def _no_table(request: HttpRequest, *, withdrawn: bool) -> HttpResponse:
    context = {"withdrawn": withdrawn}
    return render(request, "table/nobody.html", context, status=410 if withdrawn else 404)


# Back to the page -----------------------------------------------------------------------------


def _done(
    request: HttpRequest, token: str, act: Callable[[], None], keep: tuple[str, ...] = ()
) -> HttpResponse:
    """Do *act* and return to the table's page; a refusal is said there."""
    try:
        act()
    except RuleError as refusal:
        if refusal.code == "token-unknown":
            return _no_table(request, withdrawn=False)
        messages.error(request, say(refusal, NAMELESS))
    kept = {name: request.POST[name] for name in keep if request.POST.get(name)}
    query = f"?{urlencode(kept)}" if kept else ""
    return _see_other(reverse("table", args=[token]) + query)


def _back(token: str, *, saved: int | None = None, verdict: str = "") -> HttpResponse:
    query = f"?saved={saved}&as={verdict}" if saved is not None else ""
    return _see_other(reverse("table", args=[token]) + query)


def _see_other(address: str) -> HttpResponse:
    response = HttpResponseRedirect(address)
    response.status_code = 303
    return response
