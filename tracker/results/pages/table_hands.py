"""The scorer's page of a table: every hand with its open issues, and the hands to confirm."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import path
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from tracker.common.web import access
from tracker.common.web.requests import key_in, number_in
from tracker.models import Role
from tracker.results.pages.table_requests import checked_table
from tracker.results.queries.hand_details import hand_details
from tracker.results.queries.issues import issue_details, open_issues
from tracker.results.queries.table import unconfirmed_among
from tracker.results.services.confirming import confirm_table


@access.page
@require_safe
@never_cache
def sitting(request: HttpRequest, sitting_id: int) -> HttpResponse:
    """Show every hand of a table with its open issues, which wait for a person to settle them."""
    table = checked_table(request, sitting_id, Role.SCORER)
    hands = hand_details(table)
    issues = issue_details(table, hands, open_issues(table))
    recorded = {hand.number for hand in hands}  # a late report may be of another hand
    return access.render(
        request,
        "results/corrections/sitting.html",
        table.club,
        table=table,
        tournament=table.tournament,
        hands=[
            (hand, [issue for issue in issues if issue.row.number == hand.number]) for hand in hands
        ],
        late=[issue for issue in issues if issue.row.number not in recorded],
        unconfirmed=unconfirmed_among(table, hands, issues),
    )


@access.page
@require_POST
def sitting_confirm(request: HttpRequest, sitting_id: int) -> HttpResponse:
    """Confirm the chosen hands of a table for the organiser."""
    checked_table(request, sitting_id, Role.SCORER)
    numbers = [number_in(sent) for sent in request.POST.getlist("number")]
    confirmed = confirm_table(
        sitting_id=sitting_id,
        numbers=[number for number in numbers if number is not None],
        seen=[key_in(sent) for sent in request.POST.getlist("seen")] or None,
        by=access.actor(request),
    )
    sentence = ngettext(
        "%(count)d result is confirmed.", "%(count)d results are confirmed.", len(confirmed)
    )
    messages.success(request, sentence % {"count": len(confirmed)})
    return redirect("sitting", sitting_id)


urlpatterns = [
    path("sittings/<int:sitting_id>/", sitting, name="sitting"),
    path("sittings/<int:sitting_id>/confirm/", sitting_confirm, name="sitting-confirm"),
]
