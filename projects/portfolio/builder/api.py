"""JSON for programs: the conversation about an entry, in one stream, and the entry's session."""

from __future__ import annotations

import uuid
from collections.abc import AsyncIterator
from datetime import datetime
from typing import Any

from channels.db import database_sync_to_async
from django.db import transaction
from django.http import HttpRequest, StreamingHttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from ninja import Field, Router

from chat import actions as chat_actions, rates
from chat.api import Camel
from chat.identity import Identity, identity_of
from chat.models import Message, Run, Session
from chat.sse import STREAMED, event_stream
from futura import limits
from futura.errors import BadInput
from futura.limits import required_text
from projects.modes.streaming import encoded, happening
from projects.portfolio import queries
from projects.portfolio.builder import starting
from projects.portfolio.builder.context import entry_of
from projects.portfolio.builder.drafting import Invoked
from projects.portfolio.builder.presenter import MESSAGE_CHARS, actions_for
from projects.portfolio.entries.api import OWNED, EntryOut, entry_out
from projects.portfolio.models import Entry
from projects.portfolio.queries import entry_for, session_of

SHOWN = frozenset({"sourced", "images", "preview", "clarify"})
router = Router(tags=["Portfolio builder"], by_alias=True)


class MessageIn(Camel):
    """A message about an entry; without `entryId` the first one makes the entry.

    `invoke` asks for one of the larger tools by name; words that ask for it do the same.
    """

    message: str
    entry_id: uuid.UUID | None = None
    portfolio_id: uuid.UUID | None = Field(None, description="Where a new entry is made.")
    client_id: uuid.UUID | None = None
    invoke: Invoked | None = None


class BuilderSessionOut(Camel):
    """The one session of an entry, without its messages: those come from `contextUrl`."""

    id: uuid.UUID
    entry_id: uuid.UUID
    title: str
    phase: str
    extracted_data: dict[str, str]
    message_count: int
    estimated_tokens: int
    is_compacted: bool
    created_at: datetime
    updated_at: datetime
    context_url: str


class EntrySessionOut(Camel):
    """`session` is null while nothing was said; `isNew` says that it was made just now."""

    session: BuilderSessionOut | None
    is_new: bool


_BY_PROJECT = "/chat/sessions/by-project/{uuid:entry_id}"


@router.get(
    _BY_PROJECT, response=EntrySessionOut, auth=OWNED, url_name="builder_session",
    summary="The session of an entry, if there is one",
)  # fmt: skip
def get_session(request: HttpRequest, entry_id: uuid.UUID) -> EntrySessionOut:
    """Its data only; nothing is made."""
    entry = entry_for(identity_of(request), entry_id)
    session = session_of(entry)
    return EntrySessionOut(session=_session_out(session, entry) if session else None, is_new=False)


@router.post(
    _BY_PROJECT, response=EntrySessionOut, auth=OWNED, url_name="builder_session",
    summary="The session of an entry, made when there is none",
)  # fmt: skip
def post_session(request: HttpRequest, entry_id: uuid.UUID) -> EntrySessionOut:
    """One session for each entry, for creating and editing alike. Send an empty JSON object."""
    identity = identity_of(request)
    entry = entry_for(identity, entry_id)
    session, is_new = _opened(identity, entry)
    return EntrySessionOut(session=_session_out(session, entry), is_new=is_new)


def _opened(identity: Identity, entry: Entry) -> tuple[Session, bool]:
    """The session of an entry, and whether it was made just now."""
    session = session_of(entry)
    if session is not None:
        return session, False
    rates.check(limits.START, identity)
    return starting.open_for(entry), True


@router.post(
    "/portfolio/builder/chat",
    url_name="builder_chat",
    summary="Talk about an entry",
    openapi_extra=STREAMED,
)
async def post_chat(request: HttpRequest, sent: MessageIn) -> StreamingHttpResponse:
    """Server-sent events: `session`, then `text`, `operation`, `entry`, `session_phase` as they
    happen, `draft_text` while a draft is written, what is to be shown (`part`), `tools` (what was
    used), `quick_actions`, and in the end one `done` or `error`.

    Earlier messages are the server's. Stopping to read stops nothing.
    """
    session, run = await database_sync_to_async(_stored, thread_sensitive=False)(request, sent)
    return event_stream(_events(session, run))


