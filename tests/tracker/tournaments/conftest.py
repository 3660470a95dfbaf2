"""Who asks in tests of tournaments."""

import pytest
from django.test import Client

from tests import act
from tracker.models import Club, Role


@pytest.fixture
def organiser(client: Client, club: Club) -> Client:
    return act.sign_in(Role.ORGANISER, club, client)
