"""Commands as the tools of a conversation: as they stand, or by the concierge's names."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

Arguments = Mapping[str, Any]
Call = tuple[str, dict[str, Any]]


@dataclass(frozen=True)
class Offer:
    """The tools of one request by name."""

    tools: Mapping[str, Mapping[str, Any]]

    def calls(self, name: str, arguments: Arguments) -> list[Call]:
        """The calls that carry a command out; empty where nothing offered can."""
        for same in (name, name.replace("todo", "task")):
            if same in self.tools and set(arguments) <= self._fields(same):
                return [(same, dict(arguments))]
        match name:
            case "create_todo":
                return self.calls("create_todos", {"todos": [arguments]})
            case "complete_todos" if "complete_task" in self.tools:
                return [("complete_task", {"task": row}) for row in arguments["ids"]]
            case "create_note" if "add_note" in self.tools:
                fields = self._fields("add_note")
                given = {key: value for key, value in arguments.items() if key in fields}
                return [("add_note", given)]
            case "undo" if "undo" in self.tools:
                return [("undo", {"batch": arguments["run"]})]
        return []

    def _fields(self, tool: str) -> set[str]:
        schema = self.tools[tool].get("parameters") or {}
        return set(schema.get("properties") or {})
