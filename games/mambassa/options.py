"""Options: the house rules, and how many may sit down (R2)."""

from games.errors import ModeError, gettext_noop
from games.mode import Mode, individuals
from games.option import Option, OptionKind, Options

MODES = (
    individuals(3, gettext_noop("three, each alone")),
    individuals(4, gettext_noop("four, each alone")),
    individuals(5, gettext_noop("five, each alone")),
    individuals(6, gettext_noop("six, each alone")),
    individuals(7, gettext_noop("seven, each alone")),
    individuals(8, gettext_noop("eight, each alone")),
)

OPTIONS = (
    Option(
        name="mambassa_spares_declarer",
        label=gettext_noop("Somebody shows four Aces: is that player spared the token?"),
        kind=OptionKind.FLAG,
        default=False,
    ),
    Option(
        name="tris_aces",
        label=gettext_noop("Where do three Aces stand among three of a kind?"),
        kind=OptionKind.CHOICE,
        default="low",
        choices=(
            ("low", gettext_noop("Lowest, below three Kings")),
            ("high", gettext_noop("Highest, above three 2s")),
        ),
    ),
    Option(
        name="ace_low_sequence",
        label=gettext_noop("May an Ace also stand below the 2 in a row?"),
        kind=OptionKind.FLAG,
        default=False,
    ),
    Option(
        name="declare_after_dealer_choice",
        label=gettext_noop("Do all wait for the dealer’s choice before they declare?"),
        kind=OptionKind.FLAG,
        default=False,
    ),
    Option(
        name="voluntary_knock",
        label=gettext_noop("May a player knock at the end of any turn?"),
        kind=OptionKind.FLAG,
        default=False,
    ),
    Option(
        name="last_turn_stock",
        label=gettext_noop("After a knock, may the others still draw from the stock?"),
        kind=OptionKind.FLAG,
        default=True,
    ),
    Option(
        name="max_orbits",
        label=gettext_noop("After how many times round the table must somebody knock?"),
        kind=OptionKind.NUMBER,
        default=20,
        choices=((1, "1"), (100, "100")),
    ),
)


def modes(options: Options) -> tuple[Mode, ...]:  # noqa: ARG001 - no house rule changes it
    """Return from three players to eight (R2)."""
    return MODES


def check_table(mode: Mode) -> None:
    """Refuse a table of a size the pack does not serve.

    :raises ModeError: if there are too few or too many players (R2).
    """
    if mode not in MODES:
        raise ModeError(
            "table-size",
            gettext_noop("%(least)d to %(most)d players can sit at one table, not %(seats)d."),
            least=MODES[0].seats,
            most=MODES[-1].seats,
            seats=mode.seats,
        )
