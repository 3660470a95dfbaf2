"""Origin of imported tournaments and their tables, and uploads before their import.

A *tournament file* is a whole tournament as JSON, with which it goes from one site to another.
"""

from django.db import models
from django.db.models import CheckConstraint, Q
from django.utils.translation import gettext_lazy as _

from tracker.models.clubs import Club, User
from tracker.models.sittings import Sitting
from tracker.models.tournaments import Tournament


class Origin(models.Model):
    """The club, season and nights of an imported tournament, as its file names them."""

    tournament = models.OneToOneField(Tournament, models.CASCADE, related_name="origin")
    club = models.CharField(_("club"), max_length=80)
    season = models.CharField(_("season"), max_length=80, blank=True)
    nights = models.JSONField(default=list, blank=True)  # starting times as text
    imported_at = models.DateTimeField()

    class Meta:
        constraints = [CheckConstraint(condition=~Q(club=""), name="origin_is_a_club")]

    def __str__(self) -> str:
        return f"{self.tournament} of {self.club}"


class ImportedTable(models.Model):
    """A table in a round that came from a file, with all that was reported at it."""

    sitting = models.OneToOneField(Sitting, models.CASCADE, primary_key=True, related_name="+")
    # The key of the last report in the file. Undoing the import may delete it and those before it.
    last_report = models.BigIntegerField()

    def __str__(self) -> str:
        return f"{self.sitting} from a file"


class Upload(models.Model):
    """An uploaded tournament file before its import; one for each user."""

    user = models.OneToOneField(User, models.CASCADE, related_name="upload")
    club = models.ForeignKey(Club, models.CASCADE, related_name="uploads")
    content = models.BinaryField()  # the file, as it was sent
    # Where the published standings in the file differ from those computed from its hands.
    differences = models.JSONField(null=True, blank=True)
    uploaded_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{len(self.content)} bytes for {self.club}"
