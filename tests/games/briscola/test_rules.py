"""How a deal goes, rule by rule, on deals laid out so that each rule bites (R1 to R9)."""

import pytest

from games.briscola import GAME
from games.briscola.cards import BY_CODE
from games.briscola.play import rules
from games.play.tricks import seat_to_move
from tests.games.briscola.table import MODES, all_cards, dealt, opened
from tests.games.hands import after, codes, move_codes, play_out, refused, taken

TWO = {1: "4D 1S 7K", 0: "13D 3S 2B"}  # seat 1 leads, seat 0 dealt


@pytest.mark.parametrize(("mode", "number"), [("2i", 40), ("3i", 39), ("4t2", 40), ("6t3", 36)])
def test_r1_r2_r7_the_pack_of_each_mode(mode: str, number: int) -> None:
    pack = rules.pack(opened(mode))
    assert sum(BY_CODE[code].value for code in pack) == 120
    assert len(set(pack)) == len(pack) == number
    assert GAME.play is not None
    assert GAME.play.shuffles(opened(mode)) == 1


@pytest.mark.parametrize("removed", ["2K", "2D", "2S", "2B"])
def test_r2_b3_three_leave_out_the_2_the_house_names(removed: str) -> None:
    session = opened("3i", options={"remove_two": removed})
    assert set(rules.pack(opened("2i"))) - set(rules.pack(session)) == {removed}


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("dealer", [0, 1])
def test_r3_b4_b5_three_each_one_at_a_time_and_the_next_is_turned_up(
    mode: str, dealer: int
) -> None:
    session = opened(mode, dealer)
    pack = rules.pack(session)
    state = rules.deal(session, [pack])
    seats = session.mode.seats
    assert codes([state.hands[(dealer + 1) % seats][0]]) == pack[0]
    assert codes([state.hands[dealer][0]]) == pack[seats - 1]
    assert codes([state.hands[dealer][2]]) == pack[3 * seats - 1]
    assert str(state.turned_up) == str(state.face_up) == pack[3 * seats]
    assert codes(state.stock) == " ".join([*pack[3 * seats + 1 :], pack[3 * seats]])
    assert state.turned_up.suit.value == pack[3 * seats][-1]
    assert seat_to_move(state) == (dealer + 1) % seats
    assert all_cards(state) == sorted(pack)


def test_r4_any_card_may_be_played_to_any_trick() -> None:
    state = after(dealt("2i", TWO, "5B"), "4D")
    assert move_codes(state) == ["13D", "3S", "2B"]


@pytest.mark.parametrize(
    ("cards", "winner"),
    [
        ("4D 13D", 0),  # R6: the higher card of the suit led
        ("4D 3S", 1),  # R6: no other plain suit wins
        ("1S 3S", 1),
        ("1S 2B", 0),  # R5: any trump beats any plain card
        ("7K 2B", 0),
    ],
)
def test_r5_r6_who_wins_a_trick_leads_the_next(cards: str, winner: int) -> None:
    state = after(dealt("2i", TWO, "5B"), cards)
    assert state.leader == seat_to_move(state) == winner
    assert codes(taken(state)[winner]) == cards
    assert state.tricks[-1].winner == winner


def test_r5_of_several_trumps_the_highest_wins() -> None:
    state = dealt("3i", {1: "13B", 2: "3B", 0: "12B"}, "5B")
    assert after(state, "13B 3B 12B").leader == 2


def test_r6_r7_a_partner_wins_for_the_side() -> None:
    state = after(dealt("4t2", {1: "4S", 2: "1S", 3: "3S", 0: "5S"}, "6D"), "4S 1S 3S 5S")
    assert (state.leader, codes(taken(state)[0]), taken(state)[1]) == (2, "4S 1S 3S 5S", ())
    assert state.tricks[-1].value == 21


@pytest.mark.parametrize(
    ("mode", "options", "tricks", "cycles"),
    [
        ("2i", {}, 20, 17),
        ("3i", {}, 13, 10),
        ("3i", {"remove_two": "all"}, 12, 9),
        ("4t2", {}, 10, 7),
        ("6t3", {}, 6, 3),
    ],
)
def test_r2_as_many_tricks_and_draws_as_the_table_says(
    mode: str, options: dict[str, str], tricks: int, cycles: int
) -> None:
    state = dealt(mode, {}, options=options)
    drawn = len(state.stock) // len(state.hands)
    state = play_out(state)
    assert (len(state.tricks), drawn, state.stock) == (tricks, cycles, ())
    assert (seat_to_move(state), rules.legal_moves(state)) == (None, ())


@pytest.mark.parametrize("mode", MODES)
def test_r9_the_last_to_draw_gets_the_card_face_up(mode: str) -> None:
    state = dealt(mode, {})
    while state.stock:
        state = rules.play(state, rules.legal_moves(state)[0])
    last = (state.leader - 1) % len(state.hands)
    assert state.hands[last][-1] == state.face_up
    assert state.shown[last] == (state.face_up,)  # and all have seen it


@pytest.mark.parametrize("mode", MODES)
def test_r8_s40_s42_a_finished_deal_fills_in_its_sheet(mode: str) -> None:
    session = opened(mode, dealer=1)
    state = play_out(dealt(mode, {}, "5B", dealer=1))
    sheet = rules.fill_sheet(state)
    scored = GAME.add_sheet(session, sheet)
    assert sum(sheet["points"]) == 120
    assert (sheet["face_up"], sheet["dealer"]) == ("5B", 1)
    assert scored.warnings == ()
    assert scored.session.dealer == session.mode.after(1)


@pytest.mark.parametrize(
    ("before", "move", "code"),
    [("", "13D", "not-held"), ("4D", "1S", "not-held"), ("4D", "4D", "not-held")],
)
def test_what_the_rules_do_not_allow_is_refused_by_name(before: str, move: str, code: str) -> None:
    state = after(dealt("2i", TWO, "5B"), before)
    assert refused(state, move) == code


def test_nothing_is_played_after_the_last_trick() -> None:
    state = play_out(dealt("6t3", {}))
    assert refused(state, "1S") == refused(state, "swap7") == "hand-over"


def test_r12_the_match_goes_on_with_the_next_deal() -> None:
    sheet = rules.fill_sheet(play_out(dealt("2i", {})))
    session = GAME.add_sheet(opened("2i"), sheet).session
    assert sum(session.wins) <= 1
    assert (session.over, session.dealer, session.leader) == (False, 1, 0)


def test_s40_s42_s43_a_deal_leaves_who_won_and_the_match() -> None:
    session = opened("2i")
    for _ in range(3):
        session = GAME.add_sheet(session, {"points": [70, 50], "face_up": "13B"}).session
    assert (session.wins, session.over) == ((3, 0), True)
    keys = [each.key for each in GAME.ranking({}, False)]
    assert keys == ["matches", "head_to_head", "won", "points"]
