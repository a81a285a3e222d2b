"""Embedding spaces: vectors of one model over one release, built aside and then switched to.

Those of the active space are kept in memory as matrices.

Exact search by one matrix product took 7 ms for statements and for titles, the same scan in
PostgreSQL 9 and 44 ms (medians, 384 dimensions, O*NET 30, two busy cores). So the tables keep the
vectors (one place for many machines, resumable), and each process maps a file made from them.
"""

from __future__ import annotations

import importlib
import logging
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import chain
from typing import Any, Final

import numpy as np
from django.db import transaction
from django.utils import timezone

from futura.errors import BadInput, FuturaError, Unavailable
from futura.llm.client import Llm
from futura.progress import Reporter
from onet.lexical import Arrays, Floats, Texts, located, open_index, text_hash
from onet.models import (
    AlternateTitle,
    EmbeddingSpace,
    Occupation,
    Release,
    StatementVector,
    TaskStatement,
    TitleVector,
)

log = logging.getLogger(__name__)

LEXICAL: Final = "lexical"
Encode = Callable[[Sequence[str]], Floats]
"""Texts in, `(n, d)` float32 of unit length out."""

_encoding = threading.Lock()


def check_name(name: str) -> None:
    """Raises BadInput for a space that nothing here can make."""
    kind, _, model = name.partition(":")
    if name != LEXICAL and (kind not in {"openai", "sentence-transformers"} or not model):
        raise BadInput(
            f"“{name}” is no embedding space. Use lexical, openai:MODEL or "
            "sentence-transformers:MODEL (a name or a folder)."
        )


def encoder(name: str) -> Encode:
    """The encoder of a space. Raises Unavailable where its library is missing."""
    check_name(name)
    kind, _, model = name.partition(":")
    if kind == "openai":
        return lambda texts: Llm().embed(texts, model=model)
    return _local(model)


def _local(path: str) -> Encode:
    """A local model; one call at a time, since its tokenizer is not safe between threads."""
    with _encoding:
        model = _local_model(path)

    def encode(texts: Sequence[str]) -> Floats:
        with _encoding:
            vectors = model.encode(
                list(texts), normalize_embeddings=True, show_progress_bar=False, batch_size=64
            )
        return np.asarray(vectors, dtype=np.float32)

    return encode


@lru_cache(maxsize=2)
def _local_model(path: str) -> Any:
    try:
        library = importlib.import_module("sentence_transformers")
    except ImportError as error:
        raise Unavailable(
            "Local embeddings need an extra: pip install 'futura[local-embeddings]'."
        ) from error
    try:
        return library.SentenceTransformer(path, device="cpu")
    except (OSError, ValueError) as error:
        raise Unavailable(f"The embedding model {path} cannot be opened: {error}") from error


VERSION: Final = 1
CALIBRATION: Final = (-6.0, 5.0, 5.0)
"""Intercept and slopes of likeness and likest linked statement."""


@dataclass(frozen=True, slots=True)
class Meanings:
    """Vectors of one space over one release, by hash of the text. Read-only, thread-safe."""

    name: str
    arrays: Arrays
    encode: Encode
    places: dict[str, tuple[Texts, Any]] = field(default_factory=dict)
    """The texts asked about last, by kind, and where they are in the matrix."""

    def cosines(self, kind: str, texts: Texts, queries: Sequence[str]) -> Floats | None:
        """`(queries, texts)` likeness of queries to the texts of an index, 0 for unknown ones.

        `kind` is `statements` or `titles`. None when the model cannot be reached, or another
        answers under its name, whose vectors have another size.
        """
        try:
            vectors = self.encode(queries)
        except FuturaError as error:
            log.warning("queries not embedded in %s: %s", self.name, error)
            return None
        if vectors.shape[1] != self.arrays[kind].shape[1]:
            log.warning("queries in %s have vectors of %d numbers", self.name, vectors.shape[1])
            return None
        rows = self._rows(kind, texts)
        cosines = np.asarray(self.arrays[kind] @ vectors.T).T[:, rows]
        cosines[:, rows < 0] = 0
        return np.asarray(cosines, dtype=np.float32)

    def _rows(self, kind: str, texts: Texts) -> Any:
        """`(texts,)` row of each text of an index in the matrix, -1 where the space has none."""
        stored = self.places.get(kind)
        if stored is None or stored[0] is not texts:
            hashes = np.array([text_hash(text) for text in texts], dtype=np.uint64)
            places, is_known = located(self.arrays[f"{kind}_hashes"], hashes)
            stored = texts, np.where(is_known, places, -1)
            self.places[kind] = stored
        return stored[1]


_open: dict[tuple[int, str], Meanings] = {}
_lock = threading.Lock()


def active_meanings(release: Release) -> Meanings | None:
    """The active neural space of a release, None where words alone count. One query."""
    space = EmbeddingSpace.objects.filter(release=release, is_active=True).first()
    if space is None or space.name == LEXICAL:
        return None
    key = (space.pk, str(space.finished_at))
    with _lock:
        if key not in _open:
            try:
                encode = encoder(space.name)
            except FuturaError as error:
                log.warning("space %s is not usable here: %s", space.name, error)
                return None
            name = f"vectors-{VERSION}-{space.pk}-{space.finished_at:%Y%m%d%H%M%S}"
            arrays = open_index(f"{name}-{release.fingerprint[:16]}", lambda: _gather(space))
            _open.clear()
            _open[key] = Meanings(space.name, arrays, encode)
        return _open[key]


def _gather(space: EmbeddingSpace) -> Arrays:
    """Matrices of distinct texts, sorted by hash."""
    statements = StatementVector.objects.filter(space=space)
    titles = TitleVector.objects.filter(space=space)
    arrays: Arrays = {}
    for kind, rows in (
        ("statements", statements.values_list("statement__text", "vector")),
        ("titles", titles.values_list("title", "vector")),
    ):
        matches = {text_hash(text): vector for text, vector in rows.iterator(chunk_size=2000)}
        order = sorted(matches)
        arrays[f"{kind}_hashes"] = np.array(order, dtype=np.uint64)
        arrays[kind] = np.array([matches[key] for key in order], dtype=np.float32).reshape(
            len(order), -1
        )
    return arrays


# Building -----------------------------------------------------------------------------------------
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
            _fill(space, encoder(space.name), reporter or Reporter())
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
