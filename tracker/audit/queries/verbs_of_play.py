"""Sentences and undo buttons of the verbs about hands, calls, seats and rounds.

A ``Verb`` has its usual sentence, variants of it by key, and a function that returns the key for an
act. An ``UndoButton`` has a function that returns the arguments of the URL that undoes an act, none
if it cannot be undone any more. These functions stand before the table of the verbs that use them.
"""

from collections.abc import Callable, Mapping
from urllib.parse import urlencode

from games.errors import gettext_noop as _
from games.sheet import VOID
from tracker.audit.queries.lookup import STRUCK
from tracker.audit.queries.sentences import Act, UndoButton, Verb, Verbs, variant_if
from tracker.models import Role, RoundState

# Hands --------------------------------------------------------------------------------------------


def _hand_if_last(act: Act) -> list[int]:
    """Return the act's only hand as [sitting, number], if no later act changed its result."""
    numbers, table = act.keys("hands", "hand"), act.table
    # Without a result before, there is nothing to go back to.
    if len(numbers) != 1 or table is None or not act.value("before"):
        return []
    last_entries = act.lookup.last_entries(_VERBS_WRITING_HANDS, "sitting")
    hand = table.sitting_id, numbers[0]
    return [*hand] if last_entries.get(hand) == act.entry.pk else []


_RESTORE = UndoButton(
    _("Undo this change"),
    "hand-correct",
    _hand_if_last,
    lambda _act: "?change=restore",
    role=Role.SCORER,
)


def _correction_variant(act: Act) -> str:
    """Return whether the one hand was changed, struck or brought back, or several were struck."""
    numbers = act.hand_numbers
    if len(numbers) != 1:
        sheets = [act.sheet("after", number) for number in numbers]
        return "all struck" if all(sheet == STRUCK for sheet in sheets) else ""
    before, after = act.sheet("before", numbers[0]), act.sheet("after", numbers[0])
    if after == STRUCK:
        return "struck"
    # The sheet of a struck hand is kept: the same sheet again brings the hand back.
    return "back" if after == before else "one"


def _paper_variant(act: Act) -> str:
    """Return "void" if all hands were entered as void; "bare" is a result without counts."""
    sheets = [act.sheet("after", number) for number in act.hand_numbers]
    void = all(isinstance(sheet, Mapping) and sheet.get("bare") == VOID for sheet in sheets)
    return "void" if sheets and void else ""


def _issue_variant(act: Act) -> str:
    """Return what was decided about an issue, such as "dismiss late" about a late hand."""
    outcome = str(act.value("outcome"))
    late = act.value("kind") == "late" and outcome in {"take", "dismiss"}
    return f"{outcome} late" if late else outcome


HANDS: Verbs = {
    "hand-amended": Verb(
        _("%(who)s corrected %(hand)s: %(before)s became %(after)s."),
        {"phone": _("%(who)s changed %(own_hand)s: %(before)s became %(after)s.")},
        undo=_RESTORE,
        at_table=True,
    ),
    "hand-confirmed": Verb(_("%(who)s confirmed %(own_hand)s."), told_by_report=True),
    "hands-confirmed": Verb(_("%(who)s confirmed %(which)s."), by_organisers=True),
    "hand-taken-back": Verb(_("%(who)s undid %(own_hand)s: %(before)s."), undo=_RESTORE),
    "hand-brought-back": Verb(_("%(who)s brought back %(own_hand)s: %(after)s."), undo=_RESTORE),
    "hand-queried": _("%(who)s queried %(own_hand)s."),
    "change-asked": Verb(
        _("%(who)s asked to change %(own_hand)s: %(before)s to %(after)s."), at_table=True
    ),
    "sitting-corrected": Verb(
        _("%(who)s corrected table %(table)s – %(hands)s."),
        {
            "one": _("%(who)s corrected %(hand)s: %(before)s became %(after)s."),
            "struck": _("%(who)s deleted %(hand)s: %(before)s."),
            "back": _("%(who)s brought back %(hand)s: %(after)s."),
            "all struck": _("%(who)s deleted %(which)s."),
        },
        _correction_variant,
        undo=_RESTORE,
        by_organisers=True,
    ),
    "paper-written-down": Verb(
        _("%(who)s entered table %(table)s from paper – %(hands)s."),
        {
            "void": _("%(who)s recorded %(which)s as not played."),
            "phone": _("%(who)s wrote down who won – %(hands)s."),
        },
        _paper_variant,
        undo=_RESTORE,
        by_organisers=True,
    ),
    "dealer-chosen": Verb(
        _("%(who)s chose %(dealer)s to deal next at table %(table)s."),
        {"phone": _("%(who)s chose %(dealer)s to deal next.")},
        at_table=True,
    ),
    "record-attached": _("%(who)s saved %(hand)s card by card."),
    "record-removed": _("%(who)s deleted the card-by-card record of %(hand)s."),
    "recounted": _("%(who)s recounted all of %(tournament)s."),
    "issue-settled": Verb(
        _("%(who)s settled a question about %(hand)s."),
        {
            "keep": _("%(who)s kept %(own_hand)s as it was."),
            "dismiss": _("%(who)s kept %(hand)s as it was."),
            "dismiss late": _("%(who)s left out %(hand)s: it came late."),
            "take": _(
                "%(who)s chose the other result for %(own_hand)s: %(before)s became %(after)s."
            ),
            "take late": _("%(who)s added what came late from table %(table)s – %(hands)s."),
            "two": _(
                "%(who)s counted the two results at table %(table)s as different hands – %(hands)s."
            ),
            "two, phone": _("%(who)s counted the two results as different hands – %(hands)s."),
            "mended": _("%(who)s entered %(hand)s again: %(before)s became %(after)s."),
            "void": _("%(who)s voided %(hand)s: it counts for nothing."),
        },
        _issue_variant,
        undo=_RESTORE,
        by_organisers=True,
    ),
}
# Verbs of the entries that changed hands.
_VERBS_WRITING_HANDS = frozenset(
    name for name, verb in HANDS.items() if isinstance(verb, Verb) and verb.undo is _RESTORE
)

