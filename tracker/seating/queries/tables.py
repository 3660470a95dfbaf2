"""The tables of the hall: which a round takes, and where the card of one leads."""

from itertools import count, islice

from django.db.models import QuerySet

from tracker.models import RoundState, Sitting, Table, TokenState


def table_numbers(tournament_id: int, night_id: int | None, wanted: int) -> list[int]:
    """Return the numbers of the tables for the tournament's coming round, in one query.

    Outside a night they begin at 1. At a night a tournament keeps the tables it had,
    then takes those that no other one had last; never one where people are playing.
    """
    if night_id is None:
        return list(range(1, wanted + 1))
    sittings = list(
        Sitting.objects.filter(round__night=night_id)
        .exclude(round__state=RoundState.UNDONE)
        .select_related("round__tournament")
        .only("number", "round__number", "round__state", "round__tournament__official_at")
        .order_by("round__number")
    )
    last = {sitting.round.tournament_id: sitting.round.number for sitting in sittings}
    busy, ours, theirs = set(), set(), set()
    for sitting in sittings:
        round_ = sitting.round
        if round_.state == RoundState.OPEN:
            busy.add(sitting.number)
        elif round_.number != last[round_.tournament_id]:
            continue
        elif round_.tournament_id == tournament_id:
            ours.add(sitting.number)
        elif round_.tournament.official_at is None:
            theirs.add(sitting.number)
    first = sorted(ours - busy)
    free = (number for number in count(1) if number not in busy | ours | theirs)
    return sorted([*first, *islice(free, max(0, wanted - len(first)))][:wanted])


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
