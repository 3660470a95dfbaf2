"""How to play: Briscola for newcomers, with a deal that the last trick decides."""

from games.briscola.cards import Suit, face
from games.errors import gettext_noop
from games.how_to_play import CardRow, HowToPlay, Items, Section, ShownTrick, Term, record_beside
from games.wording import Text, listed

_NUTSHELL = (
    gettext_noop(
        "Briscola is the card game of Italian cafés. You hold three cards, play one, and draw "
        "another. Whoever plays the best card takes them all: that is a trick."
    ),
    gettext_noop(
        "Aces and threes are what you want to take. The whole pack holds 120 points: more than "
        "half of them wins the deal."
    ),
    gettext_noop("Whoever wins three deals first wins the match."),
)

_CARDS = Section(
    title=gettext_noop("The cards"),
    parts=(
        gettext_noop(
            "Forty Italian cards in four suits. If you have none, take the 8s, 9s, 10s and jokers "
            "out of an ordinary pack, and take its Q for the horse."
        ),
        CardRow(
            ("1D", "1S", "1K", "1B"),
            Text(
                gettext_noop("The suits: %(suits)s."),
                {"suits": listed(Text(suit.label) for suit in Suit)},
            ),
        ),
        gettext_noop("In each suit, from the strongest to the weakest:"),
        CardRow(
            ("1D", "3D", "13D", "12D", "11D", "7D", "6D", "5D", "4D", "2D"),
            gettext_noop("The small number on a card is what it is worth when you take it."),
        ),
        gettext_noop(
            "The surprise is the 3: only the ace beats it. Aces are worth 11, threes 10, kings 4, "
            "horses 3, jacks 2, the rest nothing. That is 30 in each suit, 120 in all."
        ),
    ),
    rules=("R1", "R7"),
)

_PEOPLE = Section(
    title=gettext_noop("Who plays with whom"),
    parts=(
        gettext_noop(
            "Two play against each other. Four play in two pairs, partners sitting opposite, and "
            "six in two teams of three, every other player. Three play each alone, without the 2 "
            "of cups; six leave out all four 2s."
        ),
        gettext_noop("Partners count together. The turn passes to the right: counter-clockwise."),
    ),
    rules=("R2", "B-3"),
)

_DEAL = Section(
    title=gettext_noop("The deal"),
    parts=(
        gettext_noop(
            "Anybody may deal first. Everybody gets three cards. The next card is turned up and laid half under the rest, "
            "the stock. Its suit is trumps, in Italian briscola: the suit that beats all others in "
            "this deal. The card itself is drawn last."
        ),
        gettext_noop(
            "The player on the dealer’s right plays first, and deals the next time. So the deal "
            "goes round, whoever wins."
        ),
    ),
    rules=("R3",),
)

_TRICKS = Section(
    title=gettext_noop("Playing a trick"),
    parts=(
        gettext_noop(
            "Whoever begins leads any card. The others play one card each in turn, and they too "
            "may play any card: nobody has to follow suit."
        ),
        Items(
            (
                gettext_noop("The highest trump takes the trick."),
                gettext_noop(
                    "No trump in it? Then the highest card of the suit that was led takes it. "
                    "Other suits cannot win, however high."
                ),
            )
        ),
        ShownTrick(
            played=(("Juma", "6S"), ("Asha", "1B")),
            taken=0,
            says=gettext_noop(
                "Coins are trumps here. Juma leads a six of swords. Asha’s ace is of another suit, so it "
                "cannot win: Juma takes 11 points with a six."
            ),
        ),
        gettext_noop(
            "After a trick everybody draws a card. Whoever took the trick draws first and leads the "
            "next one. When the stock is gone, play your last three cards."
        ),
    ),
    rules=("R4", "R5", "R6", "R9"),
)

_SEVEN = Section(
    title=gettext_noop("Two things more"),
    parts=(
        Items(
            (
                gettext_noop(
                    "The seven of trumps. If you hold it and have won a trick yourself, you may "
                    "swap it for the card that was turned up: when it is your turn, before you "
                    "play. Once that card has been drawn it is too late."
                ),
                gettext_noop("Once the stock is gone, partners may show each other their cards."),
            )
        ),
    ),
    rules=("R10", "B-6", "B-7", "R11", "B-10"),
)

_WINNING = Section(
    title=gettext_noop("Who wins"),
    parts=(
        gettext_noop(
            "Each side counts its cards. Of two sides, 61 or more wins the deal, and 60 each is a "
            "tie. Of three players the most wins, and nobody does if two share the most."
        ),
        gettext_noop("The first to win three deals wins the match. A tied deal counts for nobody."),
    ),
    rules=("R8", "R12"),
)

