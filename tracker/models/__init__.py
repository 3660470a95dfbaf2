"""The data, one file a noun."""

from tracker.models.audit_log import BLACKENED, LogEntry
from tracker.models.awards import Award, AwardKind, AwardRule
from tracker.models.clubs import Club, Membership, Role, User
from tracker.models.hands import (
    Hand,
    HandKind,
    Issue,
    IssueKind,
    Report,
    ResultType,
    SeatTally,
    Tally,
    Verdict,
)
from tracker.models.invitations import Invitation
from tracker.models.nights import Attendance, ClubNight, Rsvp, Season, SeasonRule
from tracker.models.players import Player, Team, name_key
from tracker.models.progress import Progress
from tracker.models.records import HandRecord
from tracker.models.sittings import Seat, Sitting, Table, TokenState
from tracker.models.tournaments import (
    Confirm,
    Entrant,
    Format,
    Rest,
    Round,
    RoundState,
    TieResolution,
    Tournament,
)

__all__ = [
    "BLACKENED",
    "Attendance",
    "Award",
    "AwardKind",
    "AwardRule",
    "Club",
    "ClubNight",
    "Confirm",
    "Entrant",
    "Format",
    "Hand",
    "HandKind",
    "HandRecord",
    "Invitation",
    "Issue",
    "IssueKind",
    "LogEntry",
    "Membership",
    "Player",
    "Progress",
    "Report",
    "Rest",
    "ResultType",
    "Role",
    "Round",
    "RoundState",
    "Rsvp",
    "Season",
    "SeasonRule",
    "Seat",
    "SeatTally",
    "Sitting",
    "Table",
    "Tally",
    "Team",
    "TieResolution",
    "TokenState",
    "Tournament",
    "User",
    "Verdict",
    "name_key",
]
