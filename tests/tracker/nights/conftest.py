"""A club, its tournament of two hands a round, and its organiser."""

import pytest
from django.test import Client

from tests import act, make
from tracker.models import Club, Role, Tournament


@pytest.fixture
def club() -> Club:
    return make.club()


@pytest.fixture
def tournament(club: Club) -> Tournament:
    return make.tournament(club=club, hands=2)


@pytest.fixture
def organiser(client: Client, club: Club) -> Client:
    return act.sign_in(Role.ORGANISER, club, client)
