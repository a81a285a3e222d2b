"""Entries with pictures that exist as rows; files are made where a test is about them."""

from __future__ import annotations

import io
import uuid
from typing import Any

import pytest
from PIL import Image

from projects.portfolio.models import Entry, EntryImage, StoredImage
from tests.portfolio import actions

STORY = [
    {"type": "heading", "text": "The kiln", "level": 2},
    {"type": "text", "text": "We rebuilt the old kiln with **new** bricks. " * 6},
]


def jpeg(width: int = 60, height: int = 40, colour: str = "teal", **more: Any) -> bytes:
    """A picture as a camera would send it."""
    return drawn("JPEG", width, height, colour, **more)


def drawn(kind: str, width: int = 60, height: int = 40, colour: str = "teal", **more: Any) -> bytes:
    """A picture of one colour."""
    out = io.BytesIO()
    Image.new("RGB", (width, height), colour).save(out, kind, **more)
    return out.getvalue()


@pytest.fixture(autouse=True)
def media(settings, tmp_path):
    """Files of a test go where nobody looks."""
    settings.MEDIA_ROOT = tmp_path / "media"
    return settings.MEDIA_ROOT


@pytest.fixture
def entry(actor, portfolio) -> Entry:
    return actions.create(actor, portfolio, title="The old kiln").row


@pytest.fixture
def picture(actor):
    """Gives an entry a picture without a file."""

    def make_one(entry: Entry, alt: str = "A kiln") -> EntryImage:
        stored = StoredImage.objects.create(
            portfolio=entry.portfolio, sha256=uuid.uuid4().hex, file="portfolio/none.jpg",
            media_type="image/jpeg", width=800, height=600,
        )  # fmt: skip
        return actions.attach_image(actor, entry, stored, alt=alt).row

    return make_one


@pytest.fixture
def ready(actor, entry, picture) -> Entry:
    """An entry that may be published."""
    picture(entry)
    told = {"summary": "A kiln, rebuilt.", "blocks": STORY}
    return actions.update(actor, entry, told).row
