"""Every movement, from the first draw to the last round, with somebody who withdraws on the way."""

from collections import Counter
from itertools import combinations

import pytest

from tests import act, make
from tests.tracker.seating.seats import play
from tracker.models import Format, Movement, Round, Tournament
from tracker.standings.queries.standings import standings
from tracker.tournaments.services.entering import enter_teams, withdraw
from tracker.tournaments.services.terms import movements_for

pytestmark = pytest.mark.django_db

CHOICES = [
    (movement, format_)
    for format_ in Format
    for movement in movements_for(format_)
    if movement != Movement.FREE  # its tables are not drawn: nights/services/tonight
]


def cup(movement: Movement, format_: Format, number: int) -> Tournament:
    made = make.tournament(hands=1, movement=movement, teams=format_ == Format.TEAMS)
    names = [f"P{each:02d}" for each in range(2 * number)]
    if format_ != Format.TEAMS:
        act.enter(made, *names[:number])
        return made
    people = [make.player(name, club=made.club) for name in names]
    teams = [make.team(*pair).pk for pair in zip(people[::2], people[1::2], strict=True)]
    enter_teams(tournament_id=made.pk, teams=teams, by=make.actor())
    return made


def play_round(tournament: Tournament, seed: int) -> Round:
    """Draw, open, report and close the next round; the first side at every table wins."""
    act.draw(tournament, seed)
    round_ = act.open_drawn(tournament, seed)
    for sitting in round_.sittings.all():
        play(sitting)
    return act.close(round_)


@pytest.mark.parametrize(("movement", "format_"), CHOICES)
def test_round_after_round_everybody_is_somewhere(movement: Movement, format_: Format) -> None:
    tournament = cup(movement, format_, 9)
    brackets = {Movement.KNOCKOUT, Movement.DOUBLE_ELIMINATION}
    met: Counter[frozenset[int]] = Counter()

    for number in (1, 2, 3, 4):
        round_ = play_round(tournament, number)
        sides = {*round_.seats.values_list("sitting", "side", "entrant")}
        seated = {entrant for _sitting, _side, entrant in sides}
        resting = set(round_.rests.values_list("entrant", flat=True))
        playing = set(tournament.entrants.playing().values_list("pk", flat=True))
        assert not seated & resting
        assert movement in brackets or seated | resting == playing
        met.update(
            frozenset((seat[2], other[2]))
            for seat, other in combinations(sorted(sides), 2)
            if seat[0] == other[0] and seat[1] != other[1]
        )
        if number == 2:
            withdraw(entrant_id=min(seated), by=make.actor())

    assert len(standings(tournament).rows) == 9
    if movement in {Movement.ROUND_ROBIN, Movement.SWISS, Movement.KNOCKOUT}:
        assert max(met.values()) == 1  # nobody met anybody twice


def test_a_knock_out_that_is_decided_says_who_won() -> None:
    tournament = cup(Movement.KNOCKOUT, Format.TEAMS, 4)
    for number in range(2):
        play_round(tournament, number)
    with act.refused("decided") as refused:
        play_round(tournament, 3)
    assert "have won" in str(refused.value)
