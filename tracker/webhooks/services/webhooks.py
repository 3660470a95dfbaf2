"""Webhooks of a club: add and withdraw one, and send a message again."""

from ipaddress import ip_address
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.validators import URLValidator
from django.db import transaction

from games.errors import gettext_noop
from tracker.common.actor import Actor
from tracker.common.audit_log import log
from tracker.common.errors import Refused
from tracker.models import Club, Delivery, Webhook
from tracker.webhooks.logic.posting import PORTS, is_allowed

MOST_WEBHOOKS = 5  # webhooks of a club


@transaction.atomic
def add_webhook(*, club_id: int, url: str, by: Actor) -> Webhook:
    """Add an address, which is sent the events from now on.

    :raises Refused: ``webhook-url``, ``webhook-private``, or ``webhooks-many``.
    """
    url = url.strip()
    _check_url(url)
    # Locked, so that two requests cannot both add the last.
    Club.objects.select_for_update(no_key=True).get(pk=club_id)
    if Webhook.objects.filter(club=club_id, withdrawn_at=None).count() >= MOST_WEBHOOKS:
        text = gettext_noop("A club has %(most)d webhooks at most: withdraw one first.")
        raise Refused("webhooks-many", text, question="url", most=MOST_WEBHOOKS)
    webhook = Webhook.objects.create(club_id=club_id, url=url, made_at=by.at)
    log(by, "webhook-added", club_id=club_id, webhook=webhook.pk)
    return webhook


@transaction.atomic
def withdraw_webhook(*, webhook_id: int, by: Actor) -> None:
    """Stop sending to a webhook, also what waits for it."""
    webhook = Webhook.objects.select_for_update(no_key=True).get(pk=webhook_id)
    if webhook.withdrawn_at is None:
        webhook.withdrawn_at = by.at
        webhook.save(update_fields=["withdrawn_at"])
        webhook.deliveries.exclude(due_at=None).update(due_at=None)
        log(by, "webhook-withdrawn", club_id=webhook.club_id, webhook=webhook.pk)


@transaction.atomic
def repeat_delivery(*, delivery_id: int, by: Actor) -> None:
    """Send a message again that was delivered or given up, with the same id.

    :raises Refused: ``delivery-waits``, or ``webhook-withdrawn``.
    """
    deliveries = Delivery.objects.select_related("webhook")
    delivery = deliveries.select_for_update(of=("self",), no_key=True).get(pk=delivery_id)
    if delivery.webhook.withdrawn_at is not None:
        text = gettext_noop("This webhook was withdrawn: nothing is sent there any more.")
        raise Refused("webhook-withdrawn", text)
    if delivery.due_at is not None:
        raise Refused("delivery-waits", gettext_noop("This message is about to be sent already."))
    delivery.due_at, delivery.attempts = by.at, 0
    delivery.delivered_at, delivery.answer = None, ""
    delivery.save(update_fields=["due_at", "attempts", "delivered_at", "answer"])
    keys: dict[str, Any] = {"webhook": delivery.webhook_id, "tournament": delivery.tournament_id}
    log(by, "delivery-repeated", club_id=delivery.webhook.club_id, **keys)


def _check_url(url: str) -> None:
    """Refuse what is no address of http, or an IP address that nothing may be sent to."""
    try:
        URLValidator(schemes=["http", "https"])(url)
        parts = urlsplit(url)
        is_plain = url.isascii() and parts.username is None and parts.password is None
        port = parts.port or PORTS[parts.scheme]
    except (ValidationError, ValueError):
        is_plain = False
    if not is_plain or len(url) > (Webhook.url.field.max_length or 0):
        text = gettext_noop(
            "Please write an address that begins with https:// or http://, without a password."
        )
        raise Refused("webhook-url", text, question="url")
    try:
        ip = str(ip_address(parts.hostname or ""))
    except ValueError:
        return  # a name, whose addresses are checked whenever something is sent
    if not is_allowed(ip, port, settings.WEBHOOK_LOOPBACK):
        text = gettext_noop("This address is in a private network: nothing is sent there.")
        raise Refused("webhook-private", text, question="url")
