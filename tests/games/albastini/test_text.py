from typing import Any

import pytest

from games.albastini import GAME
from games.albastini.cards import PACK, Card, Suit, parse_card
from games.sheet import Sheet
from tests.games.book import fold, open_table


def sentences(mode: str, sheet: Sheet, **options: Any) -> tuple[str, str | None]:
    """Return headline and explanation of a sheet, as they are shown."""
    session = open_table(GAME, mode, options)
    completed = GAME.add_sheet(session, sheet).sheet
    why = GAME.explain(session, completed)
    return str(GAME.headline(session, completed)), str(why) if why else None


@pytest.mark.parametrize(
    ("mode", "sheet", "headline", "why"),
    [
        ("4t2", {"eaten": [70, 50]}, "side 0 win · 1 victory point", None),
        ("4t2", {"eaten": [15, 105]}, "side 1 win · 2 victory points", "side 0 are under 20"),
        ("3i", {"eaten": [60, 40, 20]}, "side 0 wins · 1 victory point", None),
        ("3i", {"eaten": [71, 40, 9]}, "side 0 wins · 2 victory points", "side 2 is under 10"),
        ("3i", {"eaten": [106, 7, 7]}, "side 0 wins · 2 victory points", "2 sides are under 10"),
        ("4t2", {"eaten": [60, 60]}, "A tie: nobody scores", None),
        ("3i", {"eaten": [58, 58, 4]}, "A tie at the top: nobody scores", None),
        ("4t2", {"bare": 1}, "side 1 win · 1 victory point", None),
        ("4t2", {"bare": None}, "A tie: nobody scores", None),
        ("4t2", {"bare": "void"}, "Void: nobody scores, and the same dealer deals again", None),
    ],
)  # fmt: skip
def test_a_hand_is_summed_up_in_a_line(
    mode: str, sheet: Sheet, headline: str, why: str | None
) -> None:
    assert sentences(mode, sheet) == (headline, why)


def test_the_forecast_says_who_deals_whatever_comes() -> None:
    forecast = [
        (str(each.outcome), each.side, each.dealer)
        for mode in ("4t2", "2i")
        for each in GAME.forecast(open_table(GAME, mode, dealer=1))
    ]
    assert forecast == [
        ("If side 0 win", 0, 2),
        ("If side 1 win", 1, 3),
        ("If it is a tie", None, 1),
        ("If side 0 wins", 0, 0),
        ("If side 1 wins", 1, 1),
        ("If it is a tie", None, 1),
    ]


def test_five_are_asked_what_was_left_over_and_the_others_may_say_it() -> None:
    five, four = (
        {question.name: question for question in GAME.questions(open_table(GAME, mode))}
        for mode in ("5i", "4t2")
    )
    assert (five["face_up"].required, five["face_up"].aside) == (True, False)
    assert (four["face_up"].required, four["face_up"].aside) == (False, True)
    assert five["eaten"].label == "How much did each player eat?"
    assert four["eaten"].label == "How much did each side eat?"


def test_the_share_eaten_is_of_what_was_there() -> None:
    session = open_table(GAME, "5i")
    marks = fold(GAME, session, [{"eaten": [40, 20, 15, 15, 27], "face_up": "J"}]).marks
    (share,) = (each for each in GAME.columns({}) if each.key == "share")
    assert marks is not None
    assert (share.value(marks[0]).numerator, share.value(marks[0]).denominator) == (40, 117)


def test_a_card_is_read_by_its_code() -> None:
    assert parse_card("7H") == Card("7", Suit.HEARTS)
    assert {str(parse_card(str(card))) for card in PACK} == {str(card) for card in PACK}
    assert parse_card("JC").label == "J♣"
    with pytest.raises(ValueError, match="not a card: '8H'"):
        parse_card("8H")
