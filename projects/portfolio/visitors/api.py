"""POST /api/portfolio/chat: visitors' questions by programs, answered as server-sent events in the
spec's canonical shapes (3, sections 6.2–6.5).

Text comes from the log as it is written; stages, cards and the end are read from PostgreSQL
whenever the log says that something changed. A stream ends in exactly one `done` or `error`.
"""

from __future__ import annotations

import time
import uuid
from collections.abc import AsyncIterator
from typing import Any, Final, Literal

import orjson
from channels.db import database_sync_to_async
from django.http import HttpRequest, HttpResponseBase, JsonResponse
from django.utils.translation import gettext as _
from ninja import Router, Schema
from pydantic import ConfigDict, Field
from pydantic.alias_generators import to_camel

from chat.events.follow import Batch
from chat.events.kinds import Token
from chat.identity import identity_of
from chat.models import Run
from chat.sse import STREAMED, RunReader, event_stream, read_run
from futura.errors import BadInput, NotAllowed
from projects.portfolio.queries import published_portfolio
from projects.portfolio.visitors import actions, admission
from projects.portfolio.visitors.contract import STAGES
from projects.portfolio.visitors.pipeline import PREFIX
from projects.portfolio.visitors.presenter import record_of

PATIENCE_S: Final = 180.0
RETRY_AFTER_MS: Final = 2_000
CODES: Final = frozenset(
    {"llm_timeout", "llm_error", "retrieval_error", "internal_error", "stream_interrupted",
     "rate_limited", "budget_exceeded"}
)  # fmt: skip
router = Router(tags=["Portfolio"])


class Camel(Schema):
    """Names as JavaScript writes them."""

    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True)


class HistoryMessage(Camel):
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
    messages: list[HistoryMessage] = Field(min_length=1, max_length=1_000)
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
    openapi_extra=STREAMED,
)
async def post_chat(
    request: HttpRequest, payload: ChatRequest, portfolio: str = ""
) -> HttpResponseBase:
    """Server-sent events: `stage`, `reasoning` (where asked for), `ui`, `token`, `item`,
    `attachment`, `ui_actions`, and in the end one `done` or one `error`. An `item` of the type
    `withdrawn` takes back every token before it: its `text` stands in their place.

    404 for a portfolio that is not published, 403 when `?portfolio=` names another one than
    `ownerId`, 413 for a question over 500 tokens, 429 with Retry-After over 5 a minute, 40 an hour
    or 120 a day, 503 when nobody can count or the month's budget is used up. A question that is
    refused gets a plain JSON answer.
    """
    take = database_sync_to_async(_take, thread_sensitive=False)
    run = await take(request, payload, portfolio)
    if run is None:
        out = RefusedOut(anchor_id=payload.response_anchor_id, message=admission.refusal())
        return JsonResponse(out.model_dump(by_alias=True))
    return event_stream(_stream(run, _Reader(run, payload)))


def _take(request: HttpRequest, payload: ChatRequest, addressed: str) -> Run | None:
    """Stores the question. Raises NotFound, NotAllowed, and what asking raises."""
    name = addressed or payload.owner_id
    try:
        portfolio = published_portfolio(pk=uuid.UUID(name))
    except ValueError:
        portfolio = published_portfolio(slug=name)
    if addressed and payload.owner_id not in {portfolio.slug, str(portfolio.pk)}:
        raise NotAllowed(_("This address belongs to another portfolio."))
    last = payload.messages[-1]
    if last.role != "user":
        raise BadInput(_("The last message must be the visitor's."), field="messages")
    return actions.ask_by_api(
        portfolio=portfolio,
        conversation_id=payload.conversation_id,
        text=last.content,
        anchor=payload.response_anchor_id,
        address=identity_of(request).address,
    )


