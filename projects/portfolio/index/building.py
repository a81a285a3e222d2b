"""Builds an index from a portfolio's rows, and opens it for questions.

Every document gets its vector before anything is stored, beside the build that answers; no partial
index.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, fields, replace
from functools import lru_cache
from typing import Any, Final

import numpy as np
from django.conf import settings
from django.db import transaction

from futura.errors import FuturaError, ModelUnavailable, Unavailable
from futura.llm import stages
from futura.llm.client import Llm
from onet.embeddings import LEXICAL, check_name, encoder
from onet.lexical import Floats
from projects.portfolio import contact_review
from projects.portfolio.documents import KINDS, Doc, Row, documents_of, is_public
from projects.portfolio.index.searching import Encode, Index
from projects.portfolio.models import (
    Document,
    DocumentVector,
    Entry,
    Experience,
    IndexBuild,
    IndexState,
    Portfolio,
)

log = logging.getLogger(__name__)

STAGE: Final = "portfolio_embedding"
QUESTIONS: Final = "portfolio_question_embedding"
"""The stage of visitors' questions: paid by their budget, not by the owner's."""
STORED: Final = [field.name for field in fields(Doc) if field.name not in {"embedded", "linked"}]
"""Fields that a document and its row have alike; `linked` is JSON there."""
OPEN_AT_ONCE: Final = 32
"""Portfolios whose index stays in the memory of a process."""
Key = tuple[str, str]


# Documents --------------------------------------------------------------------------------------
def rows_of(portfolio: Portfolio) -> tuple[list[Row], dict[str, list[str]]]:
    """Every living row that documents are made of, and projects by position (ids of both)."""
    rows: list[Row] = [
        row
        for model in KINDS
        for row in model._default_manager.filter(portfolio=portfolio, deleted_at=None)
    ]
    public = {row.doc_id for row in rows if isinstance(row, Entry) and is_public(row)}
    pairs = Experience.objects.filter(
        portfolio=portfolio, deleted_at=None, linked_entries__deleted_at=None
    ).values_list("doc_id", "linked_entries__doc_id")
    links: dict[str, list[str]] = {}
    for position, project in pairs:
        if project in public:
            links.setdefault(position, []).append(project)
    return rows, links


def current_documents(portfolio: Portfolio) -> list[Doc]:
    """What visitors may be told of a portfolio at this moment."""
    rows, links = rows_of(portfolio)
    return documents_of(rows, links, cleared=contact_review.cleared(portfolio.pk))


def documents_in(build: IndexBuild) -> list[Doc]:
    rows = Document.objects.filter(build=build).order_by("position")
    return [Doc(linked=tuple(row.linked), **_stored(row)) for row in rows]


def is_same(build: IndexBuild, docs: Sequence[Doc]) -> bool:
    return documents_in(build) == [
        replace(doc, embedded="", linked=tuple(doc.linked)) for doc in docs
    ]


def _stored(of: Doc | Document) -> dict[str, Any]:
    return {name: getattr(of, name) for name in STORED}


# Vectors ----------------------------------------------------------------------------------------
@dataclass(frozen=True)
class Vectors:
    """Vectors by (source, id), all of one space; none in the lexical space."""

    space: str
    by_key: Mapping[Key, Floats]

    @property
    def dimension(self) -> int:
        return len(next(iter(self.by_key.values()), ()))


NOTHING: Final = Vectors(LEXICAL, {})


def space_of(model: str = "") -> str:
    """The embedding space for a model's name: `text-embedding-3-large` is `openai:…`.

    Without a name that of the site, else of the server that is configured; without a server to ask,
    words and letters tell likeness (DECISIONS 39).
    """
    name = model or settings.EMBEDDINGS or stages.stage(STAGE).model
    if ":" not in name and name != LEXICAL:
        name = f"openai:{name}"
    check_name(name)
    return LEXICAL if name.startswith("openai:") and not Llm().is_configured else name


def encoder_of(space: str, llm: Llm | None = None, *, stage: str = STAGE) -> Encode | None:
    """What turns texts into vectors of a space; None for the lexical one."""
    if space == LEXICAL:
        return None
    kind, _, model = space.partition(":")
    if kind == "openai":
        gateway = llm or Llm()
        return lambda texts: gateway.embed(texts, model=model, stage=stage)
    return encoder(space)


def embed(docs: Sequence[Doc], space: str, llm: Llm | None = None) -> Vectors:
    """Vectors of all documents that have something to embed. Raises ModelUnavailable, Unavailable.

    ValueError when the model gave another number of vectors than texts.
    """
    encode = encoder_of(space, llm)
    texts = {doc.key: doc.embedded for doc in docs if doc.embedded}
    if encode is None or not texts:
        return Vectors(space, {})
    rows = encode(list(texts.values()))
    if len(rows) != len(texts):
        raise ValueError(f"{len(texts)} texts, {len(rows)} vectors")
    return Vectors(space, dict(zip(texts, rows, strict=True)))


def vectors_for(
    docs: Sequence[Doc], space: str, before: IndexBuild | None = None
) -> tuple[Vectors, str]:
    """Vectors of a space, asked for in one batch; none, and the reason, where it gives none.

    What was made private must not be told on: words alone answer at once. Vectors of documents
    that say what they said `before` are taken over.
    """
    if space == LEXICAL:
        return NOTHING, ""
    reused = _unchanged(docs, before) if before is not None and before.space == space else {}
    try:
        fresh = embed([doc for doc in docs if doc.key not in reused], space)
        if before is not None and reused and fresh.dimension not in {0, before.dimension}:
            fresh, reused = embed(docs, space), {}
    except (ModelUnavailable, Unavailable, ValueError) as error:
        log.warning("index in words only: %s", error)
        return NOTHING, str(error) or type(error).__name__
    return Vectors(space, {**reused, **fresh.by_key}), ""


def _unchanged(docs: Sequence[Doc], before: IndexBuild) -> dict[Key, Floats]:
    texts = {doc.key: (doc.title, doc.text) for doc in documents_in(before)}
    vectors = _vectors_in(before)
    same = (doc.key for doc in docs if texts.get(doc.key) == (doc.title, doc.text))
    return {key: vectors[key] for key in same if key in vectors}


def _vectors_in(build: IndexBuild) -> dict[Key, Floats]:
    rows = DocumentVector.objects.filter(document__build=build).values_list(
        "document__corpus", "document__doc_id", "vector"
    )
    return {(corpus, pk): np.asarray(vector, dtype=np.float32) for corpus, pk, vector in rows}


# Builds -----------------------------------------------------------------------------------------
def store(portfolio: Portfolio, docs: Sequence[Doc], vectors: Vectors) -> IndexBuild:
    """Stores a whole build and switches to it, in one transaction; the one before goes."""
    with transaction.atomic():
        Portfolio.objects.select_for_update(no_key=True).get(pk=portfolio.pk)
        IndexBuild.objects.filter(portfolio=portfolio).delete()
        build = IndexBuild.objects.create(
            portfolio=portfolio, space=vectors.space, dimension=vectors.dimension, is_active=True
        )
        rows = Document.objects.bulk_create(
            Document(build=build, position=place, linked=list(doc.linked), **_stored(doc))
            for place, doc in enumerate(docs)
        )
        DocumentVector.objects.bulk_create(
            DocumentVector(document=row, vector=vectors.by_key[key])
            for row in rows
            if (key := (row.corpus, row.doc_id)) in vectors.by_key
        )
    return build


def index_for(portfolio: Portfolio) -> Index | None:
    """The index that questions go to; None before the first build. Two queries while it is open.

    While a change waits for its build, the rows answer as they are, with the vectors of those that
    did not change: what was unpublished or deleted is not told on, however busy the workers are.
    """
    while build := IndexBuild.objects.filter(portfolio=portfolio, is_active=True).first():
        if IndexState.objects.filter(pk=portfolio.pk, wanted_at__isnull=False).exists():
            docs = current_documents(portfolio)
            return Index(docs, _unchanged(docs, build), _encoder(build), build.space)
        # another may take its place while its documents are read
        with suppress(IndexBuild.DoesNotExist):
            return _opened(build)
    return None


@lru_cache(maxsize=OPEN_AT_ONCE)
def _opened(build: IndexBuild) -> Index:
    """Raises IndexBuild.DoesNotExist for a build that is gone by now, which is not remembered."""
    index = Index(documents_in(build), _vectors_in(build), _encoder(build), build.space)
    IndexBuild.objects.get(pk=build.pk)
    return index


def _encoder(build: IndexBuild) -> Encode | None:
    try:
        return encoder_of(build.space, stage=QUESTIONS)
    except FuturaError as error:
        log.warning("space %s is not usable here: %s", build.space, error)
        return None
