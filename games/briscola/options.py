"""Options: the sides at a table, the cards and the house rules (R2)."""

from games.briscola.cards import BY_CODE, PACK, Card
from games.counting import FILL_LAST_SIDE
from games.errors import gettext_noop
from games.mode import Mode, individuals, teams
from games.option import Options, choice, flag

_MODES = (
    individuals(2),
    individuals(3),
    teams(4, 2, gettext_noop("four in two pairs")),
    teams(6, 3, gettext_noop("six in two teams of three")),
)

OPTIONS = (
    choice(
        "match_wins",
        gettext_noop("How many deals must be won to win a match?"),
        default=3,
        choices=(
            (1, gettext_noop("One: every deal is a match")),
            (3, gettext_noop("Three")),
            (5, gettext_noop("Five")),
        ),
    ),
    choice(
        "remove_two",
        gettext_noop("Three players: which 2 is taken out of the pack?"),
        default="2K",
        choices=(
            ("2K", gettext_noop("The 2 of cups")),
            ("2D", gettext_noop("The 2 of coins")),
            ("2S", gettext_noop("The 2 of swords")),
            ("2B", gettext_noop("The 2 of batons")),
            ("all", gettext_noop("All four 2s")),
        ),
    ),
    choice(
        "seven_swap",
        gettext_noop("May the 7 of trumps be swapped for the face-up card?"),
        default="on",
        choices=(
            ("on", gettext_noop("Yes, dealt or drawn")),
            ("drawn_only", gettext_noop("Only if it was drawn from the stock")),
            ("off", gettext_noop("No")),
        ),
    ),
    choice(
        "swap_trick",
        gettext_noop("Who must have won a trick before somebody swaps?"),
        default="player",
        choices=(
            ("player", gettext_noop("The player who swaps")),
            ("side", gettext_noop("Anybody on that player’s side")),
        ),
    ),
    flag(
        "deuce_swap",
        gettext_noop("Is it the 2 of trumps that swaps instead, before the first trick?"),
    ),
    choice(
        "partner_peek",
        gettext_noop("When may partners look at each other’s cards?"),
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
