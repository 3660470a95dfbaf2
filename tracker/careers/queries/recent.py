"""Recent hands: the last ones somebody played, in words."""

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext

from games.mode import Mode
from tracker.careers.queries.stints import Stint
from tracker.common.wording import Names, names_of, say
from tracker.models import Hand, Tournament
from tracker.models.stints import covers

SHOWN = 6
_TABLES = 3  # the latest, in which those hands are looked for


@dataclass(frozen=True, slots=True, kw_only=True)
class RecentHand:
    tournament: int
    tournament_name: str
    called: str  # "Hand 3"
    round: int
    table: int
    result: str
    sides: tuple[str, ...]


def recent_hands(
    own: Sequence[Stint], beside: Collection[Stint], tournaments: Mapping[int, Tournament]
) -> tuple[RecentHand, ...]:
    """Return the last hands of these stints, the latest first, in one query."""
    latest = sorted(own, key=lambda stint: (stint.since, stint.sitting), reverse=True)
    spans: dict[int, list[Stint]] = defaultdict(list)
    for stint in latest:
        if stint.sitting in spans or len(spans) < _TABLES:
            spans[stint.sitting].append(stint)
    rows = Hand.objects.filter(sitting__in=spans).select_related("sitting__round")
    hands: dict[int, list[Hand]] = defaultdict(list)
    for hand in rows.order_by("sitting", "number"):
        hands[hand.sitting_id].append(hand)
    recent: list[RecentHand] = []
    for sitting, stints in spans.items():
        here = [stint for stint in beside if stint.sitting == sitting]
        tournament = tournaments[stints[0].tournament]
        recent += reversed(list(_recent_at(hands[sitting], stints, here, tournament)))
    return tuple(recent[:SHOWN])


def _recent_at(
    hands: Sequence[Hand], own: Sequence[Stint], beside: Sequence[Stint], tournament: Tournament
) -> Iterator[RecentHand]:
    if not hands:
        return
    sitting, game = hands[0].sitting, tournament.rules
    options = game.resume_options(sitting.options)
    mode = game.mode(sitting.mode, options)
    for hand in hands:
        played = any(covers(*stint.hands, hand.number) for stint in own)
        if played and hand.struck_at is None:
            names = _names(mode, beside, hand.number)
            session = game.resume_session(mode, options, hand.session_before)
            yield RecentHand(
                tournament=tournament.pk,
                tournament_name=tournament.name,
                called=gettext(game.unit.numbered) % {"number": hand.number},
                round=sitting.round.number,
                table=sitting.number,
                result=say(game.headline(session, hand.sheet), names),
                sides=names.sides,
            )


def _names(mode: Mode, stints: Sequence[Stint], number: int) -> Names:
    seated = {stint.place: stint.name for stint in stints if covers(*stint.hands, number)}
    return names_of(mode, [seated.get(place, "?") for place in range(mode.seats)])
