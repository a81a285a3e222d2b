"""The sizes that keep a prompt bounded (spec 5, DECISIONS 42 and 44); tokens where not said."""

from __future__ import annotations

from typing import Final

from chat.memory.facts import FACTS_TOKENS
from chat.memory.summaries import SUMMARY_TOKENS

BUDGET: Final = 30_000
"""All of a prompt: instructions, records, facts, summary, recent messages, the message."""

COMPACT_AT: Final = BUDGET * 70 // 100
"""From here on the older part of a conversation is sent as facts and summary."""

FOR_GUIDE: Final = 4_000
"""Left by `load` for a guide's instructions and records; `assemble` counts the real ones."""

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

assert FACTS_TOKENS + SUMMARY_TOKENS + KEPT_TOKENS + FOR_GUIDE < COMPACT_AT  # noqa: S101
