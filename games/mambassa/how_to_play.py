"""How to play: Mambassa for newcomers, with a deal from the choice to the token paid."""

from games.errors import gettext_noop
from games.how_to_play import (
    CardRow,
    HowToPlay,
    Items,
    Ladder,
    Rank,
    Section,
    Term,
    record_beside,
)
from games.mambassa.cards import face

_NUTSHELL = (
    gettext_noop("Four cards in your hand, and one aim: do not hold the worst hand at the table."),
    gettext_noop(
        "In turn you swap cards with four that lie open in the middle, until somebody knocks. "
        "Then everybody shows, and the lowest hand pays a token."
    ),
    gettext_noop("Out of tokens, out of the game. The last one in takes the pool."),
)

_CARDS = Section(
    title=gettext_noop("Cards and tokens"),
    parts=(
        gettext_noop("Forty Italian cards. In each suit, from the highest to the lowest:"),
        CardRow(
            ("1D", "13D", "12D", "11D", "7D", "6D", "5D", "4D", "3D", "2D"),
            gettext_noop("There is no 8, 9 or 10, so the jack and the 7 are neighbours."),
        ),
        gettext_noop(
            "Suits have a rank too: coins are best, then swords, cups and batons. It matters only "
            "between cards in a row, never between equal points."
        ),
        gettext_noop(
            "Three to eight play, each alone, with four tokens each. Everybody puts one of them "
            "into the middle: the pool."
        ),
    ),
    rules=("R1", "R2"),
)

_DEAL = Section(
    title=gettext_noop("The deal"),
    parts=(
        gettext_noop(
            "Lots are drawn for the first dealer. The player on the dealer’s left cuts, and "
            "everybody gets four cards, beginning on the dealer’s right. All look at theirs but "
            "the dealer. The rest is the stock."
        ),
        gettext_noop(
            "The dealer takes four more cards from the top of the stock, looks at them, and "
            "chooses:"
        ),
        Items(
            (
                gettext_noop(
                    "Keep these four. Then the cards that were dealt are turned up, unseen until "
                    "now, and this is a knock: see below."
                ),
                gettext_noop("Leave these four open in the middle, and play with the cards dealt."),
            )
        ),
        gettext_noop("Either way four cards now lie open in the middle, called the monte."),
    ),
    rules=("R3", "M-1"),
)

_TURN = Section(
    title=gettext_noop("Your turn"),
    parts=(
        gettext_noop(
            "It goes round to the right, counter-clockwise, and the dealer comes last. You have three ways:"
        ),
        Items(
            (
                gettext_noop(
                    "Swap one, two or three cards for as many of the monte. After that, or "
                    "instead, you may discard one card, face down and out of play, and draw a new "
                    "one from the stock, as long as it lasts."
                ),
                gettext_noop("Give your whole hand for the whole monte. That is a knock."),
                gettext_noop("Stand: change nothing at all. That is a knock, too."),
            )
        ),
        gettext_noop(
            "A knock means: everybody else has one more turn, and then all show their cards. "
            "Whoever knocked does not play again."
        ),
    ),
    rules=("R4", "M-2", "M-3", "R5", "M-5"),
)

_HANDS = Section(
    title=gettext_noop("Which hand is better"),
    parts=(
        gettext_noop("From the best to the worst:"),
        Ladder(
            (
                Rank(
                    name=gettext_noop("Mambassa"),
                    cards=("1D", "1S", "1K", "1B"),
                    says=gettext_noop("Four aces."),
                ),
                Rank(
                    name=gettext_noop("Quarantuna"),
                    cards=("1S", "13S", "12S", "11S"),
                    says=gettext_noop("Ace, king, horse and jack of one suit."),
                ),
                Rank(
                    name=gettext_noop("Four of a kind"),
                    cards=("2D", "2S", "2K", "2B"),
                    says=gettext_noop(
                        "Also called quartina. Mind: four 2s are the best, four kings the worst."
                    ),
                ),
                Rank(
                    name=gettext_noop("Four in a row"),
                    cards=("12K", "11K", "7K", "6K"),
                    says=gettext_noop("Of one suit. The highest card decides, then the suit."),
                ),
                Rank(
                    name=gettext_noop("Three of a kind"),
                    cards=("2S", "2K", "2B", "13D"),
                    says=gettext_noop(
                        "Also called tris. Again 2s are best; three aces are last, below kings."
                    ),
                ),
                Rank(
                    name=gettext_noop("Three in a row"),
                    cards=("7B", "6B", "5B", "13D"),
                    says=gettext_noop(
                        "Of one suit. The highest card decides, then the suit. The fourth card "
                        "does not matter."
                    ),
                ),
                Rank(
                    name=gettext_noop("Points"),
                    cards=("1S", "13S", "5S", "7B"),
                    says=gettext_noop(
                        "Anything else: add up the suit that makes most. An ace is 11, a picture "
                        "10, others their number. Here 26 in swords."
                    ),
                ),
            )
        ),
        gettext_noop("The ace is always high: 3, 2 and ace are not in a row."),
    ),
    rules=("R7", "M-9", "M-11", "M-13", "M-14", "M-16"),
)

