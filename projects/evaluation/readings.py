"""Calls as conversations read them from one message, with its quote: on drafts, on forecasts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

Call = tuple[str, dict[str, Any]]
_TEXTS: Final = {"name": "name", "description": "description", "executive_summary": "summary"}
_TASK: Final = frozenset(
    {"title", "due_date", "start_date", "estimate_low_days", "estimate_high_days"}
)


def read_in(calls: Sequence[Call], text: str) -> tuple[dict[str, Any], list[Call]]:
    """What a reading of the message `text` says of these calls, and the calls that it cannot say.

    New texts, dates, tags and to-dos are read; what is changed, emptied or deleted is called.
    """
    read: dict[str, Any] = {}
    left: list[Call] = []
    for name, arguments in calls:
        if name == "change_draft" and _is_told(arguments):
            read |= _fields(arguments, text)
        elif name == "create_draft_tasks" and all(set(one) <= _TASK for one in arguments["tasks"]):
            read["tasks"] = [_task(one, text) for one in arguments["tasks"]]
        else:
            left.append((name, arguments))
    return read, left


def _is_told(arguments: Mapping[str, Any]) -> bool:
    parts = arguments.get("parts", ())
    names = {*_TEXTS, "id", "parts", "start_date", "end_date", "tags"}
    is_new = all(one["field"].startswith("core_") and "replaced" not in one for one in parts)
    return is_new and set(arguments) <= names


def _fields(arguments: Mapping[str, Any], text: str) -> dict[str, Any]:
    named = {_TEXTS[name]: value for name, value in arguments.items() if name in _TEXTS}
    dates = [
        {"of": of, "date": arguments[f"{of}_date"], "quote": text}
        for of in ("start", "end")
        if arguments.get(f"{of}_date")
    ]
    parts = [
        {"dimension": one["field"], "content": one["text"], "quote": text}
        for one in arguments.get("parts", ())
    ]
    tags = arguments.get("tags") or []
    return {**named, "dates": dates, "dimensions": parts, "tags": tags}


def _task(given: Mapping[str, Any], text: str) -> dict[str, Any]:
    empty = dict.fromkeys(_TASK) | {"owner": None, "depends_on": []}
    return {**empty, **given, "quote": text}


def assumed(
    calls: Sequence[Mapping[str, Any]], text: str, names: Mapping[str, str]
) -> dict[str, Any]:
    """What a forecast's reading of the message `text` says of these; to-dos by `names` of ids."""
    given = {name: value for call in calls for name, value in call.items()}
    told = {
        name: [_said(one, text, names) for one in value] if isinstance(value, list) else value
        for name, value in given.items()
    }
    return told | ({"hours_quote": text} if "hours_a_week" in given else {})


def _said(one: Mapping[str, Any], text: str, names: Mapping[str, str]) -> dict[str, Any]:
    task = {"task": names.get(one["task"], one["task"])} if "task" in one else {}
    return {**one, **task, "quote": text}
