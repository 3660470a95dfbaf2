"""Where an act can be undone: the page with the button that does it, while it still can be."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType
from typing import Any
from urllib.parse import urlencode

from django.db.models import Max
from django.urls import reverse
from django.utils.translation import gettext

from games.errors import gettext_noop
from tracker.audit.queries.facts import Facts, keys_on
from tracker.audit.queries.moments import acts_naming
from tracker.models import (
    Award,
    LogEntry,
    Role,
    Round,
    RoundState,
    Seat,
    Table,
)

# What undoes an act on a round while the round is in that state, and the page that does it.
_OF_ROUNDS: Mapping[str, tuple[RoundState, str, str]] = {
    "round-undone": (RoundState.UNDONE, gettext_noop("Bring the round back"), "round-undo"),
    "round-closed": (RoundState.CLOSED, gettext_noop("Reopen the round"), "desk"),
    "round-reopened": (RoundState.OPEN, gettext_noop("Close the round"), "round-close"),
    "round-opened": (RoundState.OPEN, gettext_noop("Undo the round"), "round-undo"),
    "round-restored": (RoundState.OPEN, gettext_noop("Undo the round"), "round-undo"),
}
_BESIDE = dict.fromkeys(("round-opened", "round-restored"), RoundState.CLOSED)
HAND_VERBS = (
    "sitting-corrected",
    "issue-settled",
    "hand-amended",
    "hand-taken-back",
    "hand-brought-back",
    "paper-written-down",
)


@dataclass(frozen=True, slots=True)
class Undo:
    """What undoes an act: an address to look at first, or with *at_once* one to send to."""

    label: str
    address: str
    role: Role = Role.ORGANISER
    at_once: bool = False


def seats_back(
    entry: LogEntry,
    round_id: int,
    last_seats: Mapping[int, int | None],
    people: Mapping[int, int] = MappingProxyType({}),
) -> str:
    """Return the address that puts a change of seats right again, filled in.

    *last_seats* says by the players of the entry where in the round they were last, and *people*
    who somebody turned out to be.
    """
    on, numbers = entry.on, entry.numbers
    if entry.verb == "seats-exchanged":
        chosen: dict[str, Any] = {
            "seats": [last_seats.get(key) for key in keys_on(entry, "players")]
        }
        known = len(chosen["seats"]) == 2 and None not in chosen["seats"]
    else:
        wrong, right = last_seats.get(on.get("came", 0)), on.get("left", 0)
        reach, first = numbers.get("reach", ""), numbers.get("from_hand", 1)
        chosen = {"wrong": wrong, "right": people.get(right, right)}
        chosen |= {"reach": reach, "from_hand": first}
        known = wrong is not None
    address = reverse("round-seats", args=[round_id])
    return f"{address}?{urlencode(chosen, doseq=True)}" if known else address


class Undoing:
    """What of these entries can be undone; what was, is not undone again."""

    def __init__(self, facts: Facts) -> None:
        self.facts = facts

    @cached_property
    def undone(self) -> Mapping[int, LogEntry]:
        """Return the entries that undo others, by the keys of those."""
        keys = [entry.pk for entry in self.facts.entries]
        later = LogEntry.objects.filter(undoes__in=keys).order_by("pk")
        return {entry.undoes_id: entry for entry in later if entry.undoes_id}

    def of(self, entry: LogEntry) -> Undo | None:
        """Return what undoes an entry, if anything does."""
        find = _WAYS.get(entry.verb)
        if find is None or entry.pk in self.undone:
            return None
        return find(self, entry)

    # Rounds ---------------------------------------------------------------------------------------

    @cached_property
    def _last_rounds(self) -> Mapping[int, int]:
        """Return the number of the last round of each tournament of the page's rounds."""
        tournaments = {round_.tournament_id for round_ in self.facts.rounds.values()}
        standing = Round.objects.filter(tournament__in=tournaments).exclude(state=RoundState.UNDONE)
        by_tournament = standing.values_list("tournament").annotate(last=Max("number"))
        return dict(by_tournament.order_by())

    def by_round(self, entry: LogEntry) -> Undo | None:
        round_ = self.facts.rounds.get(entry.on.get("round", 0))
        if round_ is None or self.facts.tournaments[round_.tournament_id].official_at is not None:
            return None
        state, label, name = _OF_ROUNDS[entry.verb]
        last = self._last_rounds.get(round_.tournament_id, 0)
        is_last = last < round_.number if state == RoundState.UNDONE else last == round_.number
        if not is_last or round_.state not in {state, _BESIDE.get(entry.verb)}:
            return None
        key = round_.tournament_id if name == "desk" else round_.pk
        return Undo(gettext(label), reverse(name, args=[key]))

    @cached_property
    def _last_swaps(self) -> Mapping[int, int]:
        """Return the last entry that changed who sat where, by round."""
        changes = acts_naming(self.facts.club_id, ("round",), self.facts.rounds)
        seated = changes.filter(verb__in=("seats-exchanged", "player-replaced")).order_by("pk")
        return {entry.on["round"]: entry.pk for entry in seated.only("on")}

    def by_seats(self, entry: LogEntry) -> Undo | None:
        round_ = self.facts.rounds.get(entry.on.get("round", 0))
        if round_ is None or round_.state == RoundState.UNDONE:
            return None
        if self._last_swaps.get(round_.pk) != entry.pk:
            return None
        swapped = entry.verb == "seats-exchanged"
        label = gettext("Swap back") if swapped else gettext("Change the seat back")
        # The way back is filled in as far as it is known.
        players = self.facts.players
        people = {
            key: players[key].merged_into_id or key
            for name in ("players", "came", "left")
            for key in keys_on(entry, name)
            if key in players
        }
        last = {key: self._last_seats.get((round_.pk, now)) for key, now in people.items()}
        return Undo(label, seats_back(entry, round_.pk, last, people))

    @cached_property
    def _last_seats(self) -> Mapping[tuple[int, int], int]:
        """Return where each player was last in the rounds of the page, by round and player."""
        seats = Seat.objects.filter(round__in=self.facts.rounds).order_by("from_hand", "pk")
        keys = seats.values_list("round", "player", "pk")
        return {(round_id, player): pk for round_id, player, pk in keys}

    # Hands ----------------------------------------------------------------------------------------

    @cached_property
    def _last_changes(self) -> Mapping[tuple[int, int], int]:
        """Return the last entry that wrote each hand of the page's tables."""
        written = acts_naming(self.facts.club_id, ("sitting",), self.facts.tables)
        last: dict[tuple[int, int], int] = {}
        for entry in written.filter(verb__in=HAND_VERBS).order_by("pk").only("on"):
            for number in (*keys_on(entry, "hand"), *keys_on(entry, "hands")):
                last[entry.on["sitting"], number] = entry.pk
        return last

    def by_hand(self, entry: LogEntry) -> Undo | None:
        numbers = [*keys_on(entry, "hands"), *keys_on(entry, "hand")]
        sitting = entry.on.get("sitting", 0)
        table = self.facts.tables.get(sitting)
        if len(numbers) != 1 or table is None or not entry.numbers.get("before"):
            return None
        [number] = numbers
        if self._last_changes.get((sitting, number)) != entry.pk:
            return None
        address = reverse("hand-correct", args=[sitting, number])
        return Undo(gettext("Undo this change"), f"{address}?change=restore", Role.SCORER)

    # People, awards, nights -----------------------------------------------------------------------

    @cached_property
    def _awards(self) -> Mapping[int, Award]:
        given = {key for entry in self.facts.entries for key in keys_on(entry, "award")}
        return Award.objects.in_bulk(sorted(given)) if given else {}

    def by_award(self, entry: LogEntry) -> Undo | None:
        award = self._awards.get(entry.on.get("award", 0))
        if award is None or award.withdrawn_at is not None:
            return None
        return Undo(gettext("Take the points back"), reverse("awards", args=[award.tournament_id]))

    def by_entrant(self, entry: LogEntry) -> Undo | None:
        entrant = self.facts.entrants.get(entry.on.get("entrant", 0))
        if entrant is None or entrant.withdrawn_at is None:
            return None
        return Undo(gettext("Let them play"), reverse("entrants", args=[entrant.tournament_id]))

    def by_ranking(self, entry: LogEntry) -> Undo | None:
        tournament = self.facts.tournaments.get(entry.on.get("tournament", 0))
        if tournament is None or tournament.ranked_by != entry.numbers.get("after"):
            return None
        address = reverse("ranked-by", args=[tournament.pk])
        return Undo(gettext("Rank as before"), f"{address}?ranked_by={entry.numbers['before']}")

    def by_merger(self, entry: LogEntry) -> Undo | None:
        gone = self.facts.players.get(entry.on.get("player", 0))
        if gone is None or gone.merged_into_id != entry.on.get("into") or gone.erased_at:
            return None
        return Undo(gettext("Separate them"), reverse("merge-undo", args=[entry.pk]), at_once=True)

    def by_login(self, entry: LogEntry) -> Undo | None:
        player = self.facts.players.get(entry.on.get("player", 0))
        if player is None or player.user_id is None or player.merged_into_id or player.erased_at:
            return None
        return Undo(gettext("Undo the sign-in"), reverse("player-edit", args=[player.pk]))

    def by_night(self, entry: LogEntry) -> Undo | None:
        night = self.facts.nights.get(entry.on.get("night", 0))
        if night is None or night.ended_at is None:
            return None
        return Undo(gettext("Reopen the night"), night.get_absolute_url())

    def by_standing(self, entry: LogEntry) -> Undo | None:
        tournament = self.facts.tournaments.get(entry.on.get("tournament", 0))
        if tournament is None or tournament.official_at is None:
            return None
        return Undo(gettext("Reopen the tournament"), reverse("desk", args=[tournament.pk]))

    def by_import(self, entry: LogEntry) -> Undo | None:
        tournament = self.facts.tournaments.get(entry.on.get("tournament", 0))
        if tournament is None:
            return None
        address = reverse("import-undo", args=[tournament.pk])
        return Undo(gettext("Undo the import"), address, at_once=True)

    @cached_property
    def _cards(self) -> Mapping[int, Table]:
        laid = {key for entry in self.facts.entries for key in keys_on(entry, "table")}
        return Table.objects.in_bulk(sorted(laid)) if laid else {}

    def by_card(self, entry: LogEntry) -> Undo | None:
        card = self._cards.get(entry.on.get("table", 0))
        if card is None or card.withdrawn_at is None or card.tournament_id is None:
            return None
        return Undo(gettext("Make a new card"), reverse("table-keys", args=[card.tournament_id]))


_WAYS: Mapping[str, Callable[[Undoing, LogEntry], Undo | None]] = {
    **dict.fromkeys(_OF_ROUNDS, Undoing.by_round),
    **dict.fromkeys(HAND_VERBS, Undoing.by_hand),
    "seats-exchanged": Undoing.by_seats,
    "player-replaced": Undoing.by_seats,
    "award-given": Undoing.by_award,
    "ranking-changed": Undoing.by_ranking,
    "entrant-withdrew": Undoing.by_entrant,
    "players-merged": Undoing.by_merger,
    "player-linked": Undoing.by_login,
    "night-ended": Undoing.by_night,
    "tournament-finished": Undoing.by_standing,
    "tournament-imported": Undoing.by_import,
    "card-withdrawn": Undoing.by_card,
}
