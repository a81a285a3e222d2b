"""Puts a written corpus into the database as preprocessing would: rows, links, an active index."""

from __future__ import annotations

import json
import uuid
from pathlib import Path

from django.db import transaction
from django.utils import timezone
from pydantic import Field, ValidationError

from chat.operations.changes import Actor, Cause, Kind, Update
from chat.operations.execute import execute, raise_if_failed
from futura.errors import BadInput
from projects.portfolio.corpus import (
    Corpus,
    PersonaSummary,
    ProfileDoc,
    ProjectDoc,
    ResumeDoc,
    Shape,
)
from projects.portfolio.documents import documents_of
from projects.portfolio.index import building
from projects.portfolio.intake.config import Owner
from projects.portfolio.intake.plan import Origin, plan
from projects.portfolio.models import Portfolio

REASON = "evaluation"


class WrittenCorpus(Shape):
    """A portfolio in one JSON file, in the shapes of spec 3, section 3."""

    owner: Owner
    projects: list[ProjectDoc]
    resume: list[ResumeDoc]
    profile: ProfileDoc
    persona: PersonaSummary
    private_contact: list[str] = Field(default_factory=list)

    @property
    def corpus(self) -> Corpus:
        """What a run of preprocessing would have read."""
        return Corpus(self.projects, self.resume, self.profile, self.persona, self.private_contact)


def read_corpus(file: Path) -> WrittenCorpus:
    """A portfolio from its file. BadInput says what is wrong with it."""
    try:
        return WrittenCorpus.model_validate(json.loads(file.read_text(encoding="utf-8")))
    except (OSError, ValueError) as error:
        if isinstance(error, ValidationError):
            first = error.errors()[0]
            where = ".".join(str(part) for part in first["loc"])
            raise BadInput(f"{file}: {where}: {first['msg']}.") from error
        raise BadInput(f"{file} cannot be read: {error}.") from error


def _published() -> dict[str, object]:
    return {"status": Portfolio.Status.PUBLISHED, "published_at": timezone.now()}


def load(written: WrittenCorpus, owner_id: uuid.UUID, *, is_published: bool = False) -> Portfolio:
    """Makes the portfolio and its index, in the space that this installation embeds in.

    Its address gets a tail that nothing else has. Words alone are searched where embedding fails.
    """
    address = f"{written.owner.owner_id[:70]}-{uuid.uuid4().hex[:8]}"
    owner = written.owner.model_copy(update={"owner_id": address})
    found = plan(None, written.corpus, Origin(), owner)
    if is_published:
        found.changes.append(Update("portfolio", found.portfolio_id, _published(), 1))
    docs = documents_of(found.rows, found.links)
    vectors, _error = building.vectors_for(docs, building.default_space())
    with transaction.atomic():
        batch = execute(
            actor=Actor(owner_id, Kind.SYSTEM),
            changes=found.changes,
            cause=Cause(reason=REASON),
            is_atomic=True,
        )
        raise_if_failed(batch)
        portfolio = Portfolio.objects.get(pk=found.portfolio_id)
        building.store(portfolio, docs, vectors)
    return portfolio
