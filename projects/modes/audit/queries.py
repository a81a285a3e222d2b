"""Reads of findings: the door from an id, and a project's list."""

from __future__ import annotations

import uuid

from chat.identity import Identity
from futura.errors import NotFound
from projects.models import Project
from projects.modes.audit.models import Finding


def finding_for(identity: Identity, finding_id: uuid.UUID) -> Finding:
    """The caller's own finding of a living project; NotFound for others and unknown ids."""
    own = Finding.objects.filter(owner_id__in=identity.participant_ids, project__deleted_at=None)
    row = own.filter(pk=finding_id).select_related("project").first()
    if row is None:
        raise NotFound
    return row


def findings_of(project: Project) -> list[Finding]:
    """A project's findings, the gravest first. One query."""
    rows = Finding.objects.filter(project=project)
    return list(rows.order_by("-severity", "first_audit_at", "key"))
