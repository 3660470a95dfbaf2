"""Who is how strong: the seeds by which knock-outs and first rounds are drawn."""

from collections import Counter
from collections.abc import Mapping

from django.db import transaction

from games.errors import gettext_noop
from tracker.common.actor import Actor
from tracker.common.audit_log import log
from tracker.common.errors import Refused
from tracker.models import Tournament

MOST_SEEDS = 999


@transaction.atomic
def seed_entrants(*, tournament_id: int, seeds: Mapping[int, int | None], by: Actor) -> None:
    """Keep the seeds of these entrants, 1 being the strongest; the others keep theirs.

    :raises Refused: ``seed`` if there is no such seed, ``seed-twice`` if two have the same,
        ``entrant-unknown`` if somebody is not in the tournament.
    """
    tournament = Tournament.objects.select_for_update(no_key=True).get(pk=tournament_id)
    before = dict(tournament.entrants.values_list("pk", "seed"))
    if not seeds.keys() <= before.keys():
        raise Refused("entrant-unknown", gettext_noop("Only who is in the tournament gets a seed."))
    after = before | dict(seeds)
    times = Counter(seed for seed in after.values() if seed is not None)
    for entrant, seed in seeds.items():
        if seed is None:
            continue
        if not 1 <= seed <= MOST_SEEDS:
            raise Refused(
                "seed",
                gettext_noop("Seeds go from 1 to %(most)d."),
                question=f"seed_{entrant}",
                most=MOST_SEEDS,
            )
        if times[seed] > 1:
            raise Refused(
                "seed-twice",
                gettext_noop("Two of them are number %(seed)d: give each a number of its own."),
                question=f"seed_{entrant}",
                seed=seed,
            )
    changed = sorted(entrant for entrant, seed in after.items() if seed != before[entrant])
    if not changed:
        return
    # Out of the way first: nobody may have a seed twice, not even for a moment.
    tournament.entrants.filter(pk__in=changed).update(seed=None)
    for entrant in changed:
        tournament.entrants.filter(pk=entrant).update(seed=after[entrant])
    log(
        by,
        "entrants-seeded",
        club_id=tournament.club_id,
        tournament=tournament.pk,
        entrants=changed,
        numbers={"seeds": [after[entrant] for entrant in changed]},
    )
