"""What the hall's display shows now, one face after the other, all night.

Before a round it is who sits where, by name and by table; during it the clock, who deals at which
table and who still plays, and in turns the standing; after it the standing, the race, and the seats
of the coming round once everybody may see them; at the end the prizes. At the bell it says nothing
else than that.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime

from django.db.models import BooleanField, Exists, ExpressionWrapper, OuterRef

from tracker.draws.queries.published import published_round
from tracker.models import Attendance, ClubNight, Entrant, Round, RoundState, Tournament
from tracker.nights.queries import face_layout
from tracker.nights.queries.desk import rounds_shown
from tracker.nights.queries.faces import Display, Face, NightDisplay
from tracker.nights.queries.tables import resting_of, tables_now
from tracker.seating.clock_face import clock_reading
from tracker.standings.queries.standings import standings
from tracker.tournaments.queries import gone_on


def night_display(
    night: ClubNight, *, turn: int, sheet: int, hide: bool, now: datetime
) -> NightDisplay:
    """Return what the display of a night shows, in one query more than that of a tournament.

    It follows whatever is on: tournaments take turns while they are played, or a round of them
    is to come; once nothing is, the last standings do.
    """
    if night.break_until is not None:
        shown = Display(face=Face.BREAK, until=night.break_until, ranked=True)
        return NightDisplay(tournament=None, display=shown)
    tournaments = _on_now(night)
    if not tournaments:
        here = Attendance.objects.here(night).people().order_by("name_key")
        welcome = face_layout.welcome(list(here.values_list("pk", "name")))
        return NightDisplay(tournament=None, display=_in_turn(welcome, sheet))
    turn = turn if 1 <= turn <= len(tournaments) else 1
    tournament = tournaments[turn - 1]
    shown = display(tournament, sheet=sheet, hide=hide, now=now)
    last = shown.sheet == shown.sheets
    return NightDisplay(
        tournament=tournament,
        display=shown,
        next_turn=turn % len(tournaments) + 1 if last else turn,
        next_sheet=1 if last else shown.sheet + 1,
    )


def display(tournament: Tournament, *, sheet: int, hide: bool, now: datetime) -> Display:
    """Return what the display shows now, in a fixed number of queries.

    With *hide* no standing is shown before it is put up as provisional, or official.
    """
    round_ = tournament.rounds.exclude(state=RoundState.UNDONE).order_by("-number").first()
    if round_ is not None and round_.state == RoundState.OPEN:
        return _in_turn(list(_during(round_, hide=hide, now=now)), sheet)
    shown = list(_between(tournament, round_, hide=hide))
    if not shown and round_ is None:
        entered = Entrant.objects.filter(tournament=tournament, reserve_since=None).by_name()
        shown = face_layout.welcome([(entrant.pk, str(entrant)) for entrant in entered])
    return _in_turn(shown or [Display(face=Face.HIDDEN, round=round_)], sheet)


def _on_now(night: ClubNight) -> Sequence[Tournament]:
    """Return the tournaments of a night that are on; once none is, all of them. In one query."""
    rounds = night.rounds.exclude(state=RoundState.UNDONE)
    playing = Round.objects.filter(tournament=OuterRef("pk"), state=RoundState.OPEN)
    known = list(
        Tournament.objects.filter(pk__in=rounds.values("tournament"))
        .annotate(plays=Exists(playing), went_on=ExpressionWrapper(gone_on(), BooleanField()))
        .order_by("pk")
    )
    left = [each for each in known if not getattr(each, "went_on", False)] or known
    on = [
        each
        for each in left
        if getattr(each, "plays", False) or not (each.official_at or each.provisional_until)
    ]
    return on or left


def _during(round_: Round, *, hide: bool, now: datetime) -> Iterator[Display]:
    """Yield the seats until the first result is in, then the tables and in turns the standing."""
    rounds = rounds_shown(round_)
    tables, resting, _names = tables_now(rounds, resting_of(rounds))
    clock = clock_reading(round_, now=now)
    begun = any(table.begun for table in tables)
    ranked = begun or round_.number > 1
    base = Display(face=Face.TABLES, round=round_, clock=clock, ranked=ranked)
    if not begun:
        yield from face_layout.seats_taken(base, tables, resting)
        return
    yield from face_layout.playing(base, round_, tables)
    last_hands = clock is not None and clock.rang and not clock.long
    still = any(not table.done for table in tables)
    if not hide and not (still and last_hands):
        yield from face_layout.standing(base, standings(round_.tournament))


def _between(tournament: Tournament, last: Round | None, *, hide: bool) -> Iterator[Display]:
    """Yield the seats of the coming round, the standing with its race, the prizes at the end."""
    settled = tournament.official_at or tournament.provisional_until
    standing = None if last is None or (hide and not settled) else standings(tournament)
    ranked = standing is not None and standing.begun
    base = Display(face=Face.SEATS, round=last, ranked=ranked)
    if tournament.official_at is None:
        coming = published_round(tournament, last.number + 1 if last else 1)
        if coming:
            yield from face_layout.seats_drawn(base, coming)
    if standing is None:
        return
    if tournament.official_at is not None:
        yield from face_layout.prizes(base, tournament, standing)
    yield from face_layout.standing(base, standing)
    if not standing.by_bracket:
        yield from face_layout.race_run(base, tournament)


def _in_turn(shown: list[Display], sheet: int) -> Display:
    """Return the one whose turn it is, the first if there are not so many."""
    sheet = sheet if 1 <= sheet <= len(shown) else 1
    return replace(shown[sheet - 1], sheet=sheet, sheets=len(shown))
