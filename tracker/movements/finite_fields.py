"""Finite fields: for every prime power there is one with that number of elements, its *order*.

The elements are whole numbers from 0, written to the base of the prime: the digits are the
coefficients of a polynomial, the lowest first. So 0 and 1 are the zero and the one of the field.
The powers of a *primitive* element are all elements but 0.
"""

from dataclasses import dataclass
from functools import cache
from itertools import product


@dataclass(frozen=True, slots=True)
class FiniteField:
    """The sums of elements, indexed by both, and the powers of a primitive element from 0 on."""

    sums: tuple[tuple[int, ...], ...]
    powers: tuple[int, ...]

    @property
    def order(self) -> int:
        return len(self.sums)

    def power(self, exponent: int) -> int:
        """Return a power of the primitive element. After the last power the first comes again.

        >>> [finite_field(7).power(exponent) for exponent in range(-1, 6)]
        [5, 1, 3, 2, 6, 4, 5]
        """
        return self.powers[exponent % len(self.powers)]

    def minus(self, minuend: int, subtrahend: int) -> int:
        return self.sums[subtrahend].index(minuend)

    def times(self, factor: int, other: int) -> int:
        """Return the product of two elements.

        >>> finite_field(7).times(3, 5), finite_field(4).times(2, 2)
        (1, 3)
        """
        if not factor or not other:
            return 0
        return self.power(self.powers.index(factor) + self.powers.index(other))


@cache
def finite_field(order: int) -> FiniteField:
    """Return the field of this order: polynomials in x, modulo one that makes x primitive.

    If the powers of x are all elements but 0, each of these has an inverse, so it is a field.

    :raises ValueError: if the order is no prime power.
    """
    # The least divisor, and how often it must be multiplied to reach the order.
    prime = next((number for number in range(2, order + 1) if order % number == 0), 0)
    degree = next((degree for degree in range(1, order) if prime**degree >= order), 0)
    if order < 2 or prime**degree != order:
        raise ValueError(f"There is no field of {order} elements.")
    # The sums of all numbers with no digit, then one, two and so on: each turn puts a highest digit
    # in front, *a* of the first summand and *b* of the second. A *row* has one first summand.
    sums: tuple[tuple[int, ...], ...] = ((0,),)
    while len(sums) < order:
        place_value = len(sums)
        sums = tuple(
            tuple(low + place_value * ((a + b) % prime) for b in range(prime) for low in row)
            for a in range(prime)
            for row in sums
        )
    # By trial: the first polynomial that makes x primitive; there always is one.
    tails = product(range(prime), repeat=degree)
    return FiniteField(sums, next(filter(None, (_powers(prime, tail) for tail in tails))))


def _powers(prime: int, tail: tuple[int, ...]) -> tuple[int, ...]:
    """Return the powers of x, modulo the polynomial x**n - *tail*; empty unless x is primitive.

    *tail* has the n coefficients of a polynomial, the lowest first. It equals x**n.
    """
    digits = (1,) + (0,) * (len(tail) - 1)  # the power 0 of x, which is 1
    powers: list[tuple[int, ...]] = []
    # The powers end when one comes again, or is 0, as then all later ones are.
    while digits not in powers and any(digits):
        powers.append(digits)
        # Multiply by x: each coefficient moves up by one. The highest now belongs to x**n, which
        # equals *tail*: drop it, and add *tail* that many times.
        *lower, highest = digits
        digits = tuple(
            (digit + highest * coefficient) % prime
            for digit, coefficient in zip((0, *lower), tail, strict=True)
        )
    if len(powers) != prime ** len(tail) - 1:
        return ()
    return tuple(sum(digit * prime**place for place, digit in enumerate(power)) for power in powers)
