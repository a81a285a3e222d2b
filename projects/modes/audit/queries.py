"""Reads of audits: the doors from an id, and a project's findings."""

from __future__ import annotations

import uuid
from typing import Final

from chat.identity import Identity
from chat.models import Session
from futura.errors import NotFound
from projects.models import Project
from projects.modes.audit.models import Finding
from projects.modes.starting import agent_session_for
from projects.modes.state import AUDIT

BY_GRAVITY: Final = ("-severity", "first_audit_at", "key")


def audit_talk(identity: Identity, session_id: uuid.UUID) -> Session:
    """The caller's own auditing conversation. NotFound for others and other kinds."""
    session = agent_session_for(identity, session_id)
    if session.kind != AUDIT:
        raise NotFound
    return session


def finding_for(identity: Identity, finding_id: uuid.UUID) -> Finding:
    """The caller's own finding of a living project; NotFound for others and unknown ids."""
    own = Finding.objects.filter(owner_id__in=identity.participant_ids, project__deleted_at=None)
    row = own.filter(pk=finding_id).select_related("project").first()
    if row is None:
        raise NotFound
    return row


def findings_of(project: Project) -> list[Finding]:
    """A project's findings, the gravest first. One query."""
    return list(Finding.objects.filter(project=project).order_by(*BY_GRAVITY))
