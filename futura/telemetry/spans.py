"""Spans of the work at hand; a call costs nothing worth measuring while nobody traces.

    with spans.span(names.TOOL.format(tool=tool.name), {names.TOOL_NAME: tool.name}) as span:
        ...
        span.note({names.TOOL_RESULT: result})   # contents are dropped unless they are switched on

What traces is installed at the start when FUTURA_OTLP_ENDPOINT is set (futura/telemetry/otlp.py).
"""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from contextlib import AbstractContextManager, nullcontext
from typing import Final, Literal, Protocol

Value = str | int | float | bool | None
Kind = Literal["internal", "server", "client"]


class Span(Protocol):
    """One piece of work while it lasts."""

    def note(self, attributes: Mapping[str, Value]) -> None:
        """Adds what became known meanwhile; None and contents nobody asked for are left out."""

    def failed(self, what: str) -> None:
        """Marks it as failed by a short, harmless name."""

    def renamed(self, name: str) -> None:
        """Gives it the name that is only known now."""


class Step(Protocol):
    """A piece of work that is not a block: `end` it, once."""

    def end(self, attributes: Mapping[str, Value]) -> None:
        """It is over."""


class Tracing(Protocol):
    """Where spans go."""

    def span(
        self,
        name: str,
        attributes: Mapping[str, Value],
        *,
        kind: Kind = "internal",
        trace_id: uuid.UUID | None = None,
    ) -> AbstractContextManager[Span]:
        """A span around a block; with `trace_id` the first of its own trace."""
        ...

    def step(self, name: str, attributes: Mapping[str, Value]) -> Step:
        """A span that begins now; what begins before its end lies within it."""
        ...

    def past(
        self, name: str, attributes: Mapping[str, Value], *, took_s: float, error: str = ""
    ) -> None:
        """A span of something that has just ended; `error` names how it failed."""
        ...


class _Nothing:
    """Takes everything and keeps nothing."""

    def note(self, attributes: Mapping[str, Value]) -> None:
        """Nothing is kept."""

    def failed(self, what: str) -> None:
        """Nothing is kept."""

    def renamed(self, name: str) -> None:
        """Nothing is kept."""

    def end(self, attributes: Mapping[str, Value]) -> None:
        """Nothing ends."""


NOTHING: Final = _Nothing()
NO_SPAN: Final = nullcontext(NOTHING)
_tracing: Tracing | None = None


def install(tracing: Tracing | None) -> None:
    """From now on spans go there; None switches tracing off."""
    global _tracing
    _tracing = tracing


def is_on() -> bool:
    """Whether anybody traces; ask before preparing costly attributes."""
    return _tracing is not None


def span(
    name: str,
    attributes: Mapping[str, Value],
    *,
    kind: Kind = "internal",
    trace_id: uuid.UUID | None = None,
) -> AbstractContextManager[Span]:
    """A span around a block; spans begun inside lie within it. Exceptions mark it as failed."""
    if _tracing is None:
        return NO_SPAN
    return _tracing.span(name, attributes, kind=kind, trace_id=trace_id)


def step(name: str, attributes: Mapping[str, Value]) -> Step:
    """A span that is ended by hand, for work that begins and ends in different calls."""
    return NOTHING if _tracing is None else _tracing.step(name, attributes)


def past(
    name: str, attributes: Mapping[str, Value], *, took_s: float = 0.0, error: str = ""
) -> None:
    """A span of something that has just ended after `took_s` seconds."""
    if _tracing is not None:
        _tracing.past(name, attributes, took_s=took_s, error=error)
