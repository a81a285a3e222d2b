"""Builds an index: every document gets its vector before anything is stored; no partial index."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from django.conf import settings
from django.db import transaction

from futura.llm import stages
from futura.llm.client import Llm
from onet.embeddings.encoders import LEXICAL, check_name, encoder
from onet.lexical.postings import Floats
from projects.portfolio.documents import Doc
from projects.portfolio.index.searching import Encode
from projects.portfolio.models import Document, DocumentVector, IndexBuild, Portfolio

STAGE: Final = "portfolio_embedding"
QUESTIONS: Final = "portfolio_question_embedding"
"""The stage of visitors' questions: paid by their budget, not by the owner's."""


@dataclass(frozen=True)
class Vectors:
    """Vectors by (source, id), all of one space; none in the lexical space."""

    space: str
    dimension: int
    by_key: Mapping[tuple[str, str], Floats]


def space_of(model: str, *, is_configured: bool) -> str:
    """The embedding space for a model's name: `text-embedding-3-large` is `openai:…`.

    Without a name or without a server to ask, words and letters tell likeness (DECISIONS 39).
    """
    name = model or settings.EMBEDDINGS or LEXICAL
    if ":" not in name and name != LEXICAL:
        name = f"openai:{name}"
    check_name(name)
    return LEXICAL if name.startswith("openai:") and not is_configured else name


def default_space() -> str:
    """The site's space; without one, the vectors of the server that is configured."""
    name = settings.EMBEDDINGS or stages.stage(STAGE).model
    return space_of(name, is_configured=Llm().is_configured)


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
    wanted = [one for one in docs if one.embedded]
    if encode is None or not wanted:
        return Vectors(space, 0, {})
    found = encode([one.embedded for one in wanted])
    if len(found) != len(wanted):
        raise ValueError(f"{len(wanted)} texts, {len(found)} vectors")
    keys = [(one.corpus, one.doc_id) for one in wanted]
    return Vectors(space, int(found.shape[1]), dict(zip(keys, found, strict=True)))


def missing(docs: Sequence[Doc], vectors: Vectors) -> list[str]:
    """Ids of documents that should have a vector and have none."""
    if vectors.space == LEXICAL:
        return []
    return [
        one.doc_id
        for one in docs
        if one.embedded and (one.corpus, one.doc_id) not in vectors.by_key
    ]


def store(portfolio: Portfolio, docs: Sequence[Doc], vectors: Vectors) -> IndexBuild:
    """Stores a whole build and switches to it, in one transaction; the one before goes."""
    with transaction.atomic():
        Portfolio.objects.select_for_update(no_key=True).get(pk=portfolio.pk)
        IndexBuild.objects.filter(portfolio=portfolio).delete()
        build = IndexBuild.objects.create(
            portfolio=portfolio, space=vectors.space, dimension=vectors.dimension, is_active=True
        )
        stored = Document.objects.bulk_create(
            [_row(build, place, one) for place, one in enumerate(docs)]
        )
        DocumentVector.objects.bulk_create(
            DocumentVector(document=row, vector=vectors.by_key[key])
            for row in stored
            if (key := (row.corpus, row.doc_id)) in vectors.by_key
        )
    return build


def _row(build: IndexBuild, place: int, doc: Doc) -> Document:
    return Document(
        build=build,
        corpus=doc.corpus,
        facet=doc.facet,
        doc_id=doc.doc_id,
        title=doc.title,
        text=doc.text,
        keywords=doc.keywords,
        started=doc.started,
        ended=doc.ended,
        is_current=doc.is_current,
        is_employment=doc.is_employment,
        linked=list(doc.linked),
        position=place,
    )
