"""Options: the house rules, and how many may sit down (R2)."""

from games.errors import ModeError, gettext_noop
from games.mode import Mode, individuals
from games.option import Options, choice, flag, number

MODES = tuple(map(individuals, range(3, 9)))

OPTIONS = (
    flag(
        "mambassa_spares_declarer",
        gettext_noop("Somebody shows four Aces: is that player spared the token?"),
    ),
    choice(
        "tris_aces",
        gettext_noop("Where do three Aces stand among three of a kind?"),
        default="low",
        choices=(
            ("low", gettext_noop("Lowest, below three Kings")),
            ("high", gettext_noop("Highest, above three 2s")),
        ),
    ),
    flag("ace_low_sequence", gettext_noop("May an Ace also stand below the 2 in a row?")),
    flag(
        "declare_after_dealer_choice",
        gettext_noop("Do all wait for the dealer’s choice before they declare?"),
    ),
    flag("voluntary_knock", gettext_noop("May a player knock at the end of any turn?")),
    flag(
        "last_turn_stock",
        gettext_noop("After a knock, may the others still draw from the stock?"),
        default=True,
    ),
    number(
        "max_orbits",
        gettext_noop("After how many times round the table must somebody knock?"),
        default=20,
        least=1,
        most=100,
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
