"""What stands between a stream and the person: words pass as they come, JSON never does."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Any, Final

from pydantic import TypeAdapter
from pydantic_core import from_json

from futura.characters import clean, is_blank
from futura.llm.outcomes import CallFailed, Outcome
from futura.llm.protocols.shapes import Answer

BAD_ENDS: Final = {
    "truncated": Outcome.INCOMPLETE,
    "filtered": Outcome.REFUSED,
    "broken_off": Outcome.INCOMPLETE,
}
_DECODER: Final = json.JSONDecoder()
_OBJECT: Final = TypeAdapter(dict[str, Any])


class Gate:
    """Judges the answer of one attempt while it comes.

    This one shows nothing and takes every answer: whoever asked for it reads it as a whole.
    """

    def feed(self, delta: str) -> str:  # noqa: ARG002 (those that show something need it)
        """What may be shown now that `delta` has come."""
        return ""

    def close(self, answer: Answer) -> None:
        """After the terminal event. Raises CallFailed for an answer that is none."""


class Prose(Gate):
    """A gate for texts that people read: holds back what could still be JSON and nothing else."""

    def __init__(self) -> None:
        self._held = ""
        self._is_open = False

    def feed(self, delta: str) -> str:
        """What may be shown; a text that begins as JSON comes once it has turned out otherwise."""
        if not self._is_open:
            self._held += delta
            if may_be_json(self._held):
                return ""
            self._is_open, delta, self._held = True, self._held, ""
        return delta

    def close(self, answer: Answer) -> None:
        """Raises CallFailed unless it ended as a complete answer: words, or calls of tools.

        Beside calls of tools JSON is left out: it is no reply, and takes nothing from the calls.
        """
        if answer.refusal:
            raise CallFailed(Outcome.REFUSED)
        if answer.end in BAD_ENDS:
            raise CallFailed(BAD_ENDS[answer.end], answer.end)
        if is_blank(answer.text) and not answer.calls:
            raise CallFailed(Outcome.EMPTY)
        if self._held.strip() and not answer.calls:
            raise CallFailed(Outcome.WRONG_SCHEMA, "JSON in the place of words")


class UnfinishedProse(Prose):
    """The same for an answer that can be gone on with: reaching its limit is no failure."""

    def close(self, answer: Answer) -> None:
        """Raises CallFailed where nothing came before the limit, or it ended badly otherwise."""
        if answer.end != "truncated" or not (self._is_open or answer.calls):
            super().close(answer)


class FieldGate(Prose):
    """Reads one text field out of a JSON object while it is written, and lets it through as prose.

    Words before the object are skipped (a code fence, for example). What cannot be read yet gives
    nothing: the whole answer is validated in any case.
    """

    def __init__(self, name: str) -> None:
        super().__init__()
        self.name = name
        self._raw = self._read = ""
        self._is_over = False

    def feed(self, delta: str) -> str:
        if self._is_over:
            return ""
        self._raw += delta
        start = self._raw.find("{")
        if start < 0:
            return ""
        try:
            values = _OBJECT.validate_json(
                self._raw[start:], experimental_allow_partial="trailing-strings"
            )
        except ValueError:  # in the middle of an escape sequence, or no JSON at all
            return ""
        self._is_over = self.name in list(values)[:-1]
        value = values.get(self.name)
        if not isinstance(value, str) or not (value := clean(value)).startswith(self._read):
            return ""
        grown = value.removeprefix(self._read)
        self._read = value
        return super().feed(grown) if grown else ""

    def close(self, answer: Answer) -> None:
        """Takes every end."""


def may_be_json(text: str) -> bool:
    """Whether a text is a JSON object or list, or the beginning of one; nothing may be, too."""
    if is_blank(text):
        return True
    begun = text.lstrip()
    if begun[0] not in "{[":
        return False
    with suppress(ValueError, RecursionError):
        _, end = _DECODER.raw_decode(begun)
        return not begun[end:].strip()
    try:
        from_json(begun, allow_partial=True)
    except ValueError as error:
        return "recursion limit" in str(error)  # no words begin with hundreds of brackets
    return True
