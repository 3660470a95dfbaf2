"""The log as a page: who reads it, how it is narrowed down, what can be undone, what it costs."""

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from tests import act, make
from tests.make import NOON
from tests.reading import costs
from tracker.audit.queries.lines import LogLine
from tracker.common.audit_log import log
from tracker.models import AwardKind, Club, LogEntry, Role, Sitting, WishKind
from tracker.nights.services.attendance import arrive
from tracker.people.services.erasing import erase_player
from tracker.people.services.invitations import invite
from tracker.people.services.merging import merge_players
from tracker.results.services.corrections import RESTORE, STRIKE
from tracker.results.services.issues import query_hand
from tracker.results.services.table_actions import bring_back, take_back
from tracker.seating.services.player_replacement import Reach, replace_player
from tracker.seating.services.rounds import restore_round, undo_round
from tracker.seating.services.seat_swaps import substitute, swap_seats
from tracker.seating.services.wishes import drop_wish, keep_apart, keep_table
from tracker.standings.services.standings import give_award, withdraw_award

pytestmark = pytest.mark.django_db


@pytest.fixture
def sitting(club: Club) -> Sitting:
    return make.sitting("Asha", "Neema", "Juma", "Baraka", at=make.tournament(club=club))


def lines(
    client: Client, club: Club, query: str = "", *, role: Role = Role.ORGANISER
) -> list[LogLine]:
    """Return what somebody reads of the log, newest first."""
    client.force_login(make.user(role=role, club=club))
    table = client.get(reverse("log", args=[club.pk]) + query).context["table"]
    return [table.lines[row.record["what"], row.record["key"]] for row in table.paginated_rows]


def told(client: Client, club: Club, query: str = "", *, role: Role = Role.ORGANISER) -> list[str]:
    return [line.sentence for line in lines(client, club, query, role=role)]


def correct(sitting: Sitting, changes: Mapping[int, Any], *, minutes: int = 1) -> None:
    at = NOON + timedelta(minutes=minutes)
    act.correct(sitting, changes, "typing slip", who=make.user(), at=at)


# Who reads it -------------------------------------------------------------------------------------


def test_members_read_reasons_and_are_offered_no_button(client: Client, sitting: Sitting) -> None:
    make.report(sitting, {"eaten": [70, 50]})
    correct(sitting, {1: {"eaten": [50, 70]}})
    club = sitting.round.tournament.club
    client.force_login(make.user(role=Role.MEMBER, club=club))

    page = client.get(reverse("log", args=[club.pk]))

    assert "Reason: typing slip" in page.text
    assert "only the name of somebody erased disappears" in page.text
    assert reverse("hand", args=[sitting.pk, 1]) in page.text
    assert f'"{reverse("hand-correct", args=[sitting.pk, 1])}"' not in page.text


def test_who_may_sign_in_is_for_those_who_run_the_club(client: Client, club: Club) -> None:
    invite(club_id=club.pk, role=Role.SCORER, days=7, by=make.actor(make.user()))

    assert told(client, club, role=Role.MEMBER) == []
    assert told(client, club, "?kind=logins", role=Role.MEMBER) == []
    assert len(told(client, club)) == 1


def test_whose_seat_is_promised_is_for_those_who_organise(client: Client, club: Club) -> None:
    asha, juma = (make.player(name, club=club).pk for name in ("Asha", "Juma"))
    by, meet = make.actor(make.user("marta")), WishKind.NOT_MEET
    wish = keep_table(club_id=club.pk, player_id=asha, table=3, by=by)
    drop_wish(wish_id=wish.pk, club_id=club.pk, by=by)
    keep_apart(club_id=club.pk, kind=meet, player_id=asha, other_id=juma, by=by)
    of_asha, member = f"?person=p{asha}", Role.MEMBER

    apart = "Marta added a seating request."
    promised = [
        "Marta removed a seating request: Asha at table 3.",
        "Marta added a seating request: Asha plays at table 3.",
    ]
    nameless = ["Marta removed a seating request.", "Marta added a seating request."]
    assert told(client, club) == [apart, *promised]
    assert told(client, club, of_asha) == promised
    assert told(client, club, role=member) == [apart, *nameless]
    assert [line.about for line in lines(client, club, role=member)] == [None] * 3
    assert told(client, club, of_asha, role=member) == []
    assert told(client, club, f"?person=p{juma}") == []


