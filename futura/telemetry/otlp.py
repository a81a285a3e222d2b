"""Spans by OpenTelemetry; loaded only where a collector is named (extra `telemetry`)."""

from __future__ import annotations

import os
import time
import uuid
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final

from django.conf import settings
from opentelemetry.context import Context
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import SpanProcessor, TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from opentelemetry.sdk.trace.id_generator import RandomIdGenerator
from opentelemetry.trace import Span as OtelSpan
from opentelemetry.trace import SpanKind, StatusCode, set_span_in_context

from futura.telemetry import names, spans
from futura.telemetry.spans import Kind, Value

_KINDS: Final[Mapping[Kind, SpanKind]] = {
    "internal": SpanKind.INTERNAL,
    "server": SpanKind.SERVER,
    "client": SpanKind.CLIENT,
}
# Our own place in the tree: a guide may be closed in another context than the one it began in.
_within: ContextVar[Context | None] = ContextVar("span", default=None)
_trace_id: ContextVar[int] = ContextVar("trace_id", default=0)


class TraceIds(RandomIdGenerator):
    """Random ids, but the trace of a turn has its run's id: either finds the other."""

    def generate_trace_id(self) -> int:
        """The id of the trace that begins."""
        return _trace_id.get() or super().generate_trace_id()


def begin() -> None:
    """Sends spans to the collector of the settings from now on."""
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter

    endpoint = f"{settings.OTLP_ENDPOINT.rstrip('/')}/v1/traces"
    spans.install(tracing_to([BatchSpanProcessor(OTLPSpanExporter(endpoint=endpoint))]))


def tracing_to(processors: Sequence[SpanProcessor]) -> OpenTelemetry:
    """Tracing whose spans go to the given processors."""
    resource = Resource.create({"service.name": names.SERVICE, "process.pid": os.getpid()})
    provider = TracerProvider(resource=resource, id_generator=TraceIds())
    for processor in processors:
        provider.add_span_processor(processor)
    return OpenTelemetry(provider)


class _Span:
    """A span that keeps contents to itself unless they are asked for."""

    def __init__(self, span: OtelSpan) -> None:
        self.span = span

    def note(self, attributes: Mapping[str, Value]) -> None:
        """Adds what became known meanwhile."""
        self.span.set_attributes(kept(attributes))

    def failed(self, what: str) -> None:
        """Marks it as failed; `what` is the only thing said of it."""
        self.span.set_attribute(names.ERROR, what)
        self.span.set_status(StatusCode.ERROR)

    def renamed(self, name: str) -> None:
        """Gives it the name that is only known now."""
        self.span.update_name(name)


class _Step:
    """A span that is ended by hand, and the place to return to."""

    def __init__(self, span: OtelSpan, before: Context | None) -> None:
        self.span = span
        self.before = before

    def end(self, attributes: Mapping[str, Value]) -> None:
        """It is over; what follows lies beside it."""
        self.span.set_attributes(kept(attributes))
        self.span.end()
        _within.set(self.before)


class OpenTelemetry:
    """Tracing by the OpenTelemetry SDK."""

    def __init__(self, provider: TracerProvider) -> None:
        self.provider = provider
        self.tracer = provider.get_tracer(names.SERVICE)

    @contextmanager
    def span(
        self,
        name: str,
        attributes: Mapping[str, Value],
        *,
        kind: Kind = "internal",
        trace_id: uuid.UUID | None = None,
    ) -> Iterator[_Span]:
        """A span around a block."""
        begun = self._begin(name, attributes, kind, trace_id)
        before = _within.get()
        _within.set(set_span_in_context(begun, Context()))
        try:
            yield _Span(begun)
        except BaseException as error:
            _Span(begun).failed(type(error).__name__)
            raise
        finally:
            _within.set(before)
            begun.end()

    def step(self, name: str, attributes: Mapping[str, Value]) -> _Step:
        """A span that is ended by hand."""
        begun, before = self._begin(name, attributes, "internal", None), _within.get()
        _within.set(set_span_in_context(begun, Context()))
        return _Step(begun, before)

    def past(
        self, name: str, attributes: Mapping[str, Value], *, took_s: float, error: str = ""
    ) -> None:
        """A span of something that has just ended."""
        now = time.time_ns()
        done = self.tracer.start_span(
            name,
            context=_within.get() or Context(),
            kind=SpanKind.CLIENT,
            attributes=kept(attributes),
            start_time=now - int(took_s * 1e9),
        )
        if error:
            _Span(done).failed(error)
        done.end(now)

    def _begin(
        self, name: str, attributes: Mapping[str, Value], kind: Kind, trace_id: uuid.UUID | None
    ) -> OtelSpan:
        token = _trace_id.set(trace_id.int if trace_id else 0)
        try:
            return self.tracer.start_span(
                name,
                context=Context() if trace_id else _within.get() or Context(),
                kind=_KINDS[kind],
                attributes=kept(attributes),
            )
        finally:
            _trace_id.reset(token)


def kept(attributes: Mapping[str, Value]) -> dict[str, str | int | float | bool]:
    """What may be sent: no unknown values, and contents only where the settings ask for them."""
    return {
        name: value
        for name, value in attributes.items()
        if value is not None and (settings.TELEMETRY_CONTENTS or name not in names.CONTENTS)
    }
