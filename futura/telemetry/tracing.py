"""Spans of the work at hand, by OpenTelemetry: its SDK is loaded where a collector is named.

    with tracing.span(names.TURN.format(kind=kind), {names.RUN: run_id}) as span:
        note(span, {names.TOOL_RESULT: result})   # contents are dropped unless switched on

Without the SDK OpenTelemetry's own tracer does nothing, and costs next to nothing.
"""

from __future__ import annotations

import os
import time
import uuid
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Final

from django.conf import settings
from opentelemetry.context import Context
from opentelemetry.trace import (
    NoOpTracer,
    Span,
    SpanKind,
    StatusCode,
    Tracer,
    set_span_in_context,
)

from futura import logs
from futura.telemetry import names

if TYPE_CHECKING:
    from opentelemetry.sdk.trace import SpanProcessor

Value = str | int | float | bool | None
# Our own place in the tree: a guide may be closed in another context than the one it began in.
_parent: ContextVar[Context | None] = ContextVar("parent", default=None)
_trace_id: ContextVar[int] = ContextVar("trace_id", default=0)  # of a trace that begins; 0 for any
_NOTHING: Final[Tracer] = NoOpTracer()
_tracer = _NOTHING


def is_on() -> bool:
    """Whether anybody traces; ask before preparing costly attributes."""
    return _tracer is not _NOTHING


def begin() -> None:
    """Sends spans to the collector of the settings from now on. Raises ImportError."""
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
    from opentelemetry.sdk.trace.export import BatchSpanProcessor

    endpoint = f"{settings.OTLP_ENDPOINT.rstrip('/')}/v1/traces"
    send_to([BatchSpanProcessor(OTLPSpanExporter(endpoint=endpoint))])


def send_to(processors: Sequence[SpanProcessor]) -> None:
    """From now on spans go to these processors; to none switches tracing off."""
    global _tracer
    if not processors:
        _tracer = _NOTHING
        return
    from opentelemetry.sdk.resources import Resource
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.id_generator import RandomIdGenerator

    class TraceIds(RandomIdGenerator):
        """Random ids, but the trace of a turn has its run's id: either finds the other."""

        def generate_trace_id(self) -> int:
            return _trace_id.get() or super().generate_trace_id()

    resource = Resource.create({"service.name": names.SERVICE, "process.pid": os.getpid()})
    provider = TracerProvider(resource=resource, id_generator=TraceIds())
    for processor in processors:
        provider.add_span_processor(processor)
    _tracer = provider.get_tracer(names.SERVICE)


def note(span: Span, attributes: Mapping[str, Value]) -> None:
    """Adds what became known meanwhile; unknown values and unwanted contents are left out."""
    if span.is_recording():
        span.set_attributes(_sent(attributes))


def failed(span: Span, kind: str) -> None:
    """Marks it as failed by a short, harmless name: the only thing shown of it."""
    span.set_attribute(names.ERROR, kind)
    span.set_status(StatusCode.ERROR)


@contextmanager
def span(
    name: str,
    attributes: Mapping[str, Value],
    *,
    kind: SpanKind = SpanKind.INTERNAL,
    trace_id: uuid.UUID | None = None,
) -> Iterator[Span]:
    """A span around a block; spans begun inside lie within it. Exceptions mark it as failed.

    With `trace_id` it is the first of its own trace.
    """
    before = _parent.get()
    token = _trace_id.set(trace_id.int if trace_id else 0)
    begun = _begun(name, attributes, None if trace_id else before, kind)
    _trace_id.reset(token)
    try:
        yield begun
    except BaseException as error:
        failed(begun, type(error).__name__)
        raise
    finally:
        begun.end()
        _parent.set(before)


def past(
    name: str, attributes: Mapping[str, Value], *, took_s: float = 0.0, error: str = ""
) -> None:
    """A span of something that has just ended; `error` names how it failed."""
    now = time.time_ns()
    done = _tracer.start_span(
        name,
        context=_parent.get() or Context(),
        kind=SpanKind.CLIENT,
        attributes=_sent(attributes),
        start_time=now - int(took_s * 1e9),
    )
    if error:
        failed(done, error)
    done.end(now)


def _begun(
    name: str,
    attributes: Mapping[str, Value],
    within: Context | None,
    kind: SpanKind = SpanKind.INTERNAL,
) -> Span:
    """A span that is under way, and within which further ones lie."""
    context = within or Context()
    begun = _tracer.start_span(name, context=context, kind=kind, attributes=_sent(attributes))
    _parent.set(set_span_in_context(begun, Context()))
    return begun


def _sent(attributes: Mapping[str, Value]) -> dict[str, str | int | float | bool]:
    """What may be sent: no unknown values, and contents only where the settings ask for them."""
    return {
        name: value
        for name, value in attributes.items()
        if value is not None and (settings.TELEMETRY_CONTENTS or name not in names.CONTENTS)
    }


class Observation:
    """One turn of a conversation while it lasts, with its stages."""

    def __init__(self, turn: Span) -> None:
        self._turn = turn
        self._stages: list[tuple[str, Span, Context | None]] = []

    def stage_started(self, name: str) -> None:
        """A stage began; calls made before it is done lie within it."""
        before = _parent.get()
        stage = _begun(names.STAGE.format(stage=name), {names.STAGE_NAME: name}, before)
        self._stages.append((name, stage, before))

    def stage_done(self, name: str, by: str) -> None:
        """A stage is done, and with it what began within it and never showed its end."""
        if all(name != stage for stage, *_ in self._stages):
            return
        while self._stages[-1][0] != name:
            self._end_last({})
        self._end_last({names.STAGE_BY: by})

    def ended(self, status: str, *, basic_mode: bool, error: str = "") -> None:
        """How the run ended; `error` is a code, never a text."""
        note(self._turn, {names.ENDED: status, names.BASIC_MODE: basic_mode})
        if error:
            failed(self._turn, error)

    def close(self) -> None:
        """The turn is over, whatever was still open."""
        while self._stages:
            self._end_last({})

    def _end_last(self, attributes: Mapping[str, Value]) -> None:
        _, begun, before = self._stages.pop()
        note(begun, attributes)
        begun.end()
        _parent.set(before)


@contextmanager
def turn(*, kind: str, session_id: uuid.UUID, run_id: uuid.UUID) -> Iterator[Observation]:
    """Every log line and span inside belongs to this run; its trace has the run's id."""
    attributes: dict[str, Value] = {
        names.OPERATION: names.INVOKE_AGENT,
        names.AGENT: kind,
        names.CONVERSATION: str(session_id),
        names.RUN: str(run_id),
    }
    with (
        logs.bound(session_id=session_id, run_id=run_id),
        span(names.TURN.format(kind=kind), attributes, trace_id=run_id) as whole,
    ):
        observation = Observation(whole)
        try:
            yield observation
        finally:
            observation.close()
