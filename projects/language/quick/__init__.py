"""Quick add: one line in natural words becomes a to-do with its date, priority and project."""

from projects.language.quick.parsing import parse
from projects.language.quick.shapes import Priority, QuickTask, Span, SpanKind

__all__ = ["Priority", "QuickTask", "Span", "SpanKind", "parse"]
