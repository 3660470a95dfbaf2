"""The demo: a club in full swing, in which every link of every reader leads somewhere.

Made once for all that is asked of it: short by default, whole with ``KULA_DRILLS=full``.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import pairwise

import pytest
from django.conf import settings
from django.db import transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext
from pytest_django.asserts import assertContains
from pytest_django.plugin import DjangoDbBlocker

from tests import make
from tests.architecture.test_urls import addresses
from tests.drilled import FULL
from tests.one_file import file_from_elsewhere
from tests.tracker.tournament_files.elsewhere import careers, read
from tests.walking import Visit, tournaments_of_every_kind, walk
from tests.weighing import FIRST_LOAD, PAGE
from tracker.common.figures import amount, placing
from tracker.common.names import page_names
from tracker.criteria.tie_breaks import DIRECT_ENCOUNTER
from tracker.management.demo.evening import MEMBER, ORGANISER, OWNER, VISITORS_FROM
from tracker.management.demo.history import NIGHTS, make_demo
from tracker.models import (
    ClubNight,
    Format,
    LogEntry,
    Movement,
    RoundState,
    Seat,
    SeatingWish,
    Tournament,
    User,
    WishKind,
)
from tracker.results.services.recount import recount
from tracker.standings.pages.entrant import Reason
from tracker.standings.queries.standings import Standing, StandingRow, standings
from tracker.tournament_files.queries.export import tournament_file
from tracker.tournament_files.services.importing import import_tournament

# One group, so that only one worker makes the demo.
pytestmark = [pytest.mark.django_db, pytest.mark.xdist_group("demo")]

STATEMENTS = 11
# Of them, session and user are two on every page of whoever has signed in, the revision is one of
# a page that follows what is played, and knock-outs are five, however many there are. Where direct
# encounter or strength ranks, two more tell who met whom and who rested.
MORE_STATEMENTS = {
    "tournament-file": (75, "everything of a tournament, 25 for each of its stages"),
    "hands": (11, "filters of rounds and players, a count for the pages, and hands in words"),
    "hand": (11, "a hand in words, and what people and phones did to it, looked up together"),
    "log": (28, "filters, a page, and everything that its sentences name, each kind at once"),
    "entrant": (18, "a standing, whom everybody met, and who is called what"),
    "player": (21, "a whole career: games, partners, opponents, titles; knock-outs are five more"),
    "team": (17, "the same of a team"),
    "print-results": (14, "the standings of a night; knock-outs are five more"),
    "prizes": (15, "a standing, and how its ties were settled; knock-outs are five more"),
    "season-picture": (19, "the same as the season"),
    "season": (19, "tournaments, tables, tallies, prizes and people; knock-outs are five more"),
    "tournament-picture": (17, "the standing"),
    "tournament": (
        22,
        "a standing, whom everybody met, and the stages beside it; knock-outs are five more",
    ),
    "night": (19, "who is here, who waits at the door, and who won; knock-outs are five more"),
    "bracket": (11, "who met whom, who won, seeds, names, and the way to each table"),
    "crosstable": (20, "rounds, points, and those who deal now; knock-outs are five more"),
    "story": (16, "rounds, hands and prizes in words; knock-outs are five more"),
    "tournament-display": (18, "a standing, and what is drawn; knock-outs are five more"),
    "club": (14, "a night that is on: its tables, one standing, what waits; else what is over"),
    "night-display": (19, "the same of whatever is played that night"),
    "why": (13, "what was asked when it was drawn, names, and who has asked"),
    "draw": (31, "who is here, what was played, dealt and promised, and what was drawn"),
}
# What no link leads to, and how one gets there.
ELSEWHERE = {
    "from a card or a letter": {"card", "door", "first-owner", "join", "password-new"},
    "from a picture's place": {"card-qr", "door-qr", "my-table-qr", "invitation-qr", "race"},
    "by a button": {
        *("sign-out", "player-login", "invitation-withdraw", "merge-undo", "import-undo"),
        *("card-code", "table-dealer", "table-call", "table-query", "table-settle"),
        *("table-side", "table-confirm", "table-take-back", "sitting-confirm", "match-decide"),
        *("webhook-withdraw", "delivery-again"),
    },
    "by a script": {"table-check"},
    "by the browser, where there is a certificate": {"manifest", "no-network", "worker"},
    "from a file that was chosen": {"tournament-look"},
    "by a calendar program": {"club-calendar", "player-calendar"},
    "where a phone is led from table to table": {"table-next"},
    "when there is something to do": {"claim", "official", "prizes"},
    "when copies were made": {"copy", "copy-file"},
}


def length() -> tuple[int, int]:
    """Return how many nights lie behind the demo, and how many pages of a kind are read in it."""
    if settings.DATABASE_URL:
        return 3, 4  # the latest three are events of every kind
    return (NIGHTS, 60) if FULL else (3, 2)


@pytest.fixture(scope="module")
def walks(
    django_db_setup: None, django_db_blocker: DjangoDbBlocker
) -> Iterator[Mapping[str, list[Visit]]]:
    """Make the demo, and walk through it as readers of every kind."""
    nights, alike = length()
    readers = {"stranger": None, "member": MEMBER, "organiser": ORGANISER, "owner": OWNER}
    steps: list[int] = []
    with django_db_blocker.unblock(), transaction.atomic():
        make_demo(seed=7, today=timezone.now(), step=lambda: steps.append(1), nights=nights)
        assert len(steps) == nights + 1
        walked = {}
        for reader, name in readers.items():
            client = Client(raise_request_exception=False)
            if name:
                client.force_login(User.objects.get(username=name))
            few = reader == "owner"  # who has pages of their own, and those of an organiser
            walked[reader] = list(
                walk(
                    client,
                    alike=1 if few else alike,
                    sorted_alike=0 if few else min(alike, 2),
                    also=tournaments_of_every_kind(),
                )
            )
        yield walked
        transaction.set_rollback(True)


def told(walks: Mapping[str, list[Visit]]) -> Iterator[tuple[str, Visit]]:
    for reader, visits in walks.items():
        for visit in visits:
            yield f"{reader}: {visit.path} (linked from {visit.found_on})", visit


def test_every_link_leads_somewhere(walks: Mapping[str, list[Visit]]) -> None:
    """Nobody is refused, asked to sign in, or sent to a place that is not on the page."""
    amiss = {
        where: (visit.answer, visit.lost)
        for where, visit in told(walks)
        if visit.answer not in {"200", "302"} or visit.lost
    }

    assert amiss == {}
    assert min(len(visits) for visits in walks.values()) > 30


def test_a_link_leads_to_every_page(walks: Mapping[str, list[Visit]]) -> None:
    led_to = {visit.kind for _, visit in told(walks)}

    assert addresses().keys() - led_to <= set().union(*ELSEWHERE.values())


def test_no_page_is_a_dead_end(walks: Mapping[str, list[Visit]]) -> None:
    ends = {visit.kind for _, visit in told(walks) if not visit.ways_on}

    assert ends == set()


def test_pages_ask_the_database_little(walks: Mapping[str, list[Visit]]) -> None:
    many = {
        where: visit.statements
        for where, visit in told(walks)
        if visit.statements > MORE_STATEMENTS.get(visit.kind, (STATEMENTS, ""))[0]
    }

    assert many == {}


def test_pages_weigh_little(walks: Mapping[str, list[Visit]]) -> None:
    heavy = {
        where: (visit.weight, visit.with_all)
        for where, visit in told(walks)
        if (visit.weight > PAGE or visit.with_all > FIRST_LOAD)
        and visit.kind != "copy-file"  # everything there is, as a file
    }

    assert heavy == {}


@pytest.mark.usefixtures("walks")
def test_tonight_has_something_of_everything(client: Client) -> None:
    """Rounds that are planned, somebody resting, a visitor, a tie for the prize, one gone home."""
    client.force_login(User.objects.get(username=ORGANISER))
    night = ClubNight.objects.filter(starts_at__lte=timezone.now()).latest("starts_at")
    *_, early, between, _, tournament = Tournament.objects.order_by("pk")

    evening = client.get(night.get_absolute_url())
    people = client.get(reverse("night-people", args=[night.pk]))

    assertContains(evening, "Round 3 of 4")
    assert evening.context["desk"].resting
    assertContains(people, VISITORS_FROM)
    assert night.attendances.exclude(until=None).count() == 1
    assert tournament.entrants.filter(player__in_season=False).count() == 1
    assertContains(client.get(early.get_absolute_url()), "Settle the tie for a prize")
    ahead, looked_at = tournament.draws.get(), between.draws.get()
    assert (ahead.number, looked_at.number) == (4, 4)
    assert ahead.published_at
    assert not looked_at.published_at
    assert looked_at.plan["account"]["repeats"]
    assert {wish.kind for wish in SeatingWish.objects.all()} == {
        WishKind.KEEPS_TABLE,
        WishKind.NOT_MEET,
    }


@pytest.mark.usefixtures("walks")
def test_a_draw_is_everybodys_once_it_is_published(client: Client) -> None:
    *_, between, _, tournament = Tournament.objects.order_by("pk")

    everybody = client.get(reverse("schedule", args=[tournament.pk]))
    nothing_yet = client.get(reverse("schedule", args=[between.pk]))

    assert list(everybody.context["schedule"].seatings) == [1, 2, 3, 4]
    assert list(nothing_yet.context["schedule"].seatings) == [1, 2, 3]


@pytest.mark.usefixtures("walks")
def test_the_latest_evenings_had_events_of_every_kind() -> None:
    """Pairs in Swiss, a knock-out with third place, stages; entries beyond the places there are."""
    over = Tournament.objects.exclude(official_at=None)
    swiss, knockout = (
        over.get(movement=movement) for movement in (Movement.SWISS, Movement.KNOCKOUT)
    )
    final, consolation = over.exclude(follows=None).order_by("pk")
    cup = Tournament.objects.get(places__isnull=False)

    assert (swiss.entrants.count(), swiss.rounds.count()) == (8, 4)
    assert (knockout.entrants.count(), knockout.third_place) == (6, True)
    assert [len(each.sittings.all()) for each in knockout.rounds.order_by("number")] == [2, 2, 2]
    assert final.follows == consolation.follows
    assert (final.format, consolation.format) == (Format.TEAMS, Format.PLAYERS)
    assert cup.entrants.playing().count() == cup.places
    assert cup.entrants.exclude(reserve_since=None).count() == 3
    assert cup.entrants.exclude(withdrawn_at=None).count() == 1


@pytest.mark.usefixtures("walks")
def test_every_place_is_explained_by_the_first_criterion_that_differs(client: Client) -> None:
    explained = Counter[str]()
    for tournament in Tournament.objects.order_by("pk"):
        standing = standings(tournament)
        for above, below in pairwise(standing.rows if standing.begun else ()):
            page = client.get(reverse("entrant", args=[tournament.pk, below.entrant]))
            reasons = page.context["reasons"]
            if above.place == below.place:
                assert any("share place" in each.title for each in reasons), page.request
                explained["level"] += 1
                continue
            reason, names = reasons[0], page_names(standing.people)
            better = placing(above.place, tied=above.tied)
            assert reason.title.startswith(f"Why is place {better} {above.called(names)}’s,")
            explained[_explanation(standing, above, below, reason)] += 1
    assert explained.keys() >= {"victory_points", "won", "level", "bracket"}, explained


def _explanation(standing: Standing, above: StandingRow, below: StandingRow, reason: Reason) -> str:
    """Check the sentences on two neighbours by the figures of the standing; return what decided."""
    if standing.by_bracket:
        assert reason.decided == "The bracket decides who is ahead."
        return "bracket"
    level = []
    for each in standing.criteria:
        both = (above.figures[each.key], below.figures[each.key])
        if each.key == DIRECT_ENCOUNTER.key:
            if "each of those who were level" in reason.decided:
                return each.key
        elif both[0] == both[1]:
            level.append(amount(both[0], each))
        else:
            numbers = [standing.format_figure(value, each) for value in both]
            first, second = map(re.escape, numbers)
            assert re.search(rf" {first}[,. ].* {second}[,. ]", reason.decided), reason
            assert each.decision or gettext(each.label) in reason.decided
            assert all(alike in reason.level for alike in level), reason
            return each.key
    assert "in this order by" in reason.decided
    return "settled"


@pytest.mark.usefixtures("walks")
def test_every_tournament_is_the_same_elsewhere(client: Client) -> None:
    """Written down, taken in by another club, written down again: the same bytes, the same pages."""
    kinds = {"tournament", "crosstable", "bracket"}
    here = list(Tournament.objects.filter(follows=None).select_related("club").order_by("pk"))
    by = make.actor(at=timezone.now())
    log = LogEntry.objects.filter(verb="sitting-corrected")
    corrected = list(log.values_list("on__sitting", flat=True))  # numbers, where SQL has JSON
    differing = Tournament.objects.filter(rounds__sittings__in=corrected)
    with transaction.atomic():
        elsewhere = make.club(here[0].club.name)
        for tournament in here:
            file = file_from_elsewhere(tournament)

            made = import_tournament(
                club_id=elsewhere.pk,
                content=file,
                choices=None,
                by=by,
                accept_differences=tournament in differing,
            )

            # Rounds that are still played come in as closed.
            if not tournament.rounds.filter(state=RoundState.OPEN).exists():
                assert tournament_file(made) == file, tournament
                pages = list(read(client, made, kinds).values())
                assert pages == list(read(client, tournament, kinds).values()), tournament
            assert recount(tournament_id=made.pk, by=by).findings == ()
        at_home = here[0].club.players.present().filter(visitor_from="")
        still_playing = Seat.objects.filter(round__state=RoundState.OPEN).values("player")
        known = at_home.filter(entrants__isnull=False).exclude(pk__in=still_playing)
        known = known.distinct().order_by("name_key")
        names = known.values_list("name", flat=True)[: 10 if FULL else 3]
        there = careers(client, elsewhere.pk, names)
        assert there == careers(client, here[0].club_id, names)
        assert there
        transaction.set_rollback(True)
