"""Fields of forms that hold lists, links and months, written the way people write them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Final

from django import forms
from django.utils.translation import gettext as _

from projects.portfolio.models.fields import TEXT_CHARS, TEXTS
from projects.portfolio.preprocess import months
from projects.portfolio.preprocess.personas import EXAMPLE_CHARS
from projects.portfolio.preprocess.profiles import platform_of
from projects.portfolio.sources.voice import exchanges_in

_MARKS: Final = re.compile(r"^\s*[-*•]\s+")
_ADDRESS: Final = re.compile(r"https?://\S+", re.IGNORECASE)


def area(rows: int) -> forms.Textarea:
    """Room for several lines, which grows."""
    return forms.Textarea(attrs={"rows": rows, "data-grow": True})


class Lines(forms.CharField):
    """A list, one item on each line."""

    def __init__(self, *, rows: int = 3, **kwargs: Any) -> None:
        kwargs.setdefault("required", False)
        kwargs.setdefault("max_length", 40_000)
        super().__init__(widget=area(rows), **kwargs)

    def prepare_value(self, value: Any) -> Any:
        """A list as lines."""
        return "\n".join(map(str, value)) if isinstance(value, list) else value

    def clean(self, value: Any) -> list[str]:
        """Raises ValidationError when there is too much."""
        items = self.items_in(str(super().clean(value) or ""))
        if len(items) > TEXTS or any(len(one) > TEXT_CHARS for one in items):
            raise forms.ValidationError(
                _("At most %(count)d lines of %(size)d characters fit here.")
                % {"count": TEXTS, "size": TEXT_CHARS}
            )
        return items

    def items_in(self, text: str) -> list[str]:
        """The lines, without marks of lists."""
        lines = (_MARKS.sub("", line).strip() for line in text.splitlines())
        return [line for line in lines if line]


class Words(Lines):
    """A list of words, between commas or on lines of their own; each once."""

    def prepare_value(self, value: Any) -> Any:
        """A list as words between commas."""
        return ", ".join(map(str, value)) if isinstance(value, list) else value

    def items_in(self, text: str) -> list[str]:
        """The words."""
        told = (" ".join(one.split()) for one in re.split(r"[,;\n]", text))
        known: dict[str, str] = {}
        for one in filter(None, told):
            known.setdefault(one.casefold(), one)
        return list(known.values())


class Paragraphs(Lines):
    """A list of paragraphs, with an empty line between them."""

    def prepare_value(self, value: Any) -> Any:
        """A list as paragraphs."""
        return "\n\n".join(map(str, value)) if isinstance(value, list) else value

    def items_in(self, text: str) -> list[str]:
        """The paragraphs."""
        parts = re.split(r"\n\s*\n", text.replace("\r\n", "\n"))
        return [one.strip() for one in parts if one.strip()]


class Exchanges(Lines):
    """Examples of the owner's voice: a question and an answer, again and again."""

    def prepare_value(self, value: Any) -> Any:
        """Each exchange on two lines."""
        if not isinstance(value, list):
            return value
        return "\n\n".join(str(one).replace(" CHATBOT:", "\nCHATBOT:", 1) for one in value)

    def items_in(self, text: str) -> list[str]:
        """The exchanges. Raises ValidationError for what is none."""
        found = exchanges_in(text)
        if found.fault:
            raise forms.ValidationError(found.fault)
        if any(len(one) > EXAMPLE_CHARS for one in found.examples):
            raise forms.ValidationError(
                _("One example is longer than %(size)d characters.") % {"size": EXAMPLE_CHARS}
            )
        return list(found.examples)


class Links(Lines):
    """Links, one on each line: a name, the address, a remark if wanted."""

    def prepare_value(self, value: Any) -> Any:
        """Each link on a line."""
        if not isinstance(value, list):
            return value
        return "\n".join(
            " ".join(filter(None, (one.get("label"), one.get("url"), one.get("blurb"))))
            for one in value
        )

    def clean(self, value: Any) -> Any:
        """Links as the profile keeps them. Raises ValidationError for a line without one."""
        return [self._link(line) for line in super().clean(value)]

    def _link(self, line: str) -> dict[str, str]:
        match = _ADDRESS.search(line)
        if match is None:
            raise forms.ValidationError(
                _("Write an address that begins with https:// on each line.")
            )
        url = match[0].rstrip(".,)")[:500]
        try:
            platform = platform_of(url)
        except ValueError as error:
            raise forms.ValidationError(_("One of these is no address.")) from error
        label = line[: match.start()].strip(" :–—-")[:120] or platform or url[:120]
        remark = line[match.end() :].strip(" :–—-")[:200]
        told = {"platform": platform, "label": label, "url": url}
        return {**told, "blurb": remark} if remark else told


class Month(forms.CharField):
    """A month or a year, in words or as 2024-06."""

    def __init__(self, **kwargs: Any) -> None:
        kwargs.setdefault("required", False)
        super().__init__(max_length=40, **kwargs)

    def clean(self, value: Any) -> str:
        """As 2024-06, as 2024, or empty. Raises ValidationError."""
        text = str(super().clean(value) or "").strip()
        found = months.normalised(text) if text else ""
        if text and not found:
            raise forms.ValidationError(_("Write a month as 2024-06, or a year as 2024."))
        return found or ""


def choices_of(rows: Sequence[Any]) -> list[tuple[str, str]]:
    """Rows to choose among, by their ids."""
    return [(str(one.pk), str(one)) for one in rows]
