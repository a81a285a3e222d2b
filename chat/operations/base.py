"""What every model has that is changed by operations only."""

from __future__ import annotations

import uuid
from typing import ClassVar

from django.db import models
from django.utils import timezone


class OperableModel(models.Model):
    """A row with a version; deleting it keeps the row, so that an undo finds the same id.

    Rows of subclasses are written by `chat.operations` alone: a trigger refuses everybody else.
    Foreign keys of subclasses are PROTECT or DO_NOTHING, never a cascade of the database.
    """

    is_operable: ClassVar[bool] = True

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    owner = models.ForeignKey("chat.Participant", on_delete=models.PROTECT, related_name="+")
    version = models.PositiveIntegerField(default=1)
    created_at = models.DateTimeField(default=timezone.now)
    updated_at = models.DateTimeField(default=timezone.now)
    deleted_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        abstract = True
