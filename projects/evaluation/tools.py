"""Commands as the tools of a conversation: as they stand, or by the concierge's names."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

Arguments = Mapping[str, Any]
Call = tuple[str, dict[str, Any]]
PROJECT: Final = "projectId"  # the specification's name, by which the concierge is called
OF_A_PROJECT: Final = frozenset({"project", "id"})


@dataclass(frozen=True)
class Offer:
    """The tools of one request by name."""

    tools: Mapping[str, Mapping[str, Any]]

    def calls(self, name: str, arguments: Arguments) -> list[Call]:
        """The calls that carry a command out; empty where nothing offered can."""
        for same in (name, name.replace("todo", "task")):
            given = self._named(same, arguments) if same in self.tools else None
            if given is not None:
                return [(same, given)]
        match name:
            case "create_todo":
                return self.calls("create_todos", {"todos": [arguments]})
            case "complete_todos" if "complete_task" in self.tools:
                return [("complete_task", {"task": row}) for row in arguments["ids"]]
            case "undo" if "undo" in self.tools:
                return [("undo", {"batch": arguments["run"]})]
        return []

    def _named(self, tool: str, arguments: Arguments) -> dict[str, Any] | None:
        """The arguments by the names that a tool gives them; None where it lacks one."""
        schema = self.tools[tool].get("parameters") or {}
        fields = set(schema.get("properties") or {})
        given = {
            name if name in fields or name not in OF_A_PROJECT else PROJECT: value
            for name, value in arguments.items()
        }
        return given if given.keys() <= fields else None
