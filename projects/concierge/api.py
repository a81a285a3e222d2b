"""JSON for programs: one endpoint to talk to the concierge, and the same as a stream."""

from __future__ import annotations

import uuid
from collections.abc import AsyncIterator
from functools import partial
from typing import Any, Final

from channels.db import database_sync_to_async
from django.http import HttpRequest, HttpResponse, JsonResponse, StreamingHttpResponse
from django.urls import reverse
from ninja import Router
from pydantic import Field

from chat.api import Camel
from chat.assistant.cards import counted
from chat.identity import identity_of
from chat.models import Run
from chat.pasted import Stretches, ranges_of
from chat.sse import STREAMED, NoAnswer, event_stream, wait_for_run
from futura.errors import Unavailable
from futura.limits import required_text
from projects.concierge import actions
from projects.concierge.presenter import MESSAGE_CHARS, numbered
from projects.modes.streaming import encoded, happening, opened_by

AUTO_GREET: Final = "[AUTO_GREET]"
WAIT_S: Final = 45
"""How long an answer is waited for before the caller gets 202 and the place to follow it."""

router = Router(tags=["Concierge"])
_in_thread: Final = partial(database_sync_to_async, thread_sensitive=False)


class ChatIn(Camel):
    """A message, or `[AUTO_GREET]` for five suggestions; without `sessionId` the running talk."""

    message: str
    session_id: uuid.UUID | None = None
    client_id: uuid.UUID | None = None
    pasted: Stretches


class AnswerOut(Camel):
    """The answer. `toolsUsed` names the tools that did something, in their order."""

    message: str
    tools_used: list[str]
    session_id: uuid.UUID
    basic_mode: bool = Field(description="Whether the answer came without a model.")
    changes: int = Field(description="What the turn changed, as the ledger has it.")
    waiting: int = Field(description="What waits for the person's review.")
    opened: list[str] = Field(description="Pages of the conversations that the turn opened.")


class LaterOut(Camel):
    """The answer takes longer; follow the log."""

    session_id: uuid.UUID
    run_id: uuid.UUID
    status: str
    events_url: str


@router.post(
    "/concierge/chat",
    response={200: AnswerOut, 202: LaterOut},
    by_alias=True,
    url_name="concierge_chat",
    summary="Talk to the concierge",
)
async def post_chat(request: HttpRequest, payload: ChatIn) -> HttpResponse:
    """Answers when the turn is done; after 45 seconds 202 with the place to follow it.

    `[AUTO_GREET]` is always answered and never kept as something that the person said. A first
    message without an account sets the participant's cookie, which later calls must carry.
    """
    taken = await _in_thread(_take)(request, payload)
    run = await wait_for_run(taken.pk, timeout_s=WAIT_S)
    if run.is_open:
        events_url = reverse("api:session_events", args=[run.session_id])
        later = LaterOut(
            session_id=run.session_id, run_id=run.pk, status=run.status, events_url=events_url
        )
        return JsonResponse(later.model_dump(mode="json", by_alias=True), status=202)
    answer = await _in_thread(_answer)(run)
    return JsonResponse(answer.model_dump(mode="json", by_alias=True))


@router.post(
    "/concierge/stream",
    url_name="concierge_stream",
    summary="The same as a stream",
    openapi_extra=STREAMED,
)
async def post_stream(request: HttpRequest, payload: ChatIn) -> StreamingHttpResponse:
    """Server-sent events: `session`, then `text` and `operation` as they happen, and in the end
    one `done` with the whole answer, or one `error`. Stopping to read stops nothing.
    """
    taken = await _in_thread(_take)(request, payload)
    return event_stream(_events(taken))


async def _events(taken: Run) -> AsyncIterator[bytes]:
    yield encoded({"type": "session", "sessionId": str(taken.session_id)})
    async for event in happening(taken.session, taken.pk, ""):
        if event["type"] == "done":
            whole = await _in_thread(lambda: _answer(_whole(taken.pk)))()
            yield encoded({"type": "done", **whole.model_dump(mode="json", by_alias=True)})
        else:
            yield encoded(event)


def _whole(run_id: uuid.UUID) -> Run:
    return Run.objects.select_related("session", "message", "reply").get(pk=run_id)


def _take(request: HttpRequest, payload: ChatIn) -> Run:
    """Stores what was sent; the run that answers it. Raises NotFound for a session that is not the
    caller's, and the rest of what sending raises.
    """
    identity = identity_of(request)
    is_greeting = payload.message.strip() == AUTO_GREET
    session = actions.current_session(identity)
    if payload.session_id is not None:
        session = actions.concierge_session_for(identity, payload.session_id)
    if session is not None and is_greeting:
        run = actions.greet(identity=identity, session=session, again=True)
        if run is None:
            raise Unavailable
        return _whole(run.pk)
    if not is_greeting:
        required_text(payload.message, limit=MESSAGE_CHARS, field="message")
    run = actions.say(
        identity=identity, session=session, text="" if is_greeting else payload.message,
        client_id=payload.client_id, pasted=ranges_of(payload.pasted),
    )  # fmt: skip
    return _whole(run.pk)


def _answer(run: Run) -> AnswerOut:
    """The specification's answer for a run that is over. Raises NoAnswer without one."""
    if run.reply is None or run.status in {Run.Status.FAILED, Run.Status.INTERRUPTED}:
        raise NoAnswer(run)
    parts: list[dict[str, Any]] = run.reply.parts
    offers = [item["text"] for part in parts if part.get("type") == "offers"
              for item in part.get("offers", ())]  # fmt: skip
    rows = [item["label"] for part in parts if part.get("type") == "ticks"
            for item in part.get("rows", ())]  # fmt: skip
    text = "\n\n".join(filter(None, (run.reply.text, numbered(rows), numbered(offers))))
    tools = [str(part["name"]) for part in parts
             if part.get("type") == "tool_result" and part["status"] == "ok"]  # fmt: skip
    counts = counted(run.pk)
    return AnswerOut(
        message=text, tools_used=tools, session_id=run.session_id, basic_mode=run.basic_mode,
        changes=counts["done"] + counts["undone"], waiting=counts["waiting"],
        opened=opened_by(run),
    )  # fmt: skip
