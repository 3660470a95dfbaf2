"""Checking the tokens a table has counted against those it should have (S31g)."""

from collections.abc import Mapping, Sequence

from games import answers
from games.errors import SheetError, gettext_noop
from games.mambassa.stakes import STAKE, Stakes
from games.mode import Mode
from games.wording import AtSeat


def check_counted(given: Mapping[str, object], settled: Stakes, mode: Mode) -> dict[str, object]:
    """Return tokens and pool as the table counted them after the deal, where it did.

    :raises SheetError: ``tokens-sum`` or ``pool-low`` if no table could have counted that,
        ``tokens-differ`` or ``pool-differ`` if the deals written down leave others.
    """
    counted: dict[str, object] = {}
    all_tokens = STAKE * mode.seats
    tokens = pool = None
    if given.get("tokens") is not None:
        held = answers.of_every_seat(given["tokens"], mode, question="tokens")
        counted["tokens"] = tokens = [
            answers.whole_number(value, question="tokens", place=seat, most=all_tokens)
            for seat, value in enumerate(held)
        ]
    if given.get("pool") is not None:
        pool = answers.whole_number(given["pool"], question="pool", most=all_tokens)
        counted["pool"] = pool
    _check_sums(tokens, pool, mode)
    _check_paid(tokens, pool, settled)
    return counted


def _check_sums(tokens: Sequence[int] | None, pool: int | None, mode: Mode) -> None:
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
        raise SheetError(
            "pool-low",
            gettext_noop(
                "The pool never holds fewer than %(least)d: count before a winner takes it."
            ),
            question="pool",
            least=mode.seats,
        )


def _check_paid(tokens: Sequence[int] | None, pool: int | None, settled: Stakes) -> None:
    for seat, held in enumerate(tokens or ()):
        if held != settled.tokens[seat]:
            raise SheetError(
                "tokens-differ",
                gettext_noop("By what was written down %(who)s should have %(tokens)d."),
                question="tokens",
                place=seat,
                who=AtSeat(seat),
                tokens=settled.tokens[seat],
            )
    if pool is not None and pool != settled.pool:
        raise SheetError(
            "pool-differ",
            gettext_noop("By what was written down the pool should hold %(pool)d."),
            question="pool",
            pool=settled.pool,
        )
