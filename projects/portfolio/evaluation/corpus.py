"""Puts a written corpus into the database as preprocessing would: rows, links, an active index."""

from __future__ import annotations

import json
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.db import transaction
from django.utils import timezone
from pydantic import ValidationError

from chat.operations.changes import Actor, Kind, Update
from futura.errors import BadInput
from projects.portfolio.documents import documents_of
from projects.portfolio.index import building
from projects.portfolio.intake.config import Owner
from projects.portfolio.intake.drafts import Draft
from projects.portfolio.intake.plan import Reading, plan, write
from projects.portfolio.intake.spec_form import draft_of, persona_values
from projects.portfolio.models import Portfolio

REASON = "evaluation"


@dataclass(frozen=True)
class WrittenCorpus:
    """A portfolio in one JSON file, in the shapes of spec 3, section 3."""

    owner: Owner
    drafts: Sequence[Draft]
    persona: Mapping[str, Any]


def read_corpus(file: Path) -> WrittenCorpus:
    """A portfolio from its file. BadInput says what is wrong with it."""
    try:
        return parsed(json.loads(file.read_text(encoding="utf-8")))
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise BadInput(f"{file}: {where}: {first['msg']}.") from error
    except BadInput as error:
        raise BadInput(f"{file}: {error.field}: {error}") from error
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise BadInput(f"{file} cannot be read: {error}.") from error


def parsed(content: dict[str, Any]) -> WrittenCorpus:
    """A portfolio in the shapes of the spec. Raises ValidationError, BadInput, KeyError."""
    owner = Owner.model_validate(content["owner"])
    profile = draft_of(content["profile"], "profile")
    profile.values["private_contact"] = content.get("privateContact", [])
    return WrittenCorpus(
        owner,
        [
            *(draft_of(document, "entry") for document in content["projects"]),
            *(draft_of(document) for document in content["resume"]),
            profile,
        ],
        persona_values(content["persona"]),
    )


def load(written: WrittenCorpus, owner_id: uuid.UUID, *, is_published: bool = False) -> Portfolio:
    """Makes the portfolio and its index, in the space that this installation embeds in.

    Its address gets a tail that nothing else has. Words alone are searched where embedding fails.
    """
    address = f"{written.owner.slug[:70]}-{uuid.uuid4().hex[:8]}"
    owner = {**written.owner.model_dump(), "slug": address}
    intake = plan(None, [Reading(None, written.drafts)], owner=owner)
    intake.add_persona(written.persona, None)
    if is_published:
        values = {"status": Portfolio.Status.PUBLISHED, "published_at": timezone.now()}
        intake.changes.append(Update("portfolio", intake.portfolio_id, values, 1))
    docs = documents_of(intake.rows, intake.links)
    vectors, _error = building.vectors_for(docs, building.default_space())
    with transaction.atomic():
        write(intake.changes, Actor(owner_id, Kind.SYSTEM), REASON, "")
        portfolio = Portfolio.objects.get(pk=intake.portfolio_id)
        building.store(portfolio, docs, vectors)
    return portfolio
