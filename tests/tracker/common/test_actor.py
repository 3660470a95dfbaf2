"""Actor: what asks for somebody signed in refuses whoever is not."""

from datetime import UTC, datetime

import pytest

from tracker.common.actor import Actor

AT = datetime(2026, 11, 20, 19, 30, tzinfo=UTC)


def test_who_is_signed_in_is_named() -> None:
    assert Actor(at=AT, user_id=7).signed_in() == 7


def test_nobody_signed_in_is_refused() -> None:
    with pytest.raises(ValueError, match="signed in"):
        Actor(at=AT).signed_in()
