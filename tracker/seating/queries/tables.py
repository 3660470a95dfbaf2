"""The tables of the hall: which a round takes, and where the card of one leads."""

from itertools import count, islice

from django.db.models import Q, QuerySet

from tracker.models import RoundState, Sitting, Table, TokenState


def table_numbers(
    tournament_id: int, night_id: int | None, wanted: int, *, ours_free: bool = False
) -> list[int]:
    """Return the numbers of the tables for the tournament's coming round, in one query.

    A tournament keeps the tables it had last where they are free, then takes the lowest free
    ones, so that numbers follow the cards that lie there. A table is free unless an open round
    is played at it; with *ours_free* the tournament's own rounds will be over by then. Outside
    a night a tournament is alone in its hall.
    """
    there = Q(round__tournament=tournament_id)
    if night_id is not None:
        there = Q(round__night=night_id) & (there | Q(round__state=RoundState.OPEN))
    sittings = (
        Sitting.objects.filter(there)
        .exclude(round__state=RoundState.UNDONE)
        .order_by("round__number")
        .values_list("number", "round__state", "round__tournament", "round__number")
    )
    busy: set[int] = set()
    played: dict[int, set[int]] = {}  # the tournament's tables by round, the last one last
    for number, state, tournament, round_number in sittings:
        ours = tournament == tournament_id
        if state == RoundState.OPEN and not (ours and ours_free):
            busy.add(number)
        if ours and night_id is not None:
            played.setdefault(round_number, set()).add(number)
    *_, last = (set[int](), *played.values())
    kept = sorted(last - busy)
    free = (number for number in count(1) if number not in busy | last)
    return sorted([*kept, *islice(free, max(0, wanted - len(kept)))][:wanted])


def table_of_card(card_token: str) -> Table | None:
    """Return the table whose card has this address, with the club it belongs to."""
    return _tables().filter(card_token=card_token).first()


def table_of_code(code: str) -> Table | None:
    """Return the table whose card has this code, however it was typed."""
    return _tables().filter(code="".join(code.split()).upper()).first()


def sitting_there_now(table: Table) -> Sitting | None:
    """Return the sitting that plays at the table now: of the round opened last."""
    return (
        Sitting.objects.filter(
            table=table, round__state=RoundState.OPEN, token_state=TokenState.OPEN
        )
        .order_by("-started_at", "-pk")
        .first()
    )


def _tables() -> QuerySet[Table]:
    return Table.objects.select_related("tournament__club", "night__club")
