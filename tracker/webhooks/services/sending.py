"""The sender of webhooks: it claims what is due, posts it, and notes what was answered.

Any number of senders may run. Each claims a delivery for a minute by moving its ``due_at``, so that
nothing is lost with a sender that is killed. Deliveries of one tournament to one webhook are sent
one after another; others side by side, so that one slow receiver delays no other.

It writes at normal priority, because that holds SQLite's lock: single short UPDATEs.
"""

import json
import logging
import threading
from collections import Counter
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from datetime import datetime, timedelta
from functools import partial
from random import Random
from uuid import UUID

from django.conf import settings
from django.db import connections
from django.utils import timezone
from standardwebhooks import Webhook as StandardWebhook

from tracker.common.cpu_priority import at_normal_priority
from tracker.models import Delivery, Webhook
from tracker.webhooks.logic.posting import NotDelivered, post

_CLAIM = timedelta(minutes=1)  # longer than an attempt may take
# The pauses between attempts; after the last, a delivery is given up. The short ones cover a restart
# of the receiver, the long ones give its owner two days to notice.
_BACKOFF = (5, 30, 2 * 60, 10 * 60, *(hours * 3600 for hours in (1, 3, 8, 24, 24)))  # seconds
_JITTER = 0.2  # of the time, added at random, so that a receiver is not asked by all at once
_THREADS, _MOST_A_WEBHOOK = 8, 2  # attempts at the same time
_PAUSE, _IDLE_PAUSE = 1.0, 5.0  # seconds between two looks at the database; without webhooks

log = logging.getLogger(__name__)


def send_until(stop: threading.Event) -> None:
    """Send what is due until *stop* is set; what fails is logged, and tried again."""
    sender, is_failing = Sender(), False
    while not stop.is_set():
        try:
            pause = _PAUSE if sender.send_due(timezone.now()) else _IDLE_PAUSE
            is_failing = False
        except Exception as error:
            if not is_failing:  # a database that is away is one line of the log, not one a second
                log.exception("Webhooks wait: %s", type(error).__name__)
            is_failing, pause = True, _IDLE_PAUSE
            connections.close_all()
        if sender.sending:
            wait(sender.sending, timeout=_PAUSE, return_when=FIRST_COMPLETED)
        else:
            stop.wait(pause)
    sender.close()


class Sender:
    """Sends deliveries in threads; ``sending`` has the webhook of each attempt under way."""

    def __init__(self) -> None:
        self.threads = ThreadPoolExecutor(_THREADS, "webhooks")
        self.sending: dict[Future[None], int] = {}

    def send_due(self, now: datetime) -> bool:
        """Begin to send what is due, as far as threads are free; return whether any club listens."""
        self.sending = {each: key for each, key in self.sending.items() if not each.done()}
        if not Webhook.objects.filter(withdrawn_at=None).exists():
            return False
        busy = Counter(self.sending.values())
        full = [webhook for webhook, attempts in busy.items() if attempts >= _MOST_A_WEBHOOK]
        due = Delivery.objects.due(now).exclude(webhook__in=full)
        candidates = due.select_related("webhook", "tournament__club", "round")
        # What has failed comes last, so that receivers that hang leave threads to others.
        for delivery in candidates.order_by("attempts", "due_at", "pk")[: 10 * _THREADS]:
            webhook = delivery.webhook_id
            has_room = busy.total() < _THREADS and busy[webhook] < _MOST_A_WEBHOOK
            if has_room and claim(delivery, now):
                busy[webhook] += 1
                self.sending[self.threads.submit(_send_in_thread, delivery)] = webhook
        return True

    def close(self) -> None:
        """Give attempts under way a moment; what they leave is sent again once its claim ends."""
        wait(self.sending, timeout=_PAUSE)
        self.threads.shutdown(wait=False, cancel_futures=True)


def claim(delivery: Delivery, now: datetime) -> bool:
    """Claim a delivery for a minute; return false if another sender was first."""
    unclaimed = Delivery.objects.filter(pk=delivery.pk, due_at=delivery.due_at)
    delivery.due_at, delivery.attempts = now + _CLAIM, delivery.attempts + 1
    claiming = partial(unclaimed.update, due_at=delivery.due_at, attempts=delivery.attempts)
    return bool(at_normal_priority(claiming))


def send(delivery: Delivery, *, clock: Callable[[], datetime], rng: Random) -> None:
    """Post a claimed delivery, and note the answer, unless the claim has ended meanwhile."""
    claimed = Delivery.objects.filter(pk=delivery.pk, due_at=delivery.due_at)
    body, webhook = payload_of(delivery), delivery.webhook
    headers = signed_headers(delivery.uid, body, secret=webhook.secret, now=clock())
    due_at = delivered_at = None
    try:
        answer = post(webhook.url, headers, body, loopback=settings.WEBHOOK_LOOPBACK)
        delivered_at = clock()
    except NotDelivered as failure:
        answer = str(failure)
        if pause := retry_delay(delivery.attempts, rng):
            due_at = clock() + pause
    fields = {"due_at": due_at, "delivered_at": delivered_at, "answer": answer}
    at_normal_priority(partial(claimed.update, **fields))


def signed_headers(uid: UUID, body: bytes, *, secret: str, now: datetime) -> dict[str, str]:
    """Return the headers of a message; its id is the same at each attempt, its signature is not."""
    message_id = f"msg_{uid.hex}"
    return {
        "Content-Type": "application/json",
        "User-Agent": "Kula",
        "webhook-id": message_id,
        "webhook-timestamp": str(int(now.timestamp())),
        "webhook-signature": StandardWebhook(secret).sign(message_id, now, body.decode()),
    }


def retry_delay(attempts: int, rng: Random) -> timedelta | None:
    """Return how long to wait after so many failed attempts; ``None`` to give up."""
    if attempts > len(_BACKOFF):
        return None
    return timedelta(seconds=_BACKOFF[attempts - 1]) * (1 + _JITTER * rng.random())


def payload_of(delivery: Delivery) -> bytes:
    """Return the message: what happened and where; the receiver reads the rest with the API."""
    tournament, played = delivery.tournament, delivery.round
    path = f"rounds/{played.pk}" if played else f"tournaments/{tournament.pk}"
    data = {
        "club": {"id": tournament.club_id, "name": tournament.club.name},
        "tournament": {"id": tournament.pk, "uid": str(tournament.uid), "name": tournament.name},
        "round": {"id": played.pk, "number": played.number} if played else None,
        "api": f"{settings.SITE_URL}/api/v1/{path}",
    }
    at = delivery.occurred_at.isoformat()
    message = {"type": delivery.event, "timestamp": at, "data": data}
    return json.dumps(message, ensure_ascii=False).encode()


def _send_in_thread(delivery: Delivery) -> None:
    try:
        send(delivery, clock=timezone.now, rng=Random())
    except Exception:
        log.exception("The answer of a webhook could not be noted.")
    finally:
        connections.close_all()
