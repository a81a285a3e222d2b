"""The forms of blocks and of an address; fields of a block by its kind, as a table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from django import forms
from django.utils.translation import gettext as _now
from django.utils.translation import gettext_lazy as _

from futura.errors import BadInput
from projects.forms import VersionedForm
from projects.portfolio.models import EntryImage
from projects.portfolio.schema.forms import SchemaForm
from projects.portfolio.schema.shapes import choice, line, prose, row, rows
from projects.portfolio.schema.tables import Field

_CAPTION: Final = Field("caption", line(300), _("Caption"))
BLOCKS: Final[Mapping[str, tuple[Field, ...]]] = {
    "text": (
        Field("text", prose(10_000, 10), _("Text"), _("Markdown works here."), is_required=True),
    ),
    "heading": (
        Field("text", line(200), _("Heading"), is_required=True),
        Field("level", choice({"2": _("Large"), "3": _("Small")}), _("Size")),
    ),
    "quote": (
        Field("text", prose(2_000, 4), _("What was said"), is_required=True),
        Field("said_by", line(200), _("Who said it")),
    ),
    "facts": (
        Field("facts", prose(10_000, 6), _("Facts"),
              _("One on each line, as “Kiln size: 2 cubic metres”."), is_required=True),
    ),
    "gallery": (Field("images_shown", rows(), _("Pictures"), is_required=True), _CAPTION),
    "before_after": (
        Field("before", row(), _("Before"), is_required=True),
        Field("after", row(), _("After"), is_required=True),
        _CAPTION,
    ),
}  # fmt: skip


class AddForm(VersionedForm):
    """A new entry."""

    title = forms.CharField(label=_("What is it called?"), required=False)


class SlugForm(VersionedForm):
    """The public address."""

    slug = forms.CharField(
        label=_("Address of the entry"), help_text=_("Small letters, digits and hyphens.")
    )


class BlockForm(SchemaForm):
    """A block of a kind. `was` says what it said when it was shown; empty for a new one."""

    kind = forms.CharField(widget=forms.HiddenInput)
    at = forms.IntegerField(widget=forms.HiddenInput, min_value=0, max_value=1_000)
    was = forms.CharField(widget=forms.HiddenInput, required=False)

    def __init__(
        self,
        name: str,
        data: Any = None,
        *,
        images: Sequence[EntryImage] = (),
        block: Mapping[str, Any] | None = None,
        **known: Any,
    ) -> None:
        fields = BLOCKS[name]
        options = {field.name: images for field in fields if field.shape.is_rows}
        initial = {**_typed(block or {}), "kind": name, **known}
        super().__init__(fields, data, initial=initial, options=options)
        self.name, self.images = name, images

    def block(self, former: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """What was typed, for the command that stores it; `former` is what it replaces.

        Raises BadInput.
        """
        values = self.values()
        match self.name:
            case "facts":
                values["facts"] = _facts(values["facts"])
            case "before_after":
                values["images"] = [values.pop("before"), values.pop("after")]
                if len(set(values["images"])) < len(values["images"]):
                    raise BadInput(_now("Choose two different pictures."), field="after")
            case "gallery":
                chosen = list(values.pop("images_shown"))
                standing = [key for key in (former or {}).get("images", ()) if key in chosen]
                own = (str(image.pk) for image in self.images)
                fresh = [key for key in own if key in chosen and key not in standing]
                values["images"] = [*standing, *fresh]
            case "heading":
                values["level"] = int(values.get("level") or 2)
        return {"type": self.name, **values}


def _typed(block: Mapping[str, Any]) -> dict[str, Any]:
    """A stored block as its form shows it."""
    facts = (f"{fact['label']}: {fact['value']}" for fact in block.get("facts", ()))
    return {**block, "facts": "\n".join(facts), "images_shown": block.get("images", [])}


def _facts(text: str) -> list[dict[str, str]]:
    """Each line has a colon. Raises BadInput."""
    facts = []
    for written in filter(None, map(str.strip, text.splitlines())):
        label, _colon, value = (part.strip() for part in written.partition(":"))
        if not (label and value):
            told = _now("“%(line)s” has no colon between what and how much.")
            raise BadInput(told % {"line": written[:60]}, field="facts")
        facts.append({"label": label, "value": value})
    return facts
