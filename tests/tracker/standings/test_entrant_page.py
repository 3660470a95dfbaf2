"""Why each has their place, on the page of an entrant, and what the standing says of each row."""

import pytest
from django.test import Client

from tests import act, make
from tests.make import NOON
from tests.reading import costs, lacks, path, shows, words
from tests.tracker.standings.tables import FOUR, eaten, entrant, next_round, over, play, played
from tracker.criteria.results import Kind
from tracker.models import Entrant, Movement, Player, Seat, TieResolution, Tournament
from tracker.seating.services.player_replacement import Reach, replace_player
from tracker.seating.services.seat_swaps import swap_seats
from tracker.standings.queries.standings import standings
from tracker.standings.services.standings import resolve_tie

pytestmark = pytest.mark.django_db


def page_of(name: str, tournament: Tournament, query: str = "") -> str:
    return path("entrant", tournament, entrant(tournament, name)) + query


def why(client: Client, name: str, tournament: Tournament) -> list[str]:
    """Return what the page says about neighbours, a line each."""
    reasons = client.get(page_of(name, tournament)).context["reasons"]
    return [" ".join(filter(None, (each.title, each.level, each.decided))) for each in reasons]


def test_neighbours_are_told_apart_by_the_first_figure_that_differs(client: Client) -> None:
    tournament = make.tournament(tie_breaks=["twos", "share"])
    next_round(tournament, *eaten(70))  # Asha & Juma, Neema & Baraka
    next_round(tournament, *eaten(101), names=("Asha", "Juma", "Baraka", "Neema"))

    assert why(client, "Asha", tournament) == [
        "Why is place 1 Asha’s, and 2 Baraka’s? Victory points: Asha 3, Baraka 2."
    ]
    assert why(client, "Juma", tournament)[0] == (
        "Why is place 2 Baraka’s, and 3 Juma’s? Victory points: Baraka 2, Juma 1."
    )


def test_what_was_level_before_is_told_with_it(client: Client) -> None:
    tournament = make.tournament(tie_breaks=["won", "buchholz", "lots"], lots_seed=7)
    next_round(tournament, *eaten(70))
    over(tournament)
    first, second = (row.name for row in standings(tournament).rows[:2])

    assert {first, second} == {"Asha", "Juma"}
    assert why(client, first, tournament)[0].startswith(
        f"Why is place 1 {first}’s, and 2 {second}’s?"
        f" Both have 1 victory point, 1 won and 0 Buchholz. By lot: {first} drew "
    )


def test_a_tie_says_so_and_how_it_will_be_decided(client: Client) -> None:
    tournament = make.tournament()
    played(tournament, *eaten(70))
    (tie, other) = why(client, "Asha", tournament)

    assert tie.startswith("Why do Asha & Juma share place 1? Both have 1 victory point, 1 won, ")
    assert "for a prize the organiser lets them share it, cut the cards" in tie
    assert other.startswith("Why is place 1= Asha’s, and 3= Baraka’s? Victory points: ")
    shows(client.get(tournament.get_absolute_url()), "Those with “=” are level.")
    Tournament.objects.update(official_at=NOON)
    assert why(client, "Asha", tournament)[0].endswith("separates them: they share the place.")


def test_opponents_stand_with_what_they_scored_and_partners_apart(client: Client) -> None:
    tournament = make.tournament(tie_breaks=["buchholz"])
    next_round(tournament, *eaten(70))
    next_round(tournament, *eaten(101), names=("Asha", "Juma", "Baraka", "Neema"))
    over(tournament)
    Entrant.objects.filter(player__name="Neema").update(withdrawn_at=NOON, expelled=True)
    page = client.get(page_of("Asha", tournament))

    assert page.context["rounds"] == [
        {
            "number": 1,
            "unplayed": "",
            "points": "1",
            "opponents": [
                (entrant(tournament, name).pk, name, score)
                for name, score in (("Neema", "0"), ("Baraka", "2"))
            ],
            "partners": [(entrant(tournament, "Juma").pk, "Juma", "1")],
            "counts": "1",
        },
        {
            "number": 2,
            "unplayed": "",
            "points": "2",
            "opponents": [
                (entrant(tournament, name).pk, name, score)
                for name, score in (("Juma", "1"), ("Neema", "0"))
            ],
            "partners": [(entrant(tournament, "Baraka").pk, "Baraka", "2")],
            "counts": "½",
        },
    ]
    shows(client.get(page_of("Neema", tournament)), "expelled")
    shows(client.get(tournament.get_absolute_url()), '<span class="pill">expelled</span>')


def test_the_standing_marks_who_has_moved_and_when_the_last_result_came(client: Client) -> None:
    tournament = make.tournament(hands=1)
    act.close(next_round(tournament, *eaten(70)).round)
    last = make.sitting(*FOUR, at=tournament)
    url = tournament.get_absolute_url()
    shows(client.get(url), "1 table still plays.", "Last result")
    make.report(last, {"eaten": [15, 105]})
    page = client.get(url)

    shows(page, "All results are in.")
    moved = [words(str(row.get_cell("place"))) for row in page.context["table"].rows]
    assert moved == ["1= ▲2 up 2", "1= ▲2 up 2", "3= ▼2 down 2", "3= ▼2 down 2"]


