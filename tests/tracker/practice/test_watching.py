"""What is shown between two of one's own moves: who sides with whom, each move, each finished trick."""

import re
from dataclasses import replace
from html import unescape
from typing import Any

import pytest
from django.test import Client

from games import catalogue
from tests.tracker.practice.test_practice import at, dealt, finished, played_out, shown, still
from tracker.practice.moves import closer_look, deal_hand, make_move, next_hand
from tracker.practice.pages.table_view import move_frames, next_stop
from tracker.practice.state import (
    ME,
    PracticeHand,
    PracticeTable,
    read_hand,
    replay_hand,
    seat_names,
)

pytestmark = pytest.mark.django_db


def moved(hand: PracticeHand) -> PracticeTable:
    """Return the table after the first move that one may make."""
    table = replay_hand(hand)
    code = table.play.move_code(table.play.legal_moves(table.state)[0])
    return replay_hand(make_move(table=table, code=code, clock=still))


def with_a_trick(game: str = "albastini", mode: str = "4t2") -> tuple[PracticeTable, int]:
    """Return a table on which others led on from a trick, and how many moves were seen before."""
    for seed in range(30):
        table = replay_hand(dealt(game, mode, seed=seed))
        for _ in range(6):
            seen, table = len(table.steps), moved(table.hand)
            if table.to_move is None:
                break
            if next_stop(table, seen):
                return table, seen
    raise AssertionError("nobody else ever takes a trick")


# Finished tricks ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "mode"), [("albastini", "4t2"), ("briscola", "4t2"), ("dalmuti", "4i")]
)
def test_a_finished_trick_lies_there_until_it_was_seen(
    client: Client, game: str, mode: str
) -> None:
    table, seen = with_a_trick(game, mode)

    page = client.get(at(table.hand, after=str(seen)))

    stopped = page.context["stopped"]
    assert stopped.felt.layout.cleared
    assert stopped.felt.layout.taker is not None
    assert stopped.sentences[0] in page.text
    link = re.search(r'id="go-on" href="([^"]+)"', page.text)
    assert link
    following = client.get(f"/practice/{game}/{unescape(link[1])}")
    assert following.context["stop"] is None
    assert following.context["page"].my_turn


def test_a_trick_from_which_one_leads_on_oneself_is_seen_then(client: Client) -> None:
    for seed in range(30):
        table = replay_hand(dealt(seed=seed))
        for _ in range(6):
            seen, table = len(table.steps), moved(table.hand)
            felt = shown(table.hand).felt
            if table.to_move == ME and felt.layout.cleared:
                page = client.get(at(table.hand, after=str(seen)))
                assert page.context["stop"] is None
                assert page.context["page"].felt.layout.taker == ME
                return
    raise AssertionError("one never takes a trick")


def test_the_last_trick_is_seen_before_the_result(client: Client) -> None:
    table = replay_hand(finished())

    page = client.get(at(table.hand, after=str(table.own_moves[-1])))
    result = client.get(at(table.hand, after=str(len(table.steps))))

    assert page.context["stop"] == len(table.steps)
    assert 'class="result' not in page.text.split('<template id="now">')[0]
    assert result.context["stop"] is None
    assert 'class="result' in result.text


def test_after_a_move_the_page_is_asked_for_what_has_not_been_seen(client: Client) -> None:
    table = replay_hand(dealt())
    code = table.play.move_code(table.play.legal_moves(table.state)[0])

    led = client.post(at(table.hand), {"move": code})

    assert led.headers["Location"].endswith(f"&after={len(table.steps)}")


@pytest.mark.parametrize("after", ["0", "7", "99999", "x", "-1", "\x00"])
def test_odd_numbers_of_moves_seen_are_no_harm(client: Client, after: str) -> None:
    assert client.get(at(finished(), after=after)).status_code == 200


def test_every_move_since_ones_own_is_shown_as_it_was_made() -> None:
    table, seen = with_a_trick()

    steps = move_frames(table, seen)

    assert [step["says"] for step in steps] == [
        table.describe_step(place) for place in range(seen, len(table.steps))
    ]
    assert [step["holds"] for step in steps].count(True) == 1
    played = steps[0]["seats"]
    assert any(seat.me and seat.played for seat in played)
    assert steps[0]["hand"] is not None


