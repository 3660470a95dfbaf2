"""The page of a club's webhooks: their addresses and secrets, and the log of deliveries."""

from django import forms
from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import path
from django.utils.translation import gettext, gettext_lazy as _
from django.views.decorators.http import require_http_methods, require_POST

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


@access.page
@require_http_methods(["GET", "HEAD", "POST"])
def webhooks(request: HttpRequest, club_id: int) -> HttpResponse:
    """Show the owner the webhooks and what was sent to them; add webhooks."""
    club = access.club(request, club_id, Role.OWNER)
    form = WebhookForm(request.POST or None)
    if form.is_valid():
        with refusals_on(form):
            add_webhook(club_id=club.pk, **form.cleaned_data, by=access.actor(request))
            messages.success(request, gettext("Added: it receives events from now on."))
            return redirect("webhooks", club.pk)
    sent = Delivery.objects.filter(webhook__club=club).order_by("-pk")
    pages = Paginator(sent.select_related("webhook", "tournament", "round"), _DELIVERIES_PER_PAGE)
    deliveries = pages.get_page(request.GET.get("page"))
    rows = list(club.webhooks.filter(withdrawn_at=None).order_by("pk"))
    context = {"form": form, "rows": rows, "deliveries": deliveries}
    return access.render(request, "webhooks/webhooks.html", club, **context)


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
    to_club = "tournament__club"
    delivery = access.get(request, Delivery.objects, delivery_id, Role.OWNER, club_path=to_club)
    with refusals_as_messages(request):
        repeat_delivery(delivery_id=delivery.pk, by=access.actor(request))
        messages.success(request, gettext("It is sent again, in a moment."))
    return redirect("webhooks", delivery.tournament.club_id)


urlpatterns = [
    path("clubs/<int:club_id>/webhooks/", webhooks, name="webhooks"),
    path("webhooks/<int:webhook_id>/withdraw/", webhook_withdraw, name="webhook-withdraw"),
    path("deliveries/<int:delivery_id>/again/", delivery_again, name="delivery-again"),
]
