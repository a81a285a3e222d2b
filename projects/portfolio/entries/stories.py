"""The story of an entry as blocks that are edited one by one, from several tabs at once.

A block is found by what it said when it was shown, not by its place alone: somebody else may have
moved it meanwhile. Here are its words, and a form for each kind.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any, Final

import orjson
from django import forms
from django.utils.functional import Promise
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from futura.errors import BadInput
from projects.portfolio import blocks
from projects.portfolio.models import EntryImage
from projects.portfolio.schema.fields import ROW, ROWS, Field, choice, line, prose
from projects.portfolio.schema.forms import SchemaForm

KINDS: Final[Mapping[str, str | Promise]] = {
    "text": _("Text"),
    "heading": _("Heading"),
    "gallery": _("Gallery"),
    "before_after": _("Before and after"),
    "quote": _("Quote"),
    "facts": _("Facts"),
}
_CAPTION: Final = Field("caption", line(300), _("Caption"))
BLOCKS: Final[Mapping[str, tuple[Field, ...]]] = {
    "text": (
        Field("text", prose(10_000, 10), _("Text"), _("Supports Markdown."), is_required=True),
    ),
    "heading": (
        Field("text", line(200), _("Heading"), is_required=True),
        Field("level", choice({"2": _("Large"), "3": _("Small")}), _("Size")),
    ),
    "quote": (
        Field("text", prose(2_000, 4), _("Quote"), is_required=True),
        Field("said_by", line(200), _("Source of the quote")),
    ),
    "facts": (
        Field("facts", prose(10_000, 6), _("Facts"),
              _("One per line, for example: Kiln size: 2 cubic metres"), is_required=True),
    ),
    "gallery": (Field("images_shown", ROWS, _("Pictures"), is_required=True), _CAPTION),
    "before_after": (
        Field("before", ROW, _("Before"), is_required=True),
        Field("after", ROW, _("After"), is_required=True),
        _CAPTION,
    ),
}  # fmt: skip


def digest_of(block: Mapping[str, Any]) -> str:
    says = {name: value for name, value in block.items() if name != "id"}
    return hashlib.sha256(orjson.dumps(says, option=orjson.OPT_SORT_KEYS)).hexdigest()[:16]


def standing_at(story: Sequence[Mapping[str, Any]], at: int, was: str) -> int | None:
    """Where the block that said this stands now: at its place, else nearest to it; or None."""
    same = [place for place, block in enumerate(story) if digest_of(block) == was]
    return min(same, key=lambda place: abs(place - at), default=None)


def story_text(story: Sequence[Mapping[str, Any]] | None) -> str:
    """A story as plain text, a paragraph for each block."""
    return "\n".join(filter(None, map(_block_text, story or ())))


def _block_text(block: Mapping[str, Any]) -> str:
    text = blocks.text_of([block])
    count = len(blocks.pictures_in(block))
    if not count:
        return text
    pictures = ngettext("%(n)d picture", "%(n)d pictures", count) % {"n": count}
    return f"[{KINDS[block['type']]}: {pictures}] {text}".strip()


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
        **presets: Any,
    ) -> None:
        if name not in BLOCKS:
            raise BadInput(gettext("This block does not exist."), field="kind")
        stored = block or {}
        facts = (f"{fact['label']}: {fact['value']}" for fact in stored.get("facts", ()))
        typed = {"facts": "\n".join(facts), "images_shown": stored.get("images", [])}
        super().__init__(
            BLOCKS[name],
            data,
            initial={**stored, **typed, "kind": name, **presets},
            options=dict.fromkeys(("images_shown", "before", "after"), images),
        )
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
                    raise BadInput(gettext("Select two different pictures."), field="after")
            case "gallery":  # those that stand there keep their order
                chosen = list(values.pop("images_shown"))
                standing = [key for key in (former or {}).get("images", ()) if key in chosen]
                own = (str(image.pk) for image in self.images)
                fresh = [key for key in own if key in chosen and key not in standing]
                values["images"] = [*standing, *fresh]
            case "heading":
                values["level"] = int(values.get("level") or 2)
        return {"type": self.name, **values}


def _facts(text: str) -> list[dict[str, str]]:
    """Each line has a colon. Raises BadInput."""
    facts = []
    for written in filter(None, map(str.strip, text.splitlines())):
        label, _colon, value = (part.strip() for part in written.partition(":"))
        if not (label and value):
            problem = gettext("“%(line)s” needs a colon between name and value.")
            raise BadInput(problem % {"line": written[:60]}, field="facts")
        facts.append({"label": label, "value": value})
    return facts
