"""JSON for programs: a conversation's data, its messages, and the context a model would get."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Annotated, Any, Final, Literal

from channels.db import database_sync_to_async
from django.http import HttpRequest, StreamingHttpResponse
from django.urls import reverse
from ninja import Field, Header, Query, Router, Schema, Status
from pydantic import ConfigDict
from pydantic.alias_generators import to_camel

from chat import actions
from chat.commands.tokens import require_talk
from chat.identity import Identity, identity_of
from chat.memory.queries import load, messages_before, messages_of
from chat.memory.shapes import BUDGET, KEPT, KEPT_ON_PAGES, ON_PAGE, WINDOW
from chat.memory.summary import request_summary
from chat.models import Run, Session
from chat.pasted import Stretches, ranges_of
from chat.presenters import presenter_for
from chat.queries import active_run, session_for
from chat.sse import STREAMED, event_stream, session_events
from futura.rows import only


class Camel(Schema):
    """Names as JavaScript writes them; unknown ones are refused, so that typos are noticed."""

    model_config = ConfigDict(
        alias_generator=to_camel, populate_by_name=True, extra="forbid", from_attributes=True
    )


def own(name: str, door: Callable[[Identity, uuid.UUID], Any]) -> Callable[[HttpRequest], Any]:
    """Asks whose row the address names before it looks at anything that was sent: the door raises
    NotFound for those of others.
    """

    def row(request: HttpRequest) -> Any:
        match = request.resolver_match
        assert match is not None  # noqa: S101 - a view is running
        return door(identity_of(request), uuid.UUID(str(match.kwargs[name])))

    return row


class Send(Camel):
    """One message of the person; the same `clientId` twice is one message."""

    text: str
    client_id: uuid.UUID | None = None
    replaces: uuid.UUID | None = Field(
        None, description="The person's last message, which these words stand for from now on."
    )
    pasted: Stretches


class RunAction(Camel):
    """What shall become of an answer; of the one at work, or the last, where none is named."""

    action: Literal["stop", "retry", "continue", "regenerate"]
    run_id: uuid.UUID | None = None


class Change(Camel):
    """What may be changed of a conversation; fields left out stay as they are."""

    title: str | None = None
    archived: bool | None = None


class MessageOut(Camel):
    """A message as it stands; `parts` holds cards, tool calls and their results."""

    id: uuid.UUID
    seq: int
    role: str
    text: str
    parts: list[dict[str, Any]]
    status: str
    token_count: int
    created_at: datetime


class RunOut(Camel):
    """The answer that is being made, or waits to be."""

    id: uuid.UUID
    status: str
    stage: str
    message_id: uuid.UUID | None
    reply_id: uuid.UUID | None


class SessionOut(Camel):
    """A conversation without its messages; `coveredSeq` is the last one that the summary covers."""

    id: uuid.UUID
    kind: str
    title: str
    status: str
    phase: str
    is_archived: bool
    token_count: int
    covered_seq: int
    summarised_at: datetime | None
    created_at: datetime
    updated_at: datetime
    run: RunOut | None


class FactOut(Camel):
    """Something the person said, and the message that says it."""

    text: str
    kind: str
    message_id: uuid.UUID
    seq: int


class ContextOut(Camel):
    """The past within its budget; `summary` and `keyFacts` are empty while everything fits."""

    session_id: uuid.UUID
    mode: Literal["program", "ui"]
    is_compacted: bool
    summary: str
    covered_seq: int
    key_facts: list[FactOut]
    messages: list[MessageOut]
    token_count: int
    token_budget: int
    project_data: dict[str, Any] = Field(
        default_factory=dict, description="What the conversation is about, as it stands now."
    )


class MessagesOut(Camel):
    """A stretch of messages in order; ask again with `before` while `hasEarlier`."""

    messages: list[MessageOut]
    has_earlier: bool


class SentOut(Camel):
    """The message is stored and its answer queued; follow `eventsUrl`."""

    session_id: uuid.UUID
    message_id: uuid.UUID
    run_id: uuid.UUID
    status: str
    events_url: str = Field(description="Server-sent events: see its address.")


class SummaryQueuedOut(Camel):
    """A summary will be made, unless there is nothing new to cover."""

    session_id: uuid.UUID
    status: Literal["queued"] = "queued"


class MessagesQuery(Schema):
    """Which messages."""

    before: int | None = Field(None, ge=1, description="Only messages before this `seq`.")
    limit: int = Field(ON_PAGE, ge=1, le=WINDOW, description="How many at most.")


class ContextQuery(Schema):
    """For whom."""

    mode: Literal["program", "ui"] = Field(
        "program", description="A page gets more messages beside a summary than a program."
    )


def _owned(request: HttpRequest) -> Session:
    """The caller's session, looked at before anything that was sent. Raises NotFound."""
    session: Session = own("session_id", session_for)(request)
    require_talk(request, session.kind)
    return session


