"""Light parsing: server-sent events and JSON without an SDK object per chunk."""

from __future__ import annotations

import json
from typing import Any, Final

import orjson

from futura.characters import cleaned
from futura.llm.outcomes import CallFailed, Outcome

# What has to be in the bytes of a payload for one of its texts not to be clean.
NUL: Final = b"\\u0000"
SURROGATE: Final = b"\\ud"


class Events:
    """Splits a byte stream into the data of server-sent events."""

    def __init__(self) -> None:
        self._rest = b""
        self._lines: list[bytes] = []

    def feed(self, chunk: bytes) -> list[bytes]:
        """The data of every event that this chunk completes."""
        events: list[bytes] = []
        *lines, self._rest = (self._rest + chunk).split(b"\n")
        for raw in lines:
            line = raw.removesuffix(b"\r")
            if line.startswith(b"data:"):
                self._lines.append(line[5:].removeprefix(b" "))
            elif not line and self._lines:
                events.append(b"\n".join(self._lines))
                self._lines = []
        return events


def parsed(payload: bytes) -> dict[str, Any]:
    """A JSON object whose texts are clean; CallFailed (malformed) for anything else.

    Everything that a model says passes here: texts, names, ids, arguments of tools as written.
    """
    try:
        found = orjson.loads(payload)
    except orjson.JSONDecodeError as error:
        found = _with_half_characters(payload, error)
    if NUL in payload:
        found = cleaned(found)
    if not isinstance(found, dict):
        raise CallFailed(Outcome.MALFORMED, "not a JSON object")
    return found


def _with_half_characters(payload: bytes, error: orjson.JSONDecodeError) -> Any:
    """What orjson does not read because of a lone surrogate. Raises CallFailed for the rest."""
    if SURROGATE in payload.lower():
        try:
            return cleaned(json.loads(payload))
        except ValueError:
            pass
    raise CallFailed(Outcome.MALFORMED, "not JSON") from error


def mapping(value: object) -> dict[str, Any]:
    """The value if it is an object, else an empty one."""
    return value if isinstance(value, dict) else {}


def items(value: object) -> list[dict[str, Any]]:
    """The objects of a list, else nothing."""
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def count(value: object) -> int:
    """A token count; 0 where the server gives none."""
    return value if isinstance(value, int) else 0
