"""JSON for programs: conversations with the project agent, in the specification's shapes."""

from __future__ import annotations

import uuid
from collections.abc import AsyncIterator
from typing import Any, Final, Literal

from channels.db import database_sync_to_async
from django.db import transaction
from django.http import HttpRequest, StreamingHttpResponse
from django.utils.translation import gettext as _
from ninja import Field, Router, Schema
from pydantic import ConfigDict

from chat import actions as chat_actions, rates
from chat.api import own
from chat.commands.api import scope_of
from chat.commands.base import build
from chat.commands.run import run_by_program
from chat.identity import identity_of
from chat.models import Message, Run, Session
from chat.operations.models import Operation
from chat.operations.policy import choose
from chat.pasted import Stretches, ranges_of
from chat.sse import STREAMED, event_stream
from futura import limits
from futura.errors import BadInput
from futura.limits import required_text
from projects import queries
from projects.commands.drafts import CreateDraft
from projects.models import ProjectDraft
from projects.modes import starting
from projects.modes.presenters import AgentPresenter
from projects.modes.state import CREATE, KINDS
from projects.modes.streaming import (
    draft_json,
    encoded,
    happening,
    message_json,
    operation_json,
    session_json,
    turn_json,
)

RECENT = 20
router = Router(tags=["Project agent"])


class Strict(Schema):
    """Unknown names are refused, so that typos are noticed."""

    model_config = ConfigDict(extra="forbid")


class FileIn(Strict):
    """Something that comes with a message; what it says is never taken as the person's word."""

    name: str = Field(max_length=200)
    text: str = Field(max_length=50_000)


class StreamIn(Strict):
    """A message in a conversation, or the beginning of one; without `message` its opening."""

    message: str | None = None
    session_id: uuid.UUID | None = None
    chat_type: (
        Literal["project_create", "project_update", "project_audit", "project_forecast"] | None
    ) = None
    entity_id: uuid.UUID | None = Field(None, description="The project, in all modes but create.")
    client_id: uuid.UUID | None = None
    files: list[FileIn] = Field(default_factory=list, max_length=10)
    pasted: Stretches


class SessionIn(Strict):
    """What may be changed of a conversation; fields left out stay as they are."""

    title: str | None = None
    archived: bool | None = None
    policy: Literal["auto", "review"] | None = None


class DraftIn(Strict):
    """A draft of one's own, or the one of a conversation."""

    session_id: uuid.UUID | None = None
    name: str = ""
    description: str = ""


Body = dict[str, Any]
"""An object with one name: `session` or `sessions`, `draft` or `drafts`."""
_OWNED: Final = own("talk_id", starting.agent_session_for)


@router.post(
    "/agent/stream",
    url_name="agent_stream",
    summary="Say something to the agent",
    openapi_extra=STREAMED,
)
async def post_stream(request: HttpRequest, payload: StreamIn) -> StreamingHttpResponse:
    """Server-sent events: `session`, then `text`, `operation`, `draft_update`, `dimension_update`,
    `session_phase` as they happen, and in the end one `done` or `error`.

    Stopping to read stops nothing: the answer is written to its end.
    """
    session, run = await database_sync_to_async(_begin, thread_sensitive=False)(request, payload)
    phase = "" if payload.session_id is None else str(session.state.get("phase", ""))
    return event_stream(_events(session, run, phase))


@router.get("/agent/stream", response=Body, url_name="agent_stream", summary="Recent conversations")
def get_stream(request: HttpRequest) -> Body:
    """The 20 newest conversations with the agent."""
    return get_sessions(request)


@router.get("/agent/sessions", response=Body, url_name="agent_sessions", summary="Conversations")
def get_sessions(request: HttpRequest) -> Body:
    """The 20 newest conversations with the agent."""
    own = Session.objects.filter(
        participant_id__in=identity_of(request).participant_ids, kind__in=KINDS, deleted_at=None
    )
    newest = own.order_by("-updated_at")[:RECENT]
    return {"sessions": [session_json(session) for session in newest]}


@router.get(
    "/agent/sessions/{uuid:talk_id}",
    response=Body,
    url_name="agent_session",
    auth=_OWNED,
    summary="A conversation with its messages and operations",
)
def get_session(request: HttpRequest, talk_id: uuid.UUID) -> Body:
    """The last 200 messages and operations, oldest first."""
    session = starting.agent_session_for(identity_of(request), talk_id)
    return {"session": {**session_json(session), **_talk(session)}}


@router.patch(
    "/agent/sessions/{uuid:talk_id}",
    response=Body,
    url_name="agent_session",
    auth=_OWNED,
    summary="Rename or archive a conversation, choose how changes are made",
)
def patch_session(request: HttpRequest, talk_id: uuid.UUID, change: SessionIn) -> Body:
    """Title, archive and policy are the person's; phase and history are the server's alone."""
    identity = identity_of(request)
    session = starting.agent_session_for(identity, talk_id)
    if change.title is not None:
        chat_actions.rename_session(identity=identity, session_id=talk_id, title=change.title)
    if change.archived is not None:
        archive = (
            chat_actions.archive_session if change.archived else chat_actions.unarchive_session
        )
        archive(identity=identity, session_id=talk_id)
    if change.policy is not None:
        choose(session=session, policy=change.policy)
    return {"session": session_json(starting.agent_session_for(identity, talk_id))}


