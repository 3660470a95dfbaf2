"""Page of a table: shows the form for a hand, checks it and stores it."""

from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from games.errors import RuleError
from games.game import Session
from games.sheet import Sheet
from tracker.common.sheet_lines import totals
from tracker.common.web import access
from tracker.common.web.devices import (
    device_of,
    knows_side,
    remember_device,
    remember_side,
    remember_table,
    side_of,
)
from tracker.common.web.polling import conditional_page
from tracker.common.web.requests import key_in, number_in
from tracker.common.wording import NAMELESS, Names, say
from tracker.models import CallReason, Role, Verdict
from tracker.results.forms.card_counter import filled_in, pile_at
from tracker.results.forms.sheet import (
    HandForm,
    How,
    TableQuestions,
    answered,
    questions_at,
    session_of,
)
from tracker.results.forms.sheet_view import SheetView
from tracker.results.pages.table_requests import (
    at_table,
    json_answer,
    json_refusal,
    over_by_now,
    round_over,
    taken,
    wants_json,
)
from tracker.results.queries.receipt import receipt_for, receipt_of_last
from tracker.results.queries.table import (
    LastHand,
    TablePage,
    besides,
    confirming,
    last_hand,
    table_page,
    was_taken_back,
)
from tracker.results.services.report_hand import Submission, SubmissionResult, report_hand
from tracker.seating.pages.cards import lead_to_table
from tracker.seating.queries.cards import has_other_open_sitting, table_of_sitting
from tracker.tables import revisions
from tracker.tables.clocks import read_round_clock
from tracker.tables.replay import ReplayRefused
from tracker.tables.table_now import TableNow

ASK, COUNT = "ask", "count"


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetPreview:
    """What the rules say to a sheet: a ``refusal``, or the result as ``headline``."""

    totals: str
    headline: str = ""
    brief: str = ""  # the headline where there is little room
    why: str = ""
    warnings: tuple[str, ...] = ()
    refusal: str = ""
    code: str = ""

    @property
    def accepted(self) -> bool:
        return not self.refusal


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@ensure_csrf_cookie  # a hand that waited on the phone is sent by it, whatever the page shows
@conditional_page(revisions.of_sitting)
@at_table
def table(request: HttpRequest, table_now: TableNow) -> HttpResponse:
    """Show the table's sheet, and record it when it is sent."""
    if over_by_now(table_now):
        return _after_the_round(request, table_now)
    if request.method == "POST":
        return _take_in(request, table_now)
    page = table_page(table_now)
    response = _render(request, page)
    remember_device(request, response)
    remember_table(request, response, table_now.token)
    return response


@require_safe
@never_cache
@conditional_page(revisions.of_sitting)
@at_table
def table_next(request: HttpRequest, table_now: TableNow) -> HttpResponse:
    """Lead to the next round at the same table, as its card would, which is not given away."""
    if over_by_now(table_now):
        return redirect(table_now)
    return lead_to_table(request, table_of_sitting(table_now.sitting_id))


@require_POST
@never_cache
@at_table
def table_check(request: HttpRequest, table_now: TableNow) -> HttpResponse:
    """Say what a sheet would come to; nothing is stored."""
    if over_by_now(table_now):
        return HttpResponse()
    names = table_now.names_at(min(_number_sent(request), table_now.coming_number))
    form = _posted(request, table_now, names)
    answer: SheetPreview | None = None
    if form.is_valid():
        answer = preview(table_now, session_of(table_now, form.number), form.sheet(), names)
    return render(request, "results/table/check.html", {"preview": answer, "form": form})


def preview(table: TableNow, session: Session, sheet: Sheet, names: Names) -> SheetPreview:
    """Return what the rules say to this sheet; nothing is stored."""
    game = table.game
    try:
        scored = game.add_sheet(session, sheet)
    except RuleError as refusal:
        return SheetPreview(
            totals=totals(game, session, sheet), refusal=say(refusal, names), code=refusal.code
        )
    headline, why = game.headline(session, scored.sheet), game.explain(session, scored.sheet)
    return SheetPreview(
        totals=totals(game, session, scored.sheet),
        headline=say(headline, names),
        brief=say(headline, names, brief=True),
        why=say(why, names) if why is not None else "",
        warnings=tuple(say(warning.text, names) for warning in scored.warnings),
    )


# Taking in ------------------------------------------------------------------------------------


