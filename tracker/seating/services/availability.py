"""Whether people and tables are free for a round."""

from collections import Counter
from collections.abc import Sequence

from games.errors import gettext_noop
from tracker.common.errors import Refused
from tracker.models import Player, Round, RoundState, Seat, Sitting


def check_free(players: Sequence[int]) -> None:
    """Make sure that nobody of *players* sits at two tables, or in a running round.

    :raises Refused: ``seated-twice`` or ``seated-already``.
    """
    # Locked in one order, so that two rounds cannot be opened past each other.
    names = dict(
        Player.objects.select_for_update()
        .filter(pk__in=players)
        .order_by("pk")
        .values_list("pk", "name")
    )
    twice = [player for player, times in Counter(players).items() if times > 1]
    if twice:
        raise Refused(
            "seated-twice",
            gettext_noop("%(who)s cannot sit in two places at once."),
            who=names[twice[0]],
        )
    seat = (
        Seat.objects.running()
        .filter(player__in=players, round__state=RoundState.OPEN)
        .select_related("player", "sitting__round__tournament")
        .order_by("pk")
        .first()
    )
    if seat:
        raise Refused(
            "seated-already",
            gettext_noop(
                "%(who)s still sits at table %(table)d of “%(tournament)s”: "
                "close round %(round)d there first."
            ),
            who=seat.player.name,
            table=seat.sitting.number,
            tournament=seat.sitting.round.tournament.name,
            round=seat.sitting.round.number,
        )


def check_tables(round_: Round) -> None:
    """Make sure that nobody else plays at the round's tables by now.

    :raises Refused: ``table-taken``.
    """
    tables = round_.sittings.exclude(table=None).values_list("table", flat=True)
    taken = (
        Sitting.objects.filter(table__in=list(tables), round__state=RoundState.OPEN)
        .select_related("round__tournament")
        .order_by("number")
        .first()
    )
    if taken:
        raise Refused(
            "table-taken",
            gettext_noop(
                "Table %(table)d is taken by “%(tournament)s”: close round %(round)d there first."
            ),
            table=taken.number,
            tournament=taken.round.tournament.name,
            round=taken.round.number,
        )