_PAYING = Section(
    title=gettext_noop("Who pays"),
    parts=(
        Items(
            (
                gettext_noop(
                    "As a rule the lowest hand pays one token to the pool. If several are lowest, "
                    "say with 20 points each, each of them pays, whatever the suits."
                ),
                gettext_noop(
                    "If you get Quarantuna, declare it: show it at once, and the deal is over. The "
                    "worst hand pays a token, and you take one from the pool."
                ),
                gettext_noop(
                    "If you get Mambassa, declare it at once, too. Then everybody pays a token, "
                    "even you: good for you if the others have fewer left."
                ),
            )
        ),
        gettext_noop(
            "Then the next player to the right deals. Without tokens you are out, and neither play "
            "nor deal. The last one in wins the game and the pool. Should all that are left go out "
            "together, the dealer of that deal wins."
        ),
    ),
    rules=("R6", "R8", "M-17", "R9", "R10"),
)

_TIPS = Section(
    title=gettext_noop("Three tips"),
    parts=(
        Items(
            (
                gettext_noop("You need not be best. A middling hand and an early knock often do."),
                gettext_noop("Mind what the next player takes from the monte, and what you leave."),
                gettext_noop("Small cards are worth keeping: three 2s beat three kings."),
            )
        ),
    ),
)

_EXAMPLE = Section(
    title=gettext_noop("A deal to follow"),
    parts=(
        gettext_noop(
            "Asha, Neema, Juma and Baraka have three tokens each, and four are in the pool. Baraka "
            "deals. He looks at the top four cards, does not like them, and leaves them as the "
            "monte:"
        ),
        CardRow(("4D", "6D", "4B", "11B")),
        CardRow(
            ("5K", "4K", "3K", "7B"),
            gettext_noop(
                "Asha begins. Her 5, 4 and 3 of cups are three in a row. Good enough: she "
                "stands, which is a knock. The others have one turn each."
            ),
        ),
        CardRow(
            ("6D", "6S", "6B", "13D"),
            gettext_noop(
                "Neema has two 6s. She swaps a 5 for the 6 of coins in the monte, then discards "
                "a 2 and draws the king. Three 6s."
            ),
        ),
        CardRow(
            ("13S", "11S", "5S", "2D"),
            gettext_noop(
                "Juma has 25 in swords and a horse of cups. Nothing in the monte helps him. He "
                "discards the horse, hopes for a sword, and draws the 2 of coins. Still 25."
            ),
        ),
        CardRow(
            ("4D", "4S", "4B", "12B"),
            gettext_noop(
                "Baraka plays last. He holds one 4 and takes two more from the monte, then discards "
                "a card and draws a horse. Three 4s, better than three 6s."
            ),
        ),
        gettext_noop(
            "All show. From the best: Baraka, Neema, Asha, Juma. Points are the lowest kind of "
            "hand, and only Juma has nothing better."
        ),
    ),
    rules=("R3", "R4", "R5", "R7", "R8"),
)

_SCORED = (
    gettext_noop(
        "Write down who paid, and whether anybody showed Mambassa or Quarantuna. The page keeps "
        "the tokens and the pool, and says who is out."
    ),
    gettext_noop(
        "Places count, not tokens: when a game is over, you have outlasted everybody who went out "
        "before you. Whoever went out in the same deal as you counts half."
    ),
)

_FIGURES = (
    gettext_noop("“Tokens won” are the pools you took: a game’s winner gets all the tokens."),
)

_GLOSSARY = (
    Term(gettext_noop("Deal"), gettext_noop("Four cards each, played and paid for.")),
    Term(
        gettext_noop("Declare"),
        gettext_noop("Show Mambassa or Quarantuna, which ends the deal."),
    ),
    Term(gettext_noop("Discard"), gettext_noop("Lay a card aside, face down and out of play.")),
    Term(gettext_noop("Game"), gettext_noop("From four tokens each until one player is left.")),
    Term(gettext_noop("Knock"), gettext_noop("Call for the last turns.")),
    Term(gettext_noop("Mambassa"), gettext_noop("Four aces.")),
    Term(gettext_noop("Monte"), gettext_noop("The four open cards in the middle.")),
    Term(
        gettext_noop("Pool"),
        gettext_noop("The tokens in the middle, for whoever is left at the end."),
    ),
    Term(gettext_noop("Quarantuna"), gettext_noop("Ace, king, horse and jack of one suit.")),
    Term(gettext_noop("Quartina"), gettext_noop("Four of a kind.")),
    Term(gettext_noop("Stand"), gettext_noop("Change nothing in your turn.")),
    Term(gettext_noop("Stock"), gettext_noop("The cards that were not dealt, to be drawn from.")),
    Term(
        gettext_noop("Token"),
        gettext_noop(
            "A coin, bean or match; you begin with four. It has no value in money here: what your club "
            "plays for, you settle yourselves."
        ),
    ),
    Term(gettext_noop("Tris"), gettext_noop("Three of a kind.")),
)


HOW_TO_PLAY = HowToPlay(
    face=face,
    nutshell=_NUTSHELL,
    sections=(_CARDS, _DEAL, _TURN, _HANDS, _PAYING, _TIPS),
    example=_EXAMPLE,
    record=record_beside(__file__),
    scored=_SCORED,
    figures=_FIGURES,
    glossary=_GLOSSARY,
)
