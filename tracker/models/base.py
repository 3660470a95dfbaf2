"""What the models have in common."""

from uuid import uuid4

from django.db import models


class WithUid(models.Model):
    """A row that leaves the site, in a file or for another site, and is known there by its uid."""

    uid = models.UUIDField(default=uuid4, unique=True, editable=False)

    class Meta:
        abstract = True


def one_of(field: str, choices: type[models.TextChoices], name: str) -> models.CheckConstraint:
    """Return the constraint that *field* holds one of *choices*."""
    return models.CheckConstraint(
        condition=models.Q((f"{field}__in", tuple(choices.values))), name=name
    )
