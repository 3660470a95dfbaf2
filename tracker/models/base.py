"""An abstract model and a constraint that several models use."""

from uuid import uuid4

from django.db import models


class WithUid(models.Model):
    """A row with a uid, by which tournament files and other sites refer to it."""

    uid = models.UUIDField(default=uuid4, unique=True, editable=False)

    class Meta:
        abstract = True


def one_of(field: str, choices: type[models.TextChoices], name: str) -> models.CheckConstraint:
    """Return the constraint that *field* holds one of *choices*."""
    return models.CheckConstraint(
        condition=models.Q((f"{field}__in", tuple(choices.values))), name=name
    )