# The stream -------------------------------------------------------------------------------------
class _Reader(RunReader[bytes]):
    """Stages that were begun and ended, the text that was sent, and the reasoning so far."""

    def __init__(self, run: Run, payload: ChatRequest) -> None:
        super().__init__(run.pk)
        self.anchor, self.with_reasoning = payload.response_anchor_id, payload.reasoning_enabled
        self.begun: set[str] = set()
        self.ended: set[str] = set()
        self.text = ""
        self.trace: dict[str, Any] = dict.fromkeys(("plan", "retrieval", "evidence", "answerMeta"))
        self.until = time.monotonic() + PATIENCE_S

    def event(self, name: str, **body: Any) -> bytes:
        data = orjson.dumps({"anchorId": self.anchor, **body}, default=str)
        return b"event: %b\ndata: %b\n\n" % (name.encode(), data)

    def error(self, code: str, message: str) -> bytes:
        is_retryable = code != "budget_exceeded"
        more = {"retryAfterMs": RETRY_AFTER_MS} if is_retryable else {}
        return self.event("error", code=code, message=message, retryable=is_retryable, **more)

    def taken(self, batch: Batch) -> tuple[list[bytes], bool]:
        """Text once the answer has begun; a sign of life where nothing comes."""
        if not batch.entries and not batch.is_lost:
            self.is_over = time.monotonic() > self.until
            late = _("The answer took too long. Try again.")
            more = [self.error("llm_timeout", late)] if self.is_over else []
            return [b": still here\n\n", *more], False
        text = ""
        for event in (entry.event for entry in batch.entries):
            has_begun = "answer" in self.begun
            fresh = self.stretch(event) if isinstance(event, Token) and has_begun else None
            if fresh is None:
                return self._text(text), True
            text += fresh
        return self._text(text), False

    def _text(self, text: str) -> list[bytes]:
        self.text += text
        return [self.event("token", token=text)] if text else []

    def _is_withdrawn(self, run: Run) -> bool:
        """Whether another text stands in the place of what was sent."""
        text = run.reply.text if run.reply else ""
        return not (text.startswith(self.text) or self.text.startswith(text))

    def look(self) -> list[bytes]:
        run = Run.objects.select_related("reply").filter(pk=self.run_id).first()
        if run is None:
            self.is_over = True
            return [self.error("internal_error", _("This conversation no longer exists."))]
        events: list[bytes] = []
        for stage in STAGES:
            step = next((step for step in run.trace if step.get("name") == PREFIX + stage), None)
            if step is None:
                continue
            if stage not in self.begun:
                self.begun.add(stage)
                events.append(self.event("stage", stage=stage, status="start"))
            if stage == "answer" and not self._is_withdrawn(run):
                events += self._text(self.remaining(run))
            if "by" in step and stage not in self.ended:
                self.ended.add(stage)
                events += _completed(stage, step, self)
        if not run.is_open:
            self.is_over = True
            events += _end(run, self)
        return events


async def _stream(run: Run, reader: _Reader) -> AsyncIterator[bytes]:
    """Everything of a run until it is over. That nobody reads it any more stops nothing."""
    # at once, whatever there is to do first
    reader.begun.add("planner")
    yield reader.event("stage", stage="planner", status="start")
    async for event in read_run(run.session_id, reader):
        yield event


def _completed(stage: str, step: dict[str, Any], reader: _Reader) -> list[bytes]:
    """A stage with what it found, the reasoning up to it, and the cards after the evidence."""
    detail = step.get("detail") or {}
    meta, took = detail.get("meta") or {}, step.get("took_ms", 0)
    events = [reader.event("stage", stage=stage, status="complete", meta=meta, durationMs=took)]
    reader.trace |= detail.get("trace") or {}
    if reader.with_reasoning:
        name = "plan" if stage == "planner" else stage
        events.append(reader.event("reasoning", stage=name, trace=dict(reader.trace)))
    if stage == "evidence" and "ui" in detail:
        events.append(reader.event("ui", ui=detail["ui"]))
    return events


def _end(run: Run, reader: _Reader) -> list[bytes]:
    """Claims with their quotes, the card to mark, and how it ended."""
    if run.status != Run.Status.COMPLETED:
        message = run.error_text or _("The answer was interrupted. Try again.")
        return [reader.error(_code(run, reader), message)]
    record: Any = record_of(run.reply) if run.reply else {}
    events: list[bytes] = []
    if any(dropped["code"] == "MODERATED" for dropped in record.get("dropped") or ()):
        # what was shown of the answer is taken back
        ui = {**record["ui"], "bannerText": admission.refusal()}
        events.append(reader.event("ui", ui=ui))
        if run.reply:
            item = {"type": "withdrawn", "text": run.reply.text}
            events.append(reader.event("item", item=item))
    if record.get("claims"):
        item = {"type": "citations", "claims": record["claims"], "evidence": record["evidence"]}
        events.append(reader.event("item", item=item))
    if cards := record.get("cards"):
        action = {"type": "highlightCard", "kind": cards[0]["kind"], "id": cards[0]["id"]}
        events.append(reader.event("ui_actions", actions=[action]))
    if admission.is_over_budget():
        message = _("Experiencing technical issues, try again later.")
        return [*events, reader.error("budget_exceeded", message)]
    took = round(((run.finished_at or run.created_at) - run.created_at).total_seconds() * 1000)
    more = {"truncationApplied": True} if record.get("truncationApplied") else {}
    return [*events, reader.event("done", totalDurationMs=max(0, took), **more)]


def _code(run: Run, reader: _Reader) -> str:
    if run.error_code in CODES:
        return run.error_code
    if run.status in {Run.Status.INTERRUPTED, Run.Status.STOPPED} or reader.sent:
        return "stream_interrupted"
    codes = {"model_unavailable": "llm_error", "too_many": "rate_limited"}
    return codes.get(run.error_code, "internal_error")
