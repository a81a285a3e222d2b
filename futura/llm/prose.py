"""What a reply lets through: words as they come, but never a JSON object in the place of words."""

from __future__ import annotations

import json
from typing import Final, Protocol

from pydantic_core import from_json

from futura.llm.outcomes import CallFailed, Outcome
from futura.llm.wires.shapes import Answer

BAD_ENDS: Final = {
    "truncated": Outcome.INCOMPLETE,
    "filtered": Outcome.REFUSED,
    "broken_off": Outcome.INCOMPLETE,
}
_DECODER: Final = json.JSONDecoder()


class Gate(Protocol):
    """Stands between the stream of one attempt and the person."""

    @property
    def text(self) -> str:
        """What it has let through."""
        ...

    def feed(self, delta: str) -> str:
        """What may be shown now that `delta` has come."""
        ...

    def close(self, answer: Answer) -> None:
        """After the terminal event. Raises CallFailed for an answer that is none."""
        ...


class Prose:
    """A gate for texts that people read: holds back what could still be JSON and nothing else."""

    def __init__(self) -> None:
        self.text = ""
        self._held = ""
        self._is_open = False

    def feed(self, delta: str) -> str:
        """What may be shown; a text that begins as JSON comes once it has turned out otherwise."""
        if not self._is_open:
            self._held += delta
            if may_be_json(self._held):
                return ""
            self._is_open, delta, self._held = True, self._held, ""
        self.text += delta
        return delta

    def close(self, answer: Answer) -> None:
        """Raises CallFailed unless it ended as a complete answer: words, or calls of tools.

        Beside calls of tools JSON is left out: it is no reply, and takes nothing from the calls.
        """
        if answer.refusal:
            raise CallFailed(Outcome.REFUSED)
        if answer.end in BAD_ENDS:
            raise CallFailed(BAD_ENDS[answer.end], answer.end)
        if not answer.text.strip() and not answer.calls:
            raise CallFailed(Outcome.EMPTY)
        if self._held.strip() and not answer.calls:
            raise CallFailed(Outcome.WRONG_SCHEMA, "JSON in the place of words")


class UnfinishedProse(Prose):
    """The same for an answer that can be gone on with: reaching its limit is no failure."""

    def close(self, answer: Answer) -> None:
        """Raises CallFailed where nothing came before the limit, or it ended badly otherwise."""
        if answer.end == "truncated" and (self.text.strip() or answer.calls):
            return
        super().close(answer)


def may_be_json(text: str) -> bool:
    """Whether a text is a JSON object or list, or the beginning of one; nothing may be, too."""
    begun = text.lstrip()
    if not begun:
        return True
    if begun[0] not in "{[":
        return False
    try:
        _, end = _DECODER.raw_decode(begun)
    except ValueError:
        return _is_beginning(begun)
    return not begun[end:].strip()


def _is_beginning(text: str) -> bool:
    try:
        from_json(text, allow_partial=True)
    except ValueError:
        return False
    return True
