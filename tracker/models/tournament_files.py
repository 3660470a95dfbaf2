"""Tournaments that came in a file: their origin, and uploads that are not imported yet."""

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from tracker.models.clubs import Club, User
from tracker.models.sittings import Sitting
from tracker.models.tournaments import Tournament


class Origin(models.Model):
    """The club, season and nights of an imported tournament, as its file names them."""

    tournament = models.OneToOneField(Tournament, models.CASCADE, related_name="origin")
    club = models.CharField(_("club"), max_length=80)
    season = models.CharField(_("season"), max_length=80, blank=True)
    nights = models.JSONField(default=list, blank=True)  # when they began
    imported_at = models.DateTimeField()

    class Meta:
        constraints = [models.CheckConstraint(condition=~Q(club=""), name="origin_is_a_club")]

    def __str__(self) -> str:
        return f"{self.tournament} of {self.club}"


class ImportedTable(models.Model):
    """A table that came in a file: its reports up to the last of these may be deleted again."""

    sitting = models.OneToOneField(Sitting, models.CASCADE, primary_key=True, related_name="+")
    last_report = models.BigIntegerField()  # its key; later ones were sent here, and stay

    def __str__(self) -> str:
        return f"{self.sitting} from a file"


class Upload(models.Model):
    """The file of a tournament between its preview and its import; one for each user."""

    user = models.OneToOneField(User, models.CASCADE, related_name="upload")
    club = models.ForeignKey(Club, models.CASCADE, related_name="uploads")
    content = models.BinaryField()
    differences = models.JSONField(null=True, blank=True)  # of what was published, if there are any
    uploaded_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{len(self.content)} bytes for {self.club}"
