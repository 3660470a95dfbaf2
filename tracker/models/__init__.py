"""The data, one file a noun."""

from tracker.models.audit_log import BLACKENED, LogEntry
from tracker.models.awards import Award, AwardKind, AwardRule
from tracker.models.clubs import Club, Membership, Role, User
from tracker.models.draws import Draw
from tracker.models.entrants import Entrant
from tracker.models.hands import (
    CallReason,
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
from tracker.models.keys import Misses, WithdrawnKey
from tracker.models.nights import Attendance, ClubNight, Rsvp, Season, SeasonRule
from tracker.models.players import Player, Team, name_key
from tracker.models.progress import Progress
from tracker.models.records import HandRecord
from tracker.models.rounds import Rest, Round, RoundState
from tracker.models.sittings import DecidedBy, Seat, Sitting, Table, TokenState
from tracker.models.tournament_files import ImportedTable, Origin, Upload
from tracker.models.tournaments import (
    CarryOver,
    Confirm,
    Format,
    Leftover,
    Movement,
    RankedBy,
    RestCredit,
    Substitution,
    TieResolution,
    Tournament,
)
from tracker.models.wishes import SeatingWish, WishKind

__all__ = [
    "BLACKENED",
    "Attendance",
    "Award",
    "AwardKind",
    "AwardRule",
    "CallReason",
    "CarryOver",
    "Club",
    "ClubNight",
    "Confirm",
    "DecidedBy",
    "Draw",
    "Entrant",
    "Format",
    "Hand",
    "HandKind",
    "HandRecord",
    "ImportedTable",
    "Invitation",
    "Issue",
    "IssueKind",
    "Leftover",
    "LogEntry",
    "Membership",
    "Misses",
    "Movement",
    "Origin",
    "Player",
    "Progress",
    "RankedBy",
    "Report",
    "Rest",
    "RestCredit",
    "ResultType",
    "Role",
    "Round",
    "RoundState",
    "Rsvp",
    "Season",
    "SeasonRule",
    "Seat",
    "SeatTally",
    "SeatingWish",
    "Sitting",
    "Substitution",
    "Table",
    "Tally",
    "Team",
    "TieResolution",
    "TokenState",
    "Tournament",
    "Upload",
    "User",
    "Verdict",
    "WishKind",
    "WithdrawnKey",
    "name_key",
]
