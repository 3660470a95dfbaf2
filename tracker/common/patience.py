"""Patience: how many misses of one kind pass at once, and how long until one more does."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Patience:
    """So many misses at once, and one more every so many seconds."""

    burst: int
    seconds: int

    def latest(self, now: float) -> float:
        """Return until when misses may be unforgiven so that one more passes.

        >>> Patience(burst=2, seconds=60).latest(0.0)
        60.0
        """
        return now + (self.burst - 1) * self.seconds
