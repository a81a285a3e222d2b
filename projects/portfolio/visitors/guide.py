"""The guide of visitors' conversations: asks the pipeline and keeps what it says and why."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from chat.guides import Guide, GuideEvent, Part, Text, Turn
from chat.memory.shapes import Utterance
from futura.errors import NotFound
from projects.portfolio.index import index_for
from projects.portfolio.models import Portfolio
from projects.portfolio.visitors import pipeline, unanswered
from projects.portfolio.visitors.contract import PART
from projects.portfolio.visitors.pipeline import Question
from projects.portfolio.visitors.speaker import greeting_of, speaker_of
from projects.portfolio.visitors.state import KIND, VisitState

ASKED: Final = "asked"
"""The type of the part that comes with a question by the API: its anchor, and what was checked."""


class VisitGuide(Guide[VisitState]):
    """Answers visitors of one portfolio from what is published there."""

    kind = KIND
    state_model = VisitState

    def respond(self, turn: Turn[VisitState]) -> Iterator[GuideEvent]:
        """The answer to a question, or a greeting where a conversation begins without one."""
        portfolio = Portfolio.objects.filter(pk=turn.state.portfolio_id, deleted_at=None).first()
        if portfolio is None:
            raise NotFound
        speaker = speaker_of(portfolio)
        if turn.message is None:
            yield Text(greeting_of(speaker))
            return
        came_with = _asked_with(turn.message.parts)
        result = yield from pipeline.respond(
            Question(
                text=turn.message.text,
                speaker=speaker,
                index=index_for(portfolio),
                state=turn.state,
                llm=turn.llm,
                history=_history(turn),
                anchor_id=str(came_with.get("anchor", "")),
                is_moderated=bool(came_with.get("is_moderated")),
                seed=str(turn.run_id),
            )
        )
        yield Part(result.record.model_dump(mode="json", by_alias=True))
        unanswered.note(portfolio, turn, result)


def _asked_with(parts: Any) -> dict[str, Any]:
    """What came with a question by the API: its anchor, and whether it was moderated already."""
    return next((dict(one) for one in parts if one.get("type") == ASKED and one.get("sent")), {})


def _history(turn: Turn[VisitState]) -> list[Utterance]:
    """What was said before, without what was refused and without what the answers keep."""
    return [
        Utterance(message.role, message.text, message.message_id)
        for message in turn.history
        if message.text
        and not any(part.get("type") == PART and part.get("wasRefused") for part in message.parts)
    ]
