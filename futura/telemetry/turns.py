"""A turn of a conversation as its log lines and spans see it: whose it is, and its stages."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from contextlib import contextmanager

from futura import logs
from futura.telemetry import names, spans
from futura.telemetry.spans import Span


class Observation:
    """One turn while it lasts; with nobody tracing, its methods do nothing."""

    def __init__(self, span: Span) -> None:
        self._span = span
        self._open: list[tuple[str, Span]] = []

    def stage_started(self, name: str) -> None:
        """A stage began; calls made before it is done lie within it."""
        if spans.is_on():
            step = spans.step(names.STAGE.format(stage=name), {names.STAGE_NAME: name})
            self._open.append((name, step))

    def stage_done(self, name: str, by: str) -> None:
        """A stage is done, and with it what began within it and never told its end."""
        if all(name != one for one, _ in self._open):
            return
        while self._open:
            last, step = self._open.pop()
            step.end({names.STAGE_BY: by if last == name else None})
            if last == name:
                return

    def ended(self, status: str, *, basic_mode: bool, error: str = "") -> None:
        """How the run ended; `error` is a code, never a text."""
        self._span.note({names.ENDED: status, names.BASIC_MODE: basic_mode})
        if error:
            self._span.failed(error)

    def close(self) -> None:
        """The turn is over, whatever was still open."""
        while self._open:
            self._open.pop()[1].end({})


@contextmanager
def turn(*, kind: str, session_id: uuid.UUID, run_id: uuid.UUID) -> Iterator[Observation]:
    """Every log line and span inside belongs to this run; its trace has the run's id."""
    attributes: dict[str, spans.Value] = {
        names.OPERATION: names.INVOKE_AGENT,
        names.AGENT: kind,
        names.CONVERSATION: str(session_id),
        names.RUN: str(run_id),
    }
    with (
        logs.bound(session_id=session_id, run_id=run_id),
        spans.span(names.TURN.format(kind=kind), attributes, trace_id=run_id) as span,
    ):
        observation = Observation(span)
        try:
            yield observation
        finally:
            observation.close()
