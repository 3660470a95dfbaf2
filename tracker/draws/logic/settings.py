"""How a coming round is to be drawn, as the organiser chose it and the draw keeps it."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """By which movement, in which mode, and how long.

    ``odd_tables`` has those left over sit at tables of another size instead of resting.
    ``length`` is in hands, or in games where the game counts those; without one the round is as
    long as the tournament's are. ``minutes`` starts the round's clock with it.
    """

    movement: str
    mode: str
    odd_tables: bool = False
    length: int | None = None
    minutes: int | None = None
