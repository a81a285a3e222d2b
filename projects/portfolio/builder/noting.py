"""What a turn keeps with its messages: calls and results, changes, proposals, questions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal

from chat.guides import GuideEvent, Part
from chat.memory.parts import tool_call, tool_result
from projects.agent.apply import part_of
from projects.portfolio.builder.desk import Desk
from projects.portfolio.builder.outcomes import Proposed, Shown

RESULT_CHARS = 2_000
Status = Literal["ok", "failed"]


def called(
    call_id: str, name: str, arguments: dict[str, Any], result: str, status: Status
) -> Iterator[GuideEvent]:
    """A call and its result, as later prompts will know them."""
    yield Part(tool_call(call_id, name, arguments))
    yield Part(tool_result(call_id, name, result[:RESULT_CHARS], status))


def changed(desk: Desk, shown: set[Any]) -> Iterator[GuideEvent]:
    """Changes and things to see that are new since `shown`, which grows."""
    for batch in desk.ledger.batches:
        if batch.pk not in shown and batch.undoes_id is None:
            shown.add(batch.pk)
            yield Part(part_of(batch))
    for number, one in enumerate(desk.outcomes):
        if isinstance(one, Shown | Proposed) and number not in shown:
            shown.add(number)
            yield Part({**one.part, "quiet": True})
