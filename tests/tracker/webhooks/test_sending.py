"""The sender: one at a time of each tournament in order, claimed, retried, and given up at last."""

import threading
from collections.abc import Iterator
from datetime import datetime, timedelta
from random import Random
from time import monotonic
from typing import Any

import pytest
from django.db import connection
from django.urls import resolve
from django.utils import timezone
from pytest_django import Settings
from standardwebhooks import Webhook as Verifier

from tests import act, make
from tests.receiver import Receiver, at_first, hang, say
from tests.serving import wait_until
from tracker.models import Club, Delivery, Event, Round, Webhook
from tracker.webhooks.logic.posting import LONGEST
from tracker.webhooks.services.sending import (
    Sender,
    claim,
    payload_of,
    retry_delay,
    send,
    send_until,
)
from tracker.webhooks.services.webhooks import repeat_delivery, withdraw_webhook

pytestmark = pytest.mark.django_db
NOW = make.NOON + timedelta(minutes=5)


@pytest.fixture
def listening(club: Club, receiver: Receiver) -> Webhook:
    return listen(club, receiver, "/")


def listen(club: Club, receiver: Receiver, path: str) -> Webhook:
    url = f"http://{receiver.address}{path}"
    return Webhook.objects.create(club=club, url=url, made_at=make.NOON)


def wait(webhook: Webhook, *rounds: Round, event: Event = Event.ROUND_OPENED) -> list[Delivery]:
    """Let a webhook have to be told of these rounds."""
    return [
        Delivery.objects.create(
            webhook=webhook,
            event=event,
            tournament=each.tournament,
            round=each,
            occurred_at=make.NOON,
            due_at=min(make.NOON, timezone.now()),  # in the past for whoever looks at the clock
        )
        for each in rounds
    ]


def rounds(club: Club, many: int) -> list[Round]:
    """Make rounds, each in a tournament of its own."""
    return [make.round_of(make.tournament(club=club, name=f"Cup {n}")) for n in range(many)]


def attempt(delivery: Delivery, at: datetime = NOW) -> Delivery:
    assert claim(delivery, at)
    send(delivery, clock=lambda: at, rng=Random(1))
    delivery.refresh_from_db()
    return delivery


def due(at: datetime = NOW) -> list[int]:
    return list(Delivery.objects.due(at).order_by("pk").values_list("pk", flat=True))


def test_a_message_says_what_happened_and_where(
    club: Club, listening: Webhook, receiver: Receiver, settings: Settings
) -> None:
    settings.SITE_URL = "https://kula.example"
    [played] = rounds(club, 1)
    [delivery] = wait(listening, played)

    attempt(delivery)

    assert (delivery.due_at, delivery.delivered_at) == (None, NOW)
    assert (delivery.attempts, delivery.answer) == (1, "204 No Content")
    [heard] = receiver.heard
    assert heard.message == {
        "type": "round.opened",
        "timestamp": make.NOON.isoformat(),
        "data": {
            "club": {"id": club.pk, "name": "Upanga"},
            "tournament": {
                "id": played.tournament_id,
                "uid": str(played.tournament.uid),
                "name": "Cup 0",
            },
            "round": {"id": played.pk, "number": 1},
            "api": f"https://kula.example/api/v1/rounds/{played.pk}",
        },
    }
    assert resolve(f"/api/v1/rounds/{played.pk}").kwargs == {"round_id": str(played.pk)}
    settings.SITE_URL = ""
    delivery.event, delivery.round = Event.STANDING_OFFICIAL, None
    assert f'"round": null, "api": "/api/v1/tournaments/{played.tournament_id}"'.encode() in (
        payload_of(delivery)
    )


def test_the_receiver_verifies_what_it_hears(
    club: Club, listening: Webhook, receiver: Receiver
) -> None:
    attempt(wait(listening, *rounds(club, 1))[0], timezone.now())

    [heard] = receiver.heard
    headers = {name.lower(): value for name, value in heard.headers.items()}
    assert Verifier(listening.secret).verify(heard.body, headers) == heard.message


