"""A model that is right: it makes the calls a case names, by the tools that the product offers.

What is measured with it is the product, not a model: whether right calls end in the right rows.
"""

from __future__ import annotations

import itertools
import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Final

from futura.llm.faithful import served
from projects.evaluation.case_run import CaseRun, Message

ASKS: Final = "Which one do you mean?"
SAYS: Final = "That is it."
CREATED: Final = re.compile(r"^create .* id=([0-9a-f-]{36})", re.MULTILINE)  # in a tool's result
PROJECT: Final = "projectId"  # the specification's name, by which the concierge is called
_OF_A_PROJECT: Final = frozenset({"project", "id"})
Values = Mapping[str, Any]
Call = tuple[str, dict[str, Any]]


class Faithful:
    """What it does at the message that is being answered. Calls whose tool the product does not
    offer are counted.
    """

    def __init__(self) -> None:
        self.calls: list[Call] = []
        self.says = SAYS
        self.message: Message | None = None
        self.is_preview = False
        self.created: list[str] = []
        self._absent: Counter[str] = Counter()

    def is_given(self, case_run: CaseRun, message: Message | None) -> None:
        """The message that is answered next; None for an opening or the preview."""
        calls = message.calls if message else []
        self.calls = [
            (name, case_run.named(arguments)) for call in calls for name, arguments in call.items()
        ]
        self.says = ASKS if case_run.case.asks else SAYS
        self.is_preview = message is None and case_run.case.preview
        self.message = message
        self.created = [str(key) for key in case_run.created()]

    def refusals(self) -> Counter[str]:
        """Calls that could not be made since the last time."""
        absent, self._absent = self._absent, Counter()
        return absent

    def answer(self, body: Values) -> dict[str, Any]:
        """The message of one completion."""
        schema = ((body.get("response_format") or {}).get("json_schema") or {}).get("schema")
        if schema is not None:
            answer = self._structured(schema)
            return {"content": json.dumps(answer, ensure_ascii=False)}
        tools = {tool["function"]["name"]: tool["function"] for tool in body.get("tools", ())}
        calls: list[Call] = []
        for name, arguments in self._due(_results(body["messages"])) if tools else ():
            fitting = offered_calls(tools, name, arguments)
            self._absent.update([] if fitting else [f"no tool: {name}"])
            calls += fitting
        if not calls:
            return {"content": self.says}
        return {"tool_calls": [_call(n, *entry) for n, entry in enumerate(calls)]}

    def _due(self, results: Sequence[str]) -> list[Call]:
        """The calls of this round: what names a row that the round before makes comes after it,
        by the id that the round's results say.
        """
        if not results:
            return [call for call in self.calls if not _waits(call)]
        created = [*self.created, *CREATED.findall("\n".join(results))]
        ids = {f"${number}": key for number, key in enumerate(created, start=1)}
        later, self.calls = [call for call in self.calls if _waits(call)], []
        return [
            (name, {key: ids.get(value, value) if isinstance(value, str) else value
                    for key, value in arguments.items()})
            for name, arguments in later
        ]  # fmt: skip

    def _structured(self, schema: Values) -> Any:
        """A neutral answer of a stage with a schema, or the reading that the case gives for it;
        changes are left to the tools.
        """
        text, reading = (self.message.say, self.message.reading) if self.message else ("", {})
        fields = schema.get("properties") or {}
        answer = _emptiest(schema, schema) | ({"text": text} if "text" in fields else {})
        if reading.keys() <= fields.keys():
            answer |= _quoted(reading, text)
        if "question_about" in fields:
            answer |= {"wants_draft": self.is_preview, "asks_for_change": bool(self.calls)}
        return answer


@contextmanager
def model() -> Iterator[Faithful]:
    """Lets the product talk to one."""
    faithful = Faithful()
    with served(faithful.answer):
        yield faithful


# Commands as tools ----------------------------------------------------------------------------
def offered_calls(tools: Mapping[str, Values], name: str, arguments: Values) -> list[Call]:
    """The calls that carry a command out with these tools, as they stand or by the concierge's
    names; empty where nothing offered can.
    """
    for same in (name, name.replace("todo", "task")):
        mapped = _named(tools[same], arguments) if same in tools else None
        if mapped is not None:
            return [(same, mapped)]
    match name:
        case "create_todo":
            return offered_calls(tools, "create_todos", {"todos": [arguments]})
        case "complete_todos" if "complete_task" in tools:
            return [("complete_task", {"task": row}) for row in arguments["ids"]]
        case "undo" if "undo" in tools:
            return [("undo", {"batch": arguments["run"]})]
    return []


def _named(tool: Values, arguments: Values) -> dict[str, Any] | None:
    fields = set((tool.get("parameters") or {}).get("properties") or {})
    mapped = {
        name if name in fields or name not in _OF_A_PROJECT else PROJECT: value
        for name, value in arguments.items()
    }
    return mapped if mapped.keys() <= fields else None


def _waits(call: Call) -> bool:
    return any(isinstance(value, str) and value.startswith("$") for value in call[1].values())


def _results(messages: Sequence[Values]) -> list[str]:
    since = itertools.takewhile(lambda message: message.get("role") != "user", reversed(messages))
    return [str(item.get("content")) for item in since if item.get("role") == "tool"][::-1]


def _call(n: int, name: str, arguments: Values) -> dict[str, Any]:
    function = {"name": name, "arguments": json.dumps(arguments, ensure_ascii=False)}
    return {"index": n, "id": f"call_{id(arguments)}_{n}", "type": "function", "function": function}


# Readings -------------------------------------------------------------------------------------
def _quoted(reading: Values, text: str) -> dict[str, Any]:
    """With the whole message as the quote of what a reading lists."""

    def item(entry: Any) -> Any:
        return {"quote": text, **entry} if isinstance(entry, Mapping) else entry

    return {
        name: [item(entry) for entry in value] if isinstance(value, list) else value
        for name, value in reading.items()
    }


def _emptiest(schema: Values, root: Values) -> Any:
    """The emptiest value of a strict schema, as `futura.llm.schema` makes them."""
    if "$ref" in schema:
        return _emptiest(root["$defs"][schema["$ref"].rpartition("/")[2]], root)
    if options := schema.get("anyOf"):
        nulls = [item for item in options if item.get("type") == "null"]
        return _emptiest((nulls or options)[0], root)
    if "const" in schema or "enum" in schema:
        return schema.get("const", schema.get("enum", [None])[0])
    kind = schema.get("type")
    if kind == "object":
        return {name: _emptiest(part, root) for name, part in schema["properties"].items()}
    empty: dict[Any, Any] = {"array": [], "string": "", "boolean": False, "null": None}
    return empty.get(kind, schema.get("minimum", 0))
