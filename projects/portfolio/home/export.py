"""A portfolio to keep: all that its owner wrote as JSON; the photo and the pictures as files."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

import orjson
from django.core.files.storage import default_storage
from django.db.models import Manager
from django.utils import timezone

from chat.identity import Identity
from futura.attachments import Files, zipped
from projects.portfolio.models import Entry, OpenQuestion, Portfolio, StoredImage
from projects.portfolio.queries import entries_of, portfolios_of
from projects.portfolio.schema.kinds import KINDS, TABLES

FORMAT: Final = "futura.portfolio"
VERSION: Final = 1
FILE: Final = "portfolio.json"


def exported(portfolio: Portfolio) -> dict[str, Any]:
    """Everything of a portfolio, private fields included, by the names that its tables give.

    Pictures are named by the files that `_files` puts beside it.
    """
    own = {"portfolio": portfolio, "deleted_at": None}
    photo = StoredImage.objects.filter(pk__in=[portfolio.photo_id]).first()
    questions = OpenQuestion.objects.filter(**own).exclude(answer="")
    return {
        "format": FORMAT,
        "version": VERSION,
        "exportedAt": timezone.now(),
        "id": portfolio.pk,
        "status": portfolio.status,
        "publishedAt": portfolio.published_at,
        **_values(portfolio),
        "photo": {"file": _name(photo), "alt": portfolio.photo_alt} if photo else None,
        "records": {
            kind.slug: [
                {"id": row.pk, **_values(row)} for row in kind.model._default_manager.filter(**own)
            ]
            for kind in KINDS.values()
        },
        "entries": [_entry(entry) for entry in entries_of(portfolio)],
        "answers": list(questions.values("id", "question", "answer", "status")),
    }


def archive_of(portfolio: Portfolio) -> Iterator[bytes]:
    """The same as a ZIP file with the pictures in it."""
    return zipped(_files(portfolio))


def files_of(identity: Identity) -> Files:
    """The same of all the caller's portfolios, each in a folder of its own."""
    for portfolio in list(portfolios_of(identity)):
        for name, pieces in _files(portfolio):
            yield f"{portfolio.slug}/{name}", pieces


def _files(portfolio: Portfolio) -> Files:
    """The JSON and the pictures; those whose file is gone are left out."""
    yield FILE, [orjson.dumps(exported(portfolio), option=orjson.OPT_INDENT_2)]
    images = [image for entry in entries_of(portfolio) for image in entry.living_images]  # type: ignore[attr-defined]
    keys = {portfolio.photo_id, *(image.image_id for image in images)} - {None}
    for stored in StoredImage.objects.filter(pk__in=keys):
        if default_storage.exists(str(stored.file)):
            with default_storage.open(str(stored.file)) as snapshot:
                yield _name(stored), [snapshot.read()]


def _entry(entry: Entry) -> dict[str, Any]:
    images: Sequence[Any] = entry.living_images  # type: ignore[attr-defined]
    return {
        "id": entry.pk,
        "slug": entry.slug,
        "status": entry.status,
        **_values(entry),
        "blocks": entry.blocks,
        "pictures": [
            {"id": image.pk, "file": _name(image.image), "alt": image.alt, "caption": image.caption,
             "isHero": image.is_hero}
            for image in images
        ],
    }  # fmt: skip


def _values(row: Any) -> dict[str, Any]:
    values = {field.name: getattr(row, field.name) for field in TABLES[type(row)]}
    return {
        name: list(entry.values_list("pk", flat=True)) if isinstance(entry, Manager) else entry
        for name, entry in values.items()
    }


def _name(stored: StoredImage) -> str:
    return f"pictures/{stored.pk}.{str(stored.file).rpartition('.')[2]}"
