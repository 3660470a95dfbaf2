"""Every movement, from the first draw to the last round, with somebody who withdraws on the way."""

from collections import Counter
from itertools import combinations
from random import Random

import pytest

from tests import make
from tracker.common.errors import Refused
from tracker.models import Format, Movement, Round, Tournament
from tracker.nights.services.closing import close_round
from tracker.seating.services.draws import draw_rounds
from tracker.seating.services.round_opening import open_draw
from tracker.standings.queries.standings import standings
from tracker.tournaments.services.entering import enter_players, enter_teams, withdraw
from tracker.tournaments.services.terms import movements_for

pytestmark = pytest.mark.django_db

ROUNDS = 4


def cup(movement: Movement, format_: Format, number: int) -> Tournament:
    made = make.tournament(hands=1, movement=movement, teams=format_ == Format.TEAMS)
    people = [make.player(f"P{each:02d}", club=made.club) for each in range(2 * number)]
    if format_ == Format.TEAMS:
        teams = [make.team(*people[each : each + 2]).pk for each in range(0, 2 * number, 2)]
        enter_teams(tournament_id=made.pk, teams=teams, by=make.actor())
    else:
        players = [each.pk for each in people[:number]]
        enter_players(tournament_id=made.pk, players=players, by=make.actor())
    return made


def play(tournament: Tournament, seed: int) -> Round:
    """Draw, open, report and close the next round; the first side at every table wins."""
    draw_rounds(tournament_id=tournament.pk, by=make.actor(), rng=Random(seed))
    round_ = open_draw(tournament_id=tournament.pk, by=make.actor(), rng=Random(seed))
    for sitting in round_.sittings.all():
        make.report(sitting, {"eaten": [70, 50]})
    return close_round(round_id=round_.pk, by=make.actor())


CHOICES = [
    (movement, format_)
    for format_ in Format
    for movement in movements_for(format_)
    if movement != Movement.FREE  # its tables are not drawn: nights/services/tonight
]


@pytest.mark.parametrize(("movement", "format_"), CHOICES)
def test_rounds_follow_each_other_and_everybody_is_somewhere(
    movement: Movement, format_: Format
) -> None:
    tournament = cup(movement, format_, 9)
    brackets = {Movement.KNOCKOUT, Movement.DOUBLE_ELIMINATION}
    met: Counter[frozenset[int]] = Counter()

    for number in range(1, ROUNDS + 1):
        round_ = play(tournament, number)
        seats = list(round_.seats.values_list("entrant", "sitting", "side"))
        seated = {entrant for entrant, _sitting, _side in seats}
        resting = set(round_.rests.values_list("entrant", flat=True))
        playing = set(tournament.entrants.playing().values_list("pk", flat=True))
        assert not seated & resting
        assert movement in brackets or seated | resting == playing
        sides = {(sitting, side, entrant) for entrant, sitting, side in seats}
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
        play(tournament, number)

    with pytest.raises(Refused, match="have won") as refused:
        play(tournament, 3)

    assert refused.value.code == "decided"
