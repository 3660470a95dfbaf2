"""What is typed at the table: cards as they are printed, and spaces wherever somebody likes them."""

import re

import pytest

from games import catalogue
from games.cli.card_names import CardNames
from games.cli.typed_moves import in_hand_order, meant
from games.play.playing import IllegalMoveError
from tests.games.cli.keyboard import BRISCOLA, Type
from tests.games.hands import after, play_of
from tests.games.mambassa.table import dealt

DALMUTI = "play dalmuti --mode 3i --seed 4 --bots beginner"
MAMBASSA = "play mambassa --mode 4i --seed 5 --dealer 0 --bots steady"


def typed_in_mambassa(typed: str) -> str:
    """Return the code of the move that this means, with 4K 5S 4B 7D in hand and 11D 4D 2S 3S laid."""
    game = catalogue.GAMES["mambassa"]
    play = play_of(game)
    state = after(dealt({1: "4K 5S 4B 7D"}, "11D 4D 2S 3S"), "leave")
    cards = CardNames(game, game.open_session(game.mode("3i", game.default_options()), {}, 0, ()))
    legal = in_hand_order(play, play.view(state, 1))
    return str(play.move_code(meant(typed, play, state, legal, cards=cards, numbered=False)))


@pytest.mark.parametrize(
    ("typed", "code"),
    [
        ("swap 4K/11D", "swap:4K/11D"),
        ("swap: 4k/11d", "swap:4K/11D"),
        ("4k / 11d", "swap:4K/11D"),
        ("swap:4K, 5S / 11D, 4D", "swap:5S,4K/11D,4D"),
        ("swap 4k 5s/11d 4d", "swap:5S,4K/11D,4D"),
        ("swap the 4 of cups for the Jack of coins", "swap:4K/11D"),
        ("swap four of cups and 5 of swords for jack of coins and 4d", "swap:5S,4K/11D,4D"),
        ("draw 4 of batons", "draw:4B"),
        ("take monte", "take_monte"),
        ("STAND", "stand"),
        ("draw:4b", "draw:4B"),
        ("4B", "draw:4B"),
    ],
)
def test_a_move_is_understood_as_people_write_it(typed: str, code: str) -> None:
    assert typed_in_mambassa(typed) == code


@pytest.mark.parametrize(
    ("typed", "refusal"),
    [
        ("swap 4 of coins for 11d", "does not hold the 4 of coins"),
        ("1", "“moves all” lists all 74 moves with their numbers."),
        ("swap 8K/11D", "is no move. Write for example draw 7D, swap 7D/11D, take monte or stand."),
    ],
)
def test_what_is_refused_is_said_of_the_cards_that_were_typed(typed: str, refusal: str) -> None:
    with pytest.raises(IllegalMoveError, match=refusal):
        typed_in_mambassa(typed)


@pytest.mark.parametrize(
    "typed", ["Q of spades", "q spades", "q ♠", "Q♠", "Queen spades", "the queen of spades"]
)
def test_a_queen_does_not_leave_the_table(typing: Type, typed: str) -> None:
    """Her letter alone does: a word leads the program where nothing else is on the line."""
    table = "play albastini --mode 2i --seed 8 --bots beginner --dealer 1"
    assert "Q♠" in typing(table, ["quit"])[1].split("In your hand: ")[1].split("\n")[0]
    assert typing(table, [f"bid {typed}", "q"]) == typing(table, ["bid:QS", "quit"])
    assert typing(table, [typed, "exit"]) == typing(table, ["QS", "quit"])
    between = typing(f"{table} --iterations 1", [*["moves all", "1"] * 30, typed, "q"])[1]
    assert "There is nothing to play now: Enter deals the next one." in between


@pytest.mark.parametrize("typed", ["quit the game", "q 4", "help me", "score 3", "undo it"])
def test_a_word_with_another_behind_it_is_no_command(typing: Type, typed: str) -> None:
    _, shown = typing(BRISCOLA, [typed, "quit"])
    assert f"“{typed}” is no move." in " ".join(shown.split())


def test_cards_of_dalmuti_are_typed_as_they_are_printed_and_in_words(typing: Type) -> None:
    two = ("2x12", "2 x 12", "2 × 12", "2×12", "2 12s", "two 12s", "Two 12s", "two × 12")
    for played, spellings in (("2 × 12", two), ("the 12", ("1x12", "a 12", "the 12", "one 12"))):
        for typed in spellings:
            assert f"You play {played}." in typing(DALMUTI, [typed, "quit"])[1], typed


def test_whoever_may_pass_is_offered_to_pass(typing: Type) -> None:
    _, shown = typing(DALMUTI, ["a 12", "hint", "moves", "pass", "quit"])
    assert re.search(r"\d\) pass\b", shown)
    assert "You pass." in shown
    assert "skip" not in shown


def test_numbers_stand_in_the_order_of_the_hand(typing: Type) -> None:
    _, shown = typing("play albastini --mode 4t2 --seed 5 --bots steady", ["quit"])
    hand = shown.split("In your hand: ")[-1].split("\n")[0].split()
    assert "  " + "   ".join(f"{nth}) {card}" for nth, card in enumerate(hand, 1)) in shown


def test_italian_cards_are_listed_by_name_and_code_and_the_codes_are_explained(
    typing: Type,
) -> None:
    _, shown = typing(BRISCOLA, ["cards", "quit"])
    assert re.search(r"1\) \w+ of \w+ \(\d+[DSKB]\)   2\) ", shown)
    assert (
        shown.count("D coins (denari), S swords (spade), K cups (coppe), B batons (bastoni)") == 2
    )
    assert "13 King, 12 Horse, 11 Jack" in shown


def test_the_only_move_is_made_by_enter(typing: Type) -> None:
    """A forced skip need not be typed."""
    table = "play dalmuti --mode 3i --seed 6 --bots beginner --hands 1"
    code, shown = typing(table, ["1", "1", *([""] * 3), "1", "", "1", "", "1", "", "1"])
    assert code == 0
    assert "(Enter does it)" in shown
    assert "> You pass." in shown


def test_a_number_counts_only_once_the_moves_were_listed(typing: Type) -> None:
    _, shown = typing(MAMBASSA, ["leave", "1", "moves", "1", "moves all", "1", "quit"])
    assert "“moves all” lists all 74 moves with their numbers." in shown
    assert shown.count("You discard a card and draw one.") == 1


def test_moves_of_mambassa_are_told_in_words_and_codes_and_fit_a_screen(typing: Type) -> None:
    """Seventy-four are told by their kinds, and the refusal teaches what the list teaches."""
    lines = ["leave", "moves", "moves draw", "hint", "nonsense", "draw:5b", "quit"]
    _, shown = typing(f"{MAMBASSA} --iterations 2", lines)
    _, _, moves, draws, hint, refusal, drawn = shown.split("\n> ")[:7]
    card = r"\w+ of \w+"
    assert re.search(rf"  draw: 4 moves, such as draw {card} \(\d+[DSKB]\)\n", moves)
    assert re.search(rf"  swap: 68 moves, such as swap {card} for {card} \(\S+/\S+\)\n", moves)
    assert len(moves.splitlines()) == 5
    assert len(re.findall(rf"\d\) draw {card} \(\d+[DSKB]\)", draws)) == 4
    assert re.search(r"would say: .* of .* \(\S+\)", " ".join(hint.split()))
    assert "Write for example draw " in refusal
    assert ":" not in refusal
    assert "no move" not in drawn
