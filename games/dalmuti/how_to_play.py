"""How to play: the Great Dalmuti for newcomers, with a game from the draw to the last card."""

from games.cards import Face
from games.dalmuti.cards import set_face
from games.errors import gettext_noop
from games.how_to_play import CardRow, HowToPlay, Items, Section, ShownTrick, Term, record_beside

_NUTSHELL = (
    gettext_noop("Get rid of your cards before the others do. That is all."),
    gettext_noop(
        "Whoever is out first is the Great Dalmuti and leads the next game. Whoever is left with "
        "cards is the Peon, and has to deal it."
    ),
    gettext_noop("Low is strong: the 1 beats any single card."),
)

_CARDS = Section(
    title=gettext_noop("The cards"),
    parts=(
        gettext_noop(
            "There are 78 cards without suits. The number on a card says how many of it there are: "
            "one 1, two 2s, three 3s, and so on up to twelve 12s."
        ),
        CardRow(
            (
                "1x1",
                "2x2",
                "3x3",
                "4x4",
                "5x5",
                "6x6",
                "7x7",
                "8x8",
                "9x9",
                "10x10",
                "11x11",
                "12x12",
            ),
            gettext_noop("The fewer there are, the stronger they are."),
        ),
    ),
    rules=("R1",),
)

_ORDER = Section(
    title=gettext_noop("Who plays first"),
    parts=(
        gettext_noop(
            "Three to ten play, each alone. Before the first game everybody draws a card. The "
            "lowest is the Dalmuti and plays first, then the next higher, and the highest plays "
            "last. Whoever drew the same card draws again. Then the cards go back into the pack."
        ),
        gettext_noop(
            "This is the playing order. It need not be how you sit; many change chairs, so that "
            "it is."
        ),
        gettext_noop(
            "Whoever plays last deals out the whole pack, one card at a time, beginning with the "
            "Dalmuti. Those who play first may get one card more."
        ),
    ),
    rules=("R2", "D-2", "R3", "D-3", "D-4", "D-10"),
)

_TRICKS = Section(
    title=gettext_noop("Playing"),
    parts=(
        gettext_noop("The Dalmuti leads: one card, or several of one number, as many as you like."),
        gettext_noop(
            "Then it goes round in the playing order. Play as many cards as were led, all of one "
            "number, and lower than the last. Or pass."
        ),
        ShownTrick(
            played=(
                ("Baraka", "3x11"),
                ("Neema", "3x10"),
                ("Asha", "3x9"),
                ("Juma", ""),
            ),
            says=gettext_noop(
                "Three 11s were led, so everybody needs three of a kind, each lower than the last. "
                "Juma passes. Now it goes on with Baraka."
            ),
        ),
        Items(
            (
                gettext_noop("You may always pass, and come in again when it is your turn."),
                gettext_noop("You may break up a set: of your four 8s play only two."),
                gettext_noop(
                    "When all others have passed, the cards are cleared away, and whoever played "
                    "last leads again."
                ),
                gettext_noop(
                    "Nothing beats the 1, and nothing beats both 2s, all three 3s or any number "
                    "complete: of any lower number there are fewer. Whoever plays that leads again "
                    "at once."
                ),
            )
        ),
    ),
    rules=("R4", "D-5", "D-6", "R5", "D-8"),
)

_OUT = Section(
    title=gettext_noop("Going out"),
    parts=(
        gettext_noop(
            "Your last card is played: you are out. The others go on, and may still beat it. If "
            "nobody does, the next in the order leads."
        ),
        gettext_noop(
            "The game stops as soon as only one player has cards. The order in which you went out "
            "is the playing order of the next game: first out is the Dalmuti, the one left over is "
            "the Peon. Everybody between is a Trader."
        ),
    ),
    rules=("R5", "D-7", "R6"),
)

_TIPS = Section(
    title=gettext_noop("Three tips"),
    parts=(
        Items(
            (
                gettext_noop("Lead high numbers, all of one at a time. They win nothing later."),
                gettext_noop("Do not win every trick. A good pass keeps your low cards together."),
                gettext_noop("Keep a strong card for the end, to lead once more and go out."),
            )
        ),
    ),
)

