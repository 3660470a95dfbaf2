"""Pages that replay a hand move by move from its *record*: a text with its cards and moves.

One page takes a record that is pasted, the other shows the record stored for a tournament hand.
"""

from typing import Any

from django import forms
from django.contrib import messages
from django.core.files.uploadedfile import UploadedFile
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path
from django.utils.translation import gettext as _, gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from games.errors import RuleError, gettext_noop
from games.records.format import RecordError
from games.records.parser import read, read_all
from games.records.replayer import Replay, narrate, replay as replay_record
from tracker.common.sheet_lines import lines
from tracker.common.web import access
from tracker.common.web.requests import number_in
from tracker.common.wording import NAMELESS, Names, names_of, say
from tracker.models import Hand, HandRecord, Role
from tracker.practice.pages.seats import TableView, seats_in_order
from tracker.practice.services import attach_record, detach_record, sheet_difference
from tracker.tables.sql import read_table
from tracker.tables.table_now import TableNow

LONGEST = 300_000  # characters of a pasted text; about thirty long hands
_NO_HAND = gettext_noop("There is no hand in this text: one begins with “Kula hand 1”.")


class RecordForm(forms.Form):
    """A recorded hand: pasted, or read from a file."""

    text = forms.CharField(
        label=gettext_lazy("Paste the hand"),
        help_text=gettext_lazy(
            "The file is one you downloaded at the end of a practice hand,"
            " or got from a game on a computer."
        ),
        max_length=LONGEST,
        required=False,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 12, "spellcheck": "false", "autocomplete": "off"}),
    )
    file = forms.FileField(label=gettext_lazy("Or choose its file"), max_length=200, required=False)

    def clean(self) -> dict[str, Any]:
        """Put the text of the file, if one was sent, in ``text``."""
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        sent: UploadedFile[bytes] | None = cleaned.get("file")
        if sent is not None and (sent.size or 0) > LONGEST:
            self.add_error("file", _("This file is too long to be a hand."))
        elif sent is not None:
            try:
                cleaned["text"] = str(sent.read(), "utf-8")
            except UnicodeDecodeError:
                self.add_error("file", _("Choose a text file: this is none."))
        if not self.errors and not cleaned.get("text", "").strip():
            self.add_error("text", _("Paste a hand here, or choose a file."))
        return cleaned


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def replay(request: HttpRequest) -> HttpResponse:
    """Ask for a text of one or more records, and show the hand and the step that are asked for."""
    if request.method != "POST":
        return render(request, "practice/replay/paste.html", {"form": RecordForm()})
    form = RecordForm(request.POST, request.FILES)
    if form.is_valid():
        try:
            records = read_all(form.cleaned_data["text"])
            if not records:
                raise RecordError("no-hand", _NO_HAND)
            index = min(number_in(request.POST.get("hand", "")) or 0, len(records) - 1)
            replayed = replay_record(records[index])
        except RuleError as refusal:
            form.add_error("text", say(refusal, NAMELESS))
        else:
            people = records[index].players
            names = names_of(replayed.session.mode, people) if people else NAMELESS
            step = number_in(request.POST.get("step", "")) or 0
            context = {
                "page": _replay_page(replayed, names, step),
                "text": form.cleaned_data["text"],
                "current_place": index,
                "places": range(len(records)),
            }
            return render(request, "practice/replay/hand.html", context)
    return render(request, "practice/replay/paste.html", {"form": form})


