"""How to play: Albastini for newcomers, with one hand from the deal to the points."""

from games.albastini.cards import face
from games.errors import gettext_noop
from games.how_to_play import CardRow, HowToPlay, Items, Section, ShownTrick, Term, record_beside

_NUTSHELL = (
    gettext_noop(
        "Albastini comes from Tanzania. Everybody puts down one card, and the best card takes "
        "them all: that is a trick. Players call taking a trick eating it."
    ),
    gettext_noop(
        "Some cards are worth points, 120 in the whole pack. Eat more than the others and you "
        "win the hand."
    ),
    gettext_noop(
        "Two things make it special. You may play any card you like at any time. And before the "
        "first trick, a worthless card may buy you a strong one."
    ),
)

_CARDS = Section(
    title=gettext_noop("The cards"),
    parts=(
        gettext_noop(
            "You need 36 cards: take the 2s, 8s, 9s, 10s and jokers out of an ordinary pack. "
            "In each suit, from the strongest to the weakest:"
        ),
        CardRow(
            ("AS", "7S", "KS", "JS", "QS", "6S", "5S", "4S", "3S"),
            gettext_noop("The small number on a card is what it is worth when you eat it."),
        ),
        gettext_noop(
            "Two surprises: the 7 comes right after the ace, and the jack beats the queen. Aces "
            "are worth 11, sevens 10, kings 4, jacks 3, queens 2, the rest nothing. That is 30 "
            "in each suit, 120 in all."
        ),
    ),
    rules=("R1", "R2"),
)

_PEOPLE = Section(
    title=gettext_noop("Who plays with whom"),
    parts=(
        gettext_noop(
            "Four play in two pairs, and partners sit opposite each other. Six make three pairs, "
            "opposite as well, or two teams of three, every other player. Two, three or five play "
            "each alone, and so may four."
        ),
        gettext_noop("What partners eat counts together. The turn passes to the left: clockwise."),
    ),
    rules=("R3", "A-1", "A-2", "A-3"),
)

_DEAL = Section(
    title=gettext_noop("The deal and the bid"),
    parts=(
        gettext_noop(
            "Anybody may deal first. The dealer shuffles, the player on the right cuts, and everybody gets five cards, "
            "one at a time. The rest lies face down in the middle: the stock."
        ),
        Items(
            (
                gettext_noop(
                    "Now you may bid: from the dealer’s left, everybody but the dealer and the "
                    "dealer’s partners may lay one card face up, of the suit they hope will be "
                    "trumps: the suit that beats all others. Two people cannot bid the same suit. "
                    "Nobody has to bid, and a low card is the wise choice, as you may lose it."
                ),
                gettext_noop(
                    "The dealer turns up the top card of the stock. Its suit is trumps for this "
                    "hand."
                ),
                gettext_noop(
                    "Did somebody bid that suit? Then that player must swap: takes the card that "
                    "was turned up, and leaves the bid card in its place. All other bids go back "
                    "to hand."
                ),
                gettext_noop(
                    "The card that now lies face up goes under the stock, still in sight. "
                    "It will be drawn last."
                ),
            ),
            numbered=True,
        ),
    ),
    rules=("R4", "A-4", "R5", "A-5", "A-6", "A-7", "R6"),
)

_TRICKS = Section(
    title=gettext_noop("Playing a trick"),
    parts=(
        gettext_noop(
            "The player on the dealer’s left leads, which means playing first. Then everybody "
            "plays one card in turn, any card: you need not follow suit."
        ),
        Items(
            (
                gettext_noop("The highest trump eats the trick."),
                gettext_noop(
                    "No trump in it? Then the highest card of the suit that was led eats it. "
                    "Other suits cannot win, however high."
                ),
            )
        ),
        ShownTrick(
            played=(("Juma", "3H"), ("Baraka", "4H"), ("Asha", "6H"), ("Neema", "JH")),
            taken=3,
            says=gettext_noop(
                "Diamonds are trumps, but nobody plays one. Hearts were led, and Neema’s jack is "
                "the best heart: she eats 3 points."
            ),
        ),
        gettext_noop(
            "After a trick everybody draws a card from the stock. Whoever ate the trick draws first "
            "and leads the next one. Once the stock is gone, play on until no cards are left: with "
            "four players that makes nine tricks. With five players one card is left over, the one "
            "face up: nobody draws it, and nobody counts it."
        ),
    ),
    rules=("R7", "R8", "A-8"),
)

_WINNING = Section(
    title=gettext_noop("Who wins"),
    parts=(
        gettext_noop("Each side counts what it has eaten. The most wins the hand:"),
        Items(
            (
                gettext_noop("1 victory point, as a rule."),
                gettext_noop(
                    "2 victory points if anybody ate too little: a pair under 20, a team of three "
                    "under 30, a player alone under 10."
                ),
                gettext_noop("No points for anybody if two sides tie for the most."),
            )
        ),
        gettext_noop(
            "The winner deals the next hand. Partners take turns at it: first whoever sits next "
            "after the dealer, and from then on whoever has waited longest. After a tie the same "
            "dealer deals again."
        ),
    ),
    rules=("R10", "A-9", "A-10", "R11", "A-13"),
)