_EXAMPLE = Section(
    title=gettext_noop("A game to follow"),
    parts=(
        gettext_noop(
            "Asha draws an 8, Neema a 6, Juma a 12 and Baraka a 4. So they play in this order: "
            "Baraka, Neema, Asha, Juma. Baraka is the Dalmuti for now. Juma deals."
        ),
        gettext_noop("Baraka leads two 12s. The turn goes round the table twice:"),
        ShownTrick(
            played=(
                ("Baraka", "2x12"),
                ("Neema", "2x11"),
                ("Asha", "2x8"),
                ("Juma", "2x7"),
                ("Baraka", "2x6"),
                ("Neema", "2x5"),
                ("Asha", ""),
                ("Juma", "2x4"),
                ("Baraka", "2x2"),
            ),
            taken=8,
            says=gettext_noop(
                "Asha has two 5s left, but they do not beat 5s: she passes. Baraka plays both 2s. "
                "Lower than 2 there is only a single 1, so he leads again at once."
            ),
        ),
        ShownTrick(
            played=(
                ("Baraka", "3x11"),
                ("Neema", "3x10"),
                ("Asha", "3x9"),
                ("Juma", ""),
                ("Baraka", ""),
                ("Neema", "3x8"),
                ("Asha", "3x7"),
                ("Juma", ""),
                ("Baraka", ""),
                ("Neema", ""),
            ),
            taken=6,
            says=gettext_noop("All pass after Asha’s three 7s. She leads and gets rid of her 12s."),
        ),
        gettext_noop("Some tricks later Asha holds only a 1, a 4 and a 10. She leads the 10:"),
        ShownTrick(
            played=(
                ("Asha", "1x10"),
                ("Juma", "1x9"),
                ("Baraka", "1x7"),
                ("Neema", "1x6"),
                ("Asha", "1x4"),
                ("Juma", "1x3"),
                ("Baraka", ""),
                ("Neema", ""),
                ("Asha", "1x1"),
            ),
            taken=8,
            says=gettext_noop(
                "Juma’s 3 looks good, but Asha has kept her 1. Nothing beats it, and it was her "
                "last card: she is out first."
            ),
        ),
        gettext_noop(
            "She has no cards, so Juma, who comes next, leads. Neema goes out second and Baraka "
            "third. Juma still holds an 8 and a 10: he is the Peon."
        ),
    ),
    rules=("R2", "R4", "R5", "R6", "D-7", "D-8"),
)

_SCORED = (
    gettext_noop("Tap the players in the order they went out. The last follows by itself."),
    gettext_noop(
        "At one table it counts how often you were Dalmuti, then how seldom Peon. Where several "
        "tables play, you get a point for everybody who went out after you: of four players 3, 2, "
        "1 and 0."
    ),
)

_FIGURES = (
    gettext_noop(
        "“Dalmuti” and “Peon” are how often you were that, and “Last game” is your place in the "
        "latest game."
    ),
)

_GLOSSARY = (
    Term(gettext_noop("Clear away"), gettext_noop("Put aside the cards of a trick that is over.")),
    Term(gettext_noop("Dalmuti"), gettext_noop("Whoever was out first, and leads the next game.")),
    Term(
        gettext_noop("Game"),
        gettext_noop("The whole pack dealt and played until one player is left."),
    ),
    Term(gettext_noop("Lead"), gettext_noop("Play first, and so say how many cards it takes.")),
    Term(
        gettext_noop("Peon"),
        gettext_noop(
            "Whoever is left with cards, and deals the next game. Some clubs have another word for it."
        ),
    ),
    Term(gettext_noop("Pass"), gettext_noop("Play nothing this time.")),
    Term(gettext_noop("Trader"), gettext_noop("Everybody between Dalmuti and Peon.")),
    Term(gettext_noop("Trick"), gettext_noop("From one lead until all others have passed.")),
)


def _face(code: str) -> Face:
    """Return how a card is drawn, or a set written as it is in a move: ``2x12``."""
    count, _, value = code.rpartition("x")
    return set_face(int(value), int(count or 1))


HOW_TO_PLAY = HowToPlay(
    face=_face,
    nutshell=_NUTSHELL,
    sections=(_CARDS, _ORDER, _TRICKS, _OUT, _TIPS),
    example=_EXAMPLE,
    record=record_beside(__file__),
    scored=_SCORED,
    figures=_FIGURES,
    glossary=_GLOSSARY,
)
