"""What a turn keeps with its messages: calls and results, changes, links, suggestions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Literal

from django.utils.translation import gettext as _

from chat.guides import GuideEvent, Part
from chat.memory.parts import tool_call, tool_result
from projects.agent.apply import part_of
from projects.concierge.basic.shapes import Pending
from projects.concierge.desk import Desk
from projects.concierge.greeting import Suggestion

RESULT_CHARS = 2_000
Status = Literal["ok", "failed"]


def called(
    call_id: str, name: str, arguments: dict[str, Any], result: str, status: Status
) -> Iterator[GuideEvent]:
    """A call and its result, as later prompts will know them."""
    yield Part(tool_call(call_id, name, arguments))
    yield Part(tool_result(call_id, name, result[:RESULT_CHARS], status))


def changed(desk: Desk, shown: set[Any]) -> Iterator[GuideEvent]:
    """Changes and links that are new since `shown`, which grows; undoing shows on what it undid."""
    for batch in desk.ledger.batches:
        if batch.pk not in shown and batch.undoes_id is None:
            shown.add(batch.pk)
            yield Part(part_of(batch))
    for one in desk.opened:
        if one.url not in shown:
            shown.add(one.url)
            yield Part(
                {
                    "type": "opened",
                    "quiet": True,
                    "kind": one.kind,
                    "url": one.url,
                    "title": one.title,
                }
            )


def asked(pending: Pending) -> Part | None:
    """How a question can be answered by hand: boxes to tick, or a yes and a no."""
    if pending.kind == "tick":
        rows = [{"id": str(one.id), "label": one.label} for one in pending.options]
        return Part(
            {"type": "ticks", "quiet": True, "key": pending.key, "rows": rows,
             "is_ticked": pending.is_ticked}
        )  # fmt: skip
    if pending.kind != "offer":
        return None
    no = Suggestion(_("No, leave it"), say=_("No, leave it as it is."))
    return suggested([Suggestion(_("Yes"), say=_("Yes.")), no], "reply")


def suggested(suggestions: Sequence[Suggestion], kind: str) -> Part:
    """Numbered suggestions: `greeting`, or `near` for “did you mean”."""
    return Part(
        {
            "type": "offers",
            "quiet": True,
            "kind": kind,
            "offers": [{"text": one.text, "say": one.say, "href": one.href} for one in suggestions],
        }
    )
