"""Where spans go: the OpenTelemetry SDK, loaded only where a collector is named."""

from __future__ import annotations

import os
from collections.abc import Sequence

from django.conf import settings
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import SpanProcessor, TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from opentelemetry.sdk.trace.id_generator import RandomIdGenerator
from opentelemetry.trace import Tracer

from futura.telemetry import names, spans


class TraceIds(RandomIdGenerator):
    """Random ids, but the trace of a turn has its run's id: either finds the other."""

    def generate_trace_id(self) -> int:
        """The id of the trace that begins."""
        return spans.trace_id_to_begin.get() or super().generate_trace_id()


def begin() -> None:
    """Sends spans to the collector of the settings from now on."""
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter

    endpoint = f"{settings.OTLP_ENDPOINT.rstrip('/')}/v1/traces"
    spans.install(tracing_to([BatchSpanProcessor(OTLPSpanExporter(endpoint=endpoint))]))


def tracing_to(processors: Sequence[SpanProcessor]) -> Tracer:
    """A tracer whose spans go to the given processors."""
    resource = Resource.create({"service.name": names.SERVICE, "process.pid": os.getpid()})
    provider = TracerProvider(resource=resource, id_generator=TraceIds())
    for processor in processors:
        provider.add_span_processor(processor)
    return provider.get_tracer(names.SERVICE)
