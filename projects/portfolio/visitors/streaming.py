"""One run of a visit as server-sent events in the spec's canonical shapes (3, sections 6.2–6.5).

Text comes from the log as it is written; stages, cards and the end are read from PostgreSQL
whenever the log says that something changed. A stream ends in exactly one `done` or `error`.
"""

from __future__ import annotations

import time
import uuid
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Any, Final

import orjson
from channels.db import database_sync_to_async
from django.utils.translation import gettext as _

from chat.events.follow import Batch, follow
from chat.events.kinds import Token
from chat.events.log import text_after
from chat.models import Run
from projects.portfolio.visitors import admission
from projects.portfolio.visitors.contract import STAGES
from projects.portfolio.visitors.moderation import refusal
from projects.portfolio.visitors.pipeline import PREFIX
from projects.portfolio.visitors.presenter import record_of

WAIT_S: Final = 5.0
PATIENCE_S: Final = 180.0
RETRY_AFTER_MS: Final = 2_000
CODES: Final = frozenset(
    {"llm_timeout", "llm_error", "retrieval_error", "internal_error", "stream_interrupted",
     "rate_limited", "budget_exceeded"}
)  # fmt: skip
REASONING: Final = {"planner": "plan", "retrieval": "retrieval", "evidence": "evidence",
                    "answer": "answer"}  # fmt: skip
TRACED: Final = ("plan", "retrieval", "evidence", "answerMeta")
Named = tuple[str, dict[str, Any]]


@dataclass
class Following:
    """What has been sent of a run."""

    anchor: str
    with_reasoning: bool = False
    begun: set[str] = field(default_factory=set)
    ended: set[str] = field(default_factory=set)
    trace: dict[str, Any] = field(default_factory=lambda: dict.fromkeys(TRACED))
    sent: int = 0
    reply_id: uuid.UUID | None = None
    is_over: bool = False

    def event(self, name: str, **body: Any) -> Named:
        """An event under this anchor."""
        return name, {"anchorId": self.anchor, **body}


def encoded(named: Named) -> bytes:
    """One event on the wire."""
    name, body = named
    return b"event: %b\ndata: %b\n\n" % (name.encode(), orjson.dumps(body, default=str))


async def stream(session_id: uuid.UUID, run_id: uuid.UUID, seen: Following) -> AsyncIterator[bytes]:
    """Everything of a run until it is over. That nobody reads it any more stops nothing."""
    look = database_sync_to_async(_look, thread_sensitive=False)
    until = time.monotonic() + PATIENCE_S
    # seen at once, whatever there is to do first
    seen.begun.add("planner")
    yield encoded(seen.event("stage", stage="planner", status="start"))
    async with follow(session_id) as place:
        await place.seek_end()
        for event in await look(run_id, seen):
            yield encoded(event)
        while not seen.is_over:
            batch = await place.batch(WAIT_S)
            if batch.is_lost:
                await place.seek_end()
            text = _text_of(batch, seen)
            if text is None:
                for event in await look(run_id, seen):
                    yield encoded(event)
            elif text:
                yield encoded(seen.event("token", token=text))
            if not batch.entries and not seen.is_over:
                yield b": still here\n\n"
                if time.monotonic() > until:
                    seen.is_over = True
                    yield encoded(
                        _error(seen, "llm_timeout", _("The answer took too long. Try again."))
                    )


def _text_of(batch: Batch, seen: Following) -> str | None:
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


def _look(run_id: uuid.UUID, seen: Following) -> list[Named]:
    """What has happened in the run since the last look."""
    run = Run.objects.select_related("reply").filter(pk=run_id).first()
    if run is None:
        seen.is_over = True
        return [_error(seen, "internal_error", _("This conversation no longer exists."))]
    before = [one for stage in STAGES if stage != "answer" for one in _stage(run, stage, seen)]
    events = [*before, *_begin(run, "answer", seen), *_text(run, seen)]
    events += _end_of_stage(run, "answer", seen)
    if not run.is_open:
        seen.is_over = True
        events += _end(run, seen)
    return events


