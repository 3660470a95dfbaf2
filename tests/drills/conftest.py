"""What drills share."""

from collections.abc import Iterator

import pytest


@pytest.fixture(scope="module")
def on_sqlite() -> Iterator[None]:
    """Keep to the file in the folder, wherever the other drills have their database."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DATABASE_URL", "")
        yield
