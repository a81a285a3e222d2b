"""Findings: read, what an audit adds, what a person answers or takes up, and the tone."""

from __future__ import annotations

import uuid
from collections import defaultdict
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any, Final

from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _, ngettext

from chat import events
from chat.commands.base import Command, Scope, build
from chat.events.kinds import Reference
from chat.identity import Identity
from chat.models import Participant, Session
from chat.operations.changes import Actor, Cause, Change, Kind
from chat.operations.review import propose
from futura.errors import BadInput, Conflict, FuturaError
from futura.rows import only
from futura.text import locate
from projects.commands.projects import ChangeProject
from projects.commands.todos import ChangeTodos, CreateTodos
from projects.models import Project, Task
from projects.modes.audit.auditing import Audit
from projects.modes.audit.models import Finding
from projects.modes.rows import Plan, normalised
from projects.modes.starting import agent_session_for, start
from projects.modes.state import AUDIT
from projects.queries import project_for, tasks_of

ANSWER_CHARS: Final = 4_000
OF_DAYS: Final = frozenset({"overdue", "after-end", "load"})
"""Keys of findings about the days of to-dos: an answer is to those that they named then."""
AUDITED: Final = (
    "area", "dimension", "severity", "observation", "question", "recommendation", "evidence", "fix",
)  # fmt: skip


def finding_for(identity: Identity, finding_id: uuid.UUID) -> Finding:
    """The caller's own finding of a living project; NotFound for others and unknown ids."""
    own = Finding.objects.filter(owner_id__in=identity.participant_ids, project__deleted_at=None)
    return only(own.filter(pk=finding_id).select_related("project"))


def findings_of(project: Project) -> list[Finding]:
    """A project's findings, the gravest first. One query."""
    return list(Finding.objects.filter(project=project).order_by(*Finding.BY_GRAVITY))


Difference = Mapping[str, list[Finding]]
"""The findings that an audit `added`, that are `recurring`, `mended` and still `standing`."""


def store(*, plan: Plan, audit: Audit) -> Difference | None:
    """Adds an audit to the project's findings; None for the first. Safe to run twice.

    A finding that was mended and is found again recurs; an answered one stays answered, unless the
    model, which reads the answer, names it again, or other to-dos are late than those that it was
    about. One that is not found again is mended: a computed one at once, one of the model when it
    says so or when the words that it rests on are gone.
    """
    now, project = timezone.now(), plan.row
    with transaction.atomic():
        only(Project.objects.select_for_update().filter(pk=project.pk))
        rows = {finding.key: finding for finding in Finding.objects.filter(project=project)}
        is_first, texts = not rows, plan.texts
        difference: dict[str, list[Finding]] = defaultdict(list)
        for new in audit.findings:
            row = rows.pop(new.key, None)
            if row is None:
                row = new
                row.project, row.owner_id, row.first_audit_at = project, project.owner_id, now
                difference["added"].append(row)
            elif row.status == Finding.Status.MENDED or _returns(row, new, audit):
                row.status = Finding.Status.RECURRING
                difference["recurring"].append(row)
            elif row.is_standing:
                difference["standing"].append(row)
            for name in AUDITED:
                setattr(row, name, getattr(new, name))
            row.last_audit_at = now
            row.save()
        for row in rows.values():
            is_model = row.source == Finding.Source.MODEL
            if row.status == Finding.Status.MENDED:
                continue
            if is_model and row.key not in audit.mended and _still_there(row, texts):
                if row.is_standing:
                    difference["standing"].append(row)
                continue
            row.status = Finding.Status.MENDED
            row.save(update_fields=["status"])
            difference["mended"].append(row)
    return None if is_first else difference


def _returns(row: Finding, new: Finding, audit: Audit) -> bool:
    """Whether one that was answered, or for to-dos dismissed, has to be brought up again."""
    if row.status != Finding.Status.ANSWERED:
        return False
    before = [item["field"] for item in row.evidence]
    is_other = any(item["field"] not in before for item in new.evidence)
    is_named = bool(row.answer) and row.key in audit.continued
    return is_named or (row.key in OF_DAYS and is_other)


def _still_there(row: Finding, texts: dict[str, str]) -> bool:
    """Whether the words of a finding still stand where they stood; one without words needs its
    dimension to be empty still.
    """
    if not row.evidence:
        return not texts.get(row.dimension, "").strip()
    return all(locate(item["quote"], texts.get(item["field"], "")) for item in row.evidence)


