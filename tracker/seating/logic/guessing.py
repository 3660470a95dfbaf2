"""Limits on guessing codes: how many wrong codes may be typed, by whom, and why that suffices.

A ``Patience`` lets ``burst`` misses pass at once and one more every ``seconds``. Whoever types is
counted at their address and among all strangers; a phone that has been at a table today is
counted among the phones of that table and among all such, so that no stranger locks a hall out.

A code has 6 of 31 signs, which are 887,503,681. All strangers together may miss 500 times and
then 4,320 times a day, from however many addresses. Where 60 tables have cards they hit one in
``31**6 / (4320 * 60)`` days, which is 9 years; within a month by a chance of 1 in 110.

Cards printed before that have 4 signs, 923,521 codes, and are counted apart: 100 misses, then 96
a day. 60 such tables hold for 160 days on average, 10 for 2 years and 7 months; within a month
one is hit by a chance of 1 in 6, or 1 in 31. Whoever wants more renews the cards.

An address may miss 30 times, then 72 times a day, which is less than all get back in that time:
one stranger alone never uses up the others' patience. Four addresses do so at once for codes of 4
signs, 17 for those of 6, and 60 keep it so. Then strangers have to scan a card, and whoever has
been at a table today goes on typing. The phones of one table may miss as an address may.
"""

from ipaddress import IPv6Address, ip_address

from tracker.common.patience import Patience

OLD_LENGTH = 4
ONE = Patience(burst=30, seconds=1200)  # an address, or the phones of a table
ALL = Patience(burst=500, seconds=20)
ALL_AT_OLD_CODES = Patience(burst=100, seconds=900)


def counted(code: str, *, address: str, table: str) -> dict[str, Patience]:
    """Return the limits a wrong code counts against, the narrowest first; *table* may be empty.

    >>> list(counted("K7MXQ2", address="192.0.2.7", table=""))
    ['address 192.0.2.7', 'strangers']
    >>> list(counted("K7MX", address="192.0.2.7", table="x7"))
    ['table x7', 'players at old codes']
    """
    nearest, everybody = (
        (f"table {table}", "players") if table else (f"address {address}", "strangers")
    )
    if len(code) <= OLD_LENGTH:
        return {nearest: ONE, f"{everybody} at old codes": ALL_AT_OLD_CODES}
    return {nearest: ONE, everybody: ALL}


def network_of(address: str) -> str:
    """Return what one person may have many addresses of: in IPv6 the half that is given out.

    >>> network_of("192.0.2.7"), network_of("2001:db8:0:1:a:b:c:d"), network_of("")
    ('192.0.2.7', '2001:db8:0:1::', '')
    """
    try:
        known = ip_address(address)
    except ValueError:
        return address
    if isinstance(known, IPv6Address):
        if known.ipv4_mapped:
            return str(known.ipv4_mapped)
        return str(IPv6Address(int(known) >> 64 << 64))
    return str(known)
