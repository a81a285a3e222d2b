"""Spans of the work at hand, by OpenTelemetry: its SDK is loaded where a collector is named.

    with tracing.turn(kind="survey", session_id=…, run_id=…) as whole:
        tracing.ended(whole, "completed", basic_mode=False)

Without the SDK OpenTelemetry's own tracer does nothing, and costs next to nothing.
"""

from __future__ import annotations

import time
import uuid
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from django.conf import settings
from opentelemetry.context import Context
from opentelemetry.trace import NoOpTracer, Span, SpanKind, StatusCode, Tracer

from futura import logs
from futura.telemetry import names

if TYPE_CHECKING:
    from opentelemetry.sdk.trace import SpanProcessor

Value = str | int | float | bool | None
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

    resource = Resource.create({"service.name": names.SERVICE})
    provider = TracerProvider(resource=resource)
    for processor in processors:
        provider.add_span_processor(processor)
    _tracer = provider.get_tracer(names.SERVICE)


def failed(span: Span, kind: str) -> None:
    """Marks it as failed by a short, harmless name: the only thing shown of it."""
    span.set_attribute(names.ERROR, kind)
    span.set_status(StatusCode.ERROR)


def past(name: str, attributes: Mapping[str, Value], *, took_s: float, error: str) -> None:
    """A span of something that has just ended; `error` names how it failed, if it did."""
    now = time.time_ns()
    done = _tracer.start_span(
        name,
        kind=SpanKind.CLIENT,
        attributes=_sent(attributes),
        start_time=now - int(took_s * 1e9),
    )
    if error:
        failed(done, error)
    done.end(now)


def _sent(attributes: Mapping[str, Value]) -> dict[str, str | int | float | bool]:
    """What may be sent: no unknown values, and contents only where the settings ask for them."""
    return {
        name: value
        for name, value in attributes.items()
        if value is not None and (settings.TELEMETRY_CONTENTS or name not in names.CONTENTS)
    }


@contextmanager
def turn(*, kind: str, session_id: uuid.UUID, run_id: uuid.UUID) -> Iterator[Span]:
    """Every log line and span inside belongs to this run, and to a trace of its own.

    An exception marks it as failed.
    """
    attributes: dict[str, Value] = {
        names.OPERATION: names.INVOKE_AGENT,
        names.AGENT: kind,
        names.CONVERSATION: str(session_id),
        names.RUN: str(run_id),
    }
    begun = _tracer.start_as_current_span(
        names.TURN.format(kind=kind),
        context=Context(),
        attributes=_sent(attributes),
        record_exception=False,
        set_status_on_exception=False,
    )
    with logs.bound(session_id=session_id, run_id=run_id), begun as whole:
        try:
            yield whole
        except BaseException as error:
            failed(whole, type(error).__name__)
            raise


def ended(turn_: Span, status: str, *, basic_mode: bool, error: str = "") -> None:
    """How the run of a turn ended; `error` is a code, never a text."""
    turn_.set_attributes(_sent({names.ENDED: status, names.BASIC_MODE: basic_mode}))
    if error:
        failed(turn_, error)
