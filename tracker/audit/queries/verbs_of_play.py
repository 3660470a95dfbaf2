"""Sentences and undo buttons of the verbs about hands, calls, seats and rounds.

A ``Verb`` has its usual sentence, variants of it by key, and a function that returns the key for an
act, "" for the usual one. If a table's phone acted, a sentence that ``by_phone`` has under the key
goes first: %(who)s, "the phone at table 3", names the table. An ``UndoButton`` has a function that
returns the URL where an act is undone, "" if it cannot be undone any more. These functions stand
before the table of the verbs that use them. What ``act.value`` and the like read: see ``Act``.
"""

from collections.abc import Callable, Mapping
from urllib.parse import urlencode

from django.urls import reverse

from games.errors import gettext_noop as _
from games.sheet import VOID
from tracker.audit.queries.lookup import STRUCK
from tracker.audit.queries.sentences import Act, UndoButton, Verb, Verbs, variant_if
from tracker.models import Role, RoundState

# Hands --------------------------------------------------------------------------------------------

# Verbs of the entries that changed results, at tables and by organisers.
_CHANGING_RESULTS = frozenset(
    {"hand-amended", "hand-taken-back", "hand-brought-back"}
    | {"sitting-corrected", "paper-written-down", "issue-settled"}
)


def _restore_url(act: Act) -> str:
    """Return the URL that restores the act's only hand; "" if a later act changed its result."""
    numbers, table = act.keys("hands", "hand"), act.table
    # Without a result before, there is nothing to go back to.
    if len(numbers) != 1 or table is None or not act.value("before"):
        return ""
    hand = (table.sitting_id, numbers[0])
    if act.lookup.last_entries(_CHANGING_RESULTS, "sitting").get(hand) != act.entry.pk:
        return ""
    return reverse("hand-correct", args=hand) + "?change=restore"


_RESTORE = UndoButton(_("Undo this change"), _restore_url, role=Role.SCORER)


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
    """Return "void" if all hands were entered as not played."""
    # A sheet without counts has, under "bare", who won, or ``VOID`` if the hand was not played.
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
        by_phone={"": _("%(who)s changed %(own_hand)s: %(before)s became %(after)s.")},
        undo=_RESTORE,
        at_table=True,
    ),
    "hand-confirmed": Verb(_("%(who)s confirmed %(own_hand)s."), told_by_report=True),
    "hands-confirmed": Verb(_("%(who)s confirmed %(which)s."), by_organisers=True),
    "hand-taken-back": Verb(_("%(who)s undid %(own_hand)s: %(before)s."), undo=_RESTORE),
    "hand-brought-back": Verb(_("%(who)s brought back %(own_hand)s: %(after)s."), undo=_RESTORE),
    "hand-queried": Verb(_("%(who)s queried %(own_hand)s.")),
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
        {"void": _("%(who)s recorded %(which)s as not played.")},
        _paper_variant,
        by_phone={"": _("%(who)s wrote down who won – %(hands)s.")},
        undo=_RESTORE,
        by_organisers=True,
    ),
    "dealer-chosen": Verb(
        _("%(who)s chose %(dealer)s to deal next at table %(table)s."),
        by_phone={"": _("%(who)s chose %(dealer)s to deal next.")},
        at_table=True,
    ),
    "record-attached": Verb(_("%(who)s saved %(hand)s card by card.")),
    "record-removed": Verb(_("%(who)s deleted the card-by-card record of %(hand)s.")),
    "recounted": Verb(_("%(who)s recounted all of %(tournament)s.")),
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
            "mended": _("%(who)s entered %(hand)s again: %(before)s became %(after)s."),
            "void": _("%(who)s voided %(hand)s: it counts for nothing."),
        },
        _issue_variant,
        by_phone={"two": _("%(who)s counted the two results as different hands – %(hands)s.")},
        undo=_RESTORE,
        by_organisers=True,
    ),
}

CALLS: Verbs = {
    "organiser-called": Verb(_("%(who)s called the organiser: %(call)s.")),
    "call-taken": Verb(_("%(who)s went to table %(table)s.")),
    "call-ended": Verb(
        _("%(who)s answered the call from table %(table)s."),
        {"withdrawn": _("%(who)s withdrew the call.")},
        variant_if("withdrawn", outcome="withdrawn"),
    ),
}

# Seats --------------------------------------------------------------------------------------------

# Verbs of the entries that changed who sits where in a round.
RESEATING = frozenset({"seats-exchanged", "player-replaced"})


