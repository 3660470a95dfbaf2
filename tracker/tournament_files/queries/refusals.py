"""What is said of a file that is refused: the place, the reason, and whether it was changed."""

from django.utils.translation import gettext

from games.errors import RuleError
from tracker.common.refusals import sentence
from tracker.tournament_files.logic.misfit import Misfit


def why_refused(refusal: RuleError) -> str:
    """Return why a file is refused, in the reader's language."""
    if not isinstance(refusal, Misfit):
        return sentence(refusal)
    words = {"where": refusal.where, "why": sentence(refusal)}
    if refusal.changed:
        return gettext("This file was changed after it was written. %(where)s: %(why)s") % words
    return gettext("%(where)s: %(why)s") % words