@access.page
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def hand_record(request: HttpRequest, sitting_id: int, number: int) -> HttpResponse:
    """Show the record of a tournament hand; let scorers add, replace and delete it."""
    table = read_table(sitting_id=sitting_id)
    role = Role.SCORER if request.method == "POST" else None
    access.check(request, table.club if table else None, role)
    hand = Hand.objects.filter(sitting=sitting_id, number=number).first()
    if table is None or hand is None:
        raise Http404
    names = table.names_at(number)
    form = RecordForm()
    if request.method == "POST":
        form = RecordForm(request.POST, request.FILES)
        if _change_record(request, table, hand, names, form):
            return redirect("hand-record", sitting_id, number)
    tournament = table.tournament
    step = number_in(request.GET.get("step", "")) or 0
    record = HandRecord.objects.filter(hand=hand).first()
    context: dict[str, Any] = {
        "table": table,
        "tournament": tournament,
        "called": table.numbered(number),
        "form": form,
        "may_score": access.may(request, tournament.club, Role.SCORER),
        "record": record,
    }
    if record is not None:
        try:
            replayed = replay_record(read(record.text))
        except RuleError as error:  # the rules have changed since
            context["refusal"] = say(error, names)
        else:
            saved, recorded = hand.sheet, replayed.sheet or {}
            # The first answer in which they differ, as the result may be corrected later.
            amiss = sheet_difference(replayed.game, replayed.session, saved, recorded)
            context |= {"page": _replay_page(replayed, names, step), "amiss": say(amiss, names)}
    return access.render(request, "practice/replay/record.html", tournament.club, **context)


def _change_record(
    request: HttpRequest, table: TableNow, hand: Hand, names: Names, form: RecordForm
) -> bool:
    """Delete the hand's record, or store the record that was sent; return whether it worked."""
    sitting_id, number, by = table.sitting_id, hand.number, access.actor(request)
    if "remove" in request.POST:
        detach_record(sitting_id=sitting_id, number=number, by=by)
        messages.success(request, _("Moves deleted."))
        return True
    if not form.is_valid():
        return False
    try:
        attach_record(sitting_id=sitting_id, number=number, text=form.cleaned_data["text"], by=by)
    except RuleError as refusal:
        form.add_error("text", say(refusal, names))
        return False
    messages.success(request, _("Moves saved: they agree with the result."))
    return True


def _replay_page(replayed: Replay, names: Names, step: int) -> dict[str, Any]:
    """Return the table after *step* moves, or after the last one if there are fewer.

    All cards are face up. At the last step the result of the hand follows, or ``unfinished`` is
    true, if the recorded moves stop before the hand is over.
    """
    last = len(replayed.steps)
    step = min(step, last)
    sentences = [say(text, names) for text in narrate(replayed)]
    play, state = replayed.play, replayed.states[step]
    # One layout for each seat: together they show all hands.
    layouts = [play.layout(play.view(state, seat)) for seat in range(replayed.session.mode.seats)]
    to_move = play.seat_to_move(state)
    layout = layouts[to_move or 0]
    view = TableView(names, replayed.session.mode)
    result: dict[str, Any] = {}
    # The sheet is the written result of the hand; the record has one only of a hand that is over.
    if step == last and replayed.sheet is not None:
        game, session = replayed.game, replayed.session
        sheet = game.add_sheet(session, replayed.sheet).sheet
        result = {
            "headline": say(game.headline(session, sheet), names),
            "why": say(game.explain(session, sheet), names),
            "lines": lines(game, session, sheet, names),
        }
    seats = []
    for seat in seats_in_order(layout):
        hand = tuple(held.face for held in layouts[seat].hand)
        seats.append(view.seat(seat, layouts[seat], to_move=to_move, known=hand))
    return {
        "game": _(replayed.game.name),
        "mode": _(replayed.session.mode.name),
        "step": step,
        "last": last,
        "before": max(0, step - 1),
        "after": min(last, step + 1),
        "sentence": sentences[step - 1] if step else "",  # of the latest move
        "remarks": view.remarks(layout),
        "seats": seats,
        "layout": layout,
        "moves": sentences,  # of all moves
        "unfinished": step == last and replayed.sheet is None,
        **result,
    }


urlpatterns = [
    path("replay/", replay, name="replay"),
    path("sittings/<int:sitting_id>/hands/<int:number>/record/", hand_record, name="hand-record"),
]
