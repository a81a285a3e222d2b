"""Builds the index of a portfolio from its rows as they are, beside the one that answers."""

from __future__ import annotations

import logging
import uuid
from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any, Final

import numpy as np
from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.db.models.functions import Now
from django.utils import timezone

from futura.errors import ModelUnavailable, Unavailable
from futura.llm.client import Llm
from onet.embeddings.encoders import LEXICAL
from projects.portfolio import undecided
from projects.portfolio.documents import Doc, Row, documents_of
from projects.portfolio.index import building
from projects.portfolio.index.building import Vectors
from projects.portfolio.intake.failures import Code
from projects.portfolio.models import (
    Award,
    Credential,
    Document,
    DocumentVector,
    Education,
    Entry,
    Experience,
    IndexBuild,
    IndexState,
    OpenQuestion,
    Portfolio,
    PreprocessRun,
    Profile,
    Skill,
)
from tasks.coding.heartbeat import SILENT_FOR, beating

log = logging.getLogger(__name__)

ROUNDS: Final = 20
LONGEST_PAUSE: Final = timedelta(hours=1)
SHOWN: Final = (
    *("corpus", "facet", "doc_id", "title", "text", "keywords", "started", "ended"),
    *("is_current", "is_employment"),
)
MODELS: Final[tuple[type[Row], ...]] = (
    *(Entry, Experience, Education, Award, Credential, Skill, Profile, OpenQuestion),
)


class _Overtaken(Exception):
    """Another worker holds the lease by now; nothing was stored."""


def refresh(portfolio_id: uuid.UUID) -> bool:
    """Builds until nothing newer waits; False when nothing does, or somebody else is at it."""
    lease = uuid.uuid4()
    free = Q(lease=None) | Q(heartbeat_at__lt=Now() - SILENT_FOR)
    mine = IndexState.objects.filter(pk=portfolio_id, lease=lease)
    claimed = IndexState.objects.filter(free, pk=portfolio_id, wanted_at__isnull=False).update(
        lease=lease, heartbeat_at=Now(), failures=F("failures") + 1
    )
    if not claimed:
        return False
    with beating(mine):
        try:
            for _ in range(ROUNDS):
                if _one_round(portfolio_id, lease, mine):
                    return True
        except _Overtaken:
            log.info("index of %s: taken over by another worker", portfolio_id)
            return False
    mine.update(lease=None)  # so much changes that somebody else may go on
    return True


def _one_round(portfolio_id: uuid.UUID, lease: uuid.UUID, mine: QuerySet[IndexState]) -> bool:
    """One build; whether nothing newer waits after it."""
    state = mine.first()
    if state is None:
        raise _Overtaken
    now = timezone.now()
    # a worker that dies here is not followed by another at once, again and again
    mine.update(retry_at=now + _pause(state.failures), tried_at=now)
    problem = _build(portfolio_id, lease)
    told: dict[str, Any] = {
        "code": problem[0] if problem else "",
        "error": problem[1] if problem else "",
        "retry_at": now + _pause(state.failures + 3) if problem else None,
    }
    if not problem:
        told["failures"] = 0
    done = mine.filter(wanted_at=state.wanted_at).update(wanted_at=None, lease=None, **told)
    return bool(done)


def _pause(failures: int) -> timedelta:
    return min(timedelta(seconds=15 * 2 ** min(failures, 10)), LONGEST_PAUSE)


