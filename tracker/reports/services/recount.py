"""Counting everything again from the sheets, beside what is kept."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.db import transaction

from tracker.ledger import ledger, tallies
from tracker.ledger.fold import Fold, ReplayRefused, as_written, fold, hands_of, is_finished
from tracker.ledger.ledger import After, lock_sitting
from tracker.ledger.table_now import TableNow
from tracker.ledger.tallies import Played, Sums, Tallied
from tracker.ledger.warnings import warning_to_json
from tracker.models import Hand, RoundState, SeatTally, Sitting, Tally
from tracker.reports.services.issues import open_conflicts


@dataclass(frozen=True, slots=True)
class Found:
    """Something kept that is not what the sheets make it."""

    where: str
    what: str
    kept: object
    counted: object

    def __str__(self) -> str:
        return f"{self.where}: {self.what} is {self.kept!r}, counted {self.counted!r}"


@dataclass(frozen=True, slots=True)
class Recount:
    """What came of counting a tournament again."""

    hands: int
    found: tuple[Found, ...]


@dataclass(slots=True)
class _Tournament:
    """The sums of a tournament on the way through its sittings."""

    found: list[Found] = field(default_factory=list)
    sums: Tallied = field(default_factory=Tallied)
    hands: int = 0


def recount(*, tournament_id: int, now: datetime, write: bool = False) -> Recount:
    """Read every sheet of a tournament again and return where what is kept differs.

    With *write* what is kept becomes what was counted. A sitting with a sheet that the
    rules no longer accept is named, and left as it is.
    """
    counting = _Tournament()
    with transaction.atomic():
        sittings = Sitting.objects.filter(round__tournament=tournament_id).order_by("pk")
        # All of them first: nobody reports while the sums are compared.
        tables = [lock_sitting(pk) for pk in sittings.values_list("pk", flat=True)]
        for table in tables:
            _recount_sitting(table, counting, now=now, write=write)
        kept = _stored_sums(tournament_id)
        counting.found += _differing_sums(f"tournament {tournament_id}", kept, counting.sums)
        if write:
            tallies.move(counting.sums.less(kept))
    return Recount(hands=counting.hands, found=tuple(counting.found))


def _recount_sitting(table: TableNow, counting: _Tournament, *, now: datetime, write: bool) -> None:
    where = f"sitting {table.sitting_id}"
    hands = hands_of(table.sitting_id)
    counting.hands += len(hands)
    try:
        folded = fold(table, map(as_written, hands.values()))
    except ReplayRefused as refusal:
        what = f"hand {refusal.number}"
        counting.found.append(Found(where, what, "accepted", f"refused: {refusal}"))
        _add_sums(counting, table, tallies.standing_hands(hands.values()))
        return
    for number, hand in hands.items():
        if number in folded.hands:
            counting.found += _differing_hand(f"{where} hand {number}", hand, folded, write=write)
    after = _after(table, hands, folded, now)
    differing = list(_differing_sitting(where, table, after))
    counting.found += differing
    if differing and write:
        ledger.keep_sitting(table, after)
    played = [
        Played(number, scored.sheet["dealer"], scored.marks)
        for number, scored in folded.hands.items()
    ]
    _add_sums(counting, table, played)


def _add_sums(counting: _Tournament, table: TableNow, played: list[Played]) -> None:
    if table.round_state != RoundState.UNDONE:
        sums = tallies.tallied(played, table)
        counting.sums.seats.update(sums.seats)
        counting.sums.entrants.update(sums.entrants)


def _differing_hand(where: str, hand: Hand, folded: Fold, *, write: bool) -> Iterator[Found]:
    scored = folded.hands[hand.number]
    counted: dict[str, Any] = {
        "sheet": ledger.plain(scored.sheet),
        "dealer": scored.sheet["dealer"],
        "marks": ledger.plain_marks(scored.marks),
        "kind": ledger.kind_of(scored.sheet).value,
        "warnings": ledger.plain([warning_to_json(warning) for warning in scored.warnings]),
    }
    differing = {name: to for name, to in counted.items() if getattr(hand, name) != to}
    if differing and write:
        Hand.objects.filter(pk=hand.pk).update(**differing)
    for name, value in differing.items():
        yield Found(where, name, getattr(hand, name), value)


def _after(table: TableNow, hands: Mapping[int, Hand], folded: Fold, now: datetime) -> After:
    chosen = table.chosen_after is not None and table.chosen_after <= len(hands)
    return After(
        session=folded.session,
        last_number=len(hands),  # numbered from 1 without a gap
        games_over=folded.games_over,
        finished=is_finished(table, folded),
        now=now,
        open_conflicts=open_conflicts(table.sitting_id),
        chosen_dealer=table.chosen_dealer if chosen else None,
        chosen_after=table.chosen_after if chosen else None,
    )


def _differing_sitting(where: str, table: TableNow, after: After) -> Iterator[Found]:
    session = after.session
    pairs = {
        "session": (table.saved, ledger.plain(table.rules.save_session(session))),
        "next_dealer": (table.next_dealer, session.dealer),
        "may_deal": (list(table.may_deal), list(session.may_deal)),
        "over": (table.over, session.over),
        "last_number": (table.last_number, after.last_number),
        "games_over": (table.games_over, after.games_over),
        "finished": (table.finished, after.finished),
        "open_conflicts": (table.open_conflicts, after.open_conflicts),
    }
    for what, (kept, counted) in pairs.items():
        if kept != counted:
            yield Found(where, what, kept, counted)


def _stored_sums(tournament_id: int) -> Tallied:
    seats = SeatTally.objects.filter(seat__round__tournament=tournament_id)
    entrants = Tally.objects.filter(entrant__tournament=tournament_id)
    return Tallied(
        Sums({(row.seat_id, row.key): row.amount for row in seats}),
        Sums({(row.entrant_id, row.key): row.amount for row in entrants}),
    )


def _differing_sums(where: str, kept: Tallied, counted: Tallied) -> Iterator[Found]:
    grains = (
        ("seat", kept.seats, counted.seats),
        ("entrant", kept.entrants, counted.entrants),
    )
    for grain, has, makes in grains:
        for owner, key in sorted(has.keys() | makes.keys()):
            if has[owner, key] != makes[owner, key]:
                what = f"{key} of {grain} {owner}"
                yield Found(where, what, has[owner, key], makes[owner, key])
