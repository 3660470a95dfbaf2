"""Sheet: what a table wrote down of a deal, or of a whole game, read with suspicion (S30, S31)."""

from collections.abc import Mapping, Sequence
from itertools import islice

from games import sheet_validation
from games.errors import SheetError, gettext_noop
from games.mambassa.cards import Card
from games.mambassa.showdown import (
    Hands,
    check_each_once,
    mambassa_payers,
    read_four,
    read_hands,
    shown_deal,
)
from games.mambassa.stakes import STAKE, Deal, DealEvent, Groups, Stakes
from games.mode import Mode
from games.option import Options
from games.wording import AtSeat, seats_listed

ASKED = ("event", "declarer", "payers", "hands", "monte", "knocker", "tokens", "pool")
Answers = Mapping[str, object]


def read_deal(
    given: Answers, stakes: Stakes, dealer: int, mode: Mode, options: Options
) -> tuple[Deal, dict[str, object]]:
    """Return the deal, and every other answer as a completed sheet keeps it.

    :raises SheetError: if no deal can end like that (S31).
    """
    hands, aside = _shown_cards(given, stakes, mode)
    if given.get("knocker") is not None:
        aside["knocker"] = _in_the_game(given["knocker"], stakes, "knocker", "knocker-out")
    declarer = None
    if given.get("declarer") is not None:
        declarer = _in_the_game(given["declarer"], stakes, "declarer", "declarer-out")

    shown = shown_deal(hands, dealer, declarer, options) if hands else None
    event = _event(given.get("event"), shown)
    _check_declarer(event, declarer, shown)
    if shown is not None:
        due: tuple[int, ...] | None = shown.payers
        declarer = shown.declarer
    elif event is DealEvent.MAMBASSA:
        due = mambassa_payers(stakes.playing, declarer, options)
    else:
        due = None
    written = None
    if given.get("payers") is not None:
        seats = range(len(stakes.tokens))
        named = sheet_validation.seats(given["payers"], seats, question="payers")
        written = tuple(sorted(_in_the_game(seat, stakes, "payers", "payer-out") for seat in named))
    if due is None:
        due = _check_payers(written, declarer)
    elif written not in (None, due):
        raise _wrong_payers(event, due, options)
    return Deal(event, declarer, due), aside


def _shown_cards(given: Answers, stakes: Stakes, mode: Mode) -> tuple[Hands, dict[str, object]]:
    """Return the hands, if they were written, and the cards as a completed sheet keeps them."""
    hands: Hands = {}
    monte: Sequence[Card] = ()
    aside: dict[str, object] = {}
    if given.get("hands") is not None:
        hands = read_hands(given["hands"], stakes.playing, mode)
        aside["hands"] = [
            [str(card) for card in hands[seat]] if seat in hands else None
            for seat in range(mode.seats)
        ]
    if given.get("monte") is not None:
        monte = read_four(given["monte"], question="monte")
        aside["monte"] = [str(card) for card in monte]
    check_each_once(hands, monte)
    return hands, aside


def _event(value: object, shown: Deal | None) -> DealEvent:
    """Return the event written, or the one the hands show.

    :raises SheetError: ``event-hands`` if these are not the same (S31i).
    """
    if value is None and shown is not None:
        return shown.event
    event = DealEvent(
        sheet_validation.one_of(value, [event.value for event in DealEvent], question="event")
    )
    if shown is not None and event is not shown.event:
        raise SheetError("event-hands", _SHOWN[shown.event], question="event")
    return event


_SHOWN = {
    DealEvent.NORMAL: gettext_noop(
        "Nobody here holds Mambassa or Quarantuna: it was a normal deal."
    ),
    DealEvent.MAMBASSA: gettext_noop("Somebody holds four Aces, and must declare Mambassa."),
    DealEvent.QUARANTUNA: gettext_noop("Somebody holds a Quarantuna, and must declare it."),
}


def _check_declarer(event: DealEvent, declarer: int | None, shown: Deal | None) -> None:
    """Refuse a declared event without a declarer, and the other way round (S31i)."""
    if event is DealEvent.NORMAL and declarer is not None:
        raise SheetError(
            "declarer-needless",
            gettext_noop("In a normal deal nobody declares anything: leave this empty."),
            question="declarer",
        )
    if event is not DealEvent.NORMAL and declarer is None and shown is None:
        raise SheetError("declarer-missing", gettext_noop("Say who declared."), question="declarer")
    if shown and shown.declarer is not None and declarer not in (None, shown.declarer):
        raise SheetError(
            "declarer-hands",
            gettext_noop("By the hands shown %(who)s declares."),
            question="declarer",
            who=AtSeat(shown.declarer),
        )


def _check_payers(written: tuple[int, ...] | None, declarer: int | None) -> tuple[int, ...]:
    """Return the payers of a deal that shows no hands (R8).

    :raises SheetError: ``payer-none`` (S31b), ``declarer-pays`` (S31c).
    """
    if not written:
        raise SheetError(
            "payer-none",
            gettext_noop("Somebody always pays: who had the lowest hand?"),
            question="payers",
        )
    if declarer in written:
        raise SheetError(
            "declarer-pays",
            gettext_noop("Whoever declares Quarantuna does not pay: the lowest other hand does."),
            question="payers",
        )
    return written


