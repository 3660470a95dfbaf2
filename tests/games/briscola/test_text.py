import pytest

from games.briscola import GAME
from games.briscola.cards import PACK, Card, Suit, parse_card
from games.sheet import Sheet
from tests.games.book import fold, open_table


@pytest.mark.parametrize(
    ("mode", "sheet", "headline"),
    [
        ("4t2", {"points": [70, 50]}, "side 0 win the deal"),
        ("2i", {"points": [50, 70]}, "side 1 wins the deal"),
        ("2i", {"points": [60, 60]}, "A tie: nobody wins the deal"),
        ("2i", {"bare": "void"}, "Void: the deal counts for nobody, and is dealt again"),
    ],
)
def test_a_deal_is_summed_up_in_a_line(mode: str, sheet: Sheet, headline: str) -> None:
    session = open_table(GAME, mode)
    completed = GAME.add_sheet(session, sheet).sheet
    assert str(GAME.headline(session, completed)) == headline
    assert GAME.explain(session, completed) is None


def test_the_deal_that_wins_the_match_says_so() -> None:
    for mode, win in (("4t2", "win"), ("2i", "wins")):
        session = fold(GAME, open_table(GAME, mode), [{"points": [50, 70]}] * 2).session
        completed = GAME.add_sheet(session, {"points": [50, 70]}).sheet
        assert str(GAME.headline(session, completed)) == f"side 1 {win} the deal and the match"


@pytest.mark.parametrize(
    ("deals", "note"),
    [
        (["won"], "1–0, first to win 3 deals"),
        (["won", "lost", "drawn", "won"], "2–1, first to win 3 deals"),
        (["won", "lost", "won", "won"], "3–1: match won"),
        (["won", "won", "won", "lost"], "0–1, first to win 3 deals"),
    ],
)
def test_the_table_sees_how_the_match_stands(deals: list[str], note: str) -> None:
    points = {"won": [70, 50], "lost": [50, 70], "drawn": [60, 60]}
    sheets = [{"points": points[deal]} for deal in deals]
    session = fold(GAME, open_table(GAME, "4t2"), sheets).session
    assert str(GAME.notes(session).table) == note


def test_a_match_of_one_deal_has_no_score() -> None:
    assert GAME.notes(open_table(GAME, "2i", {"match_wins": 1})).table is None


def test_the_forecast_is_the_next_seat_whatever_comes() -> None:
    forecast = [
        (str(each.outcome), each.side, each.dealer)
        for mode in ("4t2", "2i")
        for each in GAME.forecast(open_table(GAME, mode))
    ]
    assert forecast == [
        ("If side 0 win", 0, 1),
        ("If side 1 win", 1, 1),
        ("If it is a tie", None, 1),
        ("If side 0 wins", 0, 1),
        ("If side 1 wins", 1, 1),
        ("If it is a tie", None, 1),
    ]


def test_each_is_asked_in_its_own_words() -> None:
    pairs = GAME.questions(open_table(GAME, "4t2"))[0]
    alone = GAME.questions(open_table(GAME, "2i", {"fill_last_side": True}))[0]
    assert (pairs.label, pairs.help) == ("How many card points did each side take?", "")
    assert (alone.label, alone.help) == (
        "How many card points did each player take?",
        "The last side may be left empty.",
    )


def test_where_partners_change_a_deal_won_is_one_and_a_draw_half() -> None:
    session = open_table(GAME, "4t2")
    (won,) = (fold(GAME, session, [{"points": [70, 50]}]).marks or ())[:1]
    (drawn,) = (fold(GAME, session, [{"points": [60, 60]}]).marks or ())[:1]
    score, _ = GAME.ranking({}, True)
    assert [score.value(won), 2 * score.value(drawn)] == [1, 1]
    assert [each.key for each in GAME.columns({})] == ["matches", "won", "drawn", "points"]


def test_a_card_is_read_by_its_code() -> None:
    # R1, B-1, B-2
    suit = sorted(PACK[:10], key=lambda card: card.strength, reverse=True)
    assert [card.number for card in suit] == [1, 3, 13, 12, 11, 7, 6, 5, 4, 2]
    assert parse_card("13B") == Card(13, Suit.BATONS)
    assert parse_card("1K").label == "Ace of cups"
    assert {str(parse_card(str(card))) for card in PACK} == {str(card) for card in PACK}
    assert len({card.label for card in PACK}) == 40
    for code in ("8B", "9D", "10S", "14K", "0D", "13C", "13b", ""):
        with pytest.raises(ValueError, match="not a card"):
            parse_card(code)
