"""Who does something, from which device, and when."""

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Actor:
    """Who does something, from which device, and when; without a user nobody is signed in."""

    at: datetime
    user_id: int | None = None
    device: str = ""

    def signed_in(self) -> int:
        """Return the user, where somebody must be signed in.

        :raises ValueError: if nobody is.
        """
        if self.user_id is None:
            raise ValueError("somebody has to be signed in for this")
        return self.user_id
