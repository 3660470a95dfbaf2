"""A table of four, and the people who look after its results."""

import pytest
from django.test import Client

from tests import act, make
from tracker.models import Role, Sitting


@pytest.fixture
def table() -> Sitting:
    """Return table 3 of a round of eight hands, at which Asha, Neema, Juma and Baraka sit."""
    at = make.tournament(hands=8)
    return make.sitting("Asha", "Neema", "Juma", "Baraka", at=at, number=3)


@pytest.fixture
def scorer(client: Client, table: Sitting) -> Client:
    return act.sign_in(Role.SCORER, table, client)


@pytest.fixture
def organiser(client: Client, table: Sitting) -> Client:
    return act.sign_in(Role.ORGANISER, table, client)
