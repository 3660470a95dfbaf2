"""What the site refuses although the rules of the game would not."""

from games.errors import RuleError


class Refused(RuleError):
    """Something people cannot do here and now; nothing was stored."""
