"""Long texts in commands: added to, changed in one quoted part, or replaced whole by who saw it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, Literal

from django.utils.translation import gettext as _
from pydantic import BaseModel, ConfigDict, Field

from chat.commands.base import Rejected
from futura.errors import BadInput
from projects.dimensions import FIELDS, DimensionName

Merge = Literal["replace", "append", "prepend"]
LongField = Literal[DimensionName, "description", "context", "executive_summary"]
LONG: Final[tuple[str, ...]] = (*FIELDS, "description", "context", "executive_summary")


class TextPart(BaseModel):
    """Text that is added to a long field, or put in place of one part of it."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    field: LongField
    text: str
    replaced: str | None = Field(
        None, min_length=1,
        description="The part that `text` replaces, word for word and there only once.",
    )  # fmt: skip
    place: Literal["append", "prepend"] = Field(
        "append", description="Where `text` is added when nothing is replaced."
    )


def merged_text(old: str, new: str, merge: Merge) -> str:
    """Two Markdown texts as one, a blank line between them; what stands there is not repeated."""
    old, new = old.strip(), new.strip()
    if merge == "replace" or not old:
        return new
    if not new or new in old:
        return old
    return f"{old}\n\n{new}" if merge == "append" else f"{new}\n\n{old}"


def replaced_in(text: str, part: str, new: str) -> str:
    """The text with one part of it replaced. Raises Rejected when that is not there just once."""
    if text.count(part) != 1:
        raise Rejected(_("This passage must occur exactly once in the text."))
    return text.replace(part, new)


def with_parts(row: object, values: Mapping[str, Any], parts: Sequence[TextPart]) -> dict[str, Any]:
    """The values with each part brought into its field, in order. Raises Rejected."""
    merged = dict(values)
    for part in parts:
        text = merged[part.field] if part.field in merged else getattr(row, part.field)
        if part.replaced is None:
            merged[part.field] = merged_text(text, part.text, part.place)
        else:
            merged[part.field] = replaced_in(text, part.replaced, part.text)
    return merged


def refuse_unseen(row: object, values: Mapping[str, Any], version: int | None) -> None:
    """Raises BadInput where a text would be replaced whole by who names no version of it."""
    if version is not None:
        return
    for name in LONG:
        stored = getattr(row, name)
        if stored and values.get(name) and values[name] != stored:
            raise BadInput(
                _(
                    "To replace this text, give the version that you have read, or add to the "
                    "text instead."
                ),
                field="version",
            )