_TIPS = Section(
    title=gettext_noop("Three tips"),
    parts=(
        Items(
            (
                gettext_noop("If your partner surely eats the trick, feed it an ace or a seven."),
                gettext_noop("If you cannot win it, throw a 3, 4, 5 or 6. They cost nothing."),
                gettext_noop(
                    "Even a trump 3 eats an ace of another suit. Keep your high trumps for a "
                    "trick that is worth it."
                ),
            )
        ),
    ),
)

_EXAMPLE = Section(
    title=gettext_noop("A hand to follow"),
    parts=(
        gettext_noop(
            "Asha and Juma play against Neema and Baraka. Baraka deals. Asha sits on his left, "
            "so she begins. She holds:"
        ),
        CardRow(("4D", "5H", "KH", "QS", "7S")),
        gettext_noop(
            "She bids the 4♦, which is worth nothing. Neema is the dealer’s partner and may not "
            "bid. Juma bids the 3♥."
        ),
        CardRow(
            ("AD",),
            gettext_noop(
                "Baraka turns up the A♦. Diamonds are trumps, and Asha bid a diamond: she takes "
                "the ace and leaves her 4♦ for it. Juma’s 3♥ goes back to his hand."
            ),
        ),
        ShownTrick(
            played=(("Asha", "5H"), ("Neema", "QH"), ("Juma", "AH"), ("Baraka", "6D")),
            taken=3,
            says=gettext_noop(
                "Juma’s ace looks safe. But Baraka has a trump, and even the 6♦ beats it. He "
                "eats 13: 11 for the ace and 2 for the queen."
            ),
        ),
        gettext_noop("Everybody draws a card. Baraka ate the trick, so he leads."),
        ShownTrick(
            played=(("Baraka", "3C"), ("Asha", "6C"), ("Neema", "AC"), ("Juma", "3D")),
            taken=3,
            says=gettext_noop("Now Neema plays an ace, and Juma eats it with the smallest trump."),
        ),
        gettext_noop(
            "So it goes on. After the fourth trick the last four cards are drawn, and Neema, who "
            "draws last, gets Asha’s 4♦. She eats the fifth trick with a king, so she leads the "
            "sixth, the trick of the hand:"
        ),
        ShownTrick(
            played=(("Neema", "JS"), ("Juma", "AS"), ("Baraka", "7D"), ("Asha", "AD")),
            taken=3,
            says=gettext_noop(
                "Baraka’s 7♦ eats Juma’s ace, unless somebody has the A♦. Asha has it, the card "
                "she got for a 4: 35 points in one trick."
            ),
        ),
        gettext_noop(
            "After nine tricks both sides count. Asha and Juma ate 81, Neema and Baraka 39: "
            "together 120, so nobody has miscounted. Neema and Baraka reached 20, so it is 1 "
            "point and not 2."
        ),
    ),
    rules=("R5", "R6", "R7", "R8", "R9", "R10"),
)

_SCORED = (
    gettext_noop(
        "The side that ate most wins 1 victory point. It is 2 if another side ate too little: "
        "a pair under 20, a team of three under 30, a player alone under 10."
    ),
    gettext_noop(
        "Everybody counts: the totals of all sides make 120. With five players they make 120 "
        "less the card that was left over, so the page asks which one that was."
    ),
    gettext_noop(
        "No side can eat exactly 1 point, because no cards are worth 1. The page tells you "
        "when a count cannot be right."
    ),
    gettext_noop(
        "Did nobody count? Then write down only who won. It is worth 1 victory point, since nobody "
        "knows whether it was 2."
    ),
)

_FIGURES = (
    gettext_noop(
        "“Won” are the hands you won, “Two-point wins” those that brought you 2, and “Eaten” is "
        "your share of all there was to eat."
    ),
)

_GLOSSARY = (
    Term(gettext_noop("Bid"), gettext_noop("A card laid face up before trumps are known.")),
    Term(gettext_noop("Eat"), gettext_noop("Win a trick and take its cards.")),
    Term(
        gettext_noop("Face-up card"),
        gettext_noop("The card lying open under the stock. It shows what is trumps."),
    ),
    Term(
        gettext_noop("Hand"),
        gettext_noop("The cards you hold; also one deal, from start to points."),
    ),
    Term(gettext_noop("Lead"), gettext_noop("Play the first card of a trick.")),
    Term(
        gettext_noop("Side"),
        gettext_noop("Those who count together: a pair, a team, or you alone."),
    ),
    Term(gettext_noop("Stock"), gettext_noop("The cards that were not dealt, to be drawn from.")),
    Term(gettext_noop("Suit"), gettext_noop("Spades, hearts, diamonds or clubs.")),
    Term(gettext_noop("Trick"), gettext_noop("One card from everybody.")),
    Term(gettext_noop("Trumps"), gettext_noop("The suit that beats all others in this hand.")),
    Term(
        gettext_noop("Victory points (VP)"),
        gettext_noop("What a hand brings the side that won it: 1, or 2 if a loser ate too little."),
    ),
)


HOW_TO_PLAY = HowToPlay(
    face=face,
    nutshell=_NUTSHELL,
    sections=(_CARDS, _PEOPLE, _DEAL, _TRICKS, _WINNING, _TIPS),
    example=_EXAMPLE,
    record=record_beside(__file__),
    scored=_SCORED,
    figures=_FIGURES,
    glossary=_GLOSSARY,
)
