"""Builds an embedding space batch by batch beside the active one, then switches to it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Final

from django.db import transaction
from django.utils import timezone

from futura.errors import FuturaError
from futura.progress import Quiet, Reporter
from onet.embeddings.matrices import LEXICAL, Encode, check_name, encoder
from onet.models import (
    AlternateTitle,
    EmbeddingSpace,
    Occupation,
    Release,
    StatementVector,
    TaskStatement,
    TitleVector,
)

BATCH: Final = 256


def prepare_space(release: Release, name: str) -> EmbeddingSpace:
    """The space of that name over a release, to be built or gone on with; BadInput for no name."""
    check_name(name)
    total = 0 if name == LEXICAL else _total(release)
    space, _created = EmbeddingSpace.objects.update_or_create(
        release=release, name=name, defaults={"total": total, "error": ""}
    )
    return space


def build_space(space_id: int, *, reporter: Reporter | None = None) -> EmbeddingSpace:
    """Encodes what has no vector yet, then makes the space the active one.

    Safe to run again, and to run twice at once: what is there is not encoded again. A failure is
    kept on the row and raised; the active space stays.
    """
    space = EmbeddingSpace.objects.select_related("release").get(pk=space_id)
    try:
        if space.name != LEXICAL:
            _fill(space, encoder(space.name), reporter or Quiet())
    except FuturaError as error:
        space.status, space.error = EmbeddingSpace.Status.FAILED, str(error)
        space.save(update_fields=["status", "error"])
        raise
    activate(space)
    return space


def activate(space: EmbeddingSpace) -> None:
    """Switches a release to a finished space, in one transaction."""
    with transaction.atomic():
        Release.objects.select_for_update().get(pk=space.release_id)
        EmbeddingSpace.objects.filter(release=space.release_id, is_active=True).exclude(
            pk=space.pk
        ).update(is_active=False)
        space.is_active = True
        space.status = EmbeddingSpace.Status.READY
        space.finished_at = timezone.now()
        space.save(update_fields=["is_active", "status", "finished_at"])


def _total(release: Release) -> int:
    return (
        TaskStatement.objects.filter(release=release).count()
        + Occupation.objects.filter(release=release).count()
        + AlternateTitle.objects.filter(occupation__release=release).count()
    )


def _fill(space: EmbeddingSpace, encode: Encode, reporter: Reporter) -> None:
    EmbeddingSpace.objects.filter(pk=space.pk).update(status=EmbeddingSpace.Status.BUILDING)
    done = space.statements.count() + space.titles.count()
    reporter.step("Encoding statements and titles", total=space.total)
    reporter.advance(done)
    for number in chain(_encode_statements(space, encode), _encode_titles(space, encode)):
        done = min(done + number, space.total)
        EmbeddingSpace.objects.filter(pk=space.pk).update(done=done)
        reporter.advance(number)
    EmbeddingSpace.objects.filter(pk=space.pk).update(done=space.total)


def _encode_statements(space: EmbeddingSpace, encode: Encode) -> Iterator[int]:
    """Encodes statements without a vector, batch by batch; how many each time."""
    missing = (
        TaskStatement.objects.filter(release=space.release)
        .exclude(pk__in=space.statements.values("statement"))
        .order_by("pk")
    )
    for rows in _chunks(list(missing.values_list("pk", "text"))):
        vectors = encode([text for _, text in rows])
        StatementVector.objects.bulk_create(
            (
                StatementVector(space=space, statement_id=pk, vector=vector)
                for (pk, _), vector in zip(rows, vectors, strict=True)
            ),
            ignore_conflicts=True,
        )
        if space.dimension != vectors.shape[1]:
            space.dimension = vectors.shape[1]
            space.save(update_fields=["dimension"])
        yield len(rows)


def _encode_titles(space: EmbeddingSpace, encode: Encode) -> Iterator[int]:
    """The same for titles, in alphabetical order: one text of several occupations goes once."""
    own = Occupation.objects.filter(release=space.release).values_list("pk", "title")
    other = AlternateTitle.objects.filter(occupation__release=space.release)
    stored = set(space.titles.values_list("occupation_id", "title"))
    missing = {*own, *other.values_list("occupation_id", "title")} - stored
    for rows in _chunks(sorted(missing, key=lambda row: (row[1], row[0]))):
        texts = list(dict.fromkeys(text for _, text in rows))
        vectors = dict(zip(texts, encode(texts), strict=True))
        TitleVector.objects.bulk_create(
            (
                TitleVector(space=space, occupation_id=pk, title=text, vector=vectors[text])
                for pk, text in rows
            ),
            ignore_conflicts=True,
        )
        yield len(rows)


def _chunks(rows: Sequence[tuple[int, str]]) -> Iterator[Sequence[tuple[int, str]]]:
    for start in range(0, len(rows), BATCH):
        yield rows[start : start + BATCH]