CALLS: Verbs = {
    "organiser-called": _("%(who)s called the organiser: %(call)s."),
    "call-taken": _("%(who)s went to table %(table)s."),
    "call-ended": Verb(
        _("%(who)s answered the call from table %(table)s."),
        {"withdrawn": _("%(who)s withdrew the call.")},
        variant_if("withdrawn", outcome="withdrawn"),
    ),
}

# Seats --------------------------------------------------------------------------------------------


def _round_if_last(act: Act) -> list[int]:
    """Return the round of the act, if no later act changed its seats."""
    round_ = act.row("round")
    if round_ is None or round_.state == RoundState.UNDONE:
        return []
    last_entries = act.lookup.last_entries(RESEATING, "round")
    return [round_.pk] if last_entries.get((round_.pk, None)) == act.entry.pk else []


def _seats_query(act: Act) -> str:
    """Return the query string that fills in the form of the page "round-seats" to reverse the act.

    After a swap it has the two seats, to swap them again. After a replacement it has the seat of
    the player who came ("wrong"), the player who left ("right"), and how far the replacement
    reached. It is empty if a player has no seat in the round any more.
    """

    def present_key(player: int) -> int:
        """Return a player's key; if they were merged into another since, the other's key."""
        row = act.lookup.players.get(player)
        return player if row is None else (row.merged_into_id or player)

    def last_seat(player: int) -> int | None:
        return act.lookup.last_seats.get((act.key("round"), present_key(player)))

    if act.entry.verb == "seats-exchanged":
        seats = [last_seat(player) for player in act.keys("players")]
        if len(seats) != 2 or None in seats:
            return ""
        return f"?{urlencode({'seats': seats}, doseq=True)}"
    seat, numbers = last_seat(act.key("came")), act.entry.numbers
    if seat is None:
        return ""
    fields = {"wrong": seat, "right": present_key(act.key("left"))}
    fields |= {"reach": numbers.get("reach", ""), "from_hand": numbers.get("from_hand", 1)}
    return f"?{urlencode(fields)}"


def _wish_variant(act: Act) -> str:
    # "keeps" is the number of the table that the player always plays at.
    return "table" if act.value("keeps") else ""


def _swap_variant(act: Act) -> str:
    """Return "table" or "tables" if the entry names any, else "round"; "" if it names no round."""
    if not act.row("round"):
        return ""
    return {0: "round", 1: "table"}.get(len(act.table_numbers), "tables")


SEATS: Verbs = {
    "round-drawn": _("%(who)s drew %(round)s: %(players)s play."),
    "draw-swapped": _("%(who)s swapped %(entrants)s in the draw of round %(round_number)s."),
    "draw-table-kept": _(
        "%(who)s kept table %(table)s as it is in the draw of round %(round_number)s."
    ),
    "draw-table-freed": _(
        "%(who)s released table %(table)s in the draw of round %(round_number)s."
    ),
    "draw-published": _("%(who)s published the draw of %(round)s."),
    "draw-discarded": _("%(who)s discarded the draw of %(tournament)s."),
    "seat-taken-over": _(
        "%(who)s let %(came)s substitute for %(left)s at table %(table)s,"
        " from hand %(from_hand)s on."
    ),
    "seats-exchanged": Verb(
        _("%(who)s swapped the seats of %(seated)s."),
        {
            "round": _("%(who)s swapped the seats of %(seated)s in %(round)s."),
            "table": _(
                "%(who)s swapped the seats of %(seated)s in %(round)s, at table %(at_tables)s."
            ),
            "tables": _(
                "%(who)s swapped the seats of %(seated)s in %(round)s, at tables %(at_tables)s."
            ),
        },
        _swap_variant,
        undo=UndoButton(_("Swap back"), "round-seats", _round_if_last, _seats_query),
    ),
    "player-replaced": Verb(
        _("%(who)s replaced %(left)s, entered by mistake, with %(came)s in %(round)s."),
        {
            "hands": _(
                "%(who)s replaced %(left)s, entered by mistake, with %(came)s"
                " at table %(table)s from hand %(from_hand)s on."
            ),
            "tournament": _(
                "%(who)s replaced %(left)s, entered by mistake, with %(came)s"
                " in all of %(tournament)s."
            ),
        },
        # How far the replacement reaches: "hands" (from one on), "tournament", or the round.
        lambda act: str(act.value("reach")),
        undo=UndoButton(_("Change the seat back"), "round-seats", _round_if_last, _seats_query),
    ),
    "wish-made": Verb(
        _("%(who)s added a seating request."),
        {"table": _("%(who)s added a seating request: %(player)s plays at table %(keeps)s.")},
        _wish_variant,
        private=True,
    ),
    "wish-dropped": Verb(
        _("%(who)s removed a seating request."),
        {"table": _("%(who)s removed a seating request: %(player)s at table %(keeps)s.")},
        _wish_variant,
        private=True,
    ),
}
# Verbs of the entries that changed who sits where in a round.
RESEATING = frozenset(name for name, verb in SEATS.items() if isinstance(verb, Verb) and verb.undo)

