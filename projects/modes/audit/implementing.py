"""“Implement these”: findings become changes that wait for review in an updating conversation."""

from __future__ import annotations

import uuid
from collections.abc import Sequence

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from chat import events
from chat.events.kinds import Reference
from chat.identity import Identity
from chat.models import Participant, Session
from chat.operations.changes import Actor, Cause, Change, Kind, Update
from chat.operations.review import propose
from futura.errors import BadInput, FuturaError, NotFound
from projects.commands.projects import project_changed
from projects.commands.todo_changes import todo_changed, todo_created
from projects.models import Project, Task
from projects.modes.audit.models import Finding
from projects.modes.audit.queries import findings_of
from projects.modes.audit.shapes import Fix
from projects.modes.duplicates import normalised
from projects.modes.starting import agent_session_for, start_about
from projects.modes.state import AUDIT
from projects.queries import project_for, tasks_of


def implement(*, identity: Identity, session_id: uuid.UUID, finding_ids: Sequence[str]) -> Session:
    """Opens an updating conversation in which the changes of these findings wait for review.

    `finding_ids` are keys of the project's own findings; nothing of them comes from the caller but
    which. Raises NotFound, BadInput when nothing is left to change.
    """
    audit = agent_session_for(identity, session_id)
    if audit.kind != AUDIT:
        raise NotFound
    project = project_for(identity, uuid.UUID(str(audit.state.get("project_id"))))
    chosen = [one for one in findings_of(project) if one.key in set(finding_ids)]
    return put_before(audit, project, chosen)


def put_before(audit: Session, project: Project, chosen: Sequence[Finding]) -> Session:
    """The updating conversation in which the changes of these findings of an audit wait.

    The caller has looked up both as the person's own. Raises BadInput.
    """
    if not chosen:
        raise BadInput(_("Choose at least one finding."), field="finding")
    with transaction.atomic():
        proposed = changes_of(chosen, project)
        if not proposed:
            raise BadInput(_("What these would change is not there any more."), field="finding")
        participant = Participant.objects.get(pk=audit.participant_id)
        made = start_about(participant=participant, project=project, mode="update")
        propose(
            actor=Actor(participant.pk, Kind.AGENT, participant.user_id),
            changes=proposed,
            reasons=[_("You chose them from the findings of an audit.")],
            cause=Cause(session=made, reason=_reason(audit)),
            title=_title(chosen),
        )
    return made


def changes_of(findings: Sequence[Finding], project: Project) -> list[Change]:
    """The changes that would mend these findings; those that no longer fit are left out."""
    tasks = {task.pk: task for task in tasks_of(project)}
    last = max((task.position for task in tasks.values()), default=0)
    found: list[Change] = []
    titles = {normalised(one.title) for one in tasks.values() if one.status in Task.ACTIVE}
    for finding in findings:
        if finding.fix is None:
            continue
        fix = Fix.model_validate(finding.fix)
        title = normalised(str(fix.values.get("title", ""))) if fix.kind == "task" else ""
        if title in titles:
            continue
        change = _change(fix, finding, project, tasks, last + 1 + len(found))
        if change is not None:
            found.append(change)
            titles.update({title} - {""})
    return _joined(found)


def _joined(proposed: Sequence[Change]) -> list[Change]:
    """The same with all updates of one row put together, so that their versions do not clash."""
    result: dict[tuple[str, uuid.UUID, bool], Change] = {}
    for one in proposed:
        key = (one.entity, one.id, isinstance(one, Update))
        before = result.get(key)
        if isinstance(one, Update) and isinstance(before, Update):
            values = {**before.values, **one.values}
            result[key] = Update(one.entity, one.id, values, one.version)
        else:
            result[key] = one
    return list(result.values())


def _change(
    fix: Fix, finding: Finding, project: Project, tasks: dict[uuid.UUID, Task], position: int
) -> Change | None:
    try:
        if fix.kind == "task":
            return todo_created(project, _todo_values(fix, finding), position=position)
        if fix.kind == "task_update":
            task = tasks.get(fix.id) if fix.id else None
            return todo_changed(task, fix.values, version=task.version) if task else None
        return project_changed(project, fix.values, version=project.version)
    except FuturaError:  # the project has moved on: a date that no longer fits, for one
        return None


def _todo_values(fix: Fix, finding: Finding) -> dict[str, object]:
    """A task that says where it comes from."""
    details = [finding.observation, finding.question, str(fix.values.get("details", ""))]
    return {**fix.values, "details": "\n\n".join(dict.fromkeys(filter(None, details)))}


def _title(findings: Sequence[Finding]) -> str:
    number = len(findings)
    words = ngettext("From an audit: %(n)d finding.", "From an audit: %(n)d findings.", number)
    return words % {"n": number}


def _reason(audit: Session) -> str:
    return _("Chosen from the audit of %(day)s.") % {"day": audit.created_at.date().isoformat()}


def choose_harshness(*, identity: Identity, session_id: uuid.UUID, harshness: object) -> Session:
    """How hard this conversation's next audit is: 5, 7 or 8. Raises NotFound, BadInput."""
    session = agent_session_for(identity, session_id)
    if session.kind != AUDIT:
        raise NotFound
    if harshness not in {"5", "7", "8"}:
        raise BadInput(_("Choose how frank the audit is."), field="harshness")
    with transaction.atomic():
        locked = Session.objects.select_for_update().get(pk=session.pk)
        memory = {**locked.state.get("audit", {}), "harshness": int(str(harshness))}
        locked.state = {**locked.state, "audit": memory}
        locked.save(update_fields=["state", "updated_at"])
        told = Reference("agent", str(locked.pk))
        transaction.on_commit(lambda: events.append(locked.pk, told))
    return locked