def test_nothing_of_another_club_is_read(client: Client, club: Club) -> None:
    elsewhere = make.club("Elsewhere")
    stranger = make.player("Stranger", club=elsewhere)
    arrive(night_id=make.night(elsewhere).pk, players=[stranger.pk], by=make.actor())

    assert told(client, club) == []
    assert told(client, club, f"?person=p{stranger.pk}") == []


# How it is narrowed down --------------------------------------------------------------------------


def test_what_happened_at_a_table_is_its_results_and_acts_in_the_order_of_time(
    client: Client, sitting: Sitting
) -> None:
    club = sitting.round.tournament.club
    other = make.sitting("Zuwena", "Omari", "Rehema", "Ali", in_round=sitting.round)
    make.report(sitting, {"eaten": [70, 50]}, side=0)
    make.report(other, {"eaten": [80, 40]}, now=NOON + timedelta(minutes=1))
    make.report(sitting, {"eaten": [60, 60]}, now=NOON + timedelta(minutes=2))
    correct(sitting, {1: {"eaten": [50, 70]}}, minutes=3)

    corrected, *reported = told(client, club, f"?tournament={sitting.round.tournament_id}&table=1")

    assert corrected.endswith("corrected hand 1 of table 1: 70–50 became 50–70.")
    assert reported == [
        "The phone at table 1 wrote down hand 2: 60–60.",
        "The phone at table 1 (Asha & Juma) wrote down hand 1: 70–50.",
    ]
    assert [corrected] == told(client, club)
    assert told(client, club, "?kind=results&table=2") == [
        "The phone at table 2 wrote down hand 1: 80–40."
    ]


def test_what_a_phone_did_is_told_with_the_side_it_spoke_for(
    client: Client, club: Club, sitting: Sitting
) -> None:
    later = [NOON + timedelta(minutes=minute) for minute in range(5)]
    make.report(sitting, {"eaten": [80, 40]}, device="a", side=1)
    make.report(sitting, {"eaten": [70, 50]}, number=1, device="a", side=1, now=later[1])
    take_back(token=sitting.token, number=1, by=make.actor(at=later[2], device="a"), side=1)
    bring_back(token=sitting.token, number=1, by=make.actor(at=later[3], device="a"), side=1)
    query_hand(
        token=sitting.token, number=1, note="", by=make.actor(at=later[4], device="never reported")
    )

    assert told(client, club) == [
        "The phone at table 1 queried hand 1.",
        "The phone at table 1 (Neema & Baraka) brought back hand 1: 70–50.",
        "The phone at table 1 (Neema & Baraka) undid hand 1: 70–50.",
        "The phone at table 1 (Neema & Baraka) changed hand 1: 80–40 became 70–50.",
    ]


def test_a_person_is_found_who_did_it_or_to_whom_it_was_done(
    client: Client, club: Club, sitting: Sitting
) -> None:
    asha, omari = (make.player(name, club=club) for name in ("Asha", "Omari"))
    asha.user = make.user("asha")
    asha.save()
    for number in range(20):  # so that one key is the beginning of another
        make.player(f"P{number}", club=club)
    night = make.night(club)
    many = [player.pk for player in club.players.order_by("pk")]
    arrive(night_id=night.pk, players=many, by=make.actor(asha.user))
    seat = sitting.seats.get(player=make.player("Juma", club=club))
    substitute(seat_id=seat.pk, player_id=omari.pk, by=make.actor(make.user("marta")))

    by_asha = told(client, club, f"?person=p{asha.pk}")
    of_omari = told(client, club, f"?person=p{omari.pk}")
    of_first = told(client, club, f"?person=p{many[1]}")

    assert [sentence[:4] for sentence in by_asha] == ["Asha"]
    assert [sentence.split()[0] for sentence in of_omari] == ["Marta", "Marta", "Asha"]
    assert len(of_first) == 1


