"""Views: what every game's view of a seat has, and what is said to a seat at any turn."""

from collections.abc import Callable
from dataclasses import dataclass, fields
from functools import cache
from operator import attrgetter
from typing import Any, Generic, TypeVar

from games.wording import AtSeat, Text, _

StateT = TypeVar("StateT")
MoveT = TypeVar("MoveT")


@dataclass(frozen=True, kw_only=True)
class SeatView(Generic[MoveT]):
    """What one seat sees: never a card that it could not have seen at a table.

    Each game adds its public table, a dataclass that its state extends too, and what else this
    seat knows. ``legal`` is empty while it is another seat's turn.
    """

    seat: int
    legal: tuple[MoveT, ...]
    to_move: int | None


ViewT = TypeVar("ViewT", bound=SeatView[Any])


def seen_by(
    seat: int,
    state: StateT,
    table: type,
    seat_to_move: Callable[[StateT], int | None],
    legal_moves: Callable[[StateT], tuple[Any, ...]],
) -> dict[str, Any]:
    """Return the fields of *table*, which everybody sees, as the state has them, and whose turn it is."""
    to_move = seat_to_move(state)
    names, values = _public(table)
    return {
        **dict(zip(names, values(state), strict=True)),
        "seat": seat,
        "legal": legal_moves(state) if to_move == seat else (),
        "to_move": to_move,
    }


@cache
def _public(table: type) -> tuple[tuple[str, ...], Callable[[Any], tuple[Any, ...]]]:
    """Return the names of a table's fields, and a function that reads them, which is quick."""
    names = tuple(public.name for public in fields(table))
    return names, attrgetter(*names)


def asked(view: ViewT, own_turn: Callable[[ViewT], Text]) -> Text | None:
    """Return what the seat is asked for, at its *own_turn* or another's; nothing at the end."""
    if view.to_move == view.seat:
        return own_turn(view)
    return next(iter(turn_lines(view)), None)


def turn_lines(view: SeatView[Any], *own_turn: Text) -> tuple[Text, ...]:
    """Return what is said to a seat at its *own_turn*, or whose turn it is; nothing at the end."""
    if view.to_move is None:
        return ()
    if view.to_move == view.seat:
        return own_turn
    return (_("It is %(who)s’s turn.", who=AtSeat(view.to_move)),)
