"""Replacement of an entrant by another in stored plans, draws and published standings.

These are JSON with the keys of entrants (players or teams of a tournament). *gone* is the key of
the entrant that is replaced, *heir* that of the entrant that takes all its places. A *draw* has the
``plan`` of a coming round (who sits where), and the ``question``: all that the plan was made from.
"""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from django.db.models import F, QuerySet

from tracker.models import Award, AwardKind, Draw, Round

# JSON keys of lists of entrants, or of lists of lists: "units" are the entrants at a table,
# "places" those of equal place, "apart" and "not_partners" pairs.
_ENTRANTS = frozenset(
    ("units", "resting", "order", "left_out", "present", "places", "seeds", "apart", "not_partners")
)
# JSON keys of lists of rows, with the columns of these rows that are entrants.
_ENTRANT_COLUMNS = {"dealt": (0,), "keeps": (0,), "repeats": (1, 2)}


def replace_entrant(saved: Any, gone: int, heir: int) -> Any:
    """Return a stored plan, question or draw with the entrant *gone* replaced by *heir*.

    >>> replace_entrant({"resting": [7, 8], "tables": [{"units": [9, 7], "number": 7}]}, 7, 3)
    {'resting': [3, 8], 'tables': [{'units': [9, 3], 'number': 7}]}
    """
    if isinstance(saved, list):
        return [replace_entrant(item, gone, heir) for item in saved]
    if not isinstance(saved, Mapping):
        return saved
    replaced: dict[str, Any] = {}
    for key, value in saved.items():
        if key in _ENTRANTS and isinstance(value, list):
            replaced[key] = _replace_in_list(value, gone, heir)
        elif isinstance(value, list) and (columns := _ENTRANT_COLUMNS.get(key)):
            replaced[key] = [
                [heir if i in columns and cell == gone else cell for i, cell in enumerate(row)]
                for row in value
            ]
        else:
            replaced[key] = replace_entrant(value, gone, heir)
    return replaced


def _replace_in_list(entrants: list[Any], gone: int, heir: int) -> list[Any]:
    """Return a list, or a list of lists, with *heir* instead of *gone*, and no entrant twice."""
    if any(isinstance(item, list) for item in entrants):
        return [_replace_in_list(item, gone, heir) for item in entrants]
    # A pair of *gone* and *heir* becomes a list of one entrant, and matches no pair any more.
    return list(dict.fromkeys(heir if entrant == gone else entrant for entrant in entrants))


def entrants_in(plan: Mapping[str, Any]) -> set[int]:
    """Return the entrants who sit or rest in this plan of a round; none if the plan is empty.

    >>> sorted(entrants_in({"tables": [{"units": [4, 2]}, {"units": [3, 1]}], "resting": [5]}))
    [1, 2, 3, 4, 5]
    """
    units = {unit for table in plan.get("tables", ()) for unit in table["units"]}
    return units | set(plan.get("resting", ()))


def replace_in_draws(tournament_id: int, gone: int, heir: int) -> list[int]:
    """Replace an entrant in all draws and rounds of a tournament.

    A draw with both is deleted: it must be drawn again. Return what ``replace_in_rounds`` returns.
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

    Return the keys of the rounds with *gone* but not *heir*: only there can the change be undone.
    In the others nothing tells later which places were those of *gone*.
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
    """Replace an entrant in published standings; return the keys of the rounds that changed.

    *heir* gets the row of *gone*. If *heir* has a lower row, *gone* gets that: pages do not show
    it, as *gone* no longer exists, but the exchange can be undone.
    """
    rounds = []
    for round_ in Round.objects.filter(tournament=tournament_id):
        ranked = [row["entrant"] for row in _published_rows(round_)]
        # Where *heir* has the higher row, that is already the one to show.
        if gone in ranked and heir not in ranked[: ranked.index(gone)]:
            rounds.append(round_)
    swap_in_published(rounds, gone, heir)
    return [round_.pk for round_ in rounds]


def swap_in_published(rounds: Iterable[Round], first: int, second: int) -> None:
    """Exchange the rows of two entrants in the published standings of these rounds."""
    swapped = {first: second, second: first}
    for round_ in rounds:
        for row in _published_rows(round_):
            row["entrant"] = swapped.get(row["entrant"], row["entrant"])
        round_.save(update_fields=["published_standing"])


def _published_rows(round_: Round) -> list[dict[str, Any]]:
    """Return the stored rows themselves, by rank: to change them is to change the round."""
    rows: list[dict[str, Any]] = (round_.published_standing or {}).get("standing", [])
    return rows


def withdraw_rests(awards: QuerySet[Award], at: datetime) -> list[int]:
    """Withdraw points for a rest that were given twice, or for a round that the entrant played.

    Such awards remain where two entrants became one. Of equal ones the first stays. Return the keys
    of those withdrawn.
    """
    rests = awards.filter(kind=AwardKind.RESTING, round__isnull=False, withdrawn_at=None)
    withdrawn = set(rests.filter(entrant__seats__round=F("round")).values_list("pk", flat=True))
    credited: set[tuple[int | None, int | None, str]] = set()
    for award in rests.exclude(pk__in=withdrawn).order_by("pk"):
        rest = award.entrant_id, award.round_id, award.reason
        if rest in credited:
            withdrawn.add(award.pk)
        credited.add(rest)
    Award.objects.filter(pk__in=withdrawn).update(withdrawn_at=at)
    return sorted(withdrawn)