def test_a_page_with_everything_that_others_did_stays_small(client: Client) -> None:
    """One goes out first of ten, and the others play on: only the last moves are shown singly."""
    hand = played_out(dealt("dalmuti", "10i"))
    table = replay_hand(hand)

    page = client.get(at(hand, after=str(table.own_moves[-1])))

    assert len(page.context["frames"]) <= 30
    assert len(page.content) < 150_000


# Sides, points, the deal ----------------------------------------------------------------------


def test_partner_and_sides_are_marked_from_the_first_card(client: Client) -> None:
    felt = shown(dealt()).felt

    sides = {seat.name: (seat.side, seat.partner) for seat in (*felt.opponents, felt.me)}
    assert sides == {
        "Asha": ("a", False),
        "Neema": ("b", False),
        "Juma": ("a", True),
        "Baraka": ("b", False),
    }
    assert "(partner)" in client.get(at(dealt())).text


def test_players_alone_have_no_letters() -> None:
    felt = shown(dealt(mode="5i")).felt

    assert {seat.side for seat in (*felt.opponents, felt.me)} == {""}
    assert not any(seat.partner for seat in felt.opponents)


@pytest.mark.parametrize("game", ["albastini", "briscola"])
def test_points_and_trumps_stand_there_before_the_first_trick(game: str) -> None:
    hand = dealt(game)
    while not shown(hand).felt.remarks:
        hand = moved(hand).hand
    assert not replay_hand(hand).play.view(replay_hand(hand).state, ME).tricks

    trump, *sides = shown(hand).felt.remarks

    assert trump.pip
    assert [(remark.side, remark.points) for remark in sides] == [("a", "0"), ("b", "0")]


def test_who_deals_first_is_said_to_be_by_lot() -> None:
    hand = dealt("mambassa", "4i")

    assert shown(hand).sentences[-1] == (
        f"{replay_hand(hand).names.at(hand.first_dealer)} was drawn to deal first."
    )
    dealers = {dealt("mambassa", "4i", seed=seed).first_dealer for seed in range(40)}
    assert dealers == {0, 1, 2, 3}


def test_partners_are_cut_for_where_the_house_does() -> None:
    """A-3: the highest cards play against the lowest, so that one's partner is not always the same."""
    hands = [dealt(options={"partners": "cut"}, seed=seed) for seed in range(12)]

    partners = {replay_hand(hand).names.at(2) for hand in hands}
    assert partners == {"Neema", "Juma", "Baraka"}
    for hand in hands:
        table = replay_hand(hand)
        assert table.names.at(ME) == "Asha"
        assert sorted(table.names.seats) == sorted(seat_names("Asha", 4))
        assert read_hand(hand.signed(), "albastini").names == table.names
    told = " ".join(shown(replace(hands[0], codes=())).sentences)
    assert "Asha draws " in told
    following = next_hand(table=replay_hand(played_out(hands[0])), seed=3, clock=still)
    assert replay_hand(following).names == replay_hand(hands[0]).names


# What a hand has come to ----------------------------------------------------------------------


def test_all_hands_of_a_table_are_told_the_latest_first() -> None:
    first = finished()
    second = played_out(next_hand(table=replay_hand(first), seed=5, clock=still))

    played = shown(second).result["played"]

    assert [title for title, _headline, _won in played] == ["Hand 2", "Hand 1"]
    assert played[1][1] == shown(first).result["headline"]
    sums = [points.points for points in shown(second).points]
    assert sums == [
        str(replay_hand(second).game.usual_points.value(replay_hand(second).hand.sums[seat]))
        for seat in (0, 1)
    ]


def test_a_table_that_has_forgotten_its_hands_tells_of_the_last() -> None:
    hand = replace(finished(), earlier_sheets=None, number=70)

    ((title, _headline, _won),) = shown(hand).result["played"]

    assert title == "Hand 70"


def test_what_was_counted_stands_beside_the_sides(client: Client) -> None:
    hand = finished()
    table = replay_hand(hand)
    sheet = table.play.fill_sheet(table.state)

    counted = shown(hand).result["counted"]

    assert [(each.letter, each.points, each.mine) for each in counted] == [
        ("a", str(sheet["eaten"][0]), True),
        ("b", str(sheet["eaten"][1]), False),
    ]