def _wrong_payers(event: DealEvent, due: tuple[int, ...], options: Options) -> SheetError:
    """Return the refusal of payers other than the rules (S31d) or the hands (S31f) name."""
    if event is DealEvent.MAMBASSA:
        if options["mambassa_spares_declarer"]:
            spared = gettext_noop("On Mambassa everybody still in pays, except who declared it.")
            return SheetError("payers-mambassa", spared, question="payers")
        all_pay = gettext_noop("On Mambassa everybody still in pays, whoever declared it too.")
        return SheetError("payers-mambassa", all_pay, question="payers")
    if len(due) == 1:
        one_pays = gettext_noop("By the hands shown %(who)s pays, and nobody else.")
        return SheetError("payers-hands", one_pays, question="payers", who=AtSeat(due[0]))
    tied = gettext_noop("By the hands shown all of these pay, with the lowest hand: %(payers)s.")
    return SheetError("payers-hands", tied, question="payers", payers=seats_listed(due))


def _in_the_game(value: object, stakes: Stakes, question: str, code: str) -> int:
    seat = sheet_validation.seat(value, range(len(stakes.tokens)), question=question)
    if seat not in stakes.playing:
        raise SheetError(
            code,
            gettext_noop("%(who)s is out of the game; still in: %(playing)s."),
            question=question,
            who=AtSeat(seat),
            playing=seats_listed(stakes.playing),
        )
    return seat


def check_tokens(given: Mapping[str, object], settled: Stakes, mode: Mode) -> dict[str, object]:
    """Return tokens and pool as the table counted them after the deal, where it did.

    :raises SheetError: ``tokens-sum`` or ``pool-low`` if no table could have counted that,
        ``tokens-differ`` or ``pool-differ`` if the deals written down leave others.
    """
    counted: dict[str, object] = {}
    all_tokens = STAKE * mode.seats
    tokens = pool = None
    if given.get("tokens") is not None:
        held = sheet_validation.of_every_seat(given["tokens"], mode, question="tokens")
        counted["tokens"] = tokens = [
            sheet_validation.whole_number(value, question="tokens", place=seat, most=all_tokens)
            for seat, value in enumerate(held)
        ]
    if given.get("pool") is not None:
        pool = sheet_validation.whole_number(given["pool"], question="pool", most=all_tokens)
        counted["pool"] = pool
    _check_sums(tokens, pool, mode)
    _check_paid(tokens, pool, settled)
    return counted


def _check_sums(tokens: Sequence[int] | None, pool: int | None, mode: Mode) -> None:
    """Refuse a count that does not come to 4n, or a pool below n (S31g)."""
    all_tokens = STAKE * mode.seats
    if tokens is not None and pool is not None and sum(tokens) + pool != all_tokens:
        raise SheetError(
            "tokens-sum",
            gettext_noop("Tokens and pool add up to %(total)d; there are %(all)d in the game."),
            question="tokens",
            total=sum(tokens) + pool,
            all=all_tokens,
        )
    if pool is None and tokens is not None:
        pool = all_tokens - sum(tokens)
    if pool is not None and pool < mode.seats:
        low = gettext_noop("The pool holds at least %(least)d: count before a winner takes it.")
        raise SheetError("pool-low", low, question="pool", least=mode.seats)


def _check_paid(tokens: Sequence[int] | None, pool: int | None, settled: Stakes) -> None:
    """Refuse a count other than what the deals leave (S31g)."""
    for seat, held in enumerate(tokens or ()):
        if held != settled.tokens[seat]:
            raise SheetError(
                "tokens-differ",
                gettext_noop("By the results so far %(who)s has %(tokens)d."),
                question="tokens",
                place=seat,
                who=AtSeat(seat),
                tokens=settled.tokens[seat],
            )
    if pool is not None and pool != settled.pool:
        differs = gettext_noop("By the results so far the pool holds %(pool)d.")
        raise SheetError("pool-differ", differs, question="pool", pool=settled.pool)


def finishing_order(written: object, stakes: Stakes) -> Groups:
    """Return the groups that share a place, best first; ties are lists within the list.

    Those whom the sheets before put out may be left unnamed, and so may the last of the
    others.

    >>> finishing_order([3, [0, 2]], Stakes((1, 0, 2, 3), 10, ((1,),)))
    ((3,), (0, 2), (1,))

    :raises SheetError: ``order-short`` if somebody is missing, ``order-out`` if those
        already out do not come last, in the places they went out in.
    """
    entries = [
        entry if isinstance(entry, list | tuple) else (entry,)
        for entry in sheet_validation.listed(written, question="bare")
    ]
    flat = [seat for entry in entries for seat in entry]
    named = sheet_validation.seats(flat, range(len(stakes.tokens)), question="bare")
    following = iter(named)
    places = tuple(tuple(sorted(islice(following, len(entry)))) for entry in entries if entry)
    unnamed = [seat for seat in stakes.playing if seat not in named]
    if len(unnamed) > 1:
        raise SheetError(
            "order-short",
            gettext_noop("Not named yet: %(missing)s. Only the last may be left out."),
            question="bare",
            missing=seats_listed(unnamed),
        )
    gone = tuple(reversed(stakes.out))
    if not any(seat in named for group in gone for seat in group):
        places += gone
    ahead = len(places) - len(gone)
    if places[ahead:] != gone:
        raise SheetError(
            "order-out",
            gettext_noop("Those already out come last, the first to leave at the very end."),
            question="bare",
        )
    return (*places[:ahead], *((seat,) for seat in unnamed), *gone)