@pytest.mark.parametrize("number", ["3", "x"])
def test_there_is_no_page_of_a_round_that_was_not_played(client: Client, number: str) -> None:
    tournament = make.tournament()
    next_round(tournament, *eaten(70))

    assert client.get(page_of("Asha", tournament, f"?round={number}")).status_code == 404
    shows(client.get(page_of("Asha", tournament, "?round=1")), "after round 1")
    lacks(client.get(page_of("Asha", tournament)), "after round")


@pytest.mark.parametrize("tables", [1, 3])
def test_a_page_costs_the_same_however_many_play(client: Client, tables: int) -> None:
    tournament = make.tournament()
    for _ in range(tables):
        next_round(tournament, *eaten(70), names=FOUR)
    page = page_of("Asha", tournament)
    # The revision, the tournament, awards, rests, seats with sums, sums, entrants.
    with costs(7):
        client.get(page)


def test_who_sat_at_both_sides_of_a_table_did_not_meet_themselves(client: Client) -> None:
    tournament = make.tournament(tie_breaks=["head_to_head", "buchholz"])
    sitting = make.sitting(*FOUR, in_round=make.round_of(tournament))
    sitting.seats.filter(player__name="Neema").update(entrant=entrant(tournament, "Asha"))
    play(sitting, *eaten(70))
    over(tournament)
    results = standings(tournament, meetings=True).results
    met = {
        name: [
            (record.opponents, record.partners)
            for record in (results.of(entrant(tournament, name).pk) if results else ())
        ]
        for name in ("Asha", "Juma", "Baraka")
    }
    asha, juma, baraka = (entrant(tournament, name).pk for name in met)

    assert met == {
        "Asha": [((baraka,), (juma,))],
        "Juma": [((baraka,), (asha,))],
        "Baraka": [((asha, juma), ())],
    }
    assert client.get(page_of("Asha", tournament)).status_code == 200


def take_over(seat: Seat, guest: Player) -> None:
    """Say that a guest sat there from hand 2 on."""
    replace_player(
        seat_id=seat.pk, player_id=guest.pk, reach=Reach.HANDS, from_hand=2, by=make.actor()
    )


def test_after_a_change_of_seats_the_first_side_counts() -> None:
    """Who sits at place 0 from hand 2 on had played the first hand at place 1."""
    tournament = make.tournament(tie_breaks=["head_to_head"])
    sitting = play(make.sitting(*FOUR, in_round=make.round_of(tournament)), *eaten(70, 80))
    first, second = sitting.seats.order_by("place")[:2]
    guest = make.player("Zuri", club=tournament.club)
    take_over(second, guest)
    swap_seats(seats=(first.pk, second.pk), only_together=True, by=make.actor())
    over(tournament)
    results = standings(tournament, meetings=True).results

    assert results is not None
    [record] = results.of(first.entrant_id)
    assert second.entrant_id in record.opponents
    assert first.entrant_id in results.of(second.entrant_id)[0].opponents


def test_who_was_replaced_before_the_first_hand_was_not_there() -> None:
    tournament = make.tournament(tie_breaks=["buchholz"])
    sitting = make.sitting(*FOUR, in_round=make.round_of(tournament))
    guest, seat = make.player("Zuri", club=tournament.club), sitting.seats.order_by("place")[0]
    play(sitting, {"bare": "void"}, *eaten(70))
    take_over(seat, guest)
    over(tournament)
    results = standings(tournament, meetings=True).results

    assert results is not None
    assert [each.kind for each in results.of(seat.entrant_id)] == [Kind.ABSENT]


def test_places_of_a_bracket_that_were_cut_for_are_not_told_by_figures(client: Client) -> None:
    tournament = make.tournament("albastini", "2i", hands=1, movement=Movement.KNOCKOUT)
    act.enter(tournament, *FOUR)
    totals = iter((70, 110, 70))
    for _round in range(2):
        act.draw(tournament)
        round_ = act.open_drawn(tournament)
        for sitting in round_.sittings.all():
            play(sitting, *eaten(next(totals)))
        act.close(round_)
    act.finish(tournament)
    tied = [row for row in standings(tournament).rows if row.tied]
    order = [row.entrant for row in sorted(tied, key=lambda row: row.ranked.merit)]
    cut = {"how": TieResolution.CUT, "order": order, "seed": 1, "by": make.actor()}
    tournament = resolve_tie(tournament_id=tournament.pk, **cut)  # type: ignore[arg-type]
    standing = standings(tournament)
    third, fourth = standing.rows[2:]

    assert [third.entrant, fourth.entrant] == order
    assert why(client, third.name, tournament)[1].endswith(
        f"? {third.name}, {fourth.name}: in this order by the cut of the cards."
    )
    assert standing.placed_by[fourth.entrant] == "tie settled"
