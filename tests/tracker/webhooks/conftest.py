"""A club with a webhook, and what its receiver hears."""

from collections.abc import Iterator

import pytest
from pytest_django import Settings

from tests import make
from tests.receiver import Receiver, receiving
from tracker.models import Club, Webhook


@pytest.fixture
def receiver(settings: Settings) -> Iterator[Receiver]:
    """Return the one receiver on this machine that the site may send to."""
    with receiving() as receiver:
        settings.WEBHOOK_LOOPBACK = receiver.address
        yield receiver


@pytest.fixture
def webhook(club: Club) -> Webhook:
    return Webhook.objects.create(club=club, url="https://club.example/kula", made_at=make.NOON)
