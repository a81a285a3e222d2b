"""Spans of the work at hand; a call costs nothing worth measuring while nobody traces.

    with spans.span(names.TOOL.format(tool=tool.name), {names.TOOL_NAME: tool.name}) as span:
        ...
        span.note({names.TOOL_RESULT: result})   # contents are dropped unless they are switched on

What traces is installed at the start when FUTURA_OTLP_ENDPOINT is set (futura/telemetry/otlp.py).
"""

from __future__ import annotations

import time
import uuid
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from contextvars import ContextVar
from typing import Final

from django.conf import settings
from opentelemetry import trace
from opentelemetry.context import Context
from opentelemetry.trace import SpanKind, StatusCode, Tracer

from futura.telemetry import names

Value = str | int | float | bool | None
# Our own place in the tree: a guide may be closed in another context than the one it began in.
_parent: ContextVar[Context | None] = ContextVar("parent", default=None)
trace_id_to_begin: Final[ContextVar[int]] = ContextVar("trace_id_to_begin", default=0)
"""The id that a trace is to have which begins now; 0 for any."""

_tracer: Tracer | None = None


class Span:
    """One piece of work while it lasts."""

    def __init__(self, span: trace.Span, before: Context | None = None) -> None:
        self._span = span
        self._before = before

    def note(self, attributes: Mapping[str, Value]) -> None:
        """Adds what became known meanwhile; None and contents nobody asked for are left out."""
        if self._span.is_recording():
            self._span.set_attributes(_sent(attributes))

    def failed(self, what: str) -> None:
        """Marks it as failed by a short, harmless name: the only thing said of it."""
        self._span.set_attribute(names.ERROR, what)
        self._span.set_status(StatusCode.ERROR)

    def renamed(self, name: str) -> None:
        """Gives it the name that is only known now."""
        self._span.update_name(name)

    def end(self, attributes: Mapping[str, Value]) -> None:
        """It is over, once; what follows lies beside it."""
        self.note(attributes)
        self._span.end()
        _parent.set(self._before)


NOTHING: Final = Span(trace.INVALID_SPAN)
NO_SPAN: Final = nullcontext(NOTHING)


def install(tracer: Tracer | None) -> None:
    """From now on spans go there; None switches tracing off."""
    global _tracer
    _tracer = tracer


def is_on() -> bool:
    """Whether anybody traces; ask before preparing costly attributes."""
    return _tracer is not None


def span(
    name: str,
    attributes: Mapping[str, Value],
    *,
    kind: SpanKind = SpanKind.INTERNAL,
    trace_id: uuid.UUID | None = None,
) -> AbstractContextManager[Span]:
    """A span around a block; spans begun inside lie within it. Exceptions mark it as failed.

    With `trace_id` it is the first of its own trace.
    """
    if _tracer is None:
        return NO_SPAN
    return _around(_tracer, name, attributes, kind, trace_id)


def step(name: str, attributes: Mapping[str, Value]) -> Span:
    """A span that is ended by hand, for work that begins and ends in different calls."""
    return NOTHING if _tracer is None else _begin(_tracer, name, attributes)


def past(
    name: str, attributes: Mapping[str, Value], *, took_s: float = 0.0, error: str = ""
) -> None:
    """A span of something that has just ended; `error` names how it failed."""
    if _tracer is None:
        return
    now = time.time_ns()
    done = _tracer.start_span(
        name,
        context=_parent.get() or Context(),
        kind=SpanKind.CLIENT,
        attributes=_sent(attributes),
        start_time=now - int(took_s * 1e9),
    )
    if error:
        Span(done).failed(error)
    done.end(now)


@contextmanager
def _around(
    tracer: Tracer,
    name: str,
    attributes: Mapping[str, Value],
    kind: SpanKind,
    trace_id: uuid.UUID | None,
) -> Iterator[Span]:
    begun = _begin(tracer, name, attributes, kind, trace_id)
    try:
        yield begun
    except BaseException as error:
        begun.failed(type(error).__name__)
        raise
    finally:
        begun.end({})


def _begin(
    tracer: Tracer,
    name: str,
    attributes: Mapping[str, Value],
    kind: SpanKind = SpanKind.INTERNAL,
    trace_id: uuid.UUID | None = None,
) -> Span:
    before = _parent.get()
    token = trace_id_to_begin.set(trace_id.int if trace_id else 0)
    try:
        begun = tracer.start_span(
            name,
            context=Context() if trace_id else before or Context(),
            kind=kind,
            attributes=_sent(attributes),
        )
    finally:
        trace_id_to_begin.reset(token)
    _parent.set(trace.set_span_in_context(begun, Context()))
    return Span(begun, before)


def _sent(attributes: Mapping[str, Value]) -> dict[str, str | int | float | bool]:
    """What may be sent: no unknown values, and contents only where the settings ask for them."""
    return {
        name: value
        for name, value in attributes.items()
        if value is not None and (settings.TELEMETRY_CONTENTS or name not in names.CONTENTS)
    }
