"""What is stored after an act at a table."""

from typing import Any

from tracker.models import Hand, Issue, LogEntry, Report, Seat, SeatTally, Sitting, Tally


def everything() -> dict[str, list[Any]]:
    """Return every row that an act at a table could touch."""
    models = (Report, Hand, Issue, Seat, SeatTally, Tally, LogEntry, Sitting)
    return {model.__name__: [*model.objects.order_by("pk").values()] for model in models}


def points(name: str, key: str = "victory_points") -> int:
    tally = Tally.objects.filter(entrant__player__name=name, key=key).first()
    return tally.amount if tally else 0


def eaten(number: int = 1) -> Any:
    return Hand.objects.get(number=number).sheet["eaten"]
