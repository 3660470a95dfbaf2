"""One sitting with its rules and its people, and its hands read again from the first."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import QuerySet
from django.utils.translation import gettext

from games.game import AnyGame, Options, Session
from games.mode import Mode
from games.sheet import Scope, Sheet
from tracker.common.names import short_names
from tracker.common.sheet_lines import totals
from tracker.common.wording import Names, names_of, say
from tracker.ledger.warnings import warning_from_json
from tracker.models import Hand, Seat, Sitting


@dataclass(frozen=True, slots=True)
class AtTable:
    """A sitting, with what the rules need to know of it."""

    sitting: Sitting
    game: AnyGame
    mode: Mode
    options: Options

    def opening_session(self) -> Session:
        """Return the session before the first hand."""
        sitting = self.sitting
        session: Session = self.game.open_session(
            self.mode, self.options, sitting.first_dealer, sitting.dealt_before
        )
        return session

    def coming_session(self) -> Session:
        """Return the session before the coming hand, with the dealer the table chose, if any."""
        saved = self.sitting.session
        if "dealer" in saved:
            saved = {**saved, "dealer": self.sitting.coming_dealer}
        session: Session = self.game.resume_session(self.mode, self.options, saved)
        return session

    @property
    def one(self) -> str:
        """Return what a hand is called at this table, within a sentence."""
        return gettext(self.game.unit.one)

    def numbered(self, number: int, *, of: int | None = None) -> str:
        """Return what the table calls this hand: "Hand 5", or "Hand 5 of 8"."""
        unit = self.game.unit
        if of is None:
            return gettext(unit.numbered) % {"number": number}
        return gettext(unit.numbered_of) % {"number": number, "all": of}


@dataclass(frozen=True, slots=True)
class People:
    """Who sat where, from which hand to which."""

    mode: Mode
    stints: tuple[Seat, ...]

    def during(self, number: int) -> Iterator[Seat]:
        """Yield the stints that this hand lies in."""
        for seat in self.stints:
            if seat.from_hand <= number and (seat.to_hand is None or number <= seat.to_hand):
                yield seat

    def at_hand(self, number: int) -> Names:
        """Return the names of those who played this hand, short enough for a phone."""
        people = {seat.place: seat.player for seat in self.during(number)}
        called = {place: one.name for place, one in people.items()}
        # The first word of "A former player" would say nothing.
        known = {place for place, one in people.items() if one.erased_at is None}
        called |= short_names({place: called[place] for place in known})
        return names_of(
            self.mode, [called.get(place, gettext("nobody")) for place in range(self.mode.seats)]
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class HandDetails:
    """A hand as it stands, with the session it was played from and what is said of it."""

    number: int
    called: str
    sheet: Sheet
    before: Session
    marks: Sequence[Mapping[str, int]] | None
    names: Names
    dealer: str
    totals: str
    headline: str
    why: str
    warnings: tuple[str, ...]
    kind: str
    result_type: str  # why it was not played out, if it was not
    reason: str
    struck: bool
    confirmed_at: datetime | None
    recorded_at: datetime
    side: int | None
    device: str

    @property
    def reporter(self) -> str:
        """Return the side that wrote it down, if the phone said so."""
        return "" if self.side is None else self.names.of(self.side)


def table_by_token(token: str) -> AtTable | None:
    """Return the sitting this address opens, in one query."""
    return _first(_sittings().filter(token=token))


def table_by_id(sitting_id: int) -> AtTable | None:
    """Return the sitting with this key, in one query."""
    return _first(_sittings().filter(pk=sitting_id))


def people_of(table: AtTable) -> People:
    """Return who sat at the table, in one query."""
    seats = Seat.objects.filter(sitting=table.sitting).select_related("player")
    return People(table.mode, tuple(seats.order_by("place", "from_hand")))


def hand_details(table: AtTable, people: People) -> list[HandDetails]:
    """Return every hand of the sitting, in one query."""
    hands = Hand.objects.filter(sitting=table.sitting).select_related("accepted_report")
    session = table.opening_session()
    read = []
    for hand in hands.order_by("number"):
        read.append(_read(table, people, hand, session))
        if hand.struck_at is None:
            session = table.game.add_sheet(session, hand.sheet).session
    return read


def session_before(table: AtTable, number: int) -> Session:
    """Return the session that the hands before this number leave, in one query."""
    session = table.opening_session()
    before = Hand.objects.filter(sitting=table.sitting, number__lt=number, struck_at=None)
    for sheet in before.order_by("number").values_list("sheet", flat=True):
        session = table.game.add_sheet(session, sheet).session
    return session


def sums_by_side(table: AtTable, hands: Iterable[HandDetails]) -> list[dict[str, int]]:
    """Return what each side of the table has gathered here, by mark."""
    sums: list[dict[str, int]] = [{} for _side in table.mode.sides]
    for hand in hands:
        if hand.struck or hand.marks is None:
            continue
        for side, seats in enumerate(table.mode.sides):
            for mark in table.game.marks:
                counted = seats if mark.scope is Scope.SEAT else seats[:1]
                gained = sum(hand.marks[seat].get(mark.key, 0) for seat in counted)
                sums[side][mark.key] = sums[side].get(mark.key, 0) + gained
    return sums


def _sittings() -> QuerySet[Sitting]:
    return Sitting.objects.select_related("round__tournament__club", "table")


def _first(sittings: QuerySet[Sitting]) -> AtTable | None:
    sitting = sittings.first()
    if sitting is None:
        return None
    game = sitting.round.tournament.rules
    # With the house rules that the game has learnt since the table opened.
    options = game.resume_options(sitting.options)
    return AtTable(sitting, game, game.mode(sitting.mode, options), options)


def _read(table: AtTable, people: People, hand: Hand, before: Session) -> HandDetails:
    names, game = people.at_hand(hand.number), table.game
    struck = hand.struck_at is not None
    why = None if struck else game.explain(before, hand.sheet)
    return HandDetails(
        number=hand.number,
        called=table.numbered(hand.number),
        sheet=hand.sheet,
        before=before,
        marks=hand.marks,
        names=names,
        dealer=names.at(hand.dealer),
        totals=totals(game, before, hand.sheet),
        headline=gettext("Struck off") if struck else say(game.headline(before, hand.sheet), names),
        why=say(why, names) if why is not None else "",
        warnings=tuple(say(warning_from_json(kept).text, names) for kept in hand.warnings),
        kind=hand.kind,
        result_type=hand.get_result_type_display() if hand.result_type else "",
        reason=gettext(hand.reason) if hand.reason else "",
        struck=struck,
        confirmed_at=hand.confirmed_at,
        recorded_at=hand.recorded_at,
        side=hand.accepted_report.side,
        device=hand.accepted_report.device,
    )
