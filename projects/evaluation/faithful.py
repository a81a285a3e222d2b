"""A model that is right: it makes the calls a case names.

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
from projects.evaluation import readings
from projects.evaluation.cases import Message
from projects.evaluation.scene import Scene
from projects.evaluation.tools import Call, Offer
from projects.models import Task

ASKS: Final = "Which one do you mean?"
SAYS: Final = "That is it."
CREATED: Final = re.compile(r"^create .* id=([0-9a-f-]{36})", re.MULTILINE)  # in a tool's result


class Faithful:
    """What it does at the message that is being answered. Calls whose tool the product does not
    offer are counted.
    """

    def __init__(self) -> None:
        self.calls: list[tuple[str, dict[str, Any]]] = []
        self.says = SAYS
        self.message: Message | None = None
        self.is_preview = False
        self.titles: dict[str, str] = {}
        self.created: list[str] = []
        self._absent: Counter[str] = Counter()

    def is_given(self, scene: Scene, message: Message | None) -> None:
        """The message that is answered next; None for an opening or the preview."""
        given = message.calls if message else []
        self.calls = [
            (name, scene.named(arguments)) for call in given for name, arguments in call.items()
        ]
        self.says = ASKS if scene.case.asks else SAYS
        self.is_preview = message is None and scene.case.preview
        self.message = message
        own = Task.objects.filter(owner_id=scene.person.pk)
        self.created = [str(key) for key in scene.created()]
        self.titles = {str(key): title for key, title in own.values_list("pk", "title")}

    def refusals(self, _scene: Scene) -> Counter[str]:
        """Calls that could not be made since the last time."""
        absent, self._absent = self._absent, Counter()
        return absent

    # What it answers --------------------------------------------------------------------------
    def answer(self, body: Mapping[str, Any]) -> dict[str, Any]:
        """The message of one completion."""
        schema = _schema(body)
        if schema is not None:
            answer = self._structured(schema, str(body["messages"][-1].get("content")))
            return {"content": json.dumps(answer, ensure_ascii=False)}
        offered = {tool["function"]["name"]: tool["function"] for tool in body.get("tools", ())}
        asked = self._due(_results(body["messages"]))
        if not offered or not asked:
            return {"content": self.says}
        calls: list[Call] = []
        for name, arguments in asked:
            fitting = Offer(offered).calls(name, arguments)
            if not fitting:
                self._absent[f"no tool: {name}"] += 1
            calls += fitting
        if not calls:
            return {"content": self.says}
        return {"tool_calls": [_call(n, *one) for n, one in enumerate(calls)]}

    def _due(self, results: Sequence[str]) -> list[Call]:
        """The calls of this round: what names a row that the round before makes comes after it,
        by the id that the round's results say.
        """
        created = [*self.created, *CREATED.findall("\n".join(results))]
        known = {f"${number}": key for number, key in enumerate(created, start=1)}
        if results:
            later, self.calls = [call for call in self.calls if _waits(call)], []
            return [(name, _with(arguments, known)) for name, arguments in later]
        return [call for call in self.calls if not _waits(call)]

    def _structured(self, schema: Mapping[str, Any], material: str) -> Any:
        """A neutral answer of a stage with a schema; changes are left to the tools."""
        text = self.message.say if self.message else ""
        if "what_ifs" in (schema.get("properties") or {}):
            given = [arguments for name, arguments in self.calls if name == "assume"]
            self.calls = [call for call in self.calls if call[0] != "assume"]
            told = readings.assumed(given, text, _short_names(material, self.titles))
            return {**_filled(schema, schema, {}), **told}
        if "question_about" in (schema.get("properties") or {}):
            read, self.calls = readings.read_in(self.calls, text)
            return {
                **_filled(schema, schema, {"wants_draft": self.is_preview}),
                **read,
                "asks_for_change": bool(self.calls),
            }
        return _filled(schema, schema, {"text": text})


@contextmanager
def model() -> Iterator[Faithful]:
    """Lets the product talk to one."""
    faithful = Faithful()
    with served(faithful.answer):
        yield faithful


def _short_names(material: str, titles: Mapping[str, str]) -> dict[str, str]:
    """The short names under which a request shows to-dos (“t2: Title”), by their ids."""
    shown = {
        title: name for name, _, title in (row.partition(": ") for row in material.split("\n"))
    }
    return {key: shown[title] for key, title in titles.items() if title in shown}


def _results(messages: Sequence[Mapping[str, Any]]) -> list[str]:
    """What the tools have answered since the person spoke."""
    since = itertools.takewhile(lambda one: one.get("role") != "user", reversed(messages))
    return [str(one.get("content")) for one in since if one.get("role") == "tool"][::-1]


def _waits(call: Call) -> bool:
    """Whether it names a row that is not there yet."""
    return any(isinstance(value, str) and value.startswith("$") for value in call[1].values())


def _with(arguments: Mapping[str, Any], known: Mapping[str, str]) -> dict[str, Any]:
    return {name: known.get(value, value) if isinstance(value, str) else value
            for name, value in arguments.items()}  # fmt: skip


def _call(n: int, name: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
    function = {"name": name, "arguments": json.dumps(arguments, ensure_ascii=False)}
    return {"index": n, "id": f"call_{id(arguments)}_{n}", "type": "function", "function": function}


def _schema(body: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """The schema of a structured answer."""
    form = body.get("response_format") or {}
    schema: Mapping[str, Any] | None = (form.get("json_schema") or {}).get("schema")
    return schema


def _filled(schema: Mapping[str, Any], root: Mapping[str, Any], values: Mapping[str, Any]) -> Any:
    """The emptiest value that a schema allows, with the named fields of its top level."""
    while "$ref" in schema:
        target: Any = root
        for step in schema["$ref"].removeprefix("#/").split("/"):
            target = target[step]
        schema = target
    for options in ("anyOf", "oneOf", "allOf"):
        if options in schema:
            nulls = [one for one in schema[options] if one.get("type") == "null"]
            return _filled((nulls or schema[options])[0], root, {})
    if "const" in schema or "enum" in schema:
        return schema.get("const", (schema.get("enum") or [None])[0])
    kind = schema.get("type")
    if isinstance(kind, list):
        kind = "null" if "null" in kind else kind[0]
    if kind == "object":
        return {
            name: values[name] if name in values else _filled(part, root, {})
            for name, part in (schema.get("properties") or {}).items()
        }
    empty: dict[Any, Any] = {"array": [], "string": "", "boolean": False, "null": None}
    return empty.get(kind, schema.get("minimum", 0))
