"""An abstract model, and short forms of the constraints of models."""

from uuid import uuid4

from django.db import models
from django.db.models import CheckConstraint, Q, UniqueConstraint


class WithUid(models.Model):
    """A row with a uid, by which tournament files and other sites refer to it."""

    uid = models.UUIDField(default=uuid4, unique=True, editable=False)

    class Meta:
        abstract = True


def check(name: str, condition: Q) -> CheckConstraint:
    """Return the constraint, called *name*, that every row fulfils the *condition*."""
    return CheckConstraint(condition=condition, name=name)


def one_of(name: str, field: str, choices: type[models.TextChoices]) -> CheckConstraint:
    """Return the constraint that *field* holds one of *choices*."""
    return check(name, Q((f"{field}__in", tuple(choices.values))))


def unique(name: str, *fields: str, where: Q | None = None) -> UniqueConstraint:
    """Return the constraint that no two rows have equal *fields*; only of rows that fit *where*."""
    return UniqueConstraint(fields=fields, condition=where, name=name)
