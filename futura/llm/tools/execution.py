"""One call of one tool: in a thread of its own, within its time, ended by Stop."""

from __future__ import annotations

import contextvars
import logging
import threading
import time
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, Final

import orjson
from django.db import connections
from pydantic import BaseModel

from futura.errors import FuturaError
from futura.llm import database
from futura.llm.cancel import Cancelled, CancelToken
from futura.llm.retries import Plan
from futura.llm.tools import Answered, Job, Tool, ToolRejected
from futura.telemetry import calls

log = logging.getLogger(__name__)

# After Stop a tool that writes may end what it has begun, so that the person sees what was done.
LAST_WRITE_S: Final = 2.0

BROKEN: Final = "This tool does not work right now and will not be called again. Go on without it."
LATE: Final = "This tool gave no answer in time and will not be called again. Go on without it."
LATE_WRITE: Final = (
    "This tool gave no answer in time. Whether it was done is not known: say so, and do not try "
    "again."
)
CUT: Final = "… [cut here: {limit:,} of {length:,} characters]"


def execute(tool: Tool[Any], arguments: BaseModel, call_id: str, plan: Plan) -> Answered:
    """Calls a tool and waits. Raises Cancelled when Stop came and nothing is left to tell.

    What only reads is not waited for once the turn's first word is late.
    """
    cancel, job = plan.cancel, Job(call_id)
    first_word_s = None if tool.writes else plan.first_word.left_s
    patience_s = tool.timeout_s if first_word_s is None else min(tool.timeout_s, first_word_s)
    began = time.monotonic()
    database.release_connections()
    future = _begin(tool, arguments, job)
    with cancel.calling(job.cancel.cancel):
        _wait(future, patience_s, cancel)
        if cancel.cancelled and not future.done() and tool.writes:
            _wait(future, LAST_WRITE_S)
    job.cancel.cancel()
    if cancel.cancelled and not (future.done() and tool.writes):
        raise Cancelled
    answered = _answered(tool, future)
    calls.tool_called(
        tool.name,
        call_id,
        arguments=arguments,
        status=answered.status,
        result=answered.result,
        took_ms=round((time.monotonic() - began) * 1000),
    )
    return answered


def _begin(tool: Tool[Any], arguments: BaseModel, job: Job) -> Future[str]:
    """Starts a thread for this call alone: one that hangs keeps no other waiting."""
    executor = ThreadPoolExecutor(1, thread_name_prefix=f"tool-{tool.name}")
    context = contextvars.copy_context()
    try:
        return executor.submit(context.run, _call, tool, arguments, job)
    finally:
        executor.shutdown(wait=False)


def _call(tool: Tool[Any], arguments: BaseModel, job: Job) -> str:
    try:
        result = tool.function(arguments, job)
    finally:
        connections.close_all()
    text = result if isinstance(result, str) else orjson.dumps(result, default=_plain).decode()
    return _shortened(text, tool.result_chars)


def _plain(value: object) -> object:
    if isinstance(value, BaseModel):
        return value.model_dump(mode="json", by_alias=True)
    if isinstance(value, (set, frozenset, tuple)):
        return list(value)
    return str(value)


def _shortened(text: str, limit: int) -> str:
    """At most `limit` characters, with a mark where something is left out."""
    if len(text) <= limit:
        return text
    return text[:limit] + CUT.format(limit=limit, length=len(text))


def _wait(future: Future[str], timeout_s: float, cancel: CancelToken | None = None) -> None:
    """Until the call ends, its time is over, or Stop comes."""
    over = threading.Event()
    future.add_done_callback(lambda _: over.set())
    with (cancel or CancelToken()).calling(over.set):
        over.wait(timeout_s)


def _answered(tool: Tool[Any], future: Future[str]) -> Answered:
    if not future.done():
        return Answered("timed_out", LATE_WRITE if tool.writes else LATE)
    error = future.exception()
    if error is None:
        return Answered("done", future.result())
    if isinstance(error, ToolRejected) or (isinstance(error, FuturaError) and error.status < 500):
        return Answered("rejected", _shortened(str(error) or "Not like this.", tool.result_chars))
    log.error("tool %s failed", tool.name, exc_info=error)
    return Answered("failed", BROKEN)
