"""Which copies stay, and for how long: any evenings, any clock."""

from datetime import UTC, datetime, timedelta

from hypothesis import given, strategies as st

from tracker.backups.copies import (
    ALL_FOR,
    LONGEST,
    ONE_AN_HOUR_FOR,
    CopyFile,
    CopyKind,
    parse_name,
    to_delete,
)

NOW = datetime(2026, 11, 20, 22, 0, tzinfo=UTC)
AGES = st.timedeltas(min_value=timedelta(minutes=-5), max_value=timedelta(days=70))
COPIES = st.lists(
    st.builds(
        lambda age, kind, size: CopyFile(NOW - age, kind, size),
        AGES,
        st.sampled_from(CopyKind),
        st.integers(0, 1000),
    ),
    unique_by=lambda copy: copy.at,
    max_size=60,
)
ENOUGH = 10**9


def staying(copies: list[CopyFile], *, now: datetime = NOW, room: int = ENOUGH) -> list[CopyFile]:
    """Return the copies that stay, the oldest first."""
    gone = to_delete(copies, now=now, space=room)
    assert set(gone) <= set(copies)
    return sorted(set(copies) - set(gone), key=lambda copy: copy.at)


@given(COPIES)
def test_all_stay_a_month_but_those_made_while_people_play_thin_out(copies: list[CopyFile]) -> None:
    left = staying(copies)
    newest = max((copy.at for copy in copies), default=NOW)
    night = [copy.at for copy in left if copy.kind is CopyKind.NIGHT]

    for copy in copies:
        age = NOW - copy.at
        if copy.at == newest:
            assert copy in left
        elif age > LONGEST:
            assert copy not in left
        elif copy.kind is not CopyKind.NIGHT or age <= ALL_FOR:
            assert copy in left
        else:  # a later one of its hour, or of its day, stands for it
            same = "%Y-%m-%d %H" if age <= ONE_AN_HOUR_FOR else "%Y-%m-%d"
            assert any(at >= copy.at and f"{at:{same}}" == f"{copy.at:{same}}" for at in night)
    old = [at.date() for at in night if NOW - at > ONE_AN_HOUR_FOR and at != newest]
    assert len(set(old)) == len(old)


@given(COPIES, st.integers(0, 20_000))
def test_they_take_no_more_than_their_room(copies: list[CopyFile], room: int) -> None:
    left = staying(copies, room=room)

    assert left[-1:] == staying(copies)[-1:]  # the newest of all
    if sum(copy.size for copy in left) > room:  # then only what nobody may take away is left
        assert all(copy.kind is CopyKind.ASKED for copy in left[:-1])
    if any(copy.kind is CopyKind.NIGHT for copy in left[:-1]):
        # None of the others went before the oldest of these.
        assert {copy for copy in staying(copies) if copy.kind is not CopyKind.NIGHT} <= set(left)
    assert to_delete(left, now=NOW, space=room) == []


@given(st.lists(st.integers(0, 40), unique=True, max_size=8))
def test_thinned_out_again_and_again_every_evening_is_still_there(days: list[int]) -> None:
    """Whenever one looks, of each evening within a month there is its last copy."""
    there: list[CopyFile] = []
    for day in sorted(days, reverse=True):
        begun = NOW - timedelta(days=day, hours=4)
        for nth in range(48):  # a copy every five minutes
            last = CopyFile(begun + nth * timedelta(minutes=5), CopyKind.NIGHT, 1)
            there = staying([*there, last], now=last.at)
        for earlier in days:
            at = NOW - timedelta(days=earlier, minutes=5)
            if earlier >= day and last.at - at <= LONGEST:
                assert CopyFile(at, CopyKind.NIGHT, 1) in there


@given(COPIES)
def test_a_name_says_what_it_says(copies: list[CopyFile]) -> None:
    for copy in copies:
        read = parse_name(copy.name, copy.size)

        assert read is not None
        assert (read.kind, read.size, read.name) == (copy.kind, copy.size, copy.name)
        assert timedelta() <= copy.at - read.at < timedelta(milliseconds=1)


@given(st.text(max_size=40))
def test_any_other_name_is_none(text: str) -> None:
    assert parse_name(text) is None
    assert parse_name("kula-20261399-201507-042-night.zip") is None  # a day that is none
    assert parse_name("kula-20261120-201507-042-other.zip") is None
