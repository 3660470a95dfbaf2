"""Whatever a club does on its evenings, what is kept is what a count from nothing makes it."""

from collections.abc import Iterable
from random import Random
from typing import Any

import pytest
from django.db import connection, transaction
from hypothesis import given, strategies as st

from games.errors import RuleError
from tests import make
from tests.drilled import examples
from tests.tracker.evenings.acts import ACTS, OFTEN
from tests.tracker.evenings.club import Evenings
from tests.tracker.evenings.from_nothing import FromNothing
from tracker.audit.queries.filters import ACT
from tracker.audit.queries.lines import lines
from tracker.common.names import page_names
from tracker.models import (
    Award,
    Entrant,
    Hand,
    Issue,
    LogEntry,
    Player,
    Report,
    Rest,
    Round,
    RoundState,
    Seat,
    SeatTally,
    Sitting,
    Tally,
    Team,
    Tournament,
)
from tracker.results.services.recount import recount
from tracker.standings.pages.standings import corrections_in_words
from tracker.standings.queries.standings import Standing, standings
from tracker.tables.revisions import of_tournament

pytestmark = pytest.mark.django_db

TABLES = [
    ("albastini", "4t2"),
    ("albastini", "3i"),
    ("albastini", "5i"),
    ("briscola", "2i"),
    ("briscola", "4t2"),
    ("dalmuti", "4i"),
    ("mambassa", "3i"),
]
WRITTEN = (
    *(Award, Entrant, Hand, Issue, LogEntry, Player, Report, Rest, Round),
    *(Seat, SeatTally, Sitting, Tally, Team, Tournament),
)
SEEDS = st.integers(0, 999)
# What may change what is said of rounds that are over; nothing else may.
CORRECTIONS = frozenset(
    {
        *("correct", "settle_issue", "write_paper", "record_result", "take_award_back", "award"),
        *("swap", "put_right", "replace", "merge", "tell_apart", "undo", "bring_back", "reopen"),
    }
)


Named = tuple[frozenset[int], int]  # the entrants, and how many other places


def everything() -> dict[str, list[Any]]:
    """Return all rows that an act could change, without ``paced_until``, which no page shows."""
    return {
        model.__name__: [
            {name: value for name, value in row.items() if name != "paced_until"}
            for row in model.objects.order_by("pk").values()
        ]
        for model in WRITTEN
    }


def past(club: Evenings) -> dict[tuple[Any, ...], tuple[Named, dict[int, tuple[Any, ...]]]]:
    """Return what is said of each round that is over, with all before it.

    That is who is named as corrected since, and who stood where with what.
    """
    said = {}
    for round_ in club.tournament.rounds.exclude(state=RoundState.UNDONE).order_by("number", "pk"):
        if round_.state == RoundState.OPEN:
            break
        if round_.published_standing is None:
            continue  # it came in a file while it was played, and was never announced
        standing = standings(club.tournament, upto=round_)
        rows = {row.entrant: (row.place, row.tied, dict(row.figures)) for row in standing.rows}
        said[round_.uid, round_.closed_at] = named(round_, standing), rows
    return said


def named(round_: Round, standing: Standing) -> Named:
    """Return who is named as corrected: everybody who is not as was announced."""
    assert round_.published_standing is not None
    announced = {row["entrant"]: row for row in round_.published_standing["standing"]}
    points, names = standing.criteria[0].key, page_names(standing.people)
    says = corrections_in_words(round_, standing, names)
    called, others = set(), 0
    for row in standing.rows:
        then = announced.get(row.entrant)
        if then is None:  # of a round of which nothing counted no places are announced
            changed = bool(row.hands or row.figures[points])
        else:
            changed = then["points"] != str(row.figures[points])
        if changed:
            assert row.called(names) in says
            called.add(row.entrant)
        elif then and (then["place"], then["tied"]) != (row.place, row.tied):
            others += 1
    assert (f"{others} other place" in says) == (others > 0)
    assert bool(says) == bool(called or others)
    return frozenset(called), others


def revision(club: Evenings) -> str:
    now = of_tournament(club.tournament.pk, None)
    assert now is not None
    return now.state


