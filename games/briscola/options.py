"""Options: the sides at a table, the cards and the house rules (R2)."""

from games.briscola.cards import BY_CODE, PACK, Card
from games.counting import FILL_LAST_SIDE
from games.errors import gettext_noop
from games.mode import Mode, individuals, teams
from games.option import Option, OptionKind, Options

_MODES = (
    individuals(2, gettext_noop("two, each alone")),
    individuals(3, gettext_noop("three, each alone")),
    teams(4, 2, gettext_noop("four in two pairs")),
    teams(6, 3, gettext_noop("six in two teams of three")),
)

OPTIONS = (
    Option(
        name="match_wins",
        label=gettext_noop("How many deals must be won to win a match?"),
        kind=OptionKind.CHOICE,
        default=3,
        choices=(
            (1, gettext_noop("One: every deal is a match")),
            (3, gettext_noop("Three")),
            (5, gettext_noop("Five")),
        ),
    ),
    Option(
        name="remove_two",
        label=gettext_noop("Three players: which 2 is taken out of the pack?"),
        kind=OptionKind.CHOICE,
        default="2K",
        choices=(
            ("2K", gettext_noop("The 2 of cups")),
            ("2D", gettext_noop("The 2 of coins")),
            ("2S", gettext_noop("The 2 of swords")),
            ("2B", gettext_noop("The 2 of batons")),
            ("all", gettext_noop("All four 2s")),
        ),
    ),
    Option(
        name="seven_swap",
        label=gettext_noop("May the 7 of trumps be swapped for the face-up card?"),
        kind=OptionKind.CHOICE,
        default="on",
        choices=(
            ("on", gettext_noop("Yes, dealt or drawn")),
            ("drawn_only", gettext_noop("Only if it was drawn from the stock")),
            ("off", gettext_noop("No")),
        ),
    ),
    Option(
        name="swap_trick",
        label=gettext_noop("Who must have won a trick before somebody swaps?"),
        kind=OptionKind.CHOICE,
        default="player",
        choices=(
            ("player", gettext_noop("The player who swaps")),
            ("side", gettext_noop("Anybody on that player’s side")),
        ),
    ),
    Option(
        name="deuce_swap",
        label=gettext_noop("Is it the 2 of trumps that swaps instead, before the first trick?"),
        kind=OptionKind.FLAG,
        default=False,
    ),
    Option(
        name="partner_peek",
        label=gettext_noop("When may partners look at each other’s cards?"),
        kind=OptionKind.CHOICE,
        default="stock_gone",
        choices=(
            ("stock_gone", gettext_noop("Once the stock is gone")),
            ("last_trick", gettext_noop("Before the last trick")),
            ("first_trick", gettext_noop("From the first trick on")),
            ("off", gettext_noop("Never")),
        ),
    ),
    FILL_LAST_SIDE,
)


def modes(_options: Options) -> tuple[Mode, ...]:
    """List the modes of R2."""
    return _MODES


def cards_for(mode: Mode, options: Options) -> tuple[Card, ...]:
    """Return the cards this mode is played with: 40, 39 or 36 (R2, B-3).

    >>> len(cards_for(_MODES[1], {"remove_two": "2K"})), len(cards_for(_MODES[3], {}))
    (39, 36)
    """
    if mode.seats == 6 or (mode.seats == 3 and options["remove_two"] == "all"):
        return tuple(card for card in PACK if card.number != 2)
    if mode.seats == 3:
        removed = BY_CODE[str(options["remove_two"])]
        return tuple(card for card in PACK if card != removed)
    return PACK
