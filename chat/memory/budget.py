"""The sizes that keep a prompt bounded (spec 5, DECISIONS 42 and 44); tokens where not said."""

from __future__ import annotations

from typing import Final

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
