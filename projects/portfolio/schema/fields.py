"""Tables of fields: how programs give a value, how a form shows and takes it, what it is called.

A type accepts lists as programs send them, and texts as people type them; both are tidied alike.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Final, Literal
from urllib.parse import urlsplit

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    StringConstraints,
    ValidationError,
    create_model,
)
from pydantic.fields import FieldInfo
from pydantic_core import PydanticCustomError

from chat.commands.base import bad_input
from futura.characters import closed
from futura.errors import BadInput
from futura.limits import storable
from projects.portfolio import periods
from projects.portfolio.models.fields import TEXT_CHARS, TEXTS

_MARKS: Final = re.compile(r"^\s*[-*•]\s+")
_ADDRESS: Final = re.compile(r"https?://\S+", re.IGNORECASE)
_PLATFORMS: Final = {
    "github.com": "GitHub",
    "gitlab.com": "GitLab",
    "linkedin.com": "LinkedIn",
    "x.com": "X",
    "bsky.app": "Bluesky",
    "behance.net": "Behance",
    "dribbble.com": "Dribbble",
    "instagram.com": "Instagram",
    "youtube.com": "YouTube",
    "orcid.org": "ORCID",
    "scholar.google.com": "Google Scholar",
    "stackoverflow.com": "Stack Overflow",
}
EXAMPLES: Final = 40
EXAMPLE_CHARS: Final = 1_000
_SPEAKER: Final = re.compile(r"(?<!\w)(USER|CHATBOT)\s*:", re.IGNORECASE)
Text = str | Promise
RowId = Annotated[str, StringConstraints(pattern=r"^[0-9a-f-]{36}$")]


# Shapes -----------------------------------------------------------------------------------------
@dataclass(frozen=True)
class Shape:
    """`type` is the field of a command, `note` what its schema says of it; `rows` the height in a
    form, 0 for one line. `input_value` turns what is stored into the text of an input.
    """

    type: Any
    note: str = ""
    rows: int = 0
    size: int | None = None
    input_value: Callable[[Any], Any] = lambda value: value
    choices: Mapping[str, Any] | None = None
    is_rows: bool = False  # picked among the rows that the form is given

    @property
    def is_written(self) -> bool:
        return not (self.choices or self.is_rows or self.type is bool)


def wrong(text: str) -> PydanticCustomError:
    return PydanticCustomError("refused", "{text}", {"text": text})


def _text(value: object, size: int = 0) -> str:
    if not isinstance(value, str):
        raise wrong(_("Enter a text."))
    return _fitting(storable(value).replace("\r\n", "\n").strip(), size)


def _fitting(text: str, size: int) -> str:
    if size and len(text) > size:
        raise wrong(_("At most %(n)d characters.") % {"n": size})
    return text


def shape(tidy: Callable[[object], Any], of: Any = str, **more: Any) -> Shape:
    """What a function makes of a value, whoever gives it."""
    return Shape(Annotated[of, BeforeValidator(tidy)], **more)


def line(size: int, rows: int = 0) -> Shape:
    def tidy(value: object) -> str:
        return _fitting(closed(" ".join(_text(value).split())), size)

    return shape(tidy, note=_within(size), rows=rows, size=size)


def prose(size: int = 20_000, rows: int = 3) -> Shape:
    return shape(lambda value: _text(value, size), note=_within(size), rows=rows, size=size)


def _within(size: int) -> str:
    return f"At most {size:,} characters."


def _listed(
    split: Callable[[str], Sequence[str]],
    joined: Callable[[Any], str],
    most: int = TEXTS,
    chars: int = TEXT_CHARS,
    rows: int = 0,
) -> Shape:
    def tidy(value: object) -> list[str]:
        if isinstance(value, str):
            items = split(_text(value))
        elif isinstance(value, list | tuple):
            items = [_text(item) for item in value]
        else:
            raise wrong(_("Enter a list of texts."))
        distinct: dict[str, str] = {}
        for item in filter(None, items):
            distinct.setdefault(item.casefold(), item)
        if len(distinct) > most:
            raise wrong(_("At most %(n)d.") % {"n": most})
        return [_fitting(item, chars) for item in distinct.values()]

    def input_value(value: Any) -> Any:
        return joined(value) if isinstance(value, list | tuple) else value

    note = f"At most {most}, each at most {chars:,} characters."
    return shape(tidy, list[str], note=note, rows=rows, size=40_000, input_value=input_value)


def lines(most: int = TEXTS, chars: int = TEXT_CHARS, rows: int = 3) -> Shape:
    """A list, an item on each line; marks of lists fall away."""
    return _listed(
        lambda text: [_MARKS.sub("", item).strip() for item in text.splitlines()],
        "\n".join, most, chars, rows,
    )  # fmt: skip


def words(most: int = TEXTS, chars: int = TEXT_CHARS) -> Shape:
    """A list of words, between commas or on lines of their own."""
    return _listed(
        lambda text: [" ".join(item.split()) for item in re.split(r"[,;\n]", text)],
        ", ".join, most, chars,
    )  # fmt: skip


def paragraphs() -> Shape:
    """A list of paragraphs, with an empty line between them."""
    return _listed(
        lambda text: [item.strip() for item in re.split(r"\n\s*\n", text)],
        "\n\n".join, rows=6,
    )  # fmt: skip


def exchanges() -> Shape:
    """Examples of a voice: a question and an answer, again and again."""

    def split(text: str) -> list[str]:
        try:
            return exchanges_in(text)
        except ValueError as error:
            raise wrong(str(error)) from error

    def joined(value: Sequence[str]) -> str:
        return "\n\n".join(item.replace(" CHATBOT:", "\nCHATBOT:", 1) for item in value)

    return _listed(split, joined, chars=EXAMPLE_CHARS, rows=6)


def month(empty: str = "") -> Shape:
    """A month or a year; stored as 2024-06 or 2024. `empty` says what none of them means."""

    def tidy(value: object) -> str:
        text = _text(value)
        normal = periods.normalised(text) if text else ""
        if text and not normal:
            raise wrong(_("Write a month as 2024-06, or a year as 2024."))
        return normal or ""

    return shape(tidy, note=f"A month as 2024-06, or a year as 2024.{empty}", size=40)


def address() -> Shape:
    def tidy(value: object) -> str:
        text = _text(value, 500)
        if text and not text.lower().startswith(("https://", "http://")):
            raise wrong(_("The address of a page must start with https://."))
        return text

    return shape(tidy, note="An address that starts with https://.", size=500)


def links() -> Shape:
    """Links as the profile stores them, or one on each line: a name, the address, a remark."""

    def tidy(value: object) -> Any:
        if not isinstance(value, str):
            return value
        return [_link(item) for item in _text(value).splitlines() if item.strip()]

    def input_value(value: Any) -> Any:
        if not isinstance(value, list):
            return value
        parts = ((link.get("label"), link.get("url"), link.get("blurb")) for link in value)
        return "\n".join(" ".join(filter(None, part)) for part in parts)

    return shape(tidy, list[dict[str, str]], rows=3, size=40_000, input_value=input_value)


def _link(text: str) -> dict[str, str]:
    match = _ADDRESS.search(text)
    if match is None:
        raise wrong(_("Enter one address per line, each starting with https://."))
    url = match[0].rstrip(".,)")[:500]
    try:
        platform = platform_of(url)
    except ValueError as error:
        raise wrong(_("One of these is not an address.")) from error
    label = text[: match.start()].strip(" :–—-")[:120] or platform or url[:120]
    remark = text[match.end() :].strip(" :–—-")[:200]
    link = {"platform": platform, "label": label, "url": url}
    return {**link, "blurb": remark} if remark else link


def platform_of(url: str) -> str:
    """What a site is called; the host's name for one that is not known. Raises ValueError."""
    host = (urlsplit(url).hostname or "").removeprefix("www.")
    return _PLATFORMS.get(host, host)


