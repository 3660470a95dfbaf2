"""Finite fields: numbers to add and multiply of which no two products fall together."""

from dataclasses import dataclass
from functools import cache
from itertools import product


@dataclass(frozen=True, slots=True)
class Field:
    """The field of so many elements, 0 to ``size - 1``, by its tables; 0 and 1 are themselves."""

    size: int
    sums: tuple[tuple[int, ...], ...]
    products: tuple[tuple[int, ...], ...]

    def minus(self, one: int, two: int) -> int:
        """Return what must be added to *two* to get *one*."""
        return self.sums[two].index(one)

    def powers(self) -> tuple[int, ...]:
        """Return all elements but 0 as powers of one of them, 1 first."""
        for root in range(1, self.size):
            powers = [1]
            while (power := self.products[powers[-1]][root]) != 1:
                powers.append(power)
            if len(powers) == self.size - 1:
                return tuple(powers)
        raise AssertionError("a finite field has a primitive element")


def prime_power(size: int) -> tuple[int, int] | None:
    """Return the prime and the exponent, if *size* is such a power.

    >>> prime_power(49), prime_power(12)
    ((7, 2), None)
    """
    prime = next((factor for factor in range(2, size + 1) if size % factor == 0), 0)
    exponent = 0
    while prime and size % prime == 0:
        size, exponent = size // prime, exponent + 1
    return (prime, exponent) if prime and size == 1 else None


@cache
def field(size: int) -> Field:
    """Return the field with so many elements, a prime power.

    Its elements are polynomials, written as numbers in the base of the prime, and
    multiplied modulo the first that makes all products but those with 0 differ from 0.
    """
    power = prime_power(size)
    if power is None:
        raise ValueError(f"no field has {size} elements")
    prime, degree = power
    digits = [
        tuple(element // prime**place % prime for place in range(degree)) for element in range(size)
    ]
    number = {digit: element for element, digit in enumerate(digits)}
    sums = tuple(
        tuple(
            number[tuple((x + y) % prime for x, y in zip(one, two, strict=True))] for two in digits
        )
        for one in digits
    )

    def times(one: tuple[int, ...], two: tuple[int, ...], lower: tuple[int, ...]) -> int:
        total = [0] * degree
        for digit in reversed(one):  # times x, plus the digit times two
            carry = total[-1]
            shifted = [0, *total[:-1]]
            total = [
                (place + carry * low + digit * other) % prime
                for place, low, other in zip(shifted, lower, two, strict=True)
            ]
        return number[tuple(total)]

    for lower in product(range(prime), repeat=degree):
        table = [[0] * size for _ in range(size)]
        for one in range(1, size):
            for two in range(one, size):
                table[one][two] = table[two][one] = times(digits[one], digits[two], lower)
            if 0 in table[one][1:]:
                break
        else:
            return Field(size, sums, tuple(map(tuple, table)))
    raise AssertionError("there is a field for every prime power")
