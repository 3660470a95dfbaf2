"""What a name must be before anybody is called by it."""

from games.errors import gettext_noop
from tracker.common.errors import Refused
from tracker.common.spelling import another, is_name, tidy

PLAYER_NAME, FULL_NAME, TEAM_NAME, CLUB_NAME = 60, 120, 80, 80  # letters at the most


def clean_name(name: str, *, most: int, question: str = "name") -> str:
    """Return *name* as it is kept.

    :raises Refused: if nothing of it can be seen, or it is longer than *most*.
    """
    kept = tidy(name)
    if not is_name(kept):
        raise Refused("name-empty", gettext_noop("Please write a name."), question=question)
    if len(kept) > most:
        raise Refused(
            "name-long",
            gettext_noop("“%(start)s…” is too long: %(most)d letters are the most."),
            question=question,
            start=kept[:20],
            most=most,
        )
    return kept


def taken(name: str) -> Refused:
    """Return the refusal of a *name* that somebody in the club has already."""
    return Refused(
        "name-taken",
        gettext_noop(
            "%(name)s is in this club already. If this is somebody else,"
            " write one letter more, such as “%(other)s”."
        ),
        question="name",
        name=name,
        other=another(name),
    )


def team_taken(name: str) -> Refused:
    """Return the refusal of a *name* that another team of the club has already."""
    return Refused(
        "name-taken",
        gettext_noop("There is a team called %(name)s already. Please choose another name."),
        question="name",
        name=name,
    )
