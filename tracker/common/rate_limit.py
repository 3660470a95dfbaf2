"""A rate limit: how many misses are allowed at once, and how often one more."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class RateLimit:
    """Allows *burst* misses at once, and one more every so many *seconds*."""

    burst: int
    seconds: int

    def latest(self, now: float) -> float:
        """Return the latest time of forgiveness at which one more miss is allowed.

        Each miss moves that time, as in ``paid_off`` of the table of misses, *seconds* ahead.

        >>> RateLimit(burst=2, seconds=60).latest(0.0)
        60.0
        """
        return now + (self.burst - 1) * self.seconds
