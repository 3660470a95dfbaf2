"""Page of a table: shows the sheet of a hand, checks it while it is filled in, and reports it.

A *sheet* is the answers about one hand, a *report* one submission of a sheet. The *coming* hand is
the one after the last recorded hand. Most views get the table of their token as ``table_now``.
"""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.middleware.csrf import get_token
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import path
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from games.errors import RuleError
from games.game import Session
from games.how_to_play import read_how_to_play
from games.sheet import Sheet
from tracker.common.sheet_lines import totals
from tracker.common.web import access, devices
from tracker.common.web.polling import Polling, conditional_page
from tracker.common.web.requests import key_in, number_in
from tracker.common.wording import NAMELESS, Names, say
from tracker.models import CallReason, Role, Verdict
from tracker.results.forms.sheet import HandForm, How, TableQuestions, questions_at, session_of
from tracker.results.forms.sheet_view import SheetView, counted_pile, with_count
from tracker.results.pages import table_requests
from tracker.results.pages.shared_table import Parts, parts_for, share, shared_html
from tracker.results.pages.table_requests import at_table, has_expired, wants_json
from tracker.results.queries.phone import Phone, Receipt
from tracker.results.queries.table import TablePage, seat_notes, table_page, was_taken_back
from tracker.results.services.report_hand import ASK, Submission, report_hand
from tracker.seating.pages.rounds import lead_to_table
from tracker.seating.queries.table_cards import has_other_open_sitting, table_with_club
from tracker.tables import revisions
from tracker.tables.replay import ReplayRefused
from tracker.tables.table_now import TableNow

COUNT = "count"  # the button that adds up the tapped cards of a pile


@require_http_methods(["GET", "HEAD", "POST"])
def table(request: HttpRequest, token: str) -> HttpResponse:
    """Show the table and the sheet of its next hand, or record a sheet that is sent."""
    if request.method != "POST":
        return show_table(request, token=token)
    # The page asks for news by itself, as a page made by ``conditional_page`` does.
    request.__dict__["polling"] = Polling()
    return submit_sheet(request, token=token)


@conditional_page(revisions.of_sitting)
def show_table(request: HttpRequest, token: str) -> HttpResponse:
    """Show the table, as it was rendered for another phone if that sees the same."""
    if html := shared_html(request):
        return _remembered(request, HttpResponse(html), token)
    return render_table(request, token=token)


@at_table
def render_table(request: HttpRequest, table_now: TableNow) -> HttpResponse:
    """Show the table, or that its round is over."""
    if has_expired(table_now):
        get_token(request)  # sets the cookie: the phone may still have a hand to send
        late = request.GET.get("as") == Verdict.LATE
        return table_requests.round_over(request, table_now, late=late)
    page, parts = table_page(table_now), parts_for(request, table_now)
    html = _html(request, page, parts)
    share(request, page, html, parts)
    return _remembered(request, HttpResponse(html), table_now.token)


def _remembered(request: HttpRequest, response: HttpResponse, token: str) -> HttpResponse:
    """Return the response with cookies by which the phone remembers its name and the table."""
    devices.remember_device(request, response)
    devices.remember_token(request, response, devices.TABLES, token)
    return response


@require_safe
@never_cache
@conditional_page(revisions.of_sitting)
@at_table
def table_next(request: HttpRequest, table_now: TableNow) -> HttpResponse:
    """Lead to the next round at the same table, as the table card's QR code does."""
    if has_expired(table_now):
        return redirect(table_now)
    return lead_to_table(request, table_with_club(sittings=table_now.sitting_id))


@require_POST
@at_table
def table_check(request: HttpRequest, table_now: TableNow) -> HttpResponse:
    """Return what the rules say to a sheet, for the script of the page; nothing is stored."""
    if has_expired(table_now):
        return HttpResponse()
    number = _sent_number(request)
    names = table_now.names_at(min(number, table_now.coming_number))
    form = HandForm(_sent_questions(request, table_now, names), request.POST)
    checked: dict[str, Any] | None = None
    if form.is_valid():
        checked = check_sheet(table_now, session_of(table_now, form.number), form.sheet(), names)
    return render(request, "results/table/check.html", {"checked": checked, "form": form})


