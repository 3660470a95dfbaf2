"""What it costs that two units meet, for every number of times they did."""

from dataclasses import dataclass

APART, NOT_PARTNERS = 1, 2  # which wish there is about a pair; those apart are never partners
_KINDS = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Weights:
    """What a repeat of each kind costs, and a wish or a due opening that is not met."""

    wish: int = 0
    due: int = 0
    partners: int = 0
    meetings: int = 0
    opponents: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class PairCosts:
    """What changes when a pair of this *code* sits together once more or less.

    The code of a pair counts in one number how often the two were partners, ``stride`` each,
    and opponents, one each; pairs about whom there is a wish start ``section`` higher.
    The lists say what it costs to become ``partners`` or ``opponents``, to be so once less
    (``not_partners``, ``not_opponents``), and to change ``to_partners`` or ``to_opponents``.
    """

    stride: int
    section: int
    total: list[int]
    partners: list[int]
    opponents: list[int]
    not_partners: list[int]
    not_opponents: list[int]
    to_partners: list[int]
    to_opponents: list[int]


def pair_costs(rounds: int, weights: Weights) -> PairCosts:
    """Return the costs for pairs who meet in at most so many rounds.

    A second time costs once, a third twice more and a fourth three times more, so that a
    pair that meets thrice is worse than two that meet twice.
    """
    stride = rounds + 3
    section = stride * stride
    total = [
        _cost(code // section, *divmod(code % section, stride), weights)
        for code in range(_KINDS * section)
    ]
    last = len(total)

    def change(step: int) -> list[int]:
        return [
            total[code + step] - total[code] if 0 <= code + step < last else 0
            for code in range(last)
        ]

    return PairCosts(
        stride=stride,
        section=section,
        total=total,
        partners=change(stride),
        opponents=change(1),
        not_partners=change(-stride),
        not_opponents=change(-1),
        to_partners=change(stride - 1),
        to_opponents=change(1 - stride),
    )


def _cost(wish: int, partners: int, opponents: int, weights: Weights) -> int:
    """Return what it costs that two met so often as partners and as opponents."""
    cost = (
        weights.partners * _repeated(partners)
        + weights.meetings * _repeated(partners + opponents)
        + weights.opponents * _repeated(opponents)
    )
    if wish == APART:
        cost += weights.wish * (partners + opponents)
    if wish == NOT_PARTNERS:
        cost += weights.wish * partners
    return cost


def evenly(times: int, pairs: int) -> int:
    """Return what it costs at least that meetings happen so many times between so many pairs."""
    each, more = divmod(times, max(pairs, 1))
    return (pairs - more) * _repeated(each) + more * _repeated(each + 1)


def _repeated(times: int) -> int:
    return times * (times - 1) // 2
