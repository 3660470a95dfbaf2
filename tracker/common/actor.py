"""The actor of an action: user, device and time."""

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Actor:
    """Who acts, from which device and when; without ``user_id`` they are not signed in."""

    at: datetime
    user_id: int | None = None
    device: str = ""

    def signed_in(self) -> int:
        """Return the key of the signed-in user; raise ``ValueError`` if there is none."""
        if self.user_id is None:
            raise ValueError("somebody has to be signed in for this")
        return self.user_id