def check_sheet(table: TableNow, session: Session, sheet: Sheet, names: Names) -> dict[str, Any]:
    """Return in words what the rules make of a sheet, or their ``refusal``; nothing is stored."""
    game = table.game
    try:
        scored = game.add_sheet(session, sheet)
    except RuleError as refusal:
        return {"totals": totals(game, session, sheet), "refusal": say(refusal, names)}
    headline = game.headline(session, scored.sheet)
    return {
        "totals": totals(game, session, scored.sheet),
        "headline": say(headline, names),
        "brief": say(headline, names, brief=True),  # for where there is little room
        "why": say(game.explain(session, scored.sheet), names),
        "warnings": [say(warning.text, names) for warning in scored.warnings],
    }


@at_table
def submit_sheet(request: HttpRequest, table_now: TableNow) -> HttpResponse:
    """Report the sheet that was sent; if it is not stored, show it again, or answer why as JSON.

    A sheet that was filled in before the round was over is still reported.
    """
    expired, counts_pile = has_expired(table_now), request.POST.get("how") == COUNT
    form = HandForm(_sent_questions(request, table_now), request.POST, only_read=True)
    refusal: RuleError | None = None
    asked_about = None
    if not counts_pile and form.is_valid():
        submission = Submission(
            entry=form.cleaned_data["entry"],
            number=form.number,
            sheet=form.sheet(),
            side=form.side,
            is_next=form.is_next,
            undone=key_in(request.POST.get("undone", "")),
            parked=form.how is How.PARK,
        )
        by = devices.visitor(request)
        try:
            result = report_hand(token=table_now.token, submission=submission, by=by)
        except RuleError as error:
            refusal = error
        else:
            if result.verdict != ASK:
                response = table_requests.saved_response(request, table_now, result)
                devices.remember_side(request, response, form.side)
                return response
            asked_about = result.asked_about
    if expired:
        unreadable = _("This cannot be read any more. Tell the organiser what was played.")
        sentence = say(refusal, NAMELESS) if refusal else unreadable
        if wants_json(request):
            return table_requests.json_refusal([sentence])
        return table_requests.round_over(request, table_now, refusal=sentence)
    if asked_about:
        return _ask_which_hand(request, table_now, form, asked_about)
    # A form to show: of the same answers, but with all questions and the players' names.
    page, number = table_page(table_now), _sent_number(request)
    form = HandForm(_sent_questions(request, table_now, page.names_of(number)), request.POST)
    if counts_pile:
        pile = counted_pile(table_now.game, page.session_of(number), form, request.POST)
        form = with_count(pile, form, request.POST)
        return HttpResponse(_html(request, page, parts_for(request, table_now), form))
    return _refused_page(request, page, form, refusal)


def _sent_number(request: HttpRequest) -> int:
    return number_in(request.POST.get("number", "")) or 0


def _sent_questions(
    request: HttpRequest, table_now: TableNow, names: Names = NAMELESS
) -> TableQuestions:
    number = _sent_number(request)
    return questions_at(table_now, session_of(table_now, number), number, names=names)


def _refused_page(
    request: HttpRequest, page: TablePage, form: HandForm, refusal: RuleError | None
) -> HttpResponse:
    """Show the sheet again with what is wrong with it, or answer that as JSON."""
    table_now, hand = page.table, page.hand(_sent_number(request))
    if hand is not None and was_taken_back(table_now, hand.row):
        # The sheet was meant for a hand that the table undid, whose number is the coming one now.
        sent = request.POST.copy()
        sent["number"] = str(page.number)
        form = HandForm(_coming_questions(page), sent)
    if form.is_valid() and refusal is not None:
        if isinstance(refusal, ReplayRefused):
            hand_called, why = table_now.numbered(refusal.number), say(refusal, page.names)
            sentence = _("Then %(hand)s could not be: %(why)s")
            form.add_error(None, sentence % {"hand": hand_called, "why": why})
        else:
            form.refuse(refusal)
    if wants_json(request):
        sentences = [sentence for _place, sentence in form.summary()]
        return table_requests.json_refusal(sentences, refusal)
    return HttpResponse(_html(request, page, parts_for(request, table_now), form))


def _ask_which_hand(
    request: HttpRequest, table_now: TableNow, form: HandForm, about: int
) -> HttpResponse:
    """Ask whether a sheet unlike that of the recorded hand *about* is for that hand or the next."""
    question = table_now.which_hand_question(about)
    if wants_json(request):
        return table_requests.json_answer(409, "ask", number=about, message=question)
    page = table_page(table_now)
    names = page.names_of(about)
    context = {
        "page": page,
        "club": table_now.club,
        "about": about,
        "question": question,
        "may_have_next": table_now.may_have_next(about),
        "standing": page.hand(about) or page.undone,
        "checked": check_sheet(table_now, session_of(table_now, about), form.sheet(), names),
        "sent": [
            (key, value)
            for key, values in request.POST.lists()
            if key not in {"csrfmiddlewaretoken", "is_next", "undone"}
            for value in values
        ],
        "entry": form.cleaned_data["entry"],
    }
    return render(request, "results/table/ask.html", context)


