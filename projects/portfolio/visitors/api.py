"""POST /api/portfolio/chat: visitors' questions by programs, answered as server-sent events in the
spec's canonical shapes (3, sections 6.2–6.5).

Text comes from the log as it is written; stages, cards and the end are read from PostgreSQL
whenever the log says that something changed. A stream ends in exactly one `done` or `error`.
"""

from __future__ import annotations

import time
import uuid
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Any, Final, Literal

import orjson
from channels.db import database_sync_to_async
from django.http import HttpRequest, HttpResponseBase, JsonResponse
from django.utils.translation import gettext as _
from ninja import Router, Schema
from pydantic import ConfigDict, Field
from pydantic.alias_generators import to_camel

from chat.events.follow import Batch, follow
from chat.events.kinds import Token
from chat.events.log import text_after
from chat.identity import identity_of
from chat.models import Run
from chat.sse import event_stream
from futura.errors import BadInput, NotAllowed
from projects.portfolio.models import Portfolio
from projects.portfolio.queries import published_portfolio
from projects.portfolio.visitors import actions, admission
from projects.portfolio.visitors.contract import STAGES
from projects.portfolio.visitors.pipeline import PREFIX
from projects.portfolio.visitors.presenter import record_of

WAIT_S: Final = 5.0
PATIENCE_S: Final = 180.0
RETRY_AFTER_MS: Final = 2_000
CODES: Final = frozenset(
    {"llm_timeout", "llm_error", "retrieval_error", "internal_error", "stream_interrupted",
     "rate_limited", "budget_exceeded"}
)  # fmt: skip
Named = tuple[str, dict[str, Any]]
router = Router(tags=["Portfolio"])


class Camel(Schema):
    """Names as JavaScript writes them."""

    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True)


class SaidBefore(Camel):
    """A message of the client's history; only the last one is read (DECISIONS 21)."""

    role: Literal["user", "assistant"]
    content: str


class ChatRequest(Camel):
    """A question to a portfolio.

    `ownerId` is the portfolio's address or id; `conversationId` is made by the client, stays the
    same through a conversation, and should be a UUID, so that nobody guesses it;
    `responseAnchorId` is new with every attempt. `reasoningEnabled` asks for `reasoning` events.
    """

    owner_id: str = Field(min_length=1, max_length=200)
    conversation_id: str = Field(min_length=1, max_length=200)
    messages: list[SaidBefore] = Field(min_length=1, max_length=1_000)
    response_anchor_id: str = Field(min_length=1, max_length=200)
    reasoning_enabled: bool = False


class RefusedOut(Camel):
    """A question that is not answered; nothing is streamed."""

    anchor_id: str
    message: str
    refused: bool = True


@router.post(
    "/portfolio/chat",
    response={200: RefusedOut},
    by_alias=True,
    url_name="portfolio_chat",
    summary="Ask a portfolio",
)
async def post_chat(
    request: HttpRequest, asked: ChatRequest, portfolio: str = ""
) -> HttpResponseBase:
    """Server-sent events: `stage`, `reasoning` (where asked for), `ui`, `token`, `item`,
    `attachment`, `ui_actions`, and in the end one `done` or one `error`.

    404 for a portfolio that is not published, 403 when `?portfolio=` names another one than
    `ownerId`, 413 for a question over 500 tokens, 429 with Retry-After over 5 a minute, 40 an hour
    or 120 a day, 503 when nobody can count or the month's budget is used up. A question that is
    refused gets a plain JSON answer.
    """
    take = database_sync_to_async(_take, thread_sensitive=False)
    run = await take(request, asked, portfolio)
    if run is None:
        out = RefusedOut(anchor_id=asked.response_anchor_id, message=admission.refusal())
        return JsonResponse(out.model_dump(by_alias=True))
    return event_stream(_stream(run, _Seen(asked.response_anchor_id, asked.reasoning_enabled)))


def _take(request: HttpRequest, asked: ChatRequest, addressed: str) -> Run | None:
    """Stores the question. Raises NotFound, NotAllowed, and what asking raises."""
    portfolio = _published(addressed or asked.owner_id)
    if addressed and asked.owner_id not in {portfolio.slug, str(portfolio.pk)}:
        raise NotAllowed(_("This address belongs to another portfolio."))
    last = asked.messages[-1]
    if last.role != "user":
        raise BadInput(_("The last message must be the visitor's."), field="messages")
    return actions.ask(
        portfolio=portfolio,
        conversation_id=asked.conversation_id,
        text=last.content,
        anchor=asked.response_anchor_id,
        address=identity_of(request).address,
    )


def _published(name: str) -> Portfolio:
    try:
        return published_portfolio(pk=uuid.UUID(name))
    except ValueError:
        return published_portfolio(slug=name)


# The stream -------------------------------------------------------------------------------------
@dataclass
class _Seen:
    anchor: str
    with_reasoning: bool
    begun: set[str] = field(default_factory=set)
    ended: set[str] = field(default_factory=set)
    trace: dict[str, Any] = field(
        default_factory=lambda: dict.fromkeys(("plan", "retrieval", "evidence", "answerMeta"))
    )
    sent: int = 0
    reply_id: uuid.UUID | None = None
    is_over: bool = False

    def event(self, name: str, **body: Any) -> Named:
        return name, {"anchorId": self.anchor, **body}

    def error(self, code: str, message: str) -> Named:
        is_retryable = code != "budget_exceeded"
        more = {"retryAfterMs": RETRY_AFTER_MS} if is_retryable else {}
        return self.event("error", code=code, message=message, retryable=is_retryable, **more)