def _take_in(request: HttpRequest, posted: TableNow) -> HttpResponse:
    if request.POST.get("how") == COUNT:  # show the sheet with the pile's count; store nothing
        page, number = table_page(posted), _number_sent(request)
        form = _posted(request, posted, page.names_of(number))
        pile = pile_at(posted.game, page.session_of(number), form, request.POST)
        return _render(request, page, filled_in(pile, form, request.POST))
    form = HandForm(answered(_asked_by(request, posted), request.POST), request.POST)
    refusal: RuleError | None = None
    if form.is_valid():
        try:
            answer = _report(request, posted, form)
        except RuleError as error:
            refusal = error
        else:
            if answer.verdict == ASK:
                return _ask(request, posted, form, answer)
            response = taken(request, posted, answer)
            remember_side(request, response, form.side)
            return response
    return _refused(request, posted, refusal)


def _after_the_round(request: HttpRequest, table_now: TableNow) -> HttpResponse:
    """Say that the round is over and nothing else of it; a hand typed before still gets in."""
    if request.method != "POST":
        return round_over(request, table_now, late=request.GET.get("as") == Verdict.LATE)
    form = HandForm(answered(_asked_by(request, table_now), request.POST), request.POST)
    refusal = _("This cannot be read any more. Tell the organiser what was played.")
    if request.POST.get("how") != COUNT and form.is_valid():
        try:
            answer = _report(request, table_now, form)
        except RuleError as error:
            refusal = say(error, NAMELESS)
        else:
            return taken(request, table_now, answer)
    if wants_json(request):
        return json_refusal([refusal])
    return round_over(request, table_now, refusal=refusal)


def _report(request: HttpRequest, table_now: TableNow, form: HandForm) -> SubmissionResult:
    return report_hand(
        token=table_now.token,
        submission=Submission(
            entry=form.entry,
            number=form.number,
            sheet=form.sheet(),
            side=form.side,
            is_next=form.is_next,
            undone=key_in(request.POST.get("undone", "")),
            parked=form.how is How.PARK,
        ),
        by=access.visitor(request),
    )


def _posted(request: HttpRequest, table_now: TableNow, names: Names) -> HandForm:
    """Return the whole form as it was sent, with the players' names."""
    return HandForm(_asked_by(request, table_now, names), request.POST)


def _asked_by(request: HttpRequest, table_now: TableNow, names: Names = NAMELESS) -> TableQuestions:
    """Return the questions of the page from which this was sent."""
    number = _number_sent(request)
    return questions_at(table_now, session_of(table_now, number), number, names=names)


def _number_sent(request: HttpRequest) -> int:
    return number_in(request.POST.get("number", "")) or 0


def _refused(request: HttpRequest, table_now: TableNow, refusal: RuleError | None) -> HttpResponse:
    page = table_page(table_now)
    number = _number_sent(request)
    form = _posted(request, table_now, page.names_of(number))
    hand = page.hand(number)
    if hand is not None and was_taken_back(table_now, hand.row):
        # It was meant for a hand that the table took back: the coming one now.
        sent = request.POST.copy()
        sent["number"] = str(page.number)
        asked = questions_at(table_now, page.session, page.number, names=page.names)
        form = HandForm(asked, sent)
    if form.is_valid() and refusal is not None:
        if isinstance(refusal, ReplayRefused):
            then = _("Then %(hand)s could not be: %(why)s") % {
                "hand": table_now.numbered(refusal.number),
                "why": say(refusal, page.names),
            }
            form.add_error(None, then)
        else:
            form.refuse(refusal)
    if wants_json(request):
        return json_refusal([sentence for _place, sentence in form.summary()], refusal)
    return _render(request, page, form)


def _ask(
    request: HttpRequest, table_now: TableNow, form: HandForm, answer: SubmissionResult
) -> HttpResponse:
    """Ask whether a different sheet for a recorded hand is for that hand or for the next."""
    about = answer.asked_about or form.number
    if wants_json(request):
        return json_answer(409, "ask", number=about, message=table_now.which_hand_question(about))
    page = table_page(table_now)
    sent = [
        (key, value)
        for key, values in request.POST.lists()
        if key not in {"csrfmiddlewaretoken", "is_next", "undone"}
        for value in values
    ]
    context = {
        "page": page,
        "club": table_now.club,
        "about": about,
        "question": table_now.which_hand_question(about),
        "may_have_next": table_now.may_have_next(about),
        "standing": page.hand(about) or page.undone,
        "preview": preview(
            table_now, session_of(table_now, about), form.sheet(), page.names_of(about)
        ),
        "sent": sent,
        "entry": form.entry,
    }
    return render(request, "results/table/ask.html", context)