def _coming_questions(page: TablePage) -> TableQuestions:
    return questions_at(page.table, page.session, page.number, names=page.names)


def _hand_form(request: HttpRequest, page: TablePage, phone: Phone) -> HandForm:
    """Return the form for the coming hand, or for the hand that ``?hand=`` asks to change.

    With ``&own`` that form starts empty: another side writes its own count. A hand that this
    phone's side has undone is filled in again.
    """
    hand = page.hand(number_in(request.GET.get("hand", "")) or 0)
    if hand is not None and not hand.struck:
        questions = questions_at(page.table, hand.session_before, hand.number, names=hand.names)
        standing = {} if "own" in request.GET else hand.sheet
        return HandForm(questions, standing=standing, side=phone.side)
    undone = page.undone
    sheet = dict(undone.sheet) if undone and undone is phone.to_bring_back else {}
    sheet.pop("dealer", None)  # the rules or the table may have another by now
    return HandForm(_coming_questions(page), standing=sheet, side=phone.side)


def _receipt(request: HttpRequest, phone: Phone) -> Receipt | None:
    saved = number_in(request.GET.get("saved", ""))
    return phone.receipt_for(saved, request.GET.get("as", "")) or phone.receipt_of_last()


def _html(request: HttpRequest, page: TablePage, parts: Parts, form: HandForm | None = None) -> str:
    """Return the page with *form*, or with the form that the query string asks for."""
    table_now, club, knows_side = page.table, page.table.club, devices.knows_side(request)
    # A phone without cookies says its side in the URL.
    side = devices.side_of(request) if knows_side else number_in(request.GET.get("side", ""))
    phone = Phone(page=page, device=devices.device_of(request), side=side)
    # The form, its hand, and whether it is shown now: a phone may have to say its side first.
    form = form or _hand_form(request, page, phone)
    form.initial["entry"] = parts.entry
    number = form.questions.number
    # Whether the form changes a recorded hand, or is for a new one.
    changing = number <= table_now.last_number
    # With ``?speak`` a phone wants to say another side than before.
    said_side = knows_side or "side" in request.GET
    asks_side = phone.must_confirm and ("speak" in request.GET or not said_side)
    wants_form = changing or page.state == "open" or "form" in request.GET
    ask_now = form.is_bound or (wants_form and not asks_side)
    lists_hands = not ask_now or form.is_bound or "hands" in request.GET
    session, asks_who_won = page.session_of(number), bool(form.questions.bare_kind.choices)
    context: dict[str, Any] = {
        "csrf_token": parts.csrf_token,
        "clock": parts.clock,
        "page": page,
        "club": club,
        # Functions, called only where it matters: a phone may read no other page of a private club.
        "may_read": lambda: access.may_read(request, club),
        "may_organise": lambda: access.may(request, club, Role.ORGANISER),
        "form": form,
        # The cards that a side tapped to have them counted, and the sheet with its questions.
        "pile": counted_pile(table_now.game, session, form, request.POST),
        "sheet": SheetView(form, seat_notes(table_now, session, form.questions.names)),
        "called": table_now.numbered(number),
        "leads_on": lambda: has_other_open_sitting(table_now.sitting_id),
        "call_reasons": CallReason.choices,
        "how_to_play": read_how_to_play(table_now.game, request.LANGUAGE_CODE),
        "only_result": not changing and page.state == "open" and asks_who_won,
        "ask_now": ask_now,
        "lists_hands": lists_hands,
        "shown_hands": page.played if lists_hands else page.played[-1:],
        # What only this phone sees; the receipt is of the hand that it has just saved.
        "phone": phone,
        "receipt": None if changing or form.is_bound else _receipt(request, phone),
        "asks_side": asks_side,
        "changing": changing,
        "older": changing and number != phone.number,  # not the last hand
        "own_count": changing and ("own" in request.GET or "own" in request.POST),
    }
    return render_to_string("results/table/page.html", context, request)


urlpatterns = [
    path("t/<str:token>/", table, name="table"),
    path("t/<str:token>/check/", table_check, name="table-check"),
    path("t/<str:token>/next/", table_next, name="table-next"),
]
