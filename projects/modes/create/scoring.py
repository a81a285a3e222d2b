"""Two short questions to the model: which dimensions matter, and which tasks come first."""

from __future__ import annotations

from collections.abc import Mapping

from chat.assistant.delimiter import Delimiter
from futura.llm.client import Llm
from projects.dimensions import FIELDS
from projects.modes.create import prompts
from projects.modes.create.guards import FIRST_TASKS
from projects.modes.create.reading import draft_text
from projects.modes.rows import Snapshot

TITLE_CHARS = 160
AT_LEAST = 2  # suggestions, however many tasks were named


def scores_with_model(text: str, llm: Llm, delimiter: Delimiter) -> Mapping[str, int]:
    """Relevance of each dimension, 0 to 10. Raises ModelUnavailable."""
    found = llm.structured(
        "dimension_detection",
        prompts.detection_messages(text, delimiter),
        prompts.Relevance,
        prompt_version=prompts.Relevance.VERSION,
    )
    return {field: int(getattr(found, field)) for field in FIELDS}


def first_tasks(snapshot: Snapshot, llm: Llm, delimiter: Delimiter) -> list[str]:
    """Titles that bring the list of a draft to five. Raises ModelUnavailable."""
    answer = llm.structured(
        "initial_tasks",
        prompts.first_task_messages(draft_text(snapshot), delimiter),
        prompts.FirstTasks,
        prompt_version=prompts.FirstTasks.VERSION,
    )
    stored = {task.title.casefold() for task in snapshot.tasks}
    titles = [" ".join(task.title.split())[:TITLE_CHARS] for task in answer.tasks]
    new = {title.casefold(): title for title in titles if title and title.casefold() not in stored}
    room = FIRST_TASKS - len(snapshot.tasks)
    return list(new.values())[: room if room > 0 else AT_LEAST]