def _stage(run: Run, stage: str, seen: Following) -> list[Named]:
    return [*_begin(run, stage, seen), *_end_of_stage(run, stage, seen)]


def _step(run: Run, stage: str) -> dict[str, Any] | None:
    return next((one for one in run.trace if one.get("name") == PREFIX + stage), None)


def _begin(run: Run, stage: str, seen: Following) -> list[Named]:
    if stage in seen.begun or _step(run, stage) is None:
        return []
    seen.begun.add(stage)
    return [seen.event("stage", stage=stage, status="start")]


def _end_of_stage(run: Run, stage: str, seen: Following) -> list[Named]:
    """Its end with what it found, the reasoning up to it, and the cards after the evidence."""
    step = _step(run, stage)
    if stage in seen.ended or step is None or "by" not in step:
        return []
    seen.ended.add(stage)
    detail = step.get("detail") or {}
    meta, took = detail.get("meta") or {}, step.get("took_ms", 0)
    events = [seen.event("stage", stage=stage, status="complete", meta=meta, durationMs=took)]
    seen.trace |= detail.get("trace") or {}
    if seen.with_reasoning:
        events.append(seen.event("reasoning", stage=REASONING[stage], trace=dict(seen.trace)))
    if stage == "evidence" and "ui" in detail:
        events.append(seen.event("ui", ui=detail["ui"]))
    return events


def _text(run: Run, seen: Following) -> list[Named]:
    # what was read a moment before may know less than the log: words never come before their stage
    if run.reply is None or "answer" not in seen.begun:
        return []
    if seen.reply_id != run.reply.pk:
        seen.reply_id, seen.sent = run.reply.pk, 0
    text = run.reply.text
    if run.is_open and run.lease:
        text = text_after(run.session_id, run.reply.pk, run.lease, text)
    fresh, seen.sent = text[seen.sent :], max(seen.sent, len(text))
    return [seen.event("token", token=fresh)] if fresh else []


def _end(run: Run, seen: Following) -> list[Named]:
    if run.status != Run.Status.COMPLETED:
        code = run.error_code if run.error_code in CODES else ""
        if not code:
            broke = run.status in {Run.Status.INTERRUPTED, Run.Status.STOPPED} or seen.sent
            code = "stream_interrupted" if broke else _code(run.error_code)
        return [_error(seen, code, run.error_text or _("The answer was interrupted. Try again."))]
    record = record_of(run.reply) if run.reply else {}
    events = _extras(record, seen)
    if admission.is_over_budget():
        told = _("Experiencing technical issues, try again later.")
        return [*events, _error(seen, "budget_exceeded", told)]
    took = round(((run.finished_at or run.created_at) - run.created_at).total_seconds() * 1000)
    more = {"truncationApplied": True} if record.get("truncationApplied") else {}
    return [*events, seen.event("done", totalDurationMs=max(0, took), **more)]


def _code(error_code: str) -> str:
    return {"model_unavailable": "llm_error", "too_many": "rate_limited"}.get(
        error_code, "internal_error"
    )


def _extras(record: Any, seen: Following) -> list[Named]:
    """What a page shows beside words and cards: the claims with their quotes, the card to mark."""
    events: list[Named] = []
    if any(dropped["code"] == "MODERATED" for dropped in record.get("dropped") or ()):
        # what was shown of the answer is taken back
        events.append(seen.event("ui", ui={**record["ui"], "bannerText": refusal()}))
    if record.get("claims"):
        item = {"type": "citations", "claims": record["claims"], "evidence": record["evidence"]}
        events.append(seen.event("item", item=item))
    cards = record.get("cards") or []
    if cards:
        action = {"type": "highlightCard", "kind": cards[0]["kind"], "id": cards[0]["id"]}
        events.append(seen.event("ui_actions", actions=[action]))
    return events


def _error(seen: Following, code: str, message: str) -> Named:
    is_retryable = code != "budget_exceeded"
    more = {"retryAfterMs": RETRY_AFTER_MS} if is_retryable else {}
    return seen.event("error", code=code, message=message, retryable=is_retryable, **more)
