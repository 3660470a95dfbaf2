"""Pages that record results without counts.

A table enters how many hands each side won (``enter_wins``). A scorer enters the *result type* of
hands that were not played out: walkover, assigned, not played, void (``enter_result_type``). Both
use the *bare* question of a game, which asks only who won, or in which order people finished.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path
from django.utils.translation import gettext as _, gettext_lazy, ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from games.errors import RuleError
from games.sheet import VOID, Choice
from tracker.backups.automatic import copy_before_request
from tracker.common.forms import CountField
from tracker.common.web import access
from tracker.common.web.devices import visitor
from tracker.common.wording import say
from tracker.models import ResultType, Role
from tracker.results.forms.question_base import number_field
from tracker.results.forms.reason import NOT_PLAYED_REASONS, ReasonForm
from tracker.results.forms.sheet import HandForm, How, TableQuestions, questions_at
from tracker.results.forms.sheet_view import SheetView
from tracker.results.pages.table_requests import at_table, checked_table, has_expired, round_over
from tracker.results.services.paper import PaperResult
from tracker.results.services.result_only import record_result_type, record_wins
from tracker.tables.table_now import TableNow

MOST = 30  # hands at once
_WON = "won_"  # prefix of a field of ``WinsForm``, before the number of the side
_GROWN_OLD = gettext_lazy("This page has grown old: load it again, please.")


class WinsForm(forms.Form):
    """Form for how many hands each side won, where nothing more was written down."""

    # The number of the first hand.
    first = forms.IntegerField(
        min_value=1,
        max_value=9999,
        widget=forms.HiddenInput,
        error_messages=dict.fromkeys(("required", "invalid", "min_value", "max_value"), _GROWN_OLD),
    )

    def __init__(self, questions: TableQuestions, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.questions = questions
        self.fields["first"].initial = questions.number
        for side in range(len(questions.mode.sides)):
            name = questions.names.of(side)
            self.fields[f"{_WON}{side}"] = number_field(name, MOST, limited=True)
        # The answers to the bare question are the sides; in some games also ``None``, for a tie.
        if None in dict(questions.bare_kind.choices):
            self.fields["ties"] = number_field(_("Nobody: it was a tie"), MOST, limited=True)

    @property
    def wins(self) -> list[int]:
        """Return the number of hands that each side won."""
        sides = range(len(self.questions.mode.sides))
        return [self.cleaned_data.get(f"{_WON}{side}") or 0 for side in sides]


class ResultTypeForm(HandForm):
    """Form for hands that were not played out: what happened, who won, and for how many hands.

    ``HandForm`` checks and refuses the answers; the fields below replace all its own.
    """

    how = How.BARE  # the form asks only who won, never for a count

    def __init__(
        self, questions: TableQuestions, data: Mapping[str, Any] | None = None, *, many: str
    ) -> None:
        self.many = many  # the game's word for hands
        who_won = questions.bare_question
        # "Void" is no winner here, but one of the result types below.
        if isinstance(who_won, Choice):
            choices = tuple((value, label) for value, label in who_won.choices if value != VOID)
            who_won = replace(who_won, choices=choices)
        super().__init__(replace(questions, questions=(), bare_question=who_won), data)

    def _add_fields(self) -> None:
        # The number of the first hand.
        self.fields["number"] = forms.IntegerField(
            min_value=1, max_value=9999, widget=forms.HiddenInput
        )
        self.fields |= self.questions.bare_kind.fields
        self.fields["result_type"] = forms.ChoiceField(
            label=_("What happened?"),
            choices=[
                (ResultType.WALKOVER, _("Walkover: one side did not turn up")),
                (ResultType.ASSIGNED, _("Decided by the organiser")),
                (ResultType.NOT_PLAYED, _("Not played: nobody scores")),
                (ResultType.VOID, _("Void: played, but nobody scores")),
            ],
            widget=forms.RadioSelect,
        )
        self.fields["times"] = CountField(
            label=_("For how many %(hands)s?") % {"hands": self.many},
            help_text=_("Leave it empty for everything still missing at this table."),
            most=MOST,
            required=False,
        )

    def clean(self) -> dict[str, Any]:
        """Require a winner only for the result types that have one."""
        if self.cleaned_data.get("result_type") in {ResultType.NOT_PLAYED, ResultType.VOID}:
            return self.cleaned_data
        return super().clean()


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@at_table
def enter_wins(request: HttpRequest, table: TableNow) -> HttpResponse:
    """Let a table enter how many of its coming hands each side won."""
    if has_expired(table):
        return round_over(request, table)
    names = table.coming_names
    questions = questions_at(table, table.coming_session(), table.coming_number, names=names)
    if not questions.bare_kind.choices:  # the result is a finishing order: no side wins
        return redirect(table)
    form = WinsForm(questions, request.POST if request.method == "POST" else None)
    if form.is_valid():
        try:
            result = record_wins(
                token=table.token,
                first=form.cleaned_data["first"],
                wins=form.wins,
                ties=form.cleaned_data.get("ties") or 0,
                by=visitor(request),
            )
        except RuleError as refusal:
            form.add_error(None, say(refusal, names))
        else:
            messages.success(request, _saved(result))
            return redirect(table)
    many = _(table.game.unit.many)
    context = {"table": table, "names": names, "form": form, "many": many, "club": table.club}
    return render(request, "results/table/result.html", context)


@access.page
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def enter_result_type(request: HttpRequest, sitting_id: int) -> HttpResponse:
    """Let a scorer enter a table's coming hands as a walkover, assigned, not played or void."""
    table = checked_table(request, sitting_id, Role.SCORER)
    names = table.coming_names
    questions = questions_at(table, table.coming_session(), table.coming_number, names=names)
    sent = request.POST if request.method == "POST" else None
    form = ResultTypeForm(questions, sent, many=_(table.game.unit.many))
    reason = ReasonForm(sent, offered=NOT_PLAYED_REASONS)
    valid = [form.is_valid(), reason.is_valid()]  # both, so that each shows its own errors
    tournament = table.tournament
    if all(valid):
        why = _("Before hands of %(tournament)s were decided without being played")
        copy_before_request(request, why % {"tournament": tournament.name})
        try:
            result = record_result_type(
                sitting_id=table.sitting_id,
                result_type=ResultType(form.cleaned_data["result_type"]),
                bare=form.sheet()["bare"],  # read only if the result type has a winner
                times=form.cleaned_data["times"],
                reason=reason.cleaned_data["reason"],
                by=access.actor(request),
                first=form.number,
            )
        except RuleError as refusal:
            form.refuse(refusal)
        else:
            if result.same:
                messages.info(request, _("That was saved already."))
            else:
                messages.success(request, _saved(result))
            return redirect("sitting", table.sitting_id)
    return access.render(
        request,
        "results/corrections/instead.html",
        tournament.club,
        table=table,
        tournament=tournament,
        names=names,
        form=form,
        reason=reason,
        sheet=SheetView(form),
    )


def _saved(result: PaperResult) -> str:
    added = len(result.added)
    return ngettext("%(count)d result saved.", "%(count)d results saved.", added) % {"count": added}


urlpatterns = [
    path("t/<str:token>/result/", enter_wins, name="enter-wins"),
    path("sittings/<int:sitting_id>/result/", enter_result_type, name="enter-result-type"),
]
