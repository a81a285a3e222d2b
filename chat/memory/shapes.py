"""The past as guides get it: utterances, key facts, parts of tool calls, sizes of a prompt."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, tzinfo
from typing import Any, Final, Literal

import orjson
from django.utils import timezone

BUDGET: Final = 30_000
"""All of a prompt: instructions, records, facts, summary, recent messages, the message."""

COMPACT_AT: Final = BUDGET * 70 // 100
"""From here on the older part of a conversation is sent as facts and summary."""

FOR_GUIDE: Final = 4_000
"""Left by `load` for a guide's instructions and records; `assemble` counts the real ones."""

FACTS_TOKENS: Final = 6_000
"""What all key facts together may cost in a prompt."""

SUMMARY_TOKENS: Final = 1_500
"""What the summary may cost in a prompt, however long the conversation."""

KEPT: Final = 10
KEPT_ON_PAGES: Final = 20
"""Messages that stay beside a summary, at least."""

KEPT_TOKENS: Final = 6_000
"""What a compaction leaves of the recent messages, beyond the KEPT ones: room for many turns,
so that the beginning of the prompt stays the same, and cached, in between.
"""

MANY: Final = 150
"""Messages not yet summarised that are compacted whatever their size."""

WINDOW: Final = 200
"""Messages read at most for a prompt."""

ON_PAGE: Final = 50
"""Messages of a page that needs no summary."""


Kind = Literal[
    "correction", "decision", "preference", "date", "number", "name", "place", "statement"
]


@dataclass(frozen=True)
class Utterance:
    """One earlier message as a guide sees it: complete turns of the current branch, in order.

    `tokens` counts text and parts as a model would; 0 while not counted. `superseded_at` is set of
    a message that was replaced: the loader reads those, guides never get them. `said_at` is None of
    what no row stands behind.
    """

    role: Literal["user", "assistant"]
    text: str
    message_id: uuid.UUID
    parts: Sequence[Mapping[str, Any]] = ()
    seq: int = 0
    tokens: int = 0
    superseded_at: datetime | None = None
    said_at: datetime | None = None

    @property
    def day(self) -> str:
        """When it was said, in the active zone, as prompts name a day."""
        return day_of(self.said_at) if self.said_at else ""


def day_of(moment: datetime, zone: tzinfo | None = None) -> str:
    return f"{timezone.localtime(moment, zone):%A, %Y-%m-%d}"


@dataclass(frozen=True)
class Fact:
    """Something the person said that must not be forgotten, and the message that says it.

    One that a later message replaced or took back stays with `superseded_by`, the id of that
    message: the model that summarises is told of it, and it holds again when that message goes.
    """

    text: str
    kind: Kind
    message_id: str
    seq: int
    by: Literal["basic", "model"] = "basic"
    superseded_by: str = ""
    superseded_seq: int = 0

    @property
    def holds(self) -> bool:
        return not self.superseded_by


@dataclass(frozen=True)
class Memory:
    """What is remembered of the covered part of a conversation."""

    summary: str
    facts: Sequence[Fact]


@dataclass(frozen=True)
class Context:
    """The past of a conversation within its budget.

    `messages` is the recent window, without the message being answered. `facts` and `summary`
    stand for what is older than the window and are empty while everything fits; `covered_seq` is
    the last message that the summary speaks of.
    """

    messages: Sequence[Utterance] = ()
    message: Utterance | None = None
    facts: Sequence[Fact] = ()
    summary: str = ""
    covered_seq: int = 0
    is_compacted: bool = False
    tokens: int = field(default=0, compare=False)


CALL: Final = "tool_call"
RESULT: Final = "tool_result"


def tool_call(call_id: str, name: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
    return {"type": CALL, "id": call_id, "name": name, "arguments": dict(arguments)}


def tool_result(
    call_id: str, name: str, content: object, status: Literal["ok", "failed", "refused"] = "ok"
) -> dict[str, Any]:
    """The part of what a call gave; `content` is whatever JSON can hold."""
    return {"type": RESULT, "id": call_id, "name": name, "status": status, "content": content}


def exchange_as_text(parts: Sequence[Mapping[str, Any]], *, limit: int = 4_000) -> str:
    """Calls and results as lines of text, for a model that reads the past as text.

    Each payload is cut at `limit` characters; calls and results stay side by side.
    """
    lines = []
    for part in parts:
        if part.get("quiet"):
            continue
        if part.get("type") == CALL:
            lines.append(f"[called {part.get('name')} {_json(part.get('arguments'), limit)}]")
        elif part.get("type") == RESULT:
            content = _json(part.get("content"), limit)
            lines.append(f"[{part.get('name')} {part.get('status', 'ok')}: {content}]")
    return "\n".join(lines)


def _json(value: object, limit: int) -> str:
    text = orjson.dumps(value, default=str).decode()
    return text if len(text) <= limit else f"{text[:limit]}… ({len(text)} characters)"
