"""The models, imported from here; one module for each subject.

``clubs``, ``players``, ``nights``: clubs, users and the log of what people did; players and teams;
the evenings of a club.
``tournaments``, ``rounds``, ``sittings``, ``stints``: a tournament with its entrants, its rounds,
the tables in each (a *sitting* is a table in one round), and who sat there from when to when.
``hands``, ``progress``, ``awards``: reports, hands and what they add up to; other points.
``programs``: tokens of the API, webhooks and their deliveries.
"""

from tracker.models.awards import Award, AwardKind, AwardRule
from tracker.models.clubs import BLACKENED, Club, LogEntry, Membership, Role, User
from tracker.models.hands import (
    CallReason,
    Hand,
    HandKind,
    HandRecord,
    Issue,
    IssueKind,
    Report,
    ResultType,
    SeatTally,
    Tally,
    Verdict,
)
from tracker.models.nights import Attendance, ClubNight, Rsvp, Season, SeasonRule
from tracker.models.players import Invitation, Player, SeatingWish, Team, WishKind, name_key
from tracker.models.programs import ApiToken, Delivery, Event, TokenScope, Webhook
from tracker.models.progress import Progress
from tracker.models.rounds import Draw, Rest, Round, RoundState
from tracker.models.sittings import (
    DecidedBy,
    ImportedTable,
    Misses,
    Seat,
    Sitting,
    Table,
    TokenState,
    WithdrawnKey,
)
from tracker.models.tournaments import (
    CarryOver,
    Confirm,
    Entrant,
    Format,
    Leftover,
    Movement,
    Origin,
    RankedBy,
    RestCredit,
    Substitution,
    TieResolution,
    Tournament,
    Upload,
    first_stage,
)