@router.get("/agent/drafts", response=Body, url_name="agent_drafts", summary="Drafts")
def get_drafts(request: HttpRequest) -> Body:
    """Drafts in progress."""
    return {"drafts": [draft_json(item) for item in queries.drafts_of(identity_of(request))]}


@router.post("/agent/drafts", response=Body, url_name="agent_drafts", summary="Begin a draft")
def post_draft(request: HttpRequest, payload: DraftIn) -> Body:
    """The draft of a conversation when it has one, else a new one."""
    identity = identity_of(request)
    rates.check(limits.DRAFT, identity)
    values = {"name": payload.name, "description": payload.description}
    if payload.session_id is None:
        outcome = run_by_program(scope_of(request), build(CreateDraft, values))
        return {"draft": draft_json(ProjectDraft.objects.get(pk=outcome.created[0]))}
    session = starting.agent_session_for(identity, payload.session_id)
    if session.kind != CREATE:
        raise BadInput(_("Only a creating conversation has a draft."), field="session_id")
    draft = starting.draft_of(session)
    if draft is None:
        draft = starting.begin_draft(identity=identity, session=session, values=values)
    return {"draft": draft_json(draft)}


def _begin(request: HttpRequest, payload: StreamIn) -> tuple[Session, Run | None]:
    """Stores what was sent; the run that answers it, none for an opening that was said already."""
    identity = identity_of(request)
    parts = [{"type": "file", "name": file.name, "text": file.text} for file in payload.files]
    if payload.session_id is not None:
        session = starting.agent_session_for(identity, payload.session_id)
        if payload.message is None:
            runs = Run.objects.filter(session=session, message=None)
            last = runs.order_by("created_at").last()
            return session, last if last is not None and last.is_open else None
        required_text(payload.message, limit=AgentPresenter.message_chars, field="message")
        run = chat_actions.send_message(
            identity=identity, session=session, text=payload.message, client_id=payload.client_id,
            parts=parts, pasted=ranges_of(payload.pasted),
        )  # fmt: skip
        return session, run
    if payload.chat_type is None:
        raise BadInput(_("Name a session, or the type of a new one."), field="chat_type")
    if payload.files:  # a first message has no parts yet
        raise BadInput(_("Begin the conversation first, then send files."), field="files")
    if payload.entity_id is None and payload.chat_type != CREATE:
        raise BadInput(_("Choose a project."), field="entity_id")
    if payload.message and payload.message.strip():  # a blank one begins with the opening
        required_text(payload.message, limit=AgentPresenter.message_chars, field="message")
    with transaction.atomic():  # what is refused leaves no participant behind
        project = queries.project_for(identity, payload.entity_id) if payload.entity_id else None
        session = starting.start(
            participant=project.owner if project else identity.participant(), project=project,
            mode=payload.chat_type.removeprefix("project_"), first_text=payload.message or "",
            client_id=payload.client_id, pasted=ranges_of(payload.pasted),
        )  # fmt: skip
        rates.check(limits.START, identity)
    return session, Run.objects.filter(session=session).earliest("created_at")


async def _events(session: Session, run: Run | None, phase: str) -> AsyncIterator[bytes]:
    """A run until it is over; without one, the opening that was said already."""
    yield encoded({"type": "session", "session": session_json(session)})
    if run is not None:
        async for event in happening(session, run.pk, phase):
            if event["type"] == "done":
                event.update(
                    await database_sync_to_async(turn_json, thread_sensitive=False)(run.pk)
                )
            yield encoded(event)
        return
    if text := await database_sync_to_async(_opening, thread_sensitive=False)(session):
        yield encoded({"type": "text", "content": text})
    yield encoded({"type": "done"})


def _opening(session: Session) -> str:
    first = Message.objects.filter(session=session, role=Message.Role.ASSISTANT).first()
    return first.text if first else ""


def _talk(session: Session, limit: int = 200) -> dict[str, Any]:
    """The end of a conversation: messages with the operations that each caused."""
    result = Operation.objects.filter(batch__session=session).select_related("batch", "payload")
    operations = list(result.order_by("-batch__created_at", "-sequence")[:limit])[::-1]
    caused: dict[uuid.UUID | None, list[str]] = {}
    for operation in operations:
        caused.setdefault(operation.batch.message_id, []).append(str(operation.pk))
    messages = Message.objects.filter(session=session, superseded_at=None).order_by("-seq")[:limit]
    return {
        "messages": [
            message_json(message, caused.get(message.pk, ())) for message in list(messages)[::-1]
        ],
        "operations": [operation_json(operation) for operation in operations],
    }
