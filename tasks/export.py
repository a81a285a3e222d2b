"""Copies to keep: a response as JSON in the API's names, and as a table that spreadsheets open."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from typing import Any, Final

from django.utils.translation import gettext as _

from futura.text import latin_slug
from onet.candidates import catalogue_of
from tasks.models import SurveyResponse, TaskMatch, WorkTask
from tasks.queries import match_or_none

FORMULA_STARTS: Final = ("=", "+", "-", "@", "\t", "\r")


def task_as_json(task: WorkTask) -> dict[str, Any]:
    """One task in the shape `TaskWithData` (spec 1, part 5) with quote and match status."""
    match = match_or_none(task)
    return {
        "id": str(task.pk),
        "version": task.version,
        "userDescription": task.raw or task.quote or task.statement,
        "normalizedDescription": task.statement,
        "english": task.english or None,
        "gwaCategory": task.group or None,
        "gwaCategories": task.groups,
        "activities": task.activity_ids,
        "source": task.source,
        "sourceMessageId": str(task.message_id) if task.message_id else None,
        "quote": task.quote,
        "mergedFrom": [item["statement"] for item in task.merged_from],
        "timePercentage": float(task.time_share) if task.time_share is not None else None,
        "aiUsage": _ai_use(task),
        **_match_fields(match),
    }


def _ai_use(task: WorkTask) -> dict[str, Any] | None:
    if not task.ai_level:
        return None
    use: dict[str, Any] = {"level": task.ai_level}
    if task.ai_level != WorkTask.AiLevel.NONE and task.ai_tools:
        use["tools"] = task.ai_tools
    return use


def _match_fields(match: TaskMatch | None) -> dict[str, Any]:
    """What was found in the catalogue; the keys of a match are there only when there is one.

    A statement of the starter catalogue has no O*NET id, so its match has no `onetTaskId`.
    """
    if match is None:
        return {"matchStatus": TaskMatch.Status.PENDING.value, "matches": []}
    fields: dict[str, Any] = {
        "matchStatus": match.status,
        "matchVersion": match.version,
        "matches": [_candidate(candidate) for candidate in match.candidates],
    }
    if match.status == TaskMatch.Status.MATCHED:
        fields |= {
            **_statement_fields(match.onet_task_id, match.text),
            "similarityScore": match.score,
            "confidence": match.confidence,
            "matchedBy": match.method,
        }
    return fields


def _statement_fields(statement_id: str, text: str) -> dict[str, Any]:
    catalogue = catalogue_of(statement_id)
    fields = {"catalogue": catalogue, "statementId": statement_id, "statement": text}
    if catalogue == "onet":
        fields |= {"onetTaskId": statement_id, "onetTaskDescription": text}
    return fields


def _candidate(candidate: dict[str, Any]) -> dict[str, Any]:
    return {
        **_statement_fields(str(candidate.get("task_id") or ""), str(candidate.get("text") or "")),
        "occupationCode": candidate.get("occupation_code"),
        "occupationTitle": candidate.get("occupation_title"),
        "similarityScore": candidate.get("score"),
    }


def response_as_json(response: SurveyResponse, tasks: Sequence[WorkTask]) -> dict[str, Any]:
    return {
        "sessionId": str(response.pk),
        "jobTitle": response.job_title,
        "occupationCode": response.occupation_code or None,
        "occupationTitle": response.occupation_title or None,
        "status": response.step,
        "submittedAt": response.submitted_at.isoformat() if response.submitted_at else None,
        "tasks": [task_as_json(task) for task in tasks],
    }


def file_name(response: SurveyResponse) -> str:
    """Without its ending."""
    return latin_slug(response.job_title)[:40].strip("-_") or "survey"


def as_csv(response: SurveyResponse, tasks: Sequence[WorkTask]) -> str:
    head = [name for name, _value in _row(response, WorkTask(), None)]
    rows = (_row(response, task, match_or_none(task)) for task in tasks)
    return table(head, ([value for _name, value in row] for row in rows))


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """CSV with a byte order mark, as spreadsheets open it; no cell can start a formula."""
    return "\ufeff" + lines([head, *rows])


def lines(rows: Iterable[Sequence[object]]) -> str:
    """Rows of CSV, no cell of which can start a formula."""
    out = io.StringIO()
    csv.writer(out).writerows([safe_cell(value) for value in row] for row in rows)
    return out.getvalue()


def _row(
    response: SurveyResponse, task: WorkTask, match: TaskMatch | None
) -> list[tuple[str, object]]:
    matched = match if match and match.status == TaskMatch.Status.MATCHED else None
    state = match.get_status_display() if match else TaskMatch.Status.PENDING.label
    return [
        (_("Job title"), response.job_title),
        (_("Task"), task.statement),
        (_("In your words"), task.quote),
        (_("Group"), task.get_group_display()),
        (_("Work activities"), "; ".join(task.activity_ids)),
        (
            _("Time in percent"),
            f"{task.time_share.normalize():f}" if task.time_share is not None else "",
        ),
        (_("AI use"), task.get_ai_level_display()),
        (_("AI tools"), "; ".join(task.ai_tools) if task.ai_level != WorkTask.AiLevel.NONE else ""),
        (_("Match"), matched.get_confidence_display() if matched else state),
        (_("Catalogue"), catalogue_of(matched.onet_task_id) if matched else ""),
        (_("Statement id"), matched.onet_task_id if matched else ""),
        (_("Matched statement"), matched.text if matched else ""),
        (_("Occupation of the statement"), matched.occupation_title if matched else ""),
        (_("Source"), task.get_source_display()),
        (_("Task id"), task.pk),
        (_("In English"), task.english),
    ]


def safe_cell(value: object) -> str:
    """The text, empty for None, with an apostrophe before what a spreadsheet would calculate."""
    text = "" if value is None else str(value)
    return f"'{text}" if text.lstrip(" ").startswith(FORMULA_STARTS) else text