def _build(portfolio_id: uuid.UUID, lease: uuid.UUID) -> tuple[str, str] | None:
    """Stores a build where something changed; the code and reason when vectors are wanting."""
    portfolio = Portfolio.objects.filter(pk=portfolio_id, deleted_at=None).first()
    if portfolio is None:
        IndexBuild.objects.filter(portfolio_id=portfolio_id).delete()
        return None
    rows, links = rows_of(portfolio)
    docs = documents_of(rows, links, cleared=undecided.cleared(portfolio.pk))
    before = IndexBuild.objects.filter(portfolio=portfolio, is_active=True).first()
    space, problem = space_for(portfolio), None
    if before is not None and before.space == space and _is_same(before, docs):
        return None
    try:
        vectors = _vectors(docs, space, before)
    except (ModelUnavailable, Unavailable, ValueError) as error:
        # words alone, at once: what was made private must not be told on
        log.warning("index of %s in words only: %s", portfolio_id, error)
        problem = (Code.EMBED_UNAVAILABLE.value, str(error))
        vectors = Vectors(LEXICAL, 0, {})
        if before is not None and before.space == LEXICAL and _is_same(before, docs):
            return problem
    with transaction.atomic():
        held = IndexState.objects.select_for_update().filter(pk=portfolio_id, lease=lease)
        if not held.exists():
            raise _Overtaken
        building.store(portfolio, docs, vectors)
    return problem


def rows_of(portfolio: Portfolio) -> tuple[list[Row], dict[str, list[str]]]:
    """Every living row that documents are made of, and projects by position (ids of both)."""
    rows: list[Row] = [
        row
        for model in MODELS
        for row in model._default_manager.filter(portfolio=portfolio, deleted_at=None)
    ]
    links: dict[str, list[str]] = {}
    told = Experience.objects.filter(
        portfolio=portfolio, deleted_at=None, linked_entries__deleted_at=None
    ).values_list("doc_id", "linked_entries__doc_id")
    public = {
        one.doc_id
        for one in rows
        if isinstance(one, Entry)
        and one.status == Entry.Status.PUBLISHED
        and not one.hide_from_chat
    }
    for position, project in told:
        if project in public:
            links.setdefault(position, []).append(project)
    return rows, links


def space_for(portfolio: Portfolio) -> str:
    """The space that the operator's configuration named when everything was read, else the default.

    A run that named none stored a lexical index; the default is built after it.
    """
    run = (
        PreprocessRun.objects.filter(portfolio=portfolio, status=PreprocessRun.Status.COMPLETED)
        .order_by("-started_at")
        .first()
    )
    told = str(run.metrics.get("embeddingSpace", "")) if run else ""
    if not told or told == LEXICAL:
        return building.default_space()
    return building.space_of(told, is_configured=Llm().is_configured)


def _is_same(build: IndexBuild, docs: Sequence[Doc]) -> bool:
    """Whether a build holds exactly these documents."""
    stored = Document.objects.filter(build=build).order_by("position")
    there = [
        (*row[:-1], tuple(map(_pairs, row[-1]))) for row in stored.values_list(*SHOWN, "linked")
    ]
    wanted = [
        (*(getattr(one, name) for name in SHOWN), tuple(map(_pairs, one.linked))) for one in docs
    ]
    return there == wanted


def _pairs(link: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    return tuple(sorted(link.items()))


def _vectors(docs: Sequence[Doc], space: str, before: IndexBuild | None) -> Vectors:
    """Vectors of all; those of documents that say what they said before are taken over."""
    if space == LEXICAL:
        return Vectors(LEXICAL, 0, {})
    kept = {}
    if before is not None and before.space == space:
        old = DocumentVector.objects.filter(document__build=before).values_list(
            "document__corpus", "document__doc_id", "document__title", "document__text", "vector"
        )
        kept = {row[:4]: np.asarray(row[4], dtype=np.float32) for row in old}
    found = {
        (one.corpus, one.doc_id): vector
        for one in docs
        if (vector := kept.get((one.corpus, one.doc_id, one.title, one.text))) is not None
    }
    new = [one for one in docs if (one.corpus, one.doc_id) not in found]
    made = building.embed(new, space)
    dimension = made.dimension or (before.dimension if before and found else 0)
    if found and made.dimension and before is not None and made.dimension != before.dimension:
        made, found = building.embed(docs, space), {}
        dimension = made.dimension
    vectors = Vectors(space, dimension, {**found, **made.by_key})
    if absent := building.missing(docs, vectors):
        raise ValueError(f"{len(absent)} documents have no vector")
    return vectors
