"""An entrant replaced by another: in saved plans and draws, and in credits for rests."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from django.db.models import F, QuerySet

from tracker.models import Award, AwardKind, Draw, Round

# By key: lists, however deep, that hold nothing but entrants; and rows, with where they stand.
_ENTRANTS = frozenset(
    {
        "units",
        "resting",
        "order",
        "left_out",
        "present",
        "places",
        "seeds",
        "apart",
        "not_partners",
    }
)
_ROWS = {"dealt": (0,), "keeps": (0,), "repeats": (1, 2)}


def renamed(saved: Any, gone: int, heir: int) -> Any:
    """Return a saved plan, question or draw in which one entrant is another.

    >>> renamed({"resting": [7, 8], "tables": [{"units": [9, 7], "number": 7}]}, 7, 3)
    {'resting': [3, 8], 'tables': [{'units': [9, 3], 'number': 7}]}
    """
    if isinstance(saved, list):
        return [renamed(each, gone, heir) for each in saved]
    if not isinstance(saved, Mapping):
        return saved
    made: dict[str, Any] = {}
    for key, value in saved.items():
        if key in _ENTRANTS and isinstance(value, list):
            made[key] = _listed(value, gone, heir)
        elif key in _ROWS and isinstance(value, list):
            made[key] = [
                [heir if at in _ROWS[key] and cell == gone else cell for at, cell in enumerate(row)]
                for row in value
            ]
        else:
            made[key] = renamed(value, gone, heir)
    return made


def _listed(value: list[Any], gone: int, heir: int) -> list[Any]:
    """Return a list with an entrant replaced; one who is in it under both keys stays once."""
    if any(isinstance(each, list) for each in value):
        return [_listed(each, gone, heir) for each in value]
    return list(dict.fromkeys(heir if each == gone else each for each in value))


def named_in(plan: Mapping[str, Any]) -> set[int]:
    """Return the entrants who sit or rest in a round as drawn; none if it was not drawn.

    >>> sorted(named_in({"tables": [{"units": [4, 2]}, {"units": [3, 1]}], "resting": [5]}))
    [1, 2, 3, 4, 5]
    """
    units = {unit for table in plan.get("tables", ()) for unit in table["units"]}
    return units | set(plan.get("resting", ()))


def rename_in_plans(tournament_id: int, gone: int, heir: int) -> list[int]:
    """Let one entrant be the other in whatever was drawn; return as ``rename_in_rounds`` does.

    A draw in which both were to be goes: it must be drawn anew.
    """
    for draw in Draw.objects.filter(tournament=tournament_id):
        if {gone, heir} <= named_in(draw.plan):
            draw.delete()
            continue
        draw.plan = renamed(draw.plan, gone, heir)
        draw.question = renamed(draw.question, gone, heir)
        draw.save(update_fields=["plan", "question"])
    return rename_in_rounds(Round.objects.filter(tournament=tournament_id), gone, heir)


def rename_in_rounds(rounds: Iterable[Round], gone: int, heir: int) -> list[int]:
    """Let one entrant be the other in what these rounds were made from.

    Return those in which the other had no place: there it can be told who it had been.
    """
    alone = []
    for round_ in rounds:
        named = named_in(round_.seating_plan.get("seating", {}))
        if gone in named and heir not in named:
            alone.append(round_.pk)
        round_.seating_plan = renamed(round_.seating_plan, gone, heir)
        round_.save(update_fields=["seating_plan"])
    return alone


def rename_in_published(tournament_id: int, gone: int, heir: int) -> list[int]:
    """Let one entrant be the other in published standings; return the rounds in which that is so.

    Where both stand in one, whoever stood higher is seen from now on.
    """
    rounds = []
    for round_ in Round.objects.filter(tournament=tournament_id):
        listed = [row["entrant"] for row in _published_rows(round_)]
        if gone in listed and heir not in listed[: listed.index(gone)]:
            rounds.append(round_)
    swap_in_published(rounds, gone, heir)
    return [round_.pk for round_ in rounds]


def swap_in_published(rounds: Iterable[Round], one: int, other: int) -> None:
    """Let two entrants stand in each other's place in published standings; twice changes nothing."""
    swapped = {one: other, other: one}
    for round_ in rounds:
        for row in _published_rows(round_):
            row["entrant"] = swapped.get(row["entrant"], row["entrant"])
        round_.save(update_fields=["published_standing"])


def _published_rows(round_: Round) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = (round_.published_standing or {}).get("standing", [])
    return rows


def withdraw_rests(awards: QuerySet[Award], at: datetime) -> list[int]:
    """Withdraw second credits for one rest, and credits for rests in a round that was played.

    :returns: the keys of those that were withdrawn.
    """
    credited = awards.filter(kind=AwardKind.RESTING, round__isnull=False, withdrawn_at=None)
    gone = set(credited.filter(entrant__seats__round=F("round")).values_list("pk", flat=True))
    known: set[tuple[int | None, int | None, str]] = set()
    for award in credited.exclude(pk__in=gone).order_by("pk"):
        rest = award.entrant_id, award.round_id, award.reason
        if rest in known:
            gone.add(award.pk)
        known.add(rest)
    Award.objects.filter(pk__in=gone).update(withdrawn_at=at)
    return sorted(gone)