def test_a_person_is_found_whose_hands_were_corrected(
    client: Client, club: Club, sitting: Sitting
) -> None:
    make.sitting("Zuwena", "Rehema", "Ali", "Lulu", in_round=sitting.round)
    for _ in range(2):
        make.report(sitting, {"eaten": [70, 50]})
    juma, omari = (make.player(name, club=club) for name in ("Juma", "Omari"))
    substitute(
        seat_id=sitting.seats.get(player=juma).pk, player_id=omari.pk, by=make.actor(make.user())
    )
    make.report(sitting, {"eaten": [70, 50]})
    for number in (1, 3):
        correct(sitting, {number: {"eaten": [50, 70]}}, minutes=number)
    correct(sitting, {2: {"eaten": [50, 70]}, 3: {"eaten": [80, 40]}}, minutes=4)

    def corrected(name: str) -> list[str]:
        player = make.player(name, club=club)
        sentences = told(client, club, f"?person=p{player.pk}&kind=hands")
        return [sentence.partition(" corrected ")[2].partition(":")[0] for sentence in sentences]

    both = "table 1 – hand 2"
    assert corrected("Asha") == [both, "hand 3 of table 1", "hand 1 of table 1"]
    assert corrected("Juma") == [both, "hand 1 of table 1"]
    assert corrected("Omari") == [both, "hand 3 of table 1"]
    assert corrected("Zuwena") == []


def test_names_are_those_of_today(client: Client, club: Club) -> None:
    gone, stays, erased = (make.player(name, club=club) for name in ("Jumaa", "Juma", "Zuhura"))
    arrive(night_id=make.night(club).pk, players=[gone.pk], by=make.actor(make.user("marta")))
    arrive(night_id=make.night(club).pk, players=[erased.pk], by=make.actor(make.user("neema")))
    merge_players(player_id=gone.pk, into_id=stays.pk, by=make.actor())
    erase_player(player_id=erased.pk, team_names={}, by=make.actor())

    _, _, former, merged = told(client, club)

    assert (former, merged) == ("Neema checked in a former player.", "Marta checked in Juma.")
    assert len(told(client, club, f"?person=p{stays.pk}")) == 2


@pytest.mark.parametrize(
    ("query", "count"),
    [
        ("?kind=hands", 1),
        ("?kind=calls", 0),
        ("?day=2026-11-20", 1),
        ("?day=2026-11-21", 0),
        ("?table=1&kind=hands", 1),
        ("?table=2", 1),  # which is no table: said beside the field
    ],
)
def test_the_log_is_narrowed_down(client: Client, sitting: Sitting, query: str, count: int) -> None:
    make.report(sitting, {"eaten": [70, 50]})
    correct(sitting, {1: {"eaten": [50, 70]}})

    assert len(told(client, sitting.round.tournament.club, query)) == count


# What can be undone -------------------------------------------------------------------------------


def offered(client: Client, club: Club, query: str = "") -> list[str | None]:
    """Return what each line offers to undo it, or that it was undone."""
    return [
        "undone" if line.undone_at else line.undo_url or None for line in lines(client, club, query)
    ]


def test_a_correction_is_undone_where_the_hand_is_corrected_and_only_the_last(
    client: Client, sitting: Sitting
) -> None:
    club = sitting.round.tournament.club
    make.report(sitting, {"eaten": [70, 50]})
    correct(sitting, {1: {"eaten": [50, 70]}}, minutes=1)
    correct(sitting, {1: STRIKE}, minutes=2)
    there = f"{reverse('hand-correct', args=[sitting.pk, 1])}?change=restore"

    assert offered(client, club) == [there, None]
    assert "Hand 1 would count again: 50–\u206070, Neema &amp; Baraka win" in client.get(there).text

    correct(sitting, {1: RESTORE}, minutes=3)

    assert offered(client, club) == [there, "undone", None]
    assert sitting.hands.get().sheet["eaten"] == [50, 70]


