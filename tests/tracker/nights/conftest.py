"""A club, its tournament of two hands a round, and its organiser."""

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from tests import act, make
from tracker.models import Club, ClubNight, Role, Tournament


@pytest.fixture
def club() -> Club:
    return make.club()


@pytest.fixture
def tournament(club: Club) -> Tournament:
    return make.tournament(club=club, hands=2)


@pytest.fixture
def organiser(client: Client, club: Club) -> Client:
    return act.sign_in(Role.ORGANISER, club, client)


@pytest.fixture
def now_night(club: Club) -> ClubNight:
    """Return a night that goes on while the test runs, for tests of pages."""
    return make.night(club, timezone.now() - timedelta(hours=1))
