"""Finite fields: for every prime power there is one field with that number of elements, its *order*.

The elements are whole numbers from 0, written to the base of the prime: the digits are the
coefficients of a polynomial, the lowest first. So 0 and 1 are what they are called. The powers of a
*primitive* element are all elements but 0.
"""

from dataclasses import dataclass
from functools import cache
from itertools import product


@dataclass(frozen=True, slots=True)
class FiniteField:
    """The sums of its elements, indexed by both, and the powers of a primitive element from 0."""

    sums: tuple[tuple[int, ...], ...]
    powers: tuple[int, ...]

    @property
    def order(self) -> int:
        return len(self.sums)

    def power(self, exponent: int) -> int:
        """Return a power of the primitive element.

        >>> [finite_field(7).power(exponent) for exponent in range(-1, 6)]
        [5, 1, 3, 2, 6, 4, 5]
        """
        return self.powers[exponent % len(self.powers)]

    def times(self, factor: int, other: int) -> int:
        """Multiply.

        >>> finite_field(7).times(3, 5), finite_field(4).times(2, 2)
        (1, 3)
        """
        if not factor or not other:
            return 0
        return self.power(self.powers.index(factor) + self.powers.index(other))


@cache
def finite_field(order: int) -> FiniteField:
    """Return the field of this order: polynomials modulo a polynomial whose root x is primitive.

    :raises ValueError: if the order is no prime power.
    """
    prime = next((number for number in range(2, order + 1) if order % number == 0), 0)
    degree = next((degree for degree in range(1, order) if prime**degree >= order), 0)
    if order < 2 or prime**degree != order:
        raise ValueError(f"There is no field of {order} elements.")
    # The sums of numbers with one digit more, until there are all: that digit is added modulo prime.
    sums: tuple[tuple[int, ...], ...] = ((0,),)
    while len(sums) < order:
        sums = tuple(
            tuple(low + len(sums) * ((a + b) % prime) for b in range(prime) for low in row)
            for a in range(prime)
            for row in sums
        )
    tails = product(range(prime), repeat=degree)
    return FiniteField(sums, next(filter(None, (_powers(prime, tail) for tail in tails))))


def _powers(prime: int, tail: tuple[int, ...]) -> tuple[int, ...]:
    """Return the powers of x if x to the degree equals *tail*; empty unless x is primitive.

    *tail* and the powers are digits, the lowest first: the degree is the length of *tail*.
    """
    identity = (1,) + (0,) * (len(tail) - 1)
    powers = [identity]
    while True:
        *lower, highest = powers[-1]
        raised = tuple(
            (digit + highest * coefficient) % prime
            for digit, coefficient in zip((0, *lower), tail, strict=True)
        )
        if raised == identity or not any(raised) or len(powers) == prime ** len(tail):
            break
        powers.append(raised)
    if raised != identity or len(powers) != prime ** len(tail) - 1:
        return ()
    return tuple(
        sum(digit * prime**place for place, digit in enumerate(digits)) for digits in powers
    )