async def _events(session: Session, run: Run) -> AsyncIterator[bytes]:
    look = database_sync_to_async(_entry_json, thread_sensitive=False)
    last = database_sync_to_async(_at_the_end, thread_sensitive=False)
    yield encoded({"type": "session", "sessionId": str(session.pk),
                   "entryId": session.state.get("entry_id"), "runId": str(run.pk)})  # fmt: skip
    sent: dict[str, Any] = {}
    async for event in happening(session, run.pk, str(session.state.get("phase", ""))):
        if event["type"] == "done":
            for more in await last(run.pk):
                yield encoded(more)
        yield encoded(event)
        if event["type"] == "operation" and (entry := await look(session.pk)) != sent:
            sent = entry
            yield encoded({"type": "entry", "entry": entry})


def _stored(request: HttpRequest, sent: MessageIn) -> tuple[Session, Run]:
    """Stores what was sent. Raises NotFound, BadInput, TooLong, TooMany, Conflict."""
    identity = identity_of(request)
    if sent.entry_id is None:
        begun = _begun(identity, sent)
        return begun, Run.objects.filter(session=begun).earliest("created_at")
    entry = entry_for(identity, sent.entry_id, portfolio_id=sent.portfolio_id)
    required_text(sent.message, limit=MESSAGE_CHARS, field="message")
    session, _is_new = _opened(identity, entry)  # what was sent comes after its opening
    parts = [{"type": "invoke", "tool": sent.invoke, "sent": True}] if sent.invoke else []
    run = chat_actions.send_message(
        identity=identity, session=session, text=sent.message, client_id=sent.client_id, parts=parts
    )
    return session, run


def _begun(identity: Identity, sent: MessageIn) -> Session:
    if sent.portfolio_id is not None:
        portfolio = queries.portfolio_for(identity, sent.portfolio_id)
    elif len(own := list(queries.portfolios_of(identity)[:2])) == 1:
        portfolio = own[0]
    else:
        raise BadInput(_("Give an entry, or the portfolio for a new entry."), field="portfolioId")
    text = required_text(sent.message, limit=MESSAGE_CHARS, field="message")
    with transaction.atomic():
        session = starting.begin(portfolio, text, sent.client_id)
        rates.check(limits.START, identity)
    return session


def _session_out(session: Session, entry: Entry) -> BuilderSessionOut:
    return BuilderSessionOut(
        id=session.pk,
        entry_id=entry.pk,
        title=session.title,
        phase=str(session.state.get("phase", "")),
        extracted_data=session.state.get("told", {}),
        message_count=Message.objects.filter(session=session, superseded_at=None).count(),
        estimated_tokens=session.token_count,
        is_compacted=bool(session.summary_seq),
        created_at=session.created_at,
        updated_at=session.updated_at,
        context_url=f"{reverse('api:session_context', args=[session.pk])}?mode=ui",
    )


def _entry_json(session_id: uuid.UUID) -> dict[str, Any]:
    entry = entry_of(Session.objects.get(pk=session_id))
    if entry is None:
        return {}
    return EntryOut.model_validate(entry_out(entry)).model_dump(mode="json", by_alias=True)


def _at_the_end(run_id: uuid.UUID) -> list[dict[str, Any]]:
    run = Run.objects.select_related("session", "reply").get(pk=run_id)
    parts = run.reply.parts if run.reply else []
    called = [part["name"] for part in parts if part.get("type") == "tool_call"]
    entry = entry_of(run.session)
    chips = actions_for(run.session, entry) if entry else []
    steps = [{"key": chip.key, "label": chip.label, "says": chip.says} for chip in chips]
    visible = [{"type": "part", "part": part} for part in parts if part.get("type") in SHOWN]
    return [
        {"type": "tools", "tools": called},
        *visible,
        {"type": "quick_actions", "actions": steps},
    ]