def choice(choices: Mapping[str, Any]) -> Shape:
    """One of these values; a form that chose none leaves it as it is."""
    return Shape(Literal[tuple(map(str, choices))], choices=choices)


TICK: Final = Shape(bool)
ROW: Final = Shape(RowId, is_rows=True)
ROWS: Final = Shape(list[RowId], is_rows=True)


# Examples of a voice ------------------------------------------------------------------------------
def exchanges_in(text: str) -> list[str]:
    """The exchanges of a text in the form “USER: … CHATBOT: …”; none of an empty one.

    Raises ValueError that says in words why a text holds none.
    """
    _before, *parts = _SPEAKER.split(_of_json(text))
    words = [" ".join(part.split()).strip(" -*•") for part in parts[1::2]]
    takes_turns = [name.upper() for name in parts[::2]] == ["USER", "CHATBOT"] * (len(words) // 2)
    if not (takes_turns and all(words)) or (text.strip() and not words):
        raise ValueError(_("Write each example as “USER: …” and, below it, “CHATBOT: …”."))
    if len(words) > 2 * EXAMPLES:
        raise ValueError(_("At most %(n)d examples.") % {"n": EXAMPLES})
    pairs = zip(words[::2], words[1::2], strict=True)
    return [f"USER: {question} CHATBOT: {answer}" for question, answer in pairs]


def _of_json(text: str) -> str:
    """Texts of a JSON list, or of an object with `voiceExamples`; other texts as they are."""
    try:
        content: Any = json.loads(text)
    except (ValueError, RecursionError):
        return text
    listed = content.get("voiceExamples") if isinstance(content, dict) else content
    if not isinstance(listed, list) or not all(isinstance(example, str) for example in listed):
        return text
    return "\n\n".join(listed)


# Tables -----------------------------------------------------------------------------------------
@dataclass(frozen=True)
class Field:
    """One field; named as the model's. Private ones are never shown to visitors."""

    name: str
    shape: Shape
    label: Text = ""
    help: Text = ""
    is_required: bool = False
    is_private: bool = False


class Values(BaseModel):
    """Values of some fields; what is absent or null stays as it is."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    names: ClassVar[frozenset[str]] = frozenset()  # of the table

    def given(self) -> dict[str, Any]:
        values = {name: getattr(self, name) for name in self.model_fields_set & self.names}
        return {name: value for name, value in values.items() if value is not None}


def values_model(name: str, fields: Sequence[Field]) -> type[Values]:
    types: dict[str, Any] = {
        field.name: (
            field.shape.type | None,
            FieldInfo(default=None, description=field.shape.note or None),
        )
        for field in fields
    }
    model = create_model(name, __base__=Values, __doc__=Values.__doc__, **types)
    model.names = frozenset(types)
    return model


def label_of(schema: Sequence[Field], name: str) -> str:
    return next((str(field.label) for field in schema if field.name == name), name.capitalize())


def tidied(model: type[Values], values: Mapping[str, Any]) -> dict[str, Any]:
    """Values as they are stored. Raises BadInput that names the field."""
    try:
        return model.model_validate(dict(values)).given()
    except ValidationError as error:
        refused = bad_input(error)
        if error.errors()[0]["type"] == "extra_forbidden":
            text = _("There is no field “%(name)s”.") % {"name": refused.field}
            raise BadInput(text, field=refused.field) from error
        field = str(refused.field or "").partition(".")[0]
        raise BadInput(str(refused), field=field) from error


def check_span(values: Mapping[str, Any], row: object = None) -> None:
    """The end does not lie before the start. Raises BadInput."""
    started, ended = (
        str(values.get(name, getattr(row, name, "")) or "") for name in ("started", "ended")
    )
    if started and ended and ended[: len(started)] < started[: len(ended)]:
        raise BadInput(_("The end is before the start."), field="ended")
