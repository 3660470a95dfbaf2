"""The page of a club's webhooks: only owners see it, add and withdraw, and send again."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import Settings
from pytest_django.asserts import assertContains, assertNotContains, assertRedirects

from tests import act, make
from tests.reading import costs, shows
from tracker.models import Club, Delivery, Event, LogEntry, Role, Webhook
from tracker.webhooks.services.webhooks import MOST_WEBHOOKS, add_webhook, withdraw_webhook

pytestmark = pytest.mark.django_db


@pytest.fixture
def owner(client: Client, club: Club) -> Client:
    return act.sign_in(Role.OWNER, club, client)


def page_of(club: Club) -> str:
    return reverse("webhooks", args=[club.pk])


def deliver(webhook: Webhook, many: int = 1, **more: object) -> list[Delivery]:
    round_ = make.round_of(make.tournament(club=webhook.club))
    told = {"tournament": round_.tournament, "round": round_, "occurred_at": make.NOON, **more}
    return [webhook.deliveries.create(event=Event.ROUND_OPENED, **told) for _ in range(many)]


def test_an_owner_adds_one_reads_its_secret_and_withdraws_it(club: Club, owner: Client) -> None:
    assertContains(owner.get(reverse("club-edit", args=[club.pk])), page_of(club))

    added = owner.post(page_of(club), {"url": " https://club.example/kula?x=1 "})
    assertRedirects(added, page_of(club))
    webhook = Webhook.objects.get()
    page = owner.get(page_of(club))
    shows(page, "https://club.example/kula?x=1", webhook.secret, "Nothing sent yet")
    assert "no-store" in page.headers["Cache-Control"]

    withdrawn = owner.post(reverse("webhook-withdraw", args=[webhook.pk]))
    assertRedirects(withdrawn, page_of(club))
    assertNotContains(owner.get(page_of(club)), webhook.secret)
    withdraw_webhook(webhook_id=webhook.pk, by=make.actor())  # once is enough
    verbs = LogEntry.objects.order_by("pk").values_list("verb", flat=True)
    assert list(verbs) == ["webhook-added", "webhook-withdrawn"]


@pytest.mark.parametrize(
    ("url", "says"),
    [
        ("club.example", "begins with https:// or http://"),
        ("ftp://club.example/", "begins with https:// or http://"),
        ("javascript:alert(1)", "begins with https:// or http://"),
        ("https://user:password@club.example/", "begins with https:// or http://"),
        ("https://club.example:99999/", "begins with https:// or http://"),
        ("https://club.example/\nX: 1", "begins with https:// or http://"),
        ("https://club.example/ä", "begins with https:// or http://"),
        ("http://127.0.0.1:8001/", "in a private network"),
        ("http://[::1]/", "in a private network"),
        ("http://10.0.0.1/", "in a private network"),
        ("http://[::ffff:10.0.0.1]/", "in a private network"),
        ("http://169.254.169.254/latest/", "in a private network"),
        ("", "Please fill this in."),
        ("https://club.example/" + "x" * 300, "At most 300 letters"),
    ],
)
def test_an_address_that_nothing_is_sent_to_is_refused(
    club: Club, owner: Client, url: str, says: str
) -> None:
    page = owner.post(page_of(club), {"url": url})

    shows(page, says)
    assert not Webhook.objects.exists()


def test_tests_may_name_one_address_of_this_machine(club: Club, settings: Settings) -> None:
    settings.WEBHOOK_LOOPBACK = "127.0.0.1:8001"
    add: dict[str, Any] = {"club_id": club.pk, "by": make.actor()}

    assert add_webhook(url="http://127.0.0.1:8001/x", **add).pk
    with act.refused("webhook-private"):
        add_webhook(url="http://127.0.0.1:8002/x", **add)


def test_a_club_has_five_at_most(club: Club, owner: Client) -> None:
    for nth in range(MOST_WEBHOOKS):
        owner.post(page_of(club), {"url": f"https://club.example/{nth}"})

    page = owner.post(page_of(club), {"url": "https://club.example/more"})

    shows(page, "A club has 5 webhooks at most")
    assert club.webhooks.count() == MOST_WEBHOOKS


def test_the_log_says_how_each_delivery_stands(club: Club, owner: Client, webhook: Webhook) -> None:
    [delivered] = deliver(webhook, delivered_at=make.NOON, attempts=1, answer="200 OK")
    deliver(webhook, due_at=make.NOON, attempts=2, answer="It cannot be reached.")
    [given_up] = deliver(webhook, attempts=10, answer="503 Service Unavailable")

    page = owner.get(page_of(club))

    shows(page, "delivered", "waiting", "next attempt", "given up", "It cannot be reached.")
    shows(page, "Friday Cup, round 1: round opened", "503 Service Unavailable")
    again = [reverse("delivery-again", args=[each.pk]) for each in (given_up, delivered)]
    positions = [page.text.index(path) for path in again]
    assert positions == sorted(positions)  # the newest first
    assert page.text.count("/again/") == 2
    assertRedirects(owner.post(again[0]), page_of(club))
    given_up.refresh_from_db()
    assert given_up.due_at is not None
    shows(owner.post(again[0], follow=True), "about to be sent already")


def test_deliveries_of_another_club_are_not_there(club: Club, owner: Client) -> None:
    elsewhere = Webhook.objects.create(
        club=make.club("Ilala", public=False), url="https://ilala.example/", made_at=make.NOON
    )
    [theirs] = deliver(elsewhere)

    assertNotContains(owner.get(page_of(club)), "ilala")
    assert owner.post(reverse("delivery-again", args=[theirs.pk])).status_code == 404
    assert owner.post(reverse("webhook-withdraw", args=[elsewhere.pk])).status_code == 404


def test_the_page_costs_the_same_however_much_was_sent(
    club: Club, owner: Client, webhook: Webhook
) -> None:
    for many, rows in ((1, 1), (40, 25)):
        deliver(webhook, many)
        with costs(6):  # session, user, club with role, webhooks, how many deliveries, a page
            page = owner.get(page_of(club))
        assert page.text.count("/again/") == rows
    assert owner.get(page_of(club) + "?page=2").text.count("/again/") == 16