def test_a_correction_that_is_restored_is_the_sheet_before(
    client: Client, sitting: Sitting
) -> None:
    make.report(sitting, {"eaten": [70, 50]})
    correct(sitting, {1: {"eaten": [50, 70]}})
    client.force_login(make.user(role=Role.SCORER, club=sitting.round.tournament.club))
    there = reverse("hand-correct", args=[sitting.pk, 1])
    assert "Undo the last change" in client.get(there).text

    correct(sitting, {1: RESTORE}, minutes=2)

    assert sitting.hands.get().sheet["eaten"] == [70, 50]
    first, second = LogEntry.objects.order_by("pk")
    assert second.undoes == first


def test_what_a_phone_amended_is_restored_to_the_sheet_before_that(sitting: Sitting) -> None:
    for eaten in ([90, 30], [70, 50]):
        make.report(sitting, {"eaten": eaten}, number=1, device="a")
    correct(sitting, {1: RESTORE}, minutes=2)

    amended, restored = LogEntry.objects.order_by("pk")
    assert (sitting.hands.get().sheet["eaten"], restored.undoes) == ([90, 30], amended)


def test_an_act_about_several_hands_is_not_undone_with_one_of_them(
    client: Client, sitting: Sitting
) -> None:
    for _ in range(2):
        make.report(sitting, {"eaten": [70, 50]})
    correct(sitting, {1: {"eaten": [50, 70]}, 2: {"eaten": [50, 70]}})

    correct(sitting, {1: RESTORE}, minutes=2)

    assert "undone" not in offered(client, sitting.round.tournament.club)


def test_what_the_table_took_back_is_what_the_organiser_undoes(sitting: Sitting) -> None:
    make.report(sitting, {"eaten": [70, 50]}, device="a")
    correct(sitting, {1: STRIKE})
    correct(sitting, {1: RESTORE}, minutes=2)
    phone = make.actor(at=NOON + timedelta(minutes=3), device="a")
    take_back(token=sitting.token, number=1, by=phone)

    correct(sitting, {1: RESTORE}, minutes=4)

    last = LogEntry.objects.order_by("pk").last()
    assert last is not None
    assert last.undoes == LogEntry.objects.get(verb="hand-taken-back")


def test_a_round_that_was_undone_is_brought_back(client: Client, sitting: Sitting) -> None:
    by, key = make.actor(make.user()), sitting.round_id
    undo_round(round_id=key, by=by)
    club = sitting.round.tournament.club

    assert offered(client, club) == [reverse("round-undo", args=[key])]

    restore_round(round_id=key, by=by)

    assert offered(client, club) == [reverse("round-undo", args=[key]), "undone"]


def test_points_that_were_given_are_taken_back(client: Client, sitting: Sitting) -> None:
    tournament = sitting.round.tournament
    award = give_award(
        tournament_id=tournament.pk,
        entrant_id=tournament.entrants.first().pk,  # type: ignore[union-attr]
        kind=AwardKind.PENALTY,
        amount=-1,
        reason="came late",
        by=make.actor(),
    )

    assert offered(client, tournament.club) == [reverse("awards", args=[tournament.pk])]

    withdraw_award(tournament_id=tournament.pk, award_id=award.pk, by=make.actor())

    assert offered(client, tournament.club) == [None, "undone"]


