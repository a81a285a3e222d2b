"""Forms of entries: they keep what was typed; the rules stand in the checks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from django import forms
from django.utils.translation import gettext_lazy as _

from projects.forms import VersionedForm
from projects.portfolio.models import EntryImage


def _area(rows: int) -> forms.Textarea:
    return forms.Textarea(attrs={"rows": rows, "data-grow": True})


class AddForm(VersionedForm):
    """A new entry."""

    title = forms.CharField(label=_("What is it called?"), required=False)


class SlugForm(VersionedForm):
    """The public address."""

    slug = forms.CharField(
        label=_("Address of the entry"), help_text=_("Small letters, digits and hyphens.")
    )


# Blocks -------------------------------------------------------------------------------------


class BlockForm(forms.Form):
    """Base: which block this is. `was` says what it said when it was shown; empty for a new one."""

    kind = forms.CharField(widget=forms.HiddenInput)
    at = forms.IntegerField(widget=forms.HiddenInput, min_value=0, max_value=1_000)
    was = forms.CharField(widget=forms.HiddenInput, required=False)

    def __init__(self, *args: Any, images: Sequence[EntryImage] = (), **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.images = images
        self.former: dict[str, Any] = {}  # the block that this one replaces

    def block(self) -> dict[str, Any]:
        """What was typed, as a block."""
        raise NotImplementedError

    @classmethod
    def shown(cls, block: dict[str, Any]) -> dict[str, Any]:
        """A block as the form shows it."""
        return {name: block.get(name, "") for name in cls.base_fields if name in block}

    def _told(self, *names: str) -> dict[str, Any]:
        return {name: self.cleaned_data[name] for name in names}


class TextForm(BlockForm):
    """Paragraphs."""

    text = forms.CharField(label=_("Text"), widget=_area(10), help_text=_("Markdown works here."))

    def block(self) -> dict[str, Any]:
        """A text."""
        return {"type": "text", **self._told("text")}


class HeadingForm(BlockForm):
    """A heading."""

    text = forms.CharField(label=_("Heading"))
    level = forms.TypedChoiceField(
        label=_("Size"), coerce=int, choices=[(2, _("Large")), (3, _("Small"))], initial=2
    )

    def block(self) -> dict[str, Any]:
        """A heading."""
        return {"type": "heading", **self._told("text", "level")}


class QuoteForm(BlockForm):
    """What somebody said."""

    text = forms.CharField(label=_("What was said"), widget=_area(4))
    said_by = forms.CharField(label=_("Who said it"), required=False)

    def block(self) -> dict[str, Any]:
        """A quote."""
        return {"type": "quote", **self._told("text", "said_by")}


class FactsForm(BlockForm):
    """A small table, a line each."""

    facts = forms.CharField(
        label=_("Facts"), widget=_area(6),
        help_text=_("One on each line, as “Kiln size: 2 cubic metres”."),
    )  # fmt: skip

    @classmethod
    def shown(cls, block: dict[str, Any]) -> dict[str, Any]:
        """Lines of label and value."""
        lines = (f"{one['label']}: {one['value']}" for one in block.get("facts", ()))
        return {"facts": "\n".join(lines)}

    def clean_facts(self) -> list[dict[str, str]]:
        """Each line has a colon."""
        told = []
        for line in filter(None, map(str.strip, self.cleaned_data["facts"].splitlines())):
            label, colon, value = line.partition(":")
            if not (colon and label.strip() and value.strip()):
                raise forms.ValidationError(
                    _("“%(line)s” has no colon between what and how much."),
                    params={"line": line[:60]},
                )
            told.append({"label": label.strip(), "value": value.strip()})
        return told

    def block(self) -> dict[str, Any]:
        """A table."""
        return {"type": "facts", **self._told("facts")}


class GalleryForm(BlockForm):
    """Several pictures."""

    images_shown = forms.MultipleChoiceField(
        label=_("Pictures"), error_messages={"required": _("Choose at least one picture.")}
    )
    caption = forms.CharField(label=_("Caption"), required=False)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["images_shown"].choices = [(str(one.pk), str(one)) for one in self.images]  # type: ignore[attr-defined]

    @classmethod
    def shown(cls, block: dict[str, Any]) -> dict[str, Any]:
        """Which pictures are chosen."""
        return {"images_shown": block.get("images", []), "caption": block.get("caption", "")}

    def block(self) -> dict[str, Any]:
        """Those that stood in it keep their order, new ones follow in the order of the entry."""
        chosen = list(self.cleaned_data["images_shown"])
        known = [one for one in self.former.get("images", ()) if one in chosen]
        order = [str(one.pk) for one in self.images]
        fresh = sorted((one for one in chosen if one not in known), key=order.index)
        return {"type": "gallery", "images": [*known, *fresh], **self._told("caption")}


class BeforeAfterForm(BlockForm):
    """Two pictures."""

    before = forms.ChoiceField(label=_("Before"))
    after = forms.ChoiceField(label=_("After"))
    caption = forms.CharField(label=_("Caption"), required=False)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        choices = [(str(one.pk), str(one)) for one in self.images]
        for name in ("before", "after"):
            self.fields[name].choices = choices  # type: ignore[attr-defined]

    def clean(self) -> dict[str, Any]:
        """Two of them."""
        told = self.cleaned_data
        if told.get("before") and told.get("before") == told.get("after"):
            self.add_error("after", _("Choose two different pictures."))
        return told

    def block(self) -> dict[str, Any]:
        """A pair."""
        return {"type": "before_after", **self._told("before", "after", "caption")}


BLOCKS: Final[dict[str, type[BlockForm]]] = {
    "text": TextForm,
    "heading": HeadingForm,
    "gallery": GalleryForm,
    "before_after": BeforeAfterForm,
    "quote": QuoteForm,
    "facts": FactsForm,
}
