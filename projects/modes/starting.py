"""Starting conversations with the agent, and finding those that are open."""

from __future__ import annotations

import uuid

from django.db import transaction
from django.utils.translation import gettext as _

from chat import actions as chat_actions
from chat.guides import guide_for
from chat.identity import Identity
from chat.models import Participant, Session
from chat.operations.changes import Actor, Cause, Kind, Update, Values
from chat.operations.execute import execute, raise_if_failed
from chat.pasted import Ranges
from chat.queries import session_for
from futura.errors import BadInput, Conflict, NotFound
from futura.rows import only
from projects.commands.drafts import draft_created
from projects.models import Project, ProjectDraft
from projects.modes.rows import own_row
from projects.modes.state import CREATE, KINDS, MODES


def start(
    *,
    participant: Participant,
    mode: str = "create",
    project: Project | None = None,
    draft: ProjectDraft | None = None,
    first_text: str = "",
    client_id: uuid.UUID | None = None,
    pasted: Ranges = (),
    is_opened_with_others: bool = False,
) -> Session:
    """A conversation that makes a project, with `draft` of one that has no other; or one about a
    `project`, to `update`, `audit` or `forecast` it.

    Without `first_text` it begins with a word of the agent. Where that text may be other people's,
    `is_opened_with_others`; `pasted` are its stretches that surely are.

    Raises BadInput, TooLong, Conflict, NotFound.
    """
    kind = MODES.get(mode, "")
    row: Project | ProjectDraft | None = draft if kind == CREATE else project
    if not kind or (row is not None and row.owner_id != participant.pk):
        raise NotFound
    if row is None and kind != CREATE:
        raise BadInput(_("Choose a project."), field="project")
    if isinstance(row, ProjectDraft) and row.status != ProjectDraft.Status.IN_PROGRESS:
        raise Conflict(_("This draft is no longer in progress."))
    state = guide_for(kind).state_model(
        is_opened_with_others=is_opened_with_others,
        draft_id=row.pk if isinstance(row, ProjectDraft) else None,
        project_id=row.pk if isinstance(row, Project) else None,
    )
    with transaction.atomic():
        session = chat_actions.start_session(
            participant=participant,
            kind=kind,
            state=state,
            title=row.name if row else "",
            first_text=first_text if first_text.strip() else None,
            first_client_id=client_id,
            first_pasted=pasted,
        )
        if isinstance(row, ProjectDraft):
            actor = Actor(participant.pk, user_id=participant.user_id)
            linked = Update("draft", row.pk, {"session": str(session.pk)}, row.version)
            title = _("Opened draft in a conversation")
            raise_if_failed(execute(actor=actor, changes=[linked], title=title, is_atomic=True))
    return session


def agent_session_for(identity: Identity, session_id: uuid.UUID, *kinds: str) -> Session:
    """The caller's own conversation with the agent. NotFound for others and other kinds."""
    session = session_for(identity, session_id)
    if session.kind not in (kinds or KINDS):
        raise NotFound
    return session


def project_of(session: Session) -> Project | None:
    """The project of a conversation, while its person still has it."""
    return own_row(Project, session.participant_id, session.state.get("project_id"))


def draft_of(session: Session) -> ProjectDraft | None:
    """The draft that a creating conversation works on."""
    if draft_id := session.state.get("draft_id"):
        return own_row(ProjectDraft, session.participant_id, draft_id)
    own = ProjectDraft.objects.filter(owner_id=session.participant_id, deleted_at=None)
    return own.filter(session=session).first()


def begin_draft(*, identity: Identity, session: Session, values: Values) -> ProjectDraft:
    """Gives a creating conversation its draft before it has said anything."""
    with transaction.atomic():
        locked = only(Session.objects.select_for_update().filter(pk=session.pk))
        actor = Actor(locked.participant_id, Kind.PROGRAM, identity.user_id)
        created = draft_created(values, session=locked)
        batch = execute(
            actor=actor, changes=[created], title=_("Created draft"), is_atomic=True,
            cause=Cause(session=locked),
        )  # fmt: skip
        raise_if_failed(batch)
        locked.state = {**locked.state, "draft_id": str(created.id)}
        locked.save(update_fields=["state", "updated_at"])
    return ProjectDraft.objects.get(pk=created.id)
