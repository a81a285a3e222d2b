"""Which of the nine dimensions are worth asking about for a project."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from futura.llm.client import Llm
from projects.agent.create import prompts
from projects.agent.create.questions import order_of
from projects.agent.fencing import Fence
from projects.dimensions import DIMENSIONS, FIELDS
from projects.language import cues

THRESHOLD: Final = 6


def scores_by_rules(text: str) -> Mapping[str, int]:
    """Relevance of each dimension, 0 to 10, by cue words."""
    return cues.relevance(text)


def scores_with_model(text: str, llm: Llm, fence: Fence) -> Mapping[str, int]:
    """The same by the fast model. Raises ModelUnavailable."""
    found = llm.structured(
        "dimension_detection",
        prompts.detection_messages(text, fence),
        prompts.Relevance,
        prompt_version=prompts.Relevance.VERSION,
    )
    return {field: int(getattr(found, field)) for field in FIELDS}


def relevant(scores: Mapping[str, int]) -> list[str]:
    """Dimensions from the threshold on, and always the three forced ones, as they are asked."""
    forced = {one.field for one in DIMENSIONS if one.is_always_asked}
    kept = [field for field in FIELDS if field in forced or scores.get(field, 0) >= THRESHOLD]
    return order_of(kept, scores)