router = Router(tags=["Conversations"], auth=_owned, by_alias=True)
_ONE = "/chat/sessions/{uuid:session_id}"
ACTIONS: Final[Mapping[str, Callable[..., Run]]] = {
    "stop": actions.stop_run,
    "retry": actions.retry_run,
    "continue": actions.continue_run,
    "regenerate": actions.regenerate,
}


@router.get(_ONE, response=SessionOut, url_name="session", summary="A conversation")
def get_session(request: HttpRequest, session_id: uuid.UUID) -> SessionOut:
    """Its data only: messages come from `messages`, what a model would get from `context`."""
    return _session_out(_session(request, session_id))


@router.patch(
    _ONE, response=SessionOut, url_name="session", summary="Rename or archive a conversation"
)
def patch_session(request: HttpRequest, session_id: uuid.UUID, change: Change) -> SessionOut:
    """Title and archive are the person's; phase, state and history are the server's alone."""
    identity = identity_of(request)
    if change.title is not None:
        actions.rename_session(identity=identity, session_id=session_id, title=change.title)
    if change.archived is not None:
        archive = actions.archive_session if change.archived else actions.unarchive_session
        archive(identity=identity, session_id=session_id)
    return _session_out(session_for(identity, session_id))


@router.get(
    f"{_ONE}/context",
    response=ContextOut,
    url_name="session_context",
    summary="The past of a conversation within its budget",
)
def get_context(
    request: HttpRequest, session_id: uuid.UUID, query: Query[ContextQuery]
) -> ContextOut:
    """Everything while it fits; else summary, key facts and the last messages.

    Beside a summary a program gets the last 10 messages, `mode=ui` the last 20; without one
    `mode=ui` gets the last 50.
    """
    session = _session(request, session_id)
    on_page = query.mode == "ui"
    least = KEPT_ON_PAGES if on_page else KEPT
    past = load(session, least=least)
    at_most = least if past.covered_seq else ON_PAGE if on_page else WINDOW
    recent = [message.message_id for message in past.messages[-at_most:]]
    return ContextOut(
        session_id=session.pk,
        mode=query.mode,
        is_compacted=past.is_compacted,
        summary=past.summary,
        covered_seq=past.covered_seq,
        key_facts=[FactOut.model_validate(fact) for fact in past.facts],
        messages=[MessageOut.model_validate(item) for item in messages_of(session.pk, recent)],
        token_count=past.tokens,
        token_budget=BUDGET,
        project_data=dict(presenter_for(session.kind).records(session)),
    )


@router.get(
    f"{_ONE}/messages",
    response=MessagesOut,
    url_name="session_messages",
    summary="Messages of a conversation, the newest first page first",
)
def get_messages(
    request: HttpRequest, session_id: uuid.UUID, query: Query[MessagesQuery]
) -> MessagesOut:
    """The current branch in order; what was replaced by another wording or answer is left out."""
    session = _session(request, session_id)
    rows = messages_before(session.pk, before=query.before, limit=query.limit + 1)
    return MessagesOut(
        messages=[MessageOut.model_validate(row) for row in rows[-query.limit :]],
        has_earlier=len(rows) > query.limit,
    )


