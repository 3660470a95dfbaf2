"""Other programs: the tokens with which they use the API, and the webhooks that tell them of events.

A *webhook* is an address of a club to which the site sends a message after each event; a *delivery*
is one message to one webhook. Triggers (migration 19) add the deliveries in the transaction of the
event, whichever code caused it, so that none is lost.
"""

import secrets
from base64 import b64encode
from datetime import datetime
from hashlib import sha256
from uuid import uuid4

from django.db import models
from django.db.models import Exists, Index, OuterRef, Q
from django.utils.translation import gettext_lazy as _

from tracker.models.base import check, one_of
from tracker.models.clubs import Club, Membership, Role
from tracker.models.rounds import Round
from tracker.models.tournaments import Tournament


class TokenScope(models.TextChoices):
    """What a token allows; each scope includes those before it."""

    READ = "read", _("read")
    REPORT = "report", _("read, and report hands")
    ORGANISE = "organise", _("read, report hands, and run nights")

    @property
    def role(self) -> Role:
        """Return the role whose rights a token of this scope has at most."""
        return {"read": Role.MEMBER, "report": Role.SCORER, "organise": Role.ORGANISER}[self.value]


class ApiToken(models.Model):
    """A token by which a program acts for a member of a club, with no more than a *scope* allows.

    It is deleted when it is withdrawn, and with the membership.
    """

    membership = models.ForeignKey(Membership, models.CASCADE, related_name="api_tokens")
    name = models.CharField(_("what it is for"), max_length=40)
    scope = models.CharField(_("it may"), max_length=8, choices=TokenScope, default=TokenScope.READ)
    # The SHA-256 of the token; as that is random, a slow hash would protect nothing more.
    digest = models.CharField(max_length=64, unique=True)
    made_at = models.DateTimeField()

    class Meta:
        constraints = [
            one_of("api_token_scope_is_known", "scope", TokenScope),
            check("api_token_has_a_name", ~Q(name="")),
        ]

    def __str__(self) -> str:
        return self.name

    @staticmethod
    def digest_of(text: str) -> str:
        """Return what is stored of a token."""
        return sha256(text.encode()).hexdigest()


def new_webhook_secret() -> str:
    """Return a secret as Standard Webhooks write it: ``whsec_`` and 32 random bytes in base 64."""
    return f"whsec_{b64encode(secrets.token_bytes(32)).decode()}"


class Webhook(models.Model):
    """An address to which events of a club are sent, until it is withdrawn."""

    club = models.ForeignKey(Club, models.CASCADE, related_name="webhooks")
    url = models.URLField(_("address"), max_length=300)
    secret = models.CharField(max_length=60, default=new_webhook_secret)  # signs the messages
    made_at = models.DateTimeField()
    withdrawn_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [check("webhook_has_a_url", ~Q(url=""))]

    def __str__(self) -> str:
        return self.url


class Event(models.TextChoices):
    """What webhooks tell."""

    ROUND_OPENED = "round.opened", _("round opened")
    RESULTS_IN = "results.in", _("all results are in")
    ROUND_CLOSED = "round.closed", _("round closed")
    STANDING_OFFICIAL = "standing.official", _("standings official")


class DeliveryQuerySet(models.QuerySet["Delivery"]):
    def due(self, now: datetime) -> "DeliveryQuerySet":
        """Filter to those to send now: the oldest that waits of each webhook and tournament."""
        line = {name: OuterRef(name) for name in ("webhook", "tournament")}
        earlier = Delivery.objects.filter(**line, due_at__isnull=False, pk__lt=OuterRef("pk"))
        return self.filter(~Exists(earlier), due_at__lte=now, webhook__withdrawn_at=None)


class Delivery(models.Model):
    """One event of one tournament, sent to one webhook until its receiver answers."""

    # The same each time it is sent, so that a receiver can tell that it has it already.
    uid = models.UUIDField(default=uuid4, unique=True, editable=False)
    webhook = models.ForeignKey(Webhook, models.CASCADE, related_name="deliveries")
    event = models.CharField(max_length=17, choices=Event)
    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="deliveries")
    round = models.ForeignKey(
        Round, models.CASCADE, null=True, blank=True, related_name="deliveries"
    )
    occurred_at = models.DateTimeField()
    # When it is to be sent (again); None once it was delivered, or given up.
    due_at = models.DateTimeField(null=True, blank=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    delivered_at = models.DateTimeField(null=True, blank=True)
    answer = models.CharField(max_length=200, blank=True)  # to the last attempt, or why it failed

    objects = DeliveryQuerySet.as_manager()

    class Meta:
        constraints = [
            one_of("delivery_event_is_known", "event", Event),
            check("delivery_waits_or_was_made", Q(due_at=None) | Q(delivered_at=None)),
            check("delivery_of_a_round", Q(event="standing.official") | Q(round__isnull=False)),
        ]
        indexes = [
            Index(fields=["due_at"], condition=Q(due_at__isnull=False), name="delivery_that_waits")
        ]

    def __str__(self) -> str:
        return f"{self.event} to {self.webhook}"
