"""Replacement of an entrant by another in stored plans, draws and published standings."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from django.db.models import F, QuerySet

from tracker.models import Award, AwardKind, Draw, Round

# JSON keys of (nested) lists of entrants, and of rows with the indexes of entrants in them.
_ENTRANTS = frozenset(
    ("units", "resting", "order", "left_out", "present", "places", "seeds", "apart", "not_partners")
)
_ROWS = {"dealt": (0,), "keeps": (0,), "repeats": (1, 2)}


def replace_entrant(saved: Any, gone: int, heir: int) -> Any:
    """Return a stored plan, question or draw with the entrant *gone* replaced by *heir*.

    >>> replace_entrant({"resting": [7, 8], "tables": [{"units": [9, 7], "number": 7}]}, 7, 3)
    {'resting': [3, 8], 'tables': [{'units': [9, 3], 'number': 7}]}
    """
    if isinstance(saved, list):
        return [replace_entrant(each, gone, heir) for each in saved]
    if not isinstance(saved, Mapping):
        return saved
    made: dict[str, Any] = {}
    for key, value in saved.items():
        if key in _ENTRANTS and isinstance(value, list):
            made[key] = _replace_in_list(value, gone, heir)
        elif key in _ROWS and isinstance(value, list):
            made[key] = [
                [heir if at in _ROWS[key] and cell == gone else cell for at, cell in enumerate(row)]
                for row in value
            ]
        else:
            made[key] = replace_entrant(value, gone, heir)
    return made


def _replace_in_list(value: list[Any], gone: int, heir: int) -> list[Any]:
    """Return a list with *gone* replaced by *heir*, who stays in it only once."""
    if any(isinstance(each, list) for each in value):
        return [_replace_in_list(each, gone, heir) for each in value]
    return list(dict.fromkeys(heir if each == gone else each for each in value))


def entrants_in(plan: Mapping[str, Any]) -> set[int]:
    """Return the entrants who sit or rest in a drawn round; none if it was not drawn.

    >>> sorted(entrants_in({"tables": [{"units": [4, 2]}, {"units": [3, 1]}], "resting": [5]}))
    [1, 2, 3, 4, 5]
    """
    units = {unit for table in plan.get("tables", ()) for unit in table["units"]}
    return units | set(plan.get("resting", ()))


def replace_in_draws(tournament_id: int, gone: int, heir: int) -> list[int]:
    """Replace an entrant in all draws and rounds; return as ``replace_in_rounds`` does.

    A draw with both entrants is deleted: it must be drawn again.
    """
    for draw in Draw.objects.filter(tournament=tournament_id):
        if {gone, heir} <= entrants_in(draw.plan):
            draw.delete()
            continue
        draw.plan = replace_entrant(draw.plan, gone, heir)
        draw.question = replace_entrant(draw.question, gone, heir)
        draw.save(update_fields=["plan", "question"])
    return replace_in_rounds(Round.objects.filter(tournament=tournament_id), gone, heir)


def replace_in_rounds(rounds: Iterable[Round], gone: int, heir: int) -> list[int]:
    """Replace an entrant in the plans from which these rounds were opened.

    Return the rounds in which *heir* had no place: only there can the change be undone.
    """
    without_heir = []
    for round_ in rounds:
        entrants = entrants_in(round_.seating_plan.get("seating", {}))
        if gone in entrants and heir not in entrants:
            without_heir.append(round_.pk)
        round_.seating_plan = replace_entrant(round_.seating_plan, gone, heir)
        round_.save(update_fields=["seating_plan"])
    return without_heir


def replace_in_published(tournament_id: int, gone: int, heir: int) -> list[int]:
    """Replace an entrant in published standings; return the rounds in which that was done.

    If both are in one standing, the higher place is shown from now on.
    """
    rounds = []
    for round_ in Round.objects.filter(tournament=tournament_id):
        listed = [row["entrant"] for row in _published_rows(round_)]
        if gone in listed and heir not in listed[: listed.index(gone)]:
            rounds.append(round_)
    swap_in_published(rounds, gone, heir)
    return [round_.pk for round_ in rounds]


def swap_in_published(rounds: Iterable[Round], one: int, other: int) -> None:
    swapped = {one: other, other: one}
    for round_ in rounds:
        for row in _published_rows(round_):
            row["entrant"] = swapped.get(row["entrant"], row["entrant"])
        round_.save(update_fields=["published_standing"])


def _published_rows(round_: Round) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = (round_.published_standing or {}).get("standing", [])
    return rows


def withdraw_rests(awards: QuerySet[Award], at: datetime) -> list[int]:
    """Withdraw duplicate credits for a rest, and those for played rounds; return their keys."""
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