def test_what_fails_is_tried_ever_less_often_and_then_given_up(
    club: Club, listening: Webhook, receiver: Receiver
) -> None:
    receiver.answers["/"] = say(503)
    [delivery] = wait(listening, *rounds(club, 1))
    now, pauses = NOW, []
    while delivery.due_at is not None:
        attempt(delivery, now)
        if delivery.due_at:
            pauses.append(round((delivery.due_at - now).total_seconds()))
            now = delivery.due_at

    assert pauses == sorted(pauses)
    assert [retry_delay(n, Random(1)) is None for n in range(1, 11)] == [False] * 9 + [True]
    assert 60 <= sum(pauses) / 3600 <= 73
    assert (delivery.attempts, delivery.answer) == (10, "503 Service Unavailable")
    assert delivery.delivered_at is None
    assert len({each.uid for each in receiver.heard}) == 1
    assert len({each.body for each in receiver.heard}) == 1

    receiver.answers["/"] = say(200)
    repeat_delivery(delivery_id=delivery.pk, by=make.actor(at=NOW))
    again = Delivery.objects.get()
    assert (again.due_at, again.attempts) == (NOW, 0)
    delivery = attempt(again)

    assert delivery.delivered_at == NOW
    assert len({each.uid for each in receiver.heard}) == 1


def test_of_a_tournament_the_next_waits_for_the_one_before(
    club: Club, listening: Webhook, receiver: Receiver
) -> None:
    receiver.answers["/"] = at_first(say(500))
    here, elsewhere = rounds(club, 2)
    another = listen(club, receiver, "/other")
    first, second = wait(listening, here, here)
    [beside] = wait(another, here)
    [apart] = wait(listening, elsewhere)

    assert due() == [first.pk, beside.pk, apart.pk]
    attempt(first)  # which fails
    assert due() == [beside.pk, apart.pk]
    later = NOW + timedelta(seconds=10)
    assert due(later) == [first.pk, beside.pk, apart.pk]
    attempt(first, later)
    assert due() == [second.pk, beside.pk, apart.pk]


def test_only_one_sender_claims_a_delivery_and_only_for_a_minute(
    club: Club, listening: Webhook
) -> None:
    [delivery] = wait(listening, *rounds(club, 1))
    other = Delivery.objects.get()

    assert [claim(delivery, NOW), claim(other, NOW)] == [True, False]
    assert due(NOW + timedelta(seconds=59)) == []
    assert due(NOW + timedelta(seconds=60)) == [delivery.pk]
    # Whoever was away for longer than that notes nothing over another's claim.
    late = Delivery.objects.get()
    assert claim(late, NOW + timedelta(seconds=60))
    send(delivery, clock=lambda: NOW, rng=Random(1))
    assert Delivery.objects.get().delivered_at is None


def test_a_withdrawn_webhook_hears_nothing_more(club: Club, listening: Webhook) -> None:
    wait(listening, *rounds(club, 1))
    withdraw_webhook(webhook_id=listening.pk, by=make.actor())
    [added_meanwhile] = wait(listening, *rounds(club, 1))

    assert due() == []
    assert Delivery.objects.exclude(due_at=None).get() == added_meanwhile
    with act.refused("webhook-withdrawn"):
        repeat_delivery(delivery_id=Delivery.objects.earliest("pk").pk, by=make.actor())


def test_what_waits_is_not_repeated(club: Club, listening: Webhook) -> None:
    [delivery] = wait(listening, *rounds(club, 1))

    with act.refused("delivery-waits"):
        repeat_delivery(delivery_id=delivery.pk, by=make.actor())


@pytest.fixture
def running(transactional_db: None) -> Iterator[threading.Event]:
    """Send in a thread, as long as the test lasts."""
    stop = threading.Event()
    thread = threading.Thread(target=_send, args=[stop])
    thread.start()
    yield stop
    stop.set()
    thread.join()


def _send(stop: threading.Event) -> None:
    try:
        send_until(stop)
    finally:
        connection.close()


@pytest.mark.django_db(transaction=True)
def test_a_receiver_that_hangs_delays_no_other(
    club: Club, receiver: Receiver, running: threading.Event
) -> None:
    receiver.answers["/hangs"] = hang(receiver)
    hanging, well = listen(club, receiver, "/hangs"), listen(club, receiver, "/well")
    told, begun = rounds(club, 12), monotonic()
    wait(hanging, *told)
    wait(well, *told, *told)

    receiver.wait_for(24, "/well")

    # Two at a time, ten seconds each.
    assert len(receiver.at("/hangs")) <= 2 * (1 + (monotonic() - begun) / LONGEST)
    assert Delivery.objects.filter(webhook=hanging, due_at=None).count() == 0
    wait_until(lambda: not Delivery.objects.filter(webhook=well).exclude(due_at=None).exists())
    receiver.stop.set()


@pytest.mark.django_db
def test_no_more_is_asked_than_needed(club: Club, django_assert_num_queries: Any) -> None:
    sender = Sender()
    with django_assert_num_queries(1):  # whether there is a webhook
        assert not sender.send_due(NOW)
    Webhook.objects.create(club=club, url="https://club.example/", made_at=make.NOON)
    with django_assert_num_queries(2):  # and what is due
        assert sender.send_due(NOW)