# Showing --------------------------------------------------------------------------------------


def _sheet(request: HttpRequest, page: TablePage, last: LastHand) -> HandForm:
    """Return the form for the coming hand, or for the one that is to be changed.

    Of a hand that this phone's side has undone the figures are there.
    """
    table_now, undone = page.table, page.undone
    hand = page.hand(number_in(request.GET.get("hand", "")) or 0)
    if hand is not None and not hand.struck:
        asked = questions_at(table_now, hand.before, hand.number, names=hand.names)
        standing = {} if "own" in request.GET else hand.sheet
        return HandForm(asked, standing=standing, side=side_here(request))
    asked = questions_at(table_now, page.session, page.number, names=page.names)
    before = dict(undone.sheet) if undone and undone is last.bring else {}
    before.pop("dealer", None)  # as the rules or the table have it by now
    return HandForm(asked, standing=before, side=side_here(request))


def _render(request: HttpRequest, page: TablePage, form: HandForm | None = None) -> HttpResponse:
    table_now, club = page.table, page.table.club
    hands = [*page.hands, *([page.undone] if page.undone else [])]
    last = last_hand(table_now, hands, device=device_of(request), side=side_here(request))
    form = form or _sheet(request, page, last)
    phone = of_this_phone(request, page, form, last)
    changing, both = phone["changing"], phone["both"]
    session = page.session_of(form.asked.number)
    ask_now = (changing or form.is_bound or page.state == "open" or "form" in request.GET) and (
        form.is_bound or not (both and both.asks_side)
    )
    lists_hands = not ask_now or form.is_bound or "hands" in request.GET
    context: dict[str, Any] = {
        "page": page,
        "club": club,
        # Asked for only where it matters: a phone at a private club's table may read no other page.
        "may_read": lambda: access.may_read(request, club),
        "may_organise": lambda: access.may(request, club, Role.ORGANISER),
        "form": form,
        "pile": pile_at(table_now.game, session, form, request.POST),
        "sheet": SheetView(form, besides(table_now, session, form.asked.names)),
        "called": table_now.numbered(form.asked.number),
        **phone,
        "token": table_now.token,
        "clock": None
        if table_now.finished
        else read_round_clock(table_now.round, now=timezone.now(), table=table_now.number),
        "leads_on": lambda: has_other_open_sitting(table_now.sitting_id),
        "call": page.call,
        "call_reasons": CallReason.choices,
        "only_result": page.state == "open" and not changing and bool(form.asked.bare_kind.choices),
        "ask_now": ask_now,
        "lists_hands": lists_hands,
        "shown_hands": page.played if lists_hands else page.played[-1:],
    }
    return render(request, "results/table/page.html", context)


def side_here(request: HttpRequest) -> int | None:
    """Return for which side this phone speaks; one without cookies says so in the address."""
    return side_of(request) if knows_side(request) else number_in(request.GET.get("side", ""))


def of_this_phone(
    request: HttpRequest, page: TablePage, form: HandForm, last: LastHand
) -> dict[str, Any]:
    """Return the context that only this phone sees.

    ``own_count`` is a sheet that answers another side's, ``older`` one for a hand that is not
    the last.
    """
    device, side, number = device_of(request), side_here(request), form.asked.number
    changing = number <= page.table.last_number
    receipt = None
    if not changing and not form.is_bound:
        saved, verdict = number_in(request.GET.get("saved", "")), request.GET.get("as", "")
        receipt = receipt_for(
            page, last, number=saved, verdict=verdict, device=device
        ) or receipt_of_last(page, last, device=device)
    return {
        "device": device,
        "changing": changing,
        "older": changing and number != last.number,
        "own_count": changing and ("own" in request.GET or "own" in request.POST),
        "last": last,
        "receipt": receipt,
        "both": confirming(
            page,
            device=device,
            side=side,
            asked=(knows_side(request) or "side" in request.GET) and "speak" not in request.GET,
        ),
    }


urlpatterns = [
    path("t/<str:token>/", table, name="table"),
    path("t/<str:token>/check/", table_check, name="table-check"),
    path("t/<str:token>/next/", table_next, name="table-next"),
]