# Rounds and clocks --------------------------------------------------------------------------------


def _if_last_round(*states: RoundState, desk: bool = False) -> Callable[[Act], list[int]]:
    """Return the function that returns the key of an act's round, if that is its tournament's last.

    The round has to be in one of these states, and the standings not official. With *desk* the key
    is that of the tournament, for a button that links to its desk, the organisers' page.
    """

    def keys(act: Act) -> list[int]:
        round_, lookup = act.row("round"), act.lookup
        if round_ is None or round_.state not in states:
            return []
        if lookup.tournaments[round_.tournament_id].official_at is not None:
            return []
        # ``last_rounds`` leaves out undone rounds: an undone one is last if its number is higher.
        last = lookup.last_rounds.get(round_.tournament_id, 0)
        is_last = last < round_.number if RoundState.UNDONE in states else last == round_.number
        return [round_.tournament_id if desk else round_.pk] if is_last else []

    return keys


_OPEN, _CLOSED, _UNDONE = RoundState.OPEN, RoundState.CLOSED, RoundState.UNDONE
_UNDO = UndoButton(_("Undo the round"), "round-undo", _if_last_round(_OPEN, _CLOSED))


def _closing_variant(act: Act) -> str:
    """Return what the round lacked when it was closed, such as "short, unconfirmed"."""
    missing = "not played" if act.value("not_played") else "short"
    counts = {missing: act.value("short"), "unconfirmed": act.value("unconfirmed")}
    return ", ".join(variant for variant, count in counts.items() if count)


ROUNDS: Verbs = {
    "round-opened": Verb(
        _("%(who)s opened %(round)s at %(tables)s tables."),
        {"alone": _("%(who)s opened %(round)s at one table.")},
        variant_if("alone", tables=1),
        undo=_UNDO,
    ),
    "tables-joined": _("%(who)s added a table to %(round)s."),
    "round-shortened": _("%(who)s shortened %(round)s to %(to)s."),
    "round-undone": Verb(
        _("%(who)s undid %(round)s with its results."),
        undo=UndoButton(_("Bring the round back"), "round-undo", _if_last_round(_UNDONE)),
    ),
    "round-restored": Verb(_("%(who)s brought back %(round)s with its results."), undo=_UNDO),
    "round-closed": Verb(
        _("%(who)s closed %(round)s."),
        {
            "short": _("%(who)s closed %(round)s; %(missing)s."),
            "short, unconfirmed": _(
                "%(who)s closed %(round)s; %(missing)s, %(unconfirmed)s not confirmed."
            ),
            "unconfirmed": _("%(who)s closed %(round)s; %(not_confirmed)s."),
            "not played": _("%(who)s closed %(round)s; %(not_played)s."),
            "not played, unconfirmed": _(
                "%(who)s closed %(round)s; %(not_played)s, %(unconfirmed)s not confirmed."
            ),
        },
        _closing_variant,
        undo=UndoButton(_("Reopen the round"), "desk", _if_last_round(_CLOSED, desk=True)),
    ),
    "match-decided": Verb(
        _("%(who)s decided the level match at table %(table)s for %(side)s."),
        {"lot": _("%(who)s drew lots at table %(table)s: %(side)s won the level match.")},
        variant_if("lot", how="lot"),
    ),
    "match-reopened": _("%(who)s undid the win of %(side)s in the level match at table %(table)s."),
    "round-reopened": Verb(
        _("%(who)s opened %(round)s again."),
        undo=UndoButton(_("Close the round"), "round-close", _if_last_round(_OPEN)),
    ),
    "clock-started": _("%(who)s started the clock of round %(round_number)s: %(minutes)s minutes."),
    "minutes-given": _("%(who)s gave %(minutes)s more minutes to table %(table)s."),
    "clocks-paused": _("%(who)s stopped the clock of round %(round_number)s."),
    "clocks-resumed": _("%(who)s started the clock of round %(round_number)s again."),
    "break-taken": _("%(who)s called a break of %(minutes)s minutes."),
    "break-ended": _("%(who)s ended the break."),
}
