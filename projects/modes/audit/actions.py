"""Writes of findings: what an audit adds to them, what a person answers, and the tone."""

from __future__ import annotations

import uuid
from dataclasses import dataclass, field
from typing import Final

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from chat import events
from chat.events.kinds import Reference
from chat.identity import Identity
from chat.models import Session
from futura.errors import BadInput
from futura.text import locate
from projects.models import Project
from projects.modes.audit import queries
from projects.modes.audit.auditing import Audit
from projects.modes.audit.models import Finding
from projects.modes.audit.shapes import Subject

ANSWER_CHARS: Final = 4_000
AUDITED: Final = (
    "area", "dimension", "severity", "observation", "question", "recommendation", "evidence", "fix",
)  # fmt: skip


@dataclass
class Difference:
    """What an audit changes against the last; `is_first` where there was none."""

    is_first: bool = True
    added: list[Finding] = field(default_factory=list)
    recurring: list[Finding] = field(default_factory=list)
    mended: list[Finding] = field(default_factory=list)
    standing: list[Finding] = field(default_factory=list)


def store(*, project: Project, audit: Audit, subject: Subject) -> Difference:
    """Adds an audit to the project's findings. Safe to run twice.

    A finding that was mended and is found again recurs; an answered one stays answered. One that
    is not found again is mended: a computed one at once, one of the model when it says so or
    when the words that it rests on are gone.
    """
    now = timezone.now()
    with transaction.atomic():
        Project.objects.select_for_update().get(pk=project.pk)
        rows = {one.key: one for one in Finding.objects.filter(project=project)}
        difference = Difference(is_first=not rows)
        texts = subject.texts
        for new in audit.findings:
            row = rows.pop(new.key, None)
            if row is None:
                row = new
                row.project, row.owner_id, row.first_audit_at = project, project.owner_id, now
                difference.added.append(row)
            elif row.status == Finding.Status.MENDED:
                row.status = Finding.Status.RECURRING
                difference.recurring.append(row)
            elif row.is_standing:
                difference.standing.append(row)
            for name in AUDITED:
                setattr(row, name, getattr(new, name))
            row.last_audit_at = now
            row.save()
        for row in rows.values():
            is_model = row.source == Finding.Source.MODEL
            if row.status == Finding.Status.MENDED:
                continue
            if is_model and row.key not in audit.mended and _still_there(row, texts):
                difference.standing += [row] if row.is_standing else []
                continue
            row.status = Finding.Status.MENDED
            row.save(update_fields=["status"])
            difference.mended.append(row)
    return difference


def _still_there(row: Finding, texts: dict[str, str]) -> bool:
    """Whether the words of a finding still stand where they stood; one without words needs its
    dimension to be empty still.
    """
    if not row.evidence:
        return not texts.get(row.dimension, "").strip()
    return all(locate(one["quote"], texts.get(one["field"], "")) for one in row.evidence)


def answer(
    *, identity: Identity, finding_id: uuid.UUID, text: str, is_dismissed: bool = False
) -> Finding:
    """Notes what the person says to a finding, or sets it aside. NotFound, BadInput."""
    row = queries.finding_for(identity, finding_id)
    if not text.strip() and not is_dismissed:
        raise BadInput(_("Write an answer, or dismiss the finding."), field="answer")
    return settle(row, text)


def settle(row: Finding, text: str) -> Finding:
    """Marks a finding as answered."""
    row.answer, row.status = text.strip()[:ANSWER_CHARS], Finding.Status.ANSWERED
    row.save(update_fields=["answer", "status"])
    return row


def reopen(*, identity: Identity, finding_id: uuid.UUID) -> Finding:
    """Takes an answer back. NotFound."""
    row = queries.finding_for(identity, finding_id)
    if row.status == Finding.Status.ANSWERED:
        row.status = Finding.Status.OPEN
        row.save(update_fields=["status"])
    return row


def choose_harshness(*, identity: Identity, session_id: uuid.UUID, harshness: object) -> Session:
    """How hard this conversation's next audit is: 5, 7 or 8. Raises NotFound, BadInput."""
    session = queries.audit_talk(identity, session_id)
    if harshness not in {"5", "7", "8"}:
        raise BadInput(_("Choose how frank the audit is."), field="harshness")
    with transaction.atomic():
        locked = Session.objects.select_for_update().get(pk=session.pk)
        memory = {**locked.state.get("audit", {}), "harshness": int(str(harshness))}
        locked.state = {**locked.state, "audit": memory}
        locked.save(update_fields=["state", "updated_at"])
        changed = Reference("agent", str(locked.pk))
        transaction.on_commit(lambda: events.append(locked.pk, changed))
    return locked
