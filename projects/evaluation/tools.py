"""Commands as the tools that a conversation offers: the same under another name, or piece by piece.

The cases speak the vocabulary of `chat/commands`. Conversations may offer a command under the name
that the specification gives it, one tool for one row, or rows by the short names of their prompt.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

Arguments = Mapping[str, Any]
Call = tuple[str, dict[str, Any]]

FIELDS: Final = {
    "details": ("details", "notes"),
    "append_details": ("append_details", "append_notes"),
    "due_date": ("due_date", "due"),
    "start_date": ("start_date", "start"),
    "project": ("project", "projectId"),
    "estimate_high_days": ("estimate_high_days", "estimate_days"),
}
SCALARS: Final = ("name", "status", "start_date", "end_date", "tags", "description", "context",
                  "executive_summary", "clear")  # fmt: skip


@dataclass(frozen=True)
class Offer:
    """The tools of one request by name, its prompt, and the titles of the person's rows by id."""

    tools: Mapping[str, Mapping[str, Any]]
    prompt: str
    titles: Mapping[str, str]

    def calls(self, name: str, arguments: Arguments) -> list[Call]:
        """The calls that carry a command out; empty where nothing offered can."""
        for same in (name, name.replace("todo", "task")):
            if same in self.tools and set(arguments) <= self._fields(same):
                return [(same, dict(arguments))]
        match name:
            case "create_todo":
                return self.calls("create_todos", {"todos": [arguments]}) or self._new([arguments])
            case "create_todos":
                return self._new(arguments["todos"])
            case "create_draft_tasks":
                return self._new(arguments["tasks"])
            case "change_todos" | "change_draft_tasks":
                return [call for row in arguments["ids"] for call in self._changed(row, arguments)]
            case "complete_todos" | "reopen_todos":
                status = "completed" if name == "complete_todos" else "available"
                return [call for row in arguments["ids"] for call in self._status(row, status)]
            case "delete_todos" | "delete_draft_tasks":
                return self._deleted(arguments["ids"])
            case "change_project" | "change_draft":
                return self._project(arguments)
            case "create_note":
                tool = "add_note" if "add_note" in self.tools else "create_note"
                return self._fitting(tool, arguments)
            case "finalise_draft":
                return self._fitting("finalize_draft", {})
            case "undo":
                return self._fitting("undo", {"batch": arguments["run"]})
        return []

    def _fields(self, tool: str) -> set[str]:
        schema = self.tools[tool].get("parameters") or {}
        return set(schema.get("properties") or {})

    def _fitting(self, tool: str, arguments: Arguments) -> list[Call]:
        """The call with what its schema has, under the names that it has them."""
        if tool not in self.tools:
            return []
        fields = self._fields(tool)
        given = {}
        for name, value in arguments.items():
            known = next((one for one in FIELDS.get(name, (name,)) if one in fields), None)
            if known is not None:
                given[known] = value
        return [(tool, given)]

    def _new(self, items: Sequence[Arguments]) -> list[Call]:
        return [call for item in items for call in self._fitting("create_task", item)]

    def _changed(self, row: str, arguments: Arguments) -> list[Call]:
        """One row's change: wording and status by one tool, dates perhaps by another."""
        values = {name: value for name, value in arguments.items() if name != "ids"}
        if "details_strategy" in self._fields_of("update_task") and "append_details" in values:
            values |= {"details": values.pop("append_details"), "details_strategy": "append"}
        if "depends_on" in values:
            values["depends_on"] = [self._short(one) for one in values["depends_on"]]
        calls: list[Call] = []
        if "reschedule_task" in self.tools:
            names = {"due_date", "due_time", "start_date", "clear"}
            dates = {name: values.pop(name) for name in names & set(values)}
            if "clear" in dates:
                dates["clear"] = [one.removesuffix("_date") for one in dates["clear"]]
            if dates:
                calls += self._on(row, "reschedule_task", dates)
        return [*calls, *(self._on(row, "update_task", values) if values else [])]

    def _fields_of(self, tool: str) -> set[str]:
        return self._fields(tool) if tool in self.tools else set()

    def _on(self, row: str, tool: str, values: Arguments) -> list[Call]:
        key = "task" if "task" in self._fields_of(tool) else "id"
        return self._fitting(tool, {key: self._short(row), **values})

    def _status(self, row: str, status: str) -> list[Call]:
        if status == "completed" and "complete_task" in self.tools:
            return self._on(row, "complete_task", {})
        return self._on(row, "update_task", {"status": status})

    def _deleted(self, rows: Sequence[str]) -> list[Call]:
        if "tasks" in self._fields_of("delete_tasks"):
            return [("delete_tasks", {"tasks": [self._short(row) for row in rows]})]
        return [call for row in rows for call in self._on(row, "delete_task", {})]

    def _project(self, arguments: Arguments) -> list[Call]:
        """A project or draft: its plain fields by one tool, every part of a text by another."""
        plain = {name: arguments[name] for name in SCALARS if name in arguments}
        calls: list[Call] = []
        if plain:
            own = "update_project_context" in self.tools
            key = {} if own else {"project": arguments["id"]}
            calls += self._fitting(
                "update_project_context" if own else "update_project", {**key, **plain}
            )
        names = ("update_draft_dimension", "update_project_dimension")
        tool = next((one for one in names if one in self.tools), "")
        for part in arguments.get("parts", ()):
            how = "replace_part" if "replaced" in part else part.get("place", "append")
            values = {"merge_strategy": how, "replaced": part.get("replaced")}
            if part["field"].startswith("core_"):
                content = {"dimension": part["field"], "content": part["text"]}
                calls += self._fitting(tool, {**content, **values})
            else:
                content = {part["field"]: part["text"]}
                calls += self._fitting("update_project_context", {**content, **values})
        return calls

    def _short(self, row: str) -> str:
        """The short name that the prompt has for a row; its id where it has none."""
        title = self.titles.get(row, "")
        named = re.findall(rf"^\W*(t\d+)\b[^\n]*{re.escape(title)}", self.prompt, re.MULTILINE)
        return str(named[-1]) if title and named else row
