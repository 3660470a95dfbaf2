"""Which tables of the hall a round takes."""

from itertools import count, islice

from tracker.models import RoundState, Sitting


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