def settle(row: Finding, text: str, *, replaces: bool = True) -> None:
    """Marks a finding as answered; without words it is dismissed.

    Without `replaces`, Conflict is raised for one that has another answer by now.
    """
    answer = text.strip()[:ANSWER_CHARS]
    rows = Finding.objects.filter(pk=row.pk)
    if not replaces:
        rows = rows.exclude(~Q(answer=answer), status=Finding.Status.ANSWERED)
    if not rows.update(answer=answer, status=Finding.Status.ANSWERED):
        raise Conflict(_("This finding is closed already. Reopen it to answer it again."))


def reopen(row: Finding) -> None:
    if row.status == Finding.Status.ANSWERED:
        row.status = Finding.Status.OPEN
        row.save(update_fields=["status"])


def choose_harshness(*, identity: Identity, session_id: uuid.UUID, harshness: object) -> Session:
    """How hard this conversation's next audit is: 5, 7 or 8. Raises NotFound, BadInput."""
    session = agent_session_for(identity, session_id, AUDIT)
    if harshness not in {"5", "7", "8"}:
        raise BadInput(_("Choose how frank the audit is."), field="harshness")
    with transaction.atomic():
        locked = only(Session.objects.select_for_update().filter(pk=session.pk))
        memory = {**locked.state.get("audit", {}), "harshness": int(str(harshness))}
        locked.state = {**locked.state, "audit": memory}
        locked.save(update_fields=["state", "updated_at"])
        changed = Reference("agent", str(locked.pk))
        transaction.on_commit(lambda: events.append(locked.pk, changed))
    return locked


# Taking findings up ----------------------------------------------------------------------------
def implement(*, identity: Identity, session_id: uuid.UUID, finding_ids: Sequence[str]) -> Session:
    """Opens an updating conversation in which the changes of these findings wait for review.

    `finding_ids` are keys of the project's own findings; nothing of them comes from the caller but
    which. Raises NotFound, BadInput when nothing is left to change.
    """
    audit = agent_session_for(identity, session_id, AUDIT)
    project = project_for(identity, uuid.UUID(str(audit.state.get("project_id"))))
    chosen = [item for item in findings_of(project) if item.key in set(finding_ids)]
    return put_before(audit, project, chosen)


def put_before(audit: Session, project: Project, chosen: Sequence[Finding]) -> Session:
    """The updating conversation in which the changes of these findings of an audit wait.

    The caller has looked up both as the person's own. Raises BadInput.
    """
    if not chosen:
        raise BadInput(_("Select at least one finding."), field="finding")
    day = audit.created_at.date().isoformat()
    why = _("From the audit of %(day)s.")
    title = ngettext("From an audit: %(n)d finding.", "From an audit: %(n)d findings.", len(chosen))
    with transaction.atomic():
        participant = Participant.objects.get(pk=audit.participant_id)
        actor = Actor(participant.pk, Kind.AGENT, participant.user_id)
        changes = _changes(chosen, project, Scope.of_actor(actor))
        if not changes:
            raise BadInput(_("What these findings would change no longer exists."), field="finding")
        session = start(participant=participant, project=project, mode="update")
        propose(
            actor=actor,
            changes=changes,
            reasons=[_("You selected them from the findings of an audit.")],
            cause=Cause(session=session, reason=why % {"day": day}),
            title=title % {"n": len(chosen)},
        )
    return session


def _changes(findings: Sequence[Finding], project: Project, scope: Scope) -> list[Change]:
    """The changes that would mend these findings: one command for each row that changes, and one
    for all that are new. What no longer fits, since the project has moved on, is left out.
    """
    rows: dict[str, dict[str, Any]] = {}
    todos: dict[str, Mapping[str, Any]] = {}
    for finding in findings:
        fix = finding.fix or {"kind": ""}
        if fix["kind"] == "task":
            todo = fix["values"]
            details = "\n\n".join(filter(None, [finding.observation, finding.question]))
            values = {**todo, "details": details, "project": project.pk}
            todos.setdefault(normalised(todo["title"]), values)
        elif fix["kind"]:
            rows.setdefault(fix["id"] or "", {}).update(fix["values"])
    titles = {normalised(task.title) for task in tasks_of(project) if task.status in Task.ACTIVE}
    new = [todo for key, todo in todos.items() if key not in titles]
    wishes: list[tuple[type[Command], dict[str, Any]]] = [
        (ChangeTodos, {**values, "ids": [key]})
        if key
        else (ChangeProject, {**values, "id": project.pk})
        for key, values in rows.items()
    ]
    wishes += [(CreateTodos, {"todos": new})] if new else []
    changes: list[Change] = []
    for kind, values in wishes:
        with suppress(FuturaError):
            changes += build(kind, values).plan(scope)
    return changes
