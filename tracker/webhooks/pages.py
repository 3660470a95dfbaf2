"""The page of a club's webhooks: their addresses and secrets, and the log of deliveries."""

import django_tables2 as tables
from django import forms
from django.contrib import messages
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.middleware.csrf import get_token
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import path
from django.utils.safestring import SafeString
from django.utils.translation import gettext, gettext_lazy as _
from django.views.decorators.http import require_http_methods, require_POST

from tracker.common.columns import ClubTable
from tracker.common.forms import refusals_as_messages, refusals_on
from tracker.common.web import access
from tracker.models import Delivery, Role, Webhook
from tracker.webhooks.services.webhooks import add_webhook, repeat_delivery, withdraw_webhook

_DELIVERIES_PER_PAGE = 25


class WebhookForm(forms.Form):
    url = forms.CharField(
        label=_("Address"),
        help_text=_("Of your website or bot, such as https://club.example/kula."),
        max_length=Webhook.url.field.max_length,
        widget=forms.TextInput(attrs={"inputmode": "url", "autocapitalize": "none"}),
    )


class DeliveriesTable(ClubTable):
    """The log of deliveries; *token* is the CSRF token for the forms of its buttons."""

    sent = tables.Column(
        verbose_name=_("What was sent"),
        empty_values=(),  # rendered although deliveries have no value ``sent``
        attrs={"td": {"class": "wrap plain whole told"}},
    )

    class Meta:
        orderable = False  # the newest first
        empty_text = _("Nothing yet: the next round that opens is told.")

    def __init__(self, deliveries: QuerySet[Delivery], *, token: str) -> None:
        super().__init__(deliveries)
        self.token = token
        self.title = gettext("Deliveries")

    def render_sent(self, record: Delivery) -> SafeString:
        """Render the event, with time, address and answer in small print."""
        # The answer is a status, which no language changes, or a sentence of ``posting``, or "".
        is_status = record.answer[:1].isdigit()
        answer = record.answer if is_status or not record.answer else gettext(record.answer)
        context = {"row": record, "answer": answer, "is_status": is_status, "token": self.token}
        return SafeString(render_to_string("webhooks/delivery.html", context).strip())


@access.page
@require_http_methods(["GET", "HEAD", "POST"])
def webhooks(request: HttpRequest, club_id: int) -> HttpResponse:
    """Show the owner the webhooks and what was sent to them; add webhooks."""
    club = access.club(request, club_id, Role.OWNER)
    form = WebhookForm(request.POST or None)
    if form.is_valid():
        with refusals_on(form):
            add_webhook(club_id=club.pk, **form.cleaned_data, by=access.actor(request))
            messages.success(request, gettext("Added: it is told what happens from now on."))
            return redirect("webhooks", club.pk)
    deliveries = Delivery.objects.filter(webhook__club=club).order_by("-pk")
    table = DeliveriesTable(
        deliveries.select_related("webhook", "tournament", "round"), token=get_token(request)
    )
    table.paginate(per_page=_DELIVERIES_PER_PAGE)
    table.page = table.paginator.get_page(request.GET.get("page"))
    rows = list(club.webhooks.filter(withdrawn_at=None).order_by("pk"))
    context = access.context(request, club, form=form, rows=rows, table=table)
    return render(request, "webhooks/webhooks.html", context)


@access.page
@require_POST
def webhook_withdraw(request: HttpRequest, webhook_id: int) -> HttpResponse:
    webhook = access.get(request, Webhook.objects, webhook_id, Role.OWNER)
    withdraw_webhook(webhook_id=webhook.pk, by=access.actor(request))
    messages.success(request, gettext("Withdrawn: nothing more is sent there."))
    return redirect("webhooks", webhook.club_id)


@access.page
@require_POST
def delivery_again(request: HttpRequest, delivery_id: int) -> HttpResponse:
    deliveries = Delivery.objects.select_related("tournament")
    path_to_club = "tournament__club"
    delivery = access.get(request, deliveries, delivery_id, Role.OWNER, club_path=path_to_club)
    with refusals_as_messages(request):
        repeat_delivery(delivery_id=delivery.pk, by=access.actor(request))
        messages.success(request, gettext("It is sent again, in a moment."))
    return redirect("webhooks", delivery.tournament.club_id)


urlpatterns = [
    path("clubs/<int:club_id>/webhooks/", webhooks, name="webhooks"),
    path("webhooks/<int:webhook_id>/withdraw/", webhook_withdraw, name="webhook-withdraw"),
    path("deliveries/<int:delivery_id>/again/", delivery_again, name="delivery-again"),
]