def _encoded(named: Named) -> bytes:
    name, body = named
    return b"event: %b\ndata: %b\n\n" % (name.encode(), orjson.dumps(body, default=str))


async def _stream(run: Run, seen: _Seen) -> AsyncIterator[bytes]:
    """Everything of a run until it is over. That nobody reads it any more stops nothing."""
    look = database_sync_to_async(_look, thread_sensitive=False)
    until = time.monotonic() + PATIENCE_S
    # seen at once, whatever there is to do first
    seen.begun.add("planner")
    yield _encoded(seen.event("stage", stage="planner", status="start"))
    async with follow(run.session_id) as place:
        await place.seek_end()
        for event in await look(run.pk, seen):
            yield _encoded(event)
        while not seen.is_over:
            batch = await place.batch(WAIT_S)
            if batch.is_lost:
                await place.seek_end()
            text = _text_of(batch, seen)
            if text is None:
                for event in await look(run.pk, seen):
                    yield _encoded(event)
            elif text:
                yield _encoded(seen.event("token", token=text))
            if not batch.entries and not seen.is_over:
                yield b": still here\n\n"
                if time.monotonic() > until:
                    late = _("The answer took too long. Try again.")
                    yield _encoded(seen.error("llm_timeout", late))
                    return


def _text_of(batch: Batch, seen: _Seen) -> str | None:
    """The text that a batch adds; None where PostgreSQL has to be looked at."""
    if batch.is_lost or not batch.entries:
        return None
    text, sent = "", seen.sent
    for entry in batch.entries:
        event = entry.event
        if not isinstance(event, Token) or "answer" not in seen.begun:
            return None
        if event.message_id != seen.reply_id or event.start > sent:
            return None
        if event.end > sent:
            text += event.text[sent - event.start :]
            sent = event.end
    seen.sent = sent
    return text


def _look(run_id: uuid.UUID, seen: _Seen) -> list[Named]:
    run = Run.objects.select_related("reply").filter(pk=run_id).first()
    if run is None:
        seen.is_over = True
        return [seen.error("internal_error", _("This conversation no longer exists."))]
    events: list[Named] = []
    for stage in STAGES:
        step = next((step for step in run.trace if step.get("name") == PREFIX + stage), None)
        if step is None:
            continue
        if stage not in seen.begun:
            seen.begun.add(stage)
            events.append(seen.event("stage", stage=stage, status="start"))
        if stage == "answer":
            events += _text(run, seen)
        if "by" in step and stage not in seen.ended:
            seen.ended.add(stage)
            events += _completed(stage, step, seen)
    if not run.is_open:
        seen.is_over = True
        events += _end(run, seen)
    return events


def _completed(stage: str, step: dict[str, Any], seen: _Seen) -> list[Named]:
    """A stage with what it found, the reasoning up to it, and the cards after the evidence."""
    detail = step.get("detail") or {}
    meta, took = detail.get("meta") or {}, step.get("took_ms", 0)
    events = [seen.event("stage", stage=stage, status="complete", meta=meta, durationMs=took)]
    seen.trace |= detail.get("trace") or {}
    if seen.with_reasoning:
        name = "plan" if stage == "planner" else stage
        events.append(seen.event("reasoning", stage=name, trace=dict(seen.trace)))
    if stage == "evidence" and "ui" in detail:
        events.append(seen.event("ui", ui=detail["ui"]))
    return events


def _text(run: Run, seen: _Seen) -> list[Named]:
    if run.reply is None:
        return []
    if seen.reply_id != run.reply.pk:
        seen.reply_id, seen.sent = run.reply.pk, 0
    text = run.reply.text
    if run.is_open and run.lease:
        text = text_after(run.session_id, run.reply.pk, run.lease, text)
    fresh, seen.sent = text[seen.sent :], max(seen.sent, len(text))
    return [seen.event("token", token=fresh)] if fresh else []


def _end(run: Run, seen: _Seen) -> list[Named]:
    if run.status != Run.Status.COMPLETED:
        message = run.error_text or _("The answer was interrupted. Try again.")
        return [seen.error(_code(run, seen), message)]
    record = record_of(run.reply) if run.reply else {}
    events = _extras(record, seen)
    if admission.is_over_budget():
        message = _("Experiencing technical issues, try again later.")
        return [*events, seen.error("budget_exceeded", message)]
    took = round(((run.finished_at or run.created_at) - run.created_at).total_seconds() * 1000)
    more = {"truncationApplied": True} if record.get("truncationApplied") else {}
    return [*events, seen.event("done", totalDurationMs=max(0, took), **more)]


def _code(run: Run, seen: _Seen) -> str:
    if run.error_code in CODES:
        return run.error_code
    if run.status in {Run.Status.INTERRUPTED, Run.Status.STOPPED} or seen.sent:
        return "stream_interrupted"
    codes = {"model_unavailable": "llm_error", "too_many": "rate_limited"}
    return codes.get(run.error_code, "internal_error")


def _extras(record: Any, seen: _Seen) -> list[Named]:
    """What a page shows beside words and cards: the claims with their quotes, the card to mark."""
    events: list[Named] = []
    if any(dropped["code"] == "MODERATED" for dropped in record.get("dropped") or ()):
        # what was shown of the answer is taken back
        ui = {**record["ui"], "bannerText": admission.refusal()}
        events.append(seen.event("ui", ui=ui))
    if record.get("claims"):
        item = {"type": "citations", "claims": record["claims"], "evidence": record["evidence"]}
        events.append(seen.event("item", item=item))
    if cards := record.get("cards"):
        action = {"type": "highlightCard", "kind": cards[0]["kind"], "id": cards[0]["id"]}
        events.append(seen.event("ui_actions", actions=[action]))
    return events
