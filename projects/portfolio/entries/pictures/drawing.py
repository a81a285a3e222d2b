"""Draws the smaller sizes of pictures in a worker; until they are there the whole one is sent."""

from __future__ import annotations

import datetime as dt
import logging
import uuid
from collections.abc import Sequence
from pathlib import PurePosixPath
from typing import Final

from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.db import transaction
from django.utils import timezone
from kombu.exceptions import OperationalError
from redis.exceptions import RedisError

from futura.celery import app
from projects.portfolio.entries import limits
from projects.portfolio.entries.pictures.reading import sizes_of
from projects.portfolio.models import StoredImage

log = logging.getLogger(__name__)

DRAW: Final = "portfolio.draw_sizes"
LOOKED_AFTER: Final = dt.timedelta(days=2)
BATCH: Final = 200


def sized(name: str, width: int) -> str:
    """The file of a smaller one, beside the whole."""
    return str(PurePosixPath(name).with_suffix("")) + f"-{width}.webp"


def announce(stored_id: uuid.UUID) -> None:
    """Asks a worker to draw; what gets lost is looked after."""
    try:
        app.send_task(DRAW, args=[str(stored_id)], queue="jobs", retry=False)
    except (OperationalError, RedisError, OSError) as error:
        log.warning("sizes of %s not announced: %s", stored_id, error)


def draw(stored_id: uuid.UUID) -> int:
    """Draws the sizes that are not there yet; how many. Safe to run twice, and at once.

    A picture that went meanwhile, or another worker has, is passed over.
    """
    with transaction.atomic():
        locked = StoredImage.objects.select_for_update(skip_locked=True)
        stored = locked.filter(pk=stored_id).first()
        if stored is None or not (wanted := _wanting(stored)):
            return 0
        try:
            with default_storage.open(str(stored.file)) as file:
                made = sizes_of(file)
        except OSError as error:  # gone, or damaged on disk
            log.warning("sizes of %s not drawn: %s", stored_id, error)
            return 0
        for width in wanted:
            default_storage.save(sized(str(stored.file), width), ContentFile(made[width]))
    return len(wanted)


def look_after(now: dt.datetime | None = None) -> int:
    """Announces again what waits for a minute or more and nobody drew; how many."""
    until = now or timezone.now()
    recent = StoredImage.objects.filter(
        created_at__gt=until - LOOKED_AFTER, created_at__lt=until - dt.timedelta(minutes=1)
    )
    waiting = [one.pk for one in recent.order_by("-created_at")[:BATCH] if _wanting(one)]
    for stored_id in waiting:
        announce(stored_id)
    return len(waiting)


def _wanting(stored: StoredImage) -> Sequence[int]:
    """The widths that should be there and are not."""
    name = str(stored.file)
    smaller = [width for width in limits.SIZES if width < stored.width]
    return [width for width in smaller if not default_storage.exists(sized(name, width))]
