"""The data, one file a noun."""

from tracker.models.acts import Act, Award, AwardKind, AwardRule, Snapshot
from tracker.models.clubs import Club, Membership, Role, User
from tracker.models.hands import (
    Hand,
    HandKind,
    Instead,
    Matter,
    MatterKind,
    Report,
    SeatTally,
    Tally,
    Verdict,
)
from tracker.models.invitations import Invitation
from tracker.models.nights import Attendance, ClubNight, Coming, Season, SeasonRule
from tracker.models.players import Player, Team, name_key
from tracker.models.records import HandRecord
from tracker.models.sittings import Seat, Sitting, Table, TokenState
from tracker.models.tournaments import (
    Confirm,
    Entrant,
    Format,
    Round,
    RoundState,
    Settled,
    Tournament,
)

__all__ = [
    "Act",
    "Attendance",
    "Award",
    "AwardKind",
    "AwardRule",
    "Club",
    "ClubNight",
    "Coming",
    "Confirm",
    "Entrant",
    "Format",
    "Hand",
    "HandKind",
    "HandRecord",
    "Instead",
    "Invitation",
    "Matter",
    "MatterKind",
    "Membership",
    "Player",
    "Report",
    "Role",
    "Round",
    "RoundState",
    "Season",
    "SeasonRule",
    "Seat",
    "SeatTally",
    "Settled",
    "Sitting",
    "Snapshot",
    "Table",
    "Tally",
    "Team",
    "TokenState",
    "Tournament",
    "User",
    "Verdict",
    "name_key",
]