def test_mambassa_is_shown_down_with_every_hand_and_what_is_left_to_everybody() -> None:
    """003: all reveal their hands; the pool and the tokens are those after paying."""
    hand = played_out(dealt("mambassa", "4i", seed=3))
    table = replay_hand(hand)
    after = table.game.add_sheet(table.session, table.play.fill_sheet(table.state)).session

    page = shown(hand)

    assert all(len(seat.known) == 4 for seat in (*page.felt.opponents, page.felt.me))
    assert [remark.says for remark in page.felt.remarks] == [f"Tokens in the pool: {after.pool}"]
    for seat in (*page.felt.opponents, page.felt.me):
        assert f"tokens: {after.tokens[seat.place]}" in seat.says
        assert any("point" in says or "three" in says for says in seat.says)


def test_the_card_drawn_in_a_last_turn_is_told() -> None:
    for seed in range(60):
        table = replay_hand(dealt("mambassa", "4i", seed=seed))
        draws = [
            move
            for move in map(table.play.move_code, table.play.legal_moves(table.state))
            if move.startswith("draw:")
        ]
        if not draws or table.state.knocker is None:
            continue
        over = replay_hand(make_move(table=table, code=draws[0], clock=still))
        if over.to_move is None and over.state.declarer is None:
            (new,) = set(over.state.hands[ME]) - set(table.state.hands[ME])
            assert shown(over.hand).drawn == f"New in your hand: {shown_name(over, new)}."
            return
    raise AssertionError("nobody ever knocks before one’s turn")


def shown_name(table: PracticeTable, card: Any) -> str:
    held = table.layout_of(table.state).hand
    return next(str(each.face.name) for each in held if each.face.code == str(card))


@pytest.mark.parametrize(
    ("game", "mode"),
    [("albastini", "4t2"), ("briscola", "2i"), ("dalmuti", "4i"), ("mambassa", "4i")],
)
def test_after_a_hand_one_thing_worth_knowing_is_told(client: Client, game: str, mode: str) -> None:
    hand = played_out(dealt(game, mode))

    page = client.get(at(hand))
    assert page.context["closer"] == ""
    assert "What would a strong player have done?" in page.text

    asked = client.get(at(hand, closer="1"))
    assert asked.context["closer"]
    assert "What would a strong player have done?" not in asked.text


def test_nobody_looks_closer_at_a_hand_that_goes_on(client: Client) -> None:
    assert client.get(at(dealt(), closer="1")).context["closer"] == ""
    assert closer_look(replay_hand(dealt())) is None


def test_a_game_that_nobody_judges_says_so(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    play = catalogue.GAMES["briscola"].play
    assert play is not None
    monkeypatch.setattr("games.briscola.play.PLAY", replace(play, critic=None))

    page = client.get(at(played_out(dealt("briscola", "2i")), closer="1"))

    assert page.context["closer"] == "There was nothing to choose in this hand."


def test_a_table_of_cut_partners_deals_as_any(client: Client) -> None:
    hand = deal_hand(
        game="albastini",
        mode="6t2",
        options={"partners": "cut"},
        strength="beginner",
        name="Asha",
        seed=1,
        clock=still,
    )

    assert client.get(at(hand)).status_code == 200


# What one is told at one's own turn -----------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "mode", "to_right"),
    [
        ("albastini", "4t2", False),
        ("briscola", "4t2", True),
        ("dalmuti", "4i", False),
        ("mambassa", "4i", True),
    ],
)
def test_the_next_to_play_sits_where_the_turn_goes(
    client: Client, game: str, mode: str, to_right: bool
) -> None:
    assert (" to-right" in client.get(at(dealt(game, mode))).text) is to_right


def test_partners_who_show_their_last_cards_are_told_of_once() -> None:
    table = replay_hand(played_out(dealt("briscola", "4t2")))

    told = [table.describe_step(place) for place in range(len(table.steps))]

    assert sum("Partners now show each other their cards." in each for each in told) == 1


def test_somebody_elses_knock_is_seen_before_the_last_turns() -> None:
    for seed in range(60):
        table, seen = replay_hand(dealt("mambassa", "4i", seed=seed)), 0
        while table.to_move is not None and not (stop := next_stop(table, seen)):
            seen, table = len(table.steps), moved(table.hand)
        if table.to_move is not None and stop:
            assert "That is a knock." in table.describe_step(stop - 1)
            assert move_frames(table, seen)[stop - seen - 1]["holds"]
            return
    raise AssertionError("nobody else ever knocks")