def _seats_url(act: Act) -> str:
    """Return the URL of the page "round-seats" with its form filled in to reverse the act.

    After a swap it has the two seats, to swap them again. After a replacement it has the seat of
    the player who came ("wrong"), the player who left ("right"), and how far the replacement
    reached. The form is empty if a player has no seat in the round any more; the URL is empty if
    the round was undone or a later act changed its seats.
    """
    round_, lookup = act.row("round"), act.lookup
    if round_ is None or round_.state == RoundState.UNDONE:
        return ""
    if lookup.last_entries(RESEATING, "round").get((round_.pk, None)) != act.entry.pk:
        return ""
    url = reverse("round-seats", args=[round_.pk])

    def present_key(player: int) -> int:
        """Return a player's key; if they were merged into another since, the other's key."""
        row = lookup.players.get(player)
        return player if row is None else (row.merged_into_id or player)

    def last_seat(player: int) -> int | None:
        return lookup.last_seats.get((round_.pk, present_key(player)))

    if act.entry.verb == "seats-exchanged":
        seats = [last_seat(player) for player in act.keys("players")]
        if len(seats) != 2 or None in seats:
            return url
        return f"{url}?{urlencode({'seats': seats}, doseq=True)}"
    seat, numbers = last_seat(act.key("came")), act.entry.numbers
    if seat is None:
        return url
    fields = {"wrong": seat, "right": present_key(act.key("left"))}
    fields |= {"reach": numbers.get("reach", ""), "from_hand": numbers.get("from_hand", 1)}
    return f"{url}?{urlencode(fields)}"


def _wish_variant(act: Act) -> str:
    # "keeps" is the number of the table that the player always plays at.
    return "table" if act.value("keeps") else ""


def _swap_variant(act: Act) -> str:
    """Return "table" or "tables" if the entry names any, else "round"; "" if it names no round."""
    if not act.row("round"):
        return ""
    return {0: "round", 1: "table"}.get(len(act.table_numbers), "tables")


SEATS: Verbs = {
    "round-drawn": Verb(_("%(who)s drew %(round)s: %(players)s play.")),
    "draw-swapped": Verb(_("%(who)s swapped %(entrants)s in the draw of round %(round_number)s.")),
    "draw-table-kept": Verb(
        _("%(who)s kept table %(table)s as it is in the draw of round %(round_number)s.")
    ),
    "draw-table-freed": Verb(
        _("%(who)s released table %(table)s in the draw of round %(round_number)s.")
    ),
    "draw-published": Verb(_("%(who)s published the draw of %(round)s.")),
    "draw-discarded": Verb(_("%(who)s discarded the draw of %(tournament)s.")),
    "seat-taken-over": Verb(
        _(
            "%(who)s let %(came)s substitute for %(left)s at table %(table)s,"
            " from hand %(from_hand)s on."
        )
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
        undo=UndoButton(_("Swap back"), _seats_url),
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
        undo=UndoButton(_("Change the seat back"), _seats_url),
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

# Rounds and clocks --------------------------------------------------------------------------------


def _url_if_last_round(page: str, *states: RoundState, field: str = "pk") -> Callable[[Act], str]:
    """Return the function that returns the URL of a *page* if the act's round is the last.

    The round has to be the last of its tournament, in one of these *states*, and the standings not
    official. *field* says which field of the round the URL of the page has.
    """

    def url(act: Act) -> str:
        round_, lookup = act.row("round"), act.lookup
        if round_ is None or round_.state not in states:
            return ""
        if lookup.tournaments[round_.tournament_id].official_at is not None:
            return ""
        # ``last_rounds`` leaves out undone rounds: an undone one is last if its number is higher.
        last = lookup.last_rounds.get(round_.tournament_id, 0)
        is_last = last < round_.number if RoundState.UNDONE in states else last == round_.number
        return reverse(page, args=[getattr(round_, field)]) if is_last else ""

    return url


_OPEN, _CLOSED, _UNDONE = RoundState.OPEN, RoundState.CLOSED, RoundState.UNDONE
_UNDO_ROUND = UndoButton(_("Undo the round"), _url_if_last_round("round-undo", _OPEN, _CLOSED))


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
        undo=_UNDO_ROUND,
    ),
    "tables-joined": Verb(_("%(who)s added a table to %(round)s.")),
    "round-shortened": Verb(_("%(who)s shortened %(round)s to %(to)s.")),
    "round-undone": Verb(
        _("%(who)s undid %(round)s with its results."),
        undo=UndoButton(_("Bring the round back"), _url_if_last_round("round-undo", _UNDONE)),
    ),
    "round-restored": Verb(_("%(who)s brought back %(round)s with its results."), undo=_UNDO_ROUND),
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
        undo=UndoButton(
            _("Reopen the round"), _url_if_last_round("desk", _CLOSED, field="tournament_id")
        ),
    ),
    "match-decided": Verb(
        _("%(who)s decided the level match at table %(table)s for %(side)s."),
        {"lot": _("%(who)s drew lots at table %(table)s: %(side)s won the level match.")},
        variant_if("lot", how="lot"),
    ),
    "match-reopened": Verb(
        _("%(who)s undid the win of %(side)s in the level match at table %(table)s.")
    ),
    "round-reopened": Verb(
        _("%(who)s opened %(round)s again."),
        undo=UndoButton(_("Close the round"), _url_if_last_round("round-close", _OPEN)),
    ),
    "clock-started": Verb(
        _("%(who)s started the clock of round %(round_number)s: %(minutes)s minutes.")
    ),
    "minutes-given": Verb(_("%(who)s gave %(minutes)s more minutes to table %(table)s.")),
    "clocks-paused": Verb(_("%(who)s stopped the clock of round %(round_number)s.")),
    "clocks-resumed": Verb(_("%(who)s started the clock of round %(round_number)s again.")),
    "break-taken": Verb(_("%(who)s called a break of %(minutes)s minutes.")),
    "break-ended": Verb(_("%(who)s ended the break.")),
}