def test_two_seats_are_swapped_back(client: Client, sitting: Sitting) -> None:
    first, second = sitting.seats.order_by("place")[:2]
    swap_seats(seats=(first.pk, second.pk), by=make.actor())
    there, club = reverse("round-seats", args=[sitting.round_id]), sitting.round.tournament.club

    def filled_in() -> str:
        players = LogEntry.objects.order_by("-pk")[0].on["players"]
        one, other = (sitting.seats.get(player=key).pk for key in players)
        return f"{there}?seats={one}&seats={other}"

    assert offered(client, club) == [filled_in()]
    form = client.get(filled_in()).context["swap"]
    assert set(form["seats"].value()) == {str(first.pk), str(second.pk)}

    first, second = sitting.seats.order_by("place")[:2]
    swap_seats(seats=(first.pk, second.pk), by=make.actor())

    assert offered(client, club) == [filled_in(), "undone"]


def test_who_was_entered_by_mistake_is_changed_back(client: Client, sitting: Sitting) -> None:
    club = sitting.round.tournament.club
    asha, omari = (make.player(name, club=club) for name in ("Asha", "Omari"))
    seat = sitting.seats.get(player=asha)
    replace_player(seat_id=seat.pk, player_id=omari.pk, reach=Reach.ROUND, by=make.actor())
    there = reverse("round-seats", args=[sitting.round_id])

    address = f"{there}?wrong={seat.pk}&right={asha.pk}&reach=round&from_hand=1"
    assert offered(client, club)[0] == address


def test_a_swap_is_told_with_its_round_and_tables(client: Client, sitting: Sitting) -> None:
    club = sitting.round.tournament.club
    other = make.sitting("Zuwena", "Omari", "Rehema", "Ali", in_round=sitting.round)
    by = make.actor(make.user("marta"))
    swaps = [("Asha", sitting), ("Neema", sitting)], [("Juma", sitting), ("Ali", other)]
    for swap in swaps:
        one, two = (at.seats.get(player__name=name).pk for name, at in swap)
        swap_seats(seats=(one, two), by=by)
    players = [seat.player_id for seat in other.seats.all()[:2]]
    log(by, "seats-exchanged", club_id=club.pk, seats=[one, two], players=players)

    plain, two_tables, one_table = (line.partition(" of ")[2] for line in told(client, club))

    where = f"in round 1 of {sitting.round.tournament.name}"
    assert plain.count(" and ") == 1
    assert "round" not in plain
    assert two_tables == f"Juma and Ali {where}, at tables 1 and 2."
    assert one_table == f"Asha and Neema {where}, at table 1."


def test_a_merger_is_undone_at_once(client: Client, club: Club) -> None:
    juma, other = make.player("Juma", club=club), make.player("Juma K.", club=club)
    merge_players(player_id=juma.pk, into_id=other.pk, by=make.actor(make.user()))
    address = offered(client, club)[0]
    assert address is not None

    client.post(address)

    juma.refresh_from_db()
    assert juma.merged_into is None
    assert offered(client, club) == [None, "undone"]


# What it costs ------------------------------------------------------------------------------------


def busy(sitting: Sitting, *, times: int) -> None:
    for number in range(1, times + 1):
        make.report(sitting, {"eaten": [70, 50]}, number=number)
        correct(sitting, {number: {"eaten": [50, 70]}}, minutes=number)


@pytest.mark.parametrize("times", [1, 12])
@pytest.mark.parametrize(
    "read",
    [
        # Who reads it; the club; people and members, tournaments, tables to choose from; how
        # many, the page, its acts; what was undone; who did it, tables, their tournaments, what
        # the hands were played from, which change was the last.
        ("", 16),
        ("?table=1", 18),  # also which tables, and the reports
        # Also who they turned out to be, as whom they entered, who signs in so, and where they
        # sat for a part.
        ("?person=p{asha}", 20),
    ],
)
def test_the_log_costs_the_same_however_much_was_done(
    client: Client, sitting: Sitting, times: int, read: tuple[str, int]
) -> None:
    busy(sitting, times=times)
    query, statements = read
    club = sitting.round.tournament.club
    client.force_login(make.user(role=Role.ORGANISER, club=club))
    query = query.format(asha=make.player("Asha", club=club).pk)

    with costs(statements):
        client.get(reverse("log", args=[club.pk]) + query)