_TIPS = Section(
    title=gettext_noop("Three tips"),
    parts=(
        Items(
            (
                gettext_noop(
                    "Lead a card that is worth nothing. Keep aces and threes until you can take "
                    "a trick with them, or give them to your partner."
                ),
                gettext_noop("A 2 of trumps takes another suit’s ace. Waste no trumps on nothing."),
                gettext_noop("Remember which aces and threes are gone. There are only eight."),
            )
        ),
    ),
)

_EXAMPLE = Section(
    title=gettext_noop("A deal to follow"),
    parts=(
        gettext_noop("Asha plays against Juma, who deals. Asha holds:"),
        CardRow(("7D", "3B", "11K")),
        CardRow(
            ("12D",),
            gettext_noop(
                "This card is turned up, so coins are trumps. Asha holds the seven of coins: one "
                "trick, and she may swap."
            ),
        ),
        ShownTrick(
            played=(("Asha", "11K"), ("Juma", "2K")),
            taken=0,
            says=gettext_noop("Juma throws away his 2. Asha takes 2 points, and has won a trick."),
        ),
        gettext_noop(
            "Both draw, and Asha gets the horse of swords. Before she plays again, she lays down "
            "the seven of coins and takes the horse of coins that was turned up. Then she leads "
            "the horse of swords:"
        ),
        ShownTrick(
            played=(("Asha", "12S"), ("Juma", "13S")),
            taken=1,
            says=gettext_noop("The king beats the horse: 7 points for Juma, who leads now."),
        ),
        ShownTrick(
            played=(("Juma", "5B"), ("Asha", "3B")),
            taken=1,
            says=gettext_noop(
                "Juma leads a card worth nothing. Asha catches it with her 3, and brings her own "
                "10 points home."
            ),
        ),
        gettext_noop("So it goes on. When only two tricks are left, Asha leads an ace:"),
        ShownTrick(
            played=(("Asha", "1S"), ("Juma", "1D")),
            taken=1,
            says=gettext_noop(
                "Juma has kept the ace of trumps for this: 22 points. He now has 54, Asha 46, and "
                "both hold one card."
            ),
        ),
        ShownTrick(
            played=(("Juma", "3K"), ("Asha", "3D")),
            taken=1,
            says=gettext_noop("Asha’s last card is a trump, and its 20 points decide the deal."),
        ),
    ),
    rules=("R5", "R6", "R8", "R9", "R10"),
)

_SCORED = (
    gettext_noop(
        "Everybody counts: the totals of all sides make 120. No side can have exactly 1 point, "
        "because no cards are worth 1. The page tells you when a count cannot be right."
    ),
    gettext_noop("It keeps track of the match, too: who has won how many deals of it."),
    gettext_noop("Did nobody count? Then write down only who won the deal."),
    gettext_noop(
        "Where partners change from round to round nobody plays a match to its end. There a deal "
        "won is a point, and a tie half a point."
    ),
)

_FIGURES = (
    gettext_noop("Where it says “Points”, a deal won is 1 and a tie is half a point."),
    gettext_noop("“Head to head” looks only at the matches that the tied sides played each other."),
)

_GLOSSARY = (
    Term(gettext_noop("Briscola"), gettext_noop("Italian for trumps, and the name of the game.")),
    Term(gettext_noop("Deal"), gettext_noop("One pack dealt, played and counted.")),
    Term(
        gettext_noop("Face-up card"),
        gettext_noop("The card lying open under the stock. It shows what is trumps."),
    ),
    Term(gettext_noop("Lead"), gettext_noop("Play the first card of a trick.")),
    Term(
        gettext_noop("Match"),
        gettext_noop("As many deals as it takes until somebody has won three."),
    ),
    Term(
        gettext_noop("Side"),
        gettext_noop("Those who count together: a pair, a team, or you alone."),
    ),
    Term(gettext_noop("Stock"), gettext_noop("The cards that were not dealt, to be drawn from.")),
    Term(gettext_noop("Suit"), gettext_noop("Coins, swords, cups or batons.")),
    Term(gettext_noop("Trick"), gettext_noop("One card from everybody.")),
    Term(gettext_noop("Trumps"), gettext_noop("The suit that beats all others in this deal.")),
)


HOW_TO_PLAY = HowToPlay(
    face=face,
    nutshell=_NUTSHELL,
    sections=(_CARDS, _PEOPLE, _DEAL, _TRICKS, _SEVEN, _WINNING, _TIPS),
    example=_EXAMPLE,
    record=record_beside(__file__),
    scored=_SCORED,
    figures=_FIGURES,
    glossary=_GLOSSARY,
)
