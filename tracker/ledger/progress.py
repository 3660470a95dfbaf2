"""How far a table has come in its round."""

from dataclasses import dataclass

from django.db.models import Count, F, IntegerField, OuterRef, Q, Subquery
from django.db.models.functions import Coalesce

from tracker.models import Hand, ResultType, Round, Sitting

# How many results a table will never have. Where games are counted, a hand not played since
# the round closed stands for a whole game; before, it is but a hand of a game that goes on.
NOT_PLAYED = Coalesce(
    Subquery(
        Hand.objects.filter(
            Q(sitting__round__games=None) | Q(recorded_at__gte=F("sitting__round__closed_at")),
            sitting=OuterRef("pk"),
            result_type=ResultType.NOT_PLAYED,
            struck_at=None,
        )
        .order_by()
        .values("sitting")
        .values_list(Count("pk"))
    ),
    0,
    output_field=IntegerField(),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """How many results of a round a table has, and of how many; of some rounds nobody knows."""

    done: int
    of: int | None
    not_played: int
    open: bool  # its round is being played

    @property
    def whole(self) -> bool:
        """Say whether nothing more is expected."""
        return self.of is not None and self.done + self.not_played >= self.of

    @property
    def missing(self) -> int:
        """Return how many never came before the round was closed."""
        if self.open or self.of is None:
            return 0
        return max(0, self.of - self.done - self.not_played)


def counted(sitting: Sitting, round_: Round, not_played: int) -> tuple[int, int | None]:
    """Return how many hands or games were played at a table of this round, and of how many."""
    if round_.games is not None:
        return sitting.games_over, round_.games
    return sitting.last_number - not_played, round_.hands
