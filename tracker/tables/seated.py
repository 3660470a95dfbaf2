"""Check that players sit in no running round, under the lock of each."""

from collections import Counter
from collections.abc import Sequence

from games.errors import gettext_noop
from tracker.common.errors import Refused
from tracker.models import Player, Seat


def check_free(players: Sequence[int]) -> None:
    """Lock these players, and make sure that none of them sits in a running round, or here twice.

    :raises Refused: ``seated-twice``, ``seated-already``, or ``player-merged`` if one of them
        was merged into another meanwhile.
    """
    # Locked in one order, so that two rounds cannot be opened past each other.
    people = Player.objects.select_for_update(no_key=True).filter(pk__in=players).order_by("pk")
    known = {player.pk: player for player in people}
    twice = [player for player, times in Counter(players).items() if times > 1]
    if twice:
        raise Refused(
            "seated-twice",
            gettext_noop("%(who)s cannot sit in two places at once: clear one of them."),
            who=known[twice[0]].name,
        )
    if merged := next((each for each in known.values() if each.merged_into_id), None):
        raise Refused(
            "player-merged",
            gettext_noop("%(who)s was merged into another player just now: choose again."),
            who=merged.name,
        )
    seats = Seat.objects.active().filter(player__in=players).order_by("pk")
    if seat := seats.select_related("player", "sitting__round__tournament").first():
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