def check(club: Evenings) -> None:
    tournament = club.tournament = Tournament.objects.get(pk=club.tournament.pk)
    assert recount(tournament_id=tournament.pk, by=make.actor()).findings == ()
    counted = FromNothing(tournament)
    counted.check_sums()
    counted.check_standing()
    for round_ in tournament.rounds.filter(state=RoundState.CLOSED):
        counted.check_standing(upto=round_)


def check_log(club: Evenings) -> None:
    """Read what the log says of everything that was done and reported."""
    done = LogEntry.objects.filter(club=club.club).values_list("pk", flat=True)
    sent = Report.objects.filter(sitting__round__tournament=club.tournament)
    moments = [{"what": ACT, "key": key} for key in done]
    moments += [{"what": "report", "key": report.pk} for report in sent]
    by_moment = lines(club.club.pk, moments, organises=True)
    assert all(line.sentence for line in by_moment.values())


def act(club: Evenings, name: str, seed: int) -> None:
    """Let something happen: refused it leaves no trace, and done it is seen by whoever watches."""
    before, watched, home, tournament = everything(), revision(club), club.club, club.tournament
    was = past(club)
    try:
        ACTS[name](club, Random(seed))
    except RuleError:
        assert everything() == before
        return
    # That a phone said once more what stands is read by nobody who waits for it.
    after = everything() | {"Report": before["Report"]}
    # Trap: taken to another club, all has new keys, which may happen to be those of others.
    if club.club is not home or club.tournament.pk != tournament.pk:
        return
    if after != before:
        assert revision(club) != watched, name
    club.tournament.refresh_from_db()
    now = past(club)
    for round_ in was.keys() & now.keys() if name not in CORRECTIONS else ():
        assert now[round_] == was[round_], name
    for round_ in now.keys() - was.keys() if name in {"close", "open_next"} else ():
        assert now[round_][0] == (frozenset(), 0), name


def hold(game: str, mode: str, seed: int, acts: Iterable[tuple[str, int]]) -> set[str]:
    """Let a club do all this, check it after every act, and leave nothing of it.

    Return the modes of the tables at which it played.
    """
    with transaction.atomic():
        club = Evenings(game, mode, Random(seed))
        for name, dice in [("seat", seed), ("report", seed), *acts]:
            act(club, name, dice)
            check(club)
        check_log(club)
        connection.check_constraints()
        tables = Sitting.objects.filter(round__tournament=club.tournament)
        modes = set(tables.values_list("mode", flat=True))
        transaction.set_rollback(True)
    return modes


@examples(4, full=40)  # of each kind of table
@pytest.mark.parametrize(("game", "mode"), TABLES)
@given(
    seed=SEEDS,
    acts=st.lists(st.tuples(st.sampled_from(OFTEN), SEEDS), min_size=1, max_size=30),
)
def test_whatever_a_club_does_leaves_no_difference(
    game: str, mode: str, seed: int, acts: list[tuple[str, int]]
) -> None:
    hold(game, mode, seed, acts)


def test_a_chair_swapped_to_another_pair_leaves_the_rest_of_a_round_to_the_first() -> None:
    """Its other half played on: seen once in some 4,000 evenings."""
    acts = ["report", "settle_issue", "report", "erase", "report", "finish", "report", "replace"]
    acts += [*["report"] * 6, "open_next", "report", "report", "swap"]
    dice = {1: 53, 5: 231, 8: 122, len(acts): 539}

    hold("briscola", "4t2", 405, [(name, dice.get(nth, 0)) for nth, name in enumerate(acts, 1)])


def test_odd_tables_leave_what_was_said_of_the_rounds_before() -> None:
    """Before, they let something else decide of all rounds: seen in one of twelve such evenings."""
    modes = []
    for seed in range(5):
        acts = [("report_more", seed), ("open_next", seed), ("award", seed)]
        acts += [("report_more", seed + 1), ("open_next", seed + 1), ("rank_otherwise", seed)]
        acts += [("report_more", seed + 2), ("open_next", seed + 2), ("correct", seed)]
        modes.append(hold("dalmuti", "4i", seed, acts))
    assert sum(len(each) > 1 for each in modes) > 1, "hardly an odd table"
