"""What values of an entry and its pictures must be like, beyond what their fields say."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from django.utils.translation import gettext as _

from chat.operations.changes import Values
from futura.errors import BadInput
from futura.limits import storable
from projects.portfolio import blocks
from projects.portfolio.entries import limits
from projects.portfolio.models import Entry, EntryImage
from projects.portfolio.schema.entry import EntryFields
from projects.portfolio.schema.shapes import line
from projects.portfolio.schema.tables import Field, check_span, tidied, values_model

_PICTURE: Final = values_model(
    "PictureFields",
    (
        Field("alt", line(limits.ALT_CHARS), ""),
        Field("caption", line(limits.CAPTION_CHARS), ""),
    ),
)


def checked(values: Values, *, row: Entry | None = None) -> dict[str, Any]:
    """The values of an entry, tidied. Raises BadInput that names the field.

    `blocks` and `project` may be among them; status, slug and places have verbs of their own.
    """
    named = {name: values[name] for name in ("blocks", "project") if name in values}
    fields = {name: value for name, value in values.items() if name not in named}
    if "blocks" in named:
        named["blocks"] = blocks_of(named["blocks"])
    tidy = tidied(EntryFields, fields)
    check_span(tidy, row)
    return tidy | named


def picture_checked(values: Values) -> dict[str, Any]:
    """Words of a picture, tidied. Raises BadInput."""
    return tidied(_PICTURE, values)


def blocks_of(value: Any) -> list[dict[str, Any]]:
    """Blocks as they are stored. Raises BadInput that says what is wrong with which."""
    clean = _storable(value)
    if faults := blocks.faults_of(clean):
        raise BadInput(" ".join(faults[:3]), field="blocks")
    return [block.model_dump(mode="json") for block in blocks.read_blocks(clean)]


def _storable(value: Any) -> Any:
    """Without what PostgreSQL cannot keep."""
    if isinstance(value, str):
        return storable(value).replace("\r\n", "\n")
    if isinstance(value, Mapping):
        return {str(name): _storable(part) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return [_storable(part) for part in value]
    return value


def pictures_in(block: Mapping[str, Any]) -> list[str]:
    """Ids of the pictures that a block shows, in order."""
    pair = [str(block[name]) for name in ("before", "after") if block.get(name)]
    return [*map(str, block.get("images", ())), *pair]


def check_pictures(entry: Entry, story: Sequence[Mapping[str, Any]]) -> None:
    """Blocks show pictures of their own entry, deleted ones (an undo brings them back) included.

    Raises BadInput.
    """
    named = {key for block in story for key in pictures_in(block)}
    own = EntryImage.objects.filter(entry=entry, pk__in=named).values_list("pk", flat=True)
    if named - {str(key) for key in own}:
        raise BadInput(_("A block shows a picture that is not of this entry."), field="blocks")
