"""A card is called the same wherever it is named, in every game that has it."""

import re

from games.albastini import cards as albastini
from games.briscola import cards as briscola
from games.mambassa import cards as mambassa
from tests.games.sentences import sentences

_FIGURES = re.compile(r"\b(aces?|kings?|queens?|jacks?|horses?)\b")
_SUITS = re.compile(r"\b(Spades|Hearts|Diamonds|Clubs|Coins|Cups|Swords|Batons)\b")
_OTHER_NAMES = re.compile(r"\b([Kk]night|[Kk]nave|[Cc]avalier|[Ss]word of)\b")


def test_the_italian_cards_have_one_name_in_both_games() -> None:
    names = {str(card): card.label for card in briscola.PACK}
    assert names == {str(card): card.label for card in mambassa.PACK}
    assert (names["12B"], names["11D"]) == ("Horse of batons", "Jack of coins")
    assert {str(card): card.face.rank for card in briscola.PACK} == {
        str(card): card.face.rank for card in mambassa.PACK
    }


def test_the_french_cards_are_read_aloud_by_their_whole_names() -> None:
    queen = albastini.face("QH")
    assert (queen.rank, str(queen.name)) == ("Q", "Queen of hearts")


def test_figures_have_a_capital_suits_have_none_and_no_card_has_another_name() -> None:
    for wrong in (_FIGURES, _SUITS, _OTHER_NAMES):
        assert [sentence for sentence in sentences() if wrong.search(sentence)] == []