@router.post(
    f"{_ONE}/messages",
    response={202: SentOut},
    url_name="session_messages",
    summary="Say something in a conversation",
)
def post_message(request: HttpRequest, session_id: uuid.UUID, message: Send) -> Status[SentOut]:
    """Stores one message of the person and queues its answer; a resend changes nothing.

    Earlier messages, roles and answers are never taken from a client.
    """
    identity, session = identity_of(request), _session(request, session_id)
    content: dict[str, Any] = {"text": message.text, "pasted": ranges_of(message.pasted)}
    if message.replaces is None:
        run = actions.send_message(
            identity=identity, session=session, client_id=message.client_id, **content
        )
    else:
        old = only(session.messages.filter(pk=message.replaces))
        run = actions.edit_last(identity=identity, message_id=old.pk, **content)
    assert run.message_id is not None  # noqa: S101 - made for a message
    sent = SentOut(
        session_id=session_id,
        message_id=run.message_id,
        run_id=run.pk,
        status=run.status,
        events_url=reverse("api:session_events", args=[session_id]),
    )
    return Status(202, sent)


@router.get(
    f"{_ONE}/events",
    auth=None,  # asks the same in a thread
    url_name="session_events",
    summary="Follow a conversation",
    openapi_extra=STREAMED,
)
async def get_events(
    request: HttpRequest,
    session_id: uuid.UUID,
    after: str = "",
    last_event_id: Annotated[str, Header("", alias="Last-Event-ID")] = "",
) -> StreamingHttpResponse:
    """Server-sent events, without an end: a `snapshot` (messages, the run at work), then each
    `message`, `part`, `run` and `stage` as it now stands and each `token` (`messageId`, `start`,
    `text`). Other events name what changed by its id. A run is over with the status `completed`,
    `stopped`, `failed` or `interrupted`; `error` then says why.

    After a cut, ask with the last id as `Last-Event-ID` or `after`: you get what you missed, or a
    `snapshot` where that is no longer known.
    """
    await database_sync_to_async(_owned, thread_sensitive=False)(request)
    return event_stream(session_events(session_id, after or last_event_id))


@router.post(
    f"{_ONE}/run",
    response={202: RunOut},
    url_name="session_run",
    summary="Stop an answer, or have it made again",
)
def post_run(request: HttpRequest, session_id: uuid.UUID, wish: RunAction) -> Status[Run]:
    """`retry` answers anew what failed, was stopped or interrupted, `continue` goes on below it,
    `regenerate` gives another answer in the place of a complete one. What an answer changed stays
    changed: undo it first.
    """
    session = _session(request, session_id)
    runs = session.runs.order_by("-created_at")
    named = only(runs.filter(pk=wish.run_id)) if wish.run_id else active_run(session.pk)
    run = named or only(runs)
    return Status(202, ACTIONS[wish.action](identity=identity_of(request), run_id=run.pk))


@router.post(
    f"{_ONE}/summarize",
    response={202: SummaryQueuedOut},
    url_name="session_summarize",
    summary="Bring the summary of a conversation up to date",
)
def post_summarize(request: HttpRequest, session_id: uuid.UUID) -> Status[SummaryQueuedOut]:
    """Made in the background; `context` shows it once it is there. Without a model it has the first
    sentences of the messages.

    Send an empty JSON object.
    """
    request_summary(identity=identity_of(request), session=_session(request, session_id))
    return Status(202, SummaryQueuedOut(session_id=session_id))


def _session(request: HttpRequest, session_id: uuid.UUID) -> Session:
    session: Session = request.auth  # type: ignore[attr-defined] # set by the router
    assert session.pk == session_id  # noqa: S101 - both from the address
    return session


def _session_out(session: Session) -> SessionOut:
    named = {name: getattr(session, name, None) for name in SessionOut.model_fields}
    return SessionOut.model_validate(
        {
            **named,
            "is_archived": session.archived_at is not None,
            "covered_seq": session.summary_seq,
            "run": active_run(session.pk),
        }
    )
