"""Tables of open rounds as the desks show them: progress, open issues, and who sits out."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from django.db.models import Count, Q
from django.utils.timesince import timesince
from django.utils.translation import gettext

from tracker.common.names import short_names
from tracker.common.wording import names_of
from tracker.ledger.matches import match_says, running_says
from tracker.models import (
    Confirm,
    Entrant,
    Hand,
    Issue,
    IssueKind,
    Progress,
    Rest,
    Round,
    RoundState,
    Seat,
    Sitting,
    TokenState,
    Tournament,
)
from tracker.reports.queries.confirming import waits_for
from tracker.seating.clock_face import ClockReading, clock_reading

QUIET_AFTER = timedelta(minutes=8)


@dataclass(frozen=True, slots=True, kw_only=True)
class Needs:
    """Open issues: hands to settle, the oldest first, and tables that call the organiser."""

    waiting: tuple[Issue, ...] = ()
    calls: tuple[Issue, ...] = ()

    @property
    def count(self) -> int:
        return len(self.waiting) + len(self.calls)


@dataclass(frozen=True, slots=True, kw_only=True)
class DeskTable:
    """View model of one table of a round."""

    sitting_id: int
    tournament_id: int
    tournament: str
    number: int
    address: str  # of its own page; empty while that is withdrawn
    card_token: str
    code: str
    sides: tuple[str, ...]
    people: tuple[str, ...]
    dealer: str  # empty while the cards are to say who deals
    progress: Progress
    running: str  # how it stands within a game, where rounds are made of games
    open: bool  # its round is being played
    begun: bool  # something of it was written down
    finished: bool
    quiet: str  # for how long there was no result, if that is long
    issues: int
    calls: bool
    clock: ClockReading | None
    unconfirmed: int  # hands to which another side has to agree
    waits_for: str  # of one such hand: whom it waits for
    match: str  # of a match of a bracket: how it stands, once it may be over

    @property
    def waits(self) -> bool:
        """Say whether its round waits for it: for results, to be settled, or to be confirmed."""
        return not self.finished or self.issues > 0 or self.unconfirmed > 0

    @property
    def undecided(self) -> bool:
        """Say whether it is a level match in which one more hand decides, or the organiser."""
        return self.progress.one_more or (self.progress.level and not self.open)

    @property
    def short(self) -> int:
        """Return how many results never came before its round was closed."""
        return 0 if self.open else self.progress.owed

    @property
    def state(self) -> str:
        """Return the CSS state of the table: ``warn``, ``done``, or nothing."""
        if self.issues or self.calls or self.quiet:
            return "warn"
        return "done" if self.finished and not self.short else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Resting:
    name: str
    times: int
    player: int | None = None  # of a team there is none


def needs_of(tournaments: Collection[Tournament]) -> Needs:
    """Return the open issues of these tournaments, in one query."""
    issues = (
        Issue.objects.waiting_in(tournaments)
        .select_related("sitting__round__tournament")
        .defer("sitting__session", "sitting__round__published_standing")
        .order_by("raised_at", "pk")
    )
    return Needs(
        waiting=tuple(issue for issue in issues if issue.kind != IssueKind.CALL),
        calls=tuple(issue for issue in issues if issue.kind == IssueKind.CALL),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class TablesNow:
    """The tables of some rounds, and what people are called on the page that shows them."""

    tables: tuple[DeskTable, ...] = ()
    called: Mapping[int, str] = field(default_factory=dict)  # by player, as short as can be
    short: Mapping[str, str] = field(default_factory=dict)  # by whole name

    def resting(self, people: Sequence[Resting]) -> tuple[Resting, ...]:
        """Return those who rest, called as they are here."""
        return tuple(
            replace(person, name=self.short.get(person.name, person.name)) for person in people
        )


def tables_now(
    rounds: Sequence[Round], needs: Needs, now: datetime, *, beside: Mapping[int, str] | None = None
) -> TablesNow:
    """Return the tables of these rounds by their numbers, in two queries.

    Where sides have to agree, it is three. People go by their first names, or by as much as
    tells them from all others there and from those *beside* them on the page.
    """
    known = {round_.pk: round_ for round_ in rounds}
    sittings = (
        Sitting.objects.filter(round__in=known).select_related("table").order_by("number", "pk")
    )
    seats = list(Seat.objects.running().filter(round__in=known).select_related("player"))
    names = {**(beside or {}), **{seat.player_id: seat.player.name for seat in seats}}
    called = short_names(names)
    people: dict[int, dict[int, str]] = defaultdict(dict)
    for seat in seats:
        people[seat.sitting_id][seat.place] = called[seat.player_id]
    wrote: dict[int, list[int | None]] = defaultdict(list)
    if any(round_.tournament.confirm == Confirm.BOTH for round_ in rounds):
        unconfirmed = Hand.objects.unconfirmed().filter(sitting__round__in=known)
        for key, side in unconfirmed.values_list("sitting_id", "accepted_report__side"):
            wrote[key].append(side)
    tables = tuple(
        _table(
            known[sitting.round_id],
            sitting,
            people[sitting.pk],
            wrote=wrote[sitting.pk],
            needs=needs,
            now=now,
        )
        for sitting in sittings
    )
    short = {name: called[player] for player, name in names.items()}
    return TablesNow(tables=tables, called=called, short=short)


def _table(
    round_: Round,
    sitting: Sitting,
    people: dict[int, str],
    *,
    wrote: Sequence[int | None],
    needs: Needs,
    now: datetime,
) -> DeskTable:
    rules = round_.tournament.rules
    options = rules.resume_options(sitting.options)
    mode = rules.mode(sitting.mode, options)
    names = names_of(mode, [people.get(place, gettext("nobody")) for place in range(mode.seats)])
    drawn = sitting.chosen is None and rules.is_drawn(sitting.may_deal)
    progress = sitting.progress(round_)
    finished = sitting.finished_at is not None or progress.whole
    heard = sitting.last_at or sitting.started_at
    quiet = now - heard >= QUIET_AFTER and not finished and round_.state == RoundState.OPEN
    lies_there = sitting.table is not None and sitting.table.withdrawn_at is None
    card = sitting.table if lies_there else None
    return DeskTable(
        sitting_id=sitting.pk,
        tournament_id=round_.tournament_id,
        tournament=round_.tournament.name,
        number=sitting.number,
        address="" if sitting.token_state == TokenState.REVOKED else sitting.get_absolute_url(),
        card_token=card.card_token if card else "",
        code=card.spaced_code if card else "",
        sides=names.sides,
        people=tuple(people[place] for place in sorted(people)),
        dealer="" if drawn else names.at(sitting.coming_dealer),
        progress=progress,
        running="" if finished else running_says(sitting, round_),
        finished=finished,
        quiet=timesince(heard, now, depth=1) if quiet else "",
        issues=sum(issue.sitting_id == sitting.pk for issue in needs.waiting),
        calls=any(call.sitting_id == sitting.pk for call in needs.calls),
        open=round_.state == RoundState.OPEN,
        begun=sitting.last_number > 0,
        clock=clock_reading(round_, now=now, table=sitting.number),
        unconfirmed=len(wrote),
        waits_for=waits_for(names, mode, wrote[0]) if len(wrote) == 1 else "",
        match=match_says(
            sitting,
            rules.match_points(options, in_games=round_.games is not None),
            sides=names.sides,
            progress=progress,
            over=round_.state != RoundState.OPEN,
            one=gettext(rules.unit.one) if round_.games is None else gettext("game"),
        ),
    )


def resting_of(rounds: Collection[Round]) -> tuple[Resting, ...]:
    """Return who rests in these rounds, each with how often they have by now, in one query."""
    rests = Rest.objects.sat_out()
    entrants = (
        Entrant.objects.filter(pk__in=rests.filter(round__in=rounds).values("entrant"))
        .annotate(times=Count("rests", filter=Q(rests__in=rests)))
        .select_related("player", "team")
        .order_by("pk")
    )
    return tuple(
        Resting(name=str(entrant), times=getattr(entrant, "times", 1), player=entrant.player_id)
        for entrant in entrants
    )


def resting_names(people: Sequence[Resting]) -> dict[int, str]:
    """Return the names of those who rest, by player."""
    return {person.player: person.name for person in people if person.player is not None}
