"""What tests of many subjects ask for."""

import pytest

from tests import make
from tracker.models import Club


@pytest.fixture
def club() -> Club:
    return make.club()
