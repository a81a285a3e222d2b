"""Reads one text field out of a JSON object while it is still being written."""

from __future__ import annotations

from typing import Any, Final

from pydantic import TypeAdapter

from futura.characters import clean

OBJECT: Final = TypeAdapter(dict[str, Any])


class FieldReader:
    """Feed it what comes; it gives what the field's text has grown by.

    Words before the object are skipped (a code fence, for example). What cannot be read yet gives
    nothing: the whole answer is validated in any case.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self.text = ""
        self._raw = ""
        self._is_over = False

    def feed(self, text: str) -> str:
        """What the field's text has grown by."""
        if self._is_over:
            return ""
        self._raw += text
        start = self._raw.find("{")
        if start < 0:
            return ""
        try:
            found = OBJECT.validate_json(
                self._raw[start:], experimental_allow_partial="trailing-strings"
            )
        except ValueError:  # in the middle of an escape sequence, or no JSON at all
            return ""
        names = list(found)
        self._is_over = self.name in names[:-1]
        value = found.get(self.name)
        if not isinstance(value, str) or not (value := clean(value)).startswith(self.text):
            return ""
        grown, self.text = value[len(self.text) :], value
        return grown
