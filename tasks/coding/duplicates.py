"""Step 3 with a model: tasks that name one activity are put together, with the reason.

Picked cards and the tasks that are on the list already take part: what the model merges with a
listed one is not listed again. Merges are the model's; the numbers they name must exist.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

from django.utils.translation import gettext as _

from futura.llm.checks import Reason
from futura.llm.client import Llm
from tasks.coding.prompts import DeduplicationAnswer, MergedTask, deduplication_messages
from tasks.coding.records import MANY, fits, merged, one_line
from tasks.models import WorkTask

MAX_REASON: Final = 300


def find_duplicates(
    tasks: Sequence[WorkTask], listed: Sequence[WorkTask], *, llm: Llm, language: str
) -> DeduplicationAnswer:
    """What the model puts together, by the notes of tasks: their statements are written meanwhile.

    Raises ModelUnavailable.
    """
    if not tasks or len(tasks) + len(listed) < 2:
        return DeduplicationAnswer(deduplicated_tasks=[])
    return llm.structured(
        "deduplication",
        deduplication_messages(
            [task.raw for task in tasks], [_as_listed(row) for row in listed], language=language
        ),
        DeduplicationAnswer,
        is_long=len(tasks) + len(listed) > MANY,
    )


def merge_duplicates(
    tasks: Sequence[WorkTask],
    listed: Sequence[WorkTask],
    answer: DeduplicationAnswer,
    *,
    llm: Llm,
) -> list[WorkTask]:
    """The tasks that are to be added, in order of first mention."""
    refused: Counter[str] = Counter()
    free = set(range(len(tasks) + len(listed)))
    results: dict[int, WorkTask] = {}
    used = 0
    for item in answer.deduplicated_tasks:
        members = _members(item, len(tasks) + len(listed), free, refused)
        free -= set(members)
        used += len(members)
        if members and max(members) < len(tasks):
            worded = [tasks[place] for place in members if tasks[place].statement]
            results[min(members)] = _result(item, worded or [tasks[members[0]]], refused)
    results |= {place: tasks[place] for place in free if place < len(tasks)}
    llm.checked("deduplication", used=used, refused=refused)
    return [results[place] for place in sorted(results)]


def merge_equal(tasks: Sequence[WorkTask], listed: Sequence[WorkTask]) -> list[WorkTask]:
    """Those that have a statement and are not listed, what is the same letter by letter as one."""
    existing = {row.statement.casefold() for row in listed}
    existing |= {str(entry["statement"]).casefold() for row in listed for entry in row.merged_from}
    groups: dict[str, list[WorkTask]] = {}
    for task in tasks:
        groups.setdefault(task.statement.casefold(), []).append(task)
    return [
        merged(group, group[0], _("The wording is the same."))
        for text, group in groups.items()
        if text and text not in existing
    ]


def _as_listed(row: WorkTask) -> str:
    """A listed task as the model reads it: the person may have reworded what they had told."""
    is_reworded = row.raw and row.raw.casefold() not in row.statement.casefold()
    return f"{row.statement} (told as: {row.raw})" if is_reworded else row.statement


def _members(item: MergedTask, count: int, free: set[int], refused: Counter[str]) -> list[int]:
    """The places that an item names, as far as they exist and are in no result yet, the fullest
    first.
    """
    members: list[int] = []
    for number in item.merged_from:
        place = number - 1
        if not 0 <= place < count:
            refused[Reason.UNKNOWN_ID] += 1
        elif place not in free or place in members:
            refused[Reason.NAMED_TWICE] += 1
        else:
            members.append(place)
    return members


def _result(item: MergedTask, tasks: Sequence[WorkTask], refused: Counter[str]) -> WorkTask:
    """One task stays as it is; several get the statement of the fullest, the first, or the model's
    own for all of them, and the words of one of them.
    """
    if len(tasks) == 1:
        return tasks[0]
    final = one_line(item.final_statement) or tasks[0].statement
    if not fits(final):
        refused[Reason.TOO_LONG] += 1
        final = tasks[0].statement
    details = [task for task in tasks if task.source == WorkTask.Source.CHAT] or list(tasks)
    same = [task for task in tasks if task.statement == final]
    chosen = next((task for task in same if task in details), details[0])
    english = same[0].english if same else one_line(item.english)
    reason = one_line(item.reasoning)[:MAX_REASON] or _("Both describe the same activity.")
    result = merged(tasks, chosen, reason)
    result.statement = final
    result.english = english if fits(english) and english != final else ""
    return result
