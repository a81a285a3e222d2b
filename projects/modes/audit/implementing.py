"""“Implement these”: findings become changes that wait for review in an updating conversation."""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from chat.commands.base import Command, Scope, build
from chat.commands.scope import OwnScope
from chat.identity import Identity
from chat.models import Participant, Session
from chat.operations.changes import Actor, Cause, Change, Kind
from chat.operations.review import propose
from futura.errors import BadInput, FuturaError
from projects.commands.projects import ChangeProject
from projects.commands.todos import ChangeTodos, CreateTodos
from projects.models import Project, Task
from projects.modes.audit.models import Finding
from projects.modes.audit.queries import audit_talk, findings_of
from projects.modes.starting import start_about
from projects.queries import project_for, tasks_of


def implement(*, identity: Identity, session_id: uuid.UUID, finding_ids: Sequence[str]) -> Session:
    """Opens an updating conversation in which the changes of these findings wait for review.

    `finding_ids` are keys of the project's own findings; nothing of them comes from the caller but
    which. Raises NotFound, BadInput when nothing is left to change.
    """
    audit = audit_talk(identity, session_id)
    project = project_for(identity, uuid.UUID(str(audit.state.get("project_id"))))
    chosen = [one for one in findings_of(project) if one.key in set(finding_ids)]
    return put_before(audit, project, chosen)


def put_before(audit: Session, project: Project, chosen: Sequence[Finding]) -> Session:
    """The updating conversation in which the changes of these findings of an audit wait.

    The caller has looked up both as the person's own. Raises BadInput.
    """
    if not chosen:
        raise BadInput(_("Choose at least one finding."), field="finding")
    day = audit.created_at.date().isoformat()
    why = _("Chosen from the audit of %(day)s.")
    title = ngettext("From an audit: %(n)d finding.", "From an audit: %(n)d findings.", len(chosen))
    with transaction.atomic():
        participant = Participant.objects.get(pk=audit.participant_id)
        actor = Actor(participant.pk, Kind.AGENT, participant.user_id)
        changes = changes_of(chosen, project, OwnScope.of_actor(actor))
        if not changes:
            raise BadInput(_("What these would change is not there any more."), field="finding")
        session = start_about(participant=participant, project=project, mode="update")
        propose(
            actor=actor,
            changes=changes,
            reasons=[_("You chose them from the findings of an audit.")],
            cause=Cause(session=session, reason=why % {"day": day}),
            title=title % {"n": len(chosen)},
        )
    return session


def changes_of(findings: Sequence[Finding], project: Project, scope: Scope) -> list[Change]:
    """The changes that would mend these findings; those that no longer fit are left out."""
    found: list[Change] = []
    for command in _commands(findings, project):
        try:
            found += command.plan(scope)
        except FuturaError:  # the project has moved on: a date that no longer fits, for one
            continue
    return found


def _commands(findings: Sequence[Finding], project: Project) -> Iterator[Command]:
    """One command for each row that changes, and one for all that are new."""
    rows: dict[str, dict[str, Any]] = {}
    todos: dict[str, Mapping[str, Any]] = {}
    titles = {_key(one.title) for one in tasks_of(project) if one.status in Task.ACTIVE}
    for finding in findings:
        fix = finding.fix or {"kind": ""}
        if fix["kind"] == "task":
            todo = _todo_values(fix["values"], finding)
            todos.setdefault(_key(todo["title"]), {**todo, "project": project.pk})
        elif fix["kind"]:
            rows.setdefault(fix["id"] or "", {}).update(fix["values"])
    for key, values in rows.items():
        try:
            if key:
                yield build(ChangeTodos, values, ids=[key])
            else:
                yield build(ChangeProject, values, id=project.pk)
        except BadInput:
            continue
    if new := [todo for key, todo in todos.items() if key not in titles]:
        yield build(CreateTodos, {"todos": new})


def _todo_values(values: Mapping[str, Any], finding: Finding) -> dict[str, Any]:
    """A task that says where it comes from."""
    details = [finding.observation, finding.question, str(values.get("details", ""))]
    return {**values, "details": "\n\n".join(dict.fromkeys(filter(None, details)))}


def _key(title: str) -> str:
    """Two titles are the same but for case and spaces."""
    return " ".join(title.casefold().split())
