"""What values of an entry and its pictures must be like, beyond what their fields say."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from django.utils.translation import gettext as _

from chat.operations.changes import Values
from futura.errors import BadInput, TooLong
from futura.limits import storable
from projects.portfolio import blocks
from projects.portfolio.entries import limits
from projects.portfolio.models import Entry, EntryImage

LISTS: Final = ("tech_stack", "languages", "tags", "materials", "techniques")
ONE_LINE: Final[Mapping[str, int]] = {
    "title": limits.TITLE_CHARS,
    "summary": limits.SUMMARY_CHARS,
    "entry_type": 120,
    "location": 200,
    "organization": 200,
    "role": 200,
    "seo_title": 120,
    "seo_description": 320,
    "alt": limits.ALT_CHARS,
    "caption": limits.CAPTION_CHARS,
}
LINKS: Final = ("repository_url", "live_url")
TEXTS: Final = ("description", "impact", "size_or_scope", "private_notes")
# What may be changed by name; status, slug, blocks and places have verbs of their own.
CHANGEABLE: Final = frozenset(
    {*LISTS, *LINKS, *TEXTS, *ONE_LINE, "bullets", "context", "started", "ended"}
    - {"alt", "caption"}
    | {"hide_from_chat", "blocks", "project"}
)


def checked(values: Values, *, row: Entry | None = None) -> dict[str, Any]:
    """The values of an entry, tidied. Raises BadInput or TooLong that names the field."""
    if strange := set(values) - CHANGEABLE:
        raise BadInput(_("There is no field “%(name)s”.") % {"name": min(strange)}, field="")
    told = {name: _tidy(name, value) for name, value in values.items()}
    started, ended = (
        told[name] if name in told else getattr(row, name, "") for name in ("started", "ended")
    )
    is_told = all(one[:4].isdigit() for one in (started, ended))  # their fields check the rest
    if is_told and ended < started[: len(ended)]:
        raise BadInput(_("It would end before it began."), field="ended")
    return told


def picture_checked(values: Values) -> dict[str, Any]:
    """Words of a picture, tidied. Raises BadInput, TooLong."""
    if strange := set(values) - {"alt", "caption"}:
        raise BadInput(_("There is no field “%(name)s”.") % {"name": min(strange)}, field="")
    return {name: _line(name, value) for name, value in values.items()}


def _tidy(name: str, value: Any) -> Any:
    if name == "bullets":
        lines = value.splitlines() if isinstance(value, str) else value
        return _each(name, lines, most=limits.BULLETS, chars=limits.BULLET_CHARS)
    if name in LISTS:
        parts = value.replace("\n", ",").split(",") if isinstance(value, str) else value
        return _each(name, parts, most=limits.WORDS_EACH, chars=limits.WORD_CHARS)
    if name in ONE_LINE:
        return _line(name, value)
    if name in LINKS:
        return _link(name, value)
    if name in TEXTS:
        return _text(name, value)
    if name == "blocks":
        return blocks_of(value)
    if name in {"started", "ended"} and isinstance(value, str):
        return value.strip()
    return value


def _words(name: str, value: Any) -> str:
    if not isinstance(value, str):
        raise BadInput(_("Text is expected here."), field=name)
    return storable(value).replace("\r\n", "\n").strip()


def _line(name: str, value: Any) -> str:
    line = " ".join(_words(name, value).split())
    if len(line) > ONE_LINE[name]:
        raise TooLong(limit=ONE_LINE[name], length=len(line), field=name)
    return line


def _text(name: str, value: Any) -> str:
    text = _words(name, value)
    if len(text) > limits.TEXT_CHARS:
        raise TooLong(limit=limits.TEXT_CHARS, length=len(text), field=name)
    return text


def _link(name: str, value: Any) -> str:
    link = _words(name, value)
    if link and not link.lower().startswith(("https://", "http://")):
        raise BadInput(_("The address of a page begins with https://."), field=name)
    return link


def _each(name: str, value: Any, *, most: int, chars: int) -> list[str]:
    """Each text once, whatever its capitals."""
    if not isinstance(value, list | tuple) or not all(isinstance(one, str) for one in value):
        raise BadInput(_("A list of texts is expected."), field=name)
    known: dict[str, str] = {}
    for one in filter(None, (" ".join(storable(one).split()).strip("•-* ") for one in value)):
        known.setdefault(one.casefold(), one)
    if len(known) > most:
        raise BadInput(_("At most %(n)d fit here.") % {"n": most}, field=name)
    if (longest := max(map(len, known.values()), default=0)) > chars:
        raise TooLong(limit=chars, length=longest, field=name)
    return list(known.values())


def blocks_of(value: Any) -> list[dict[str, Any]]:
    """Blocks as they are stored. Raises BadInput that says what is wrong with which."""
    if faults := blocks.faults_of(_plain(value)):
        raise BadInput(" ".join(faults[:3]), field="blocks")
    return [one.model_dump(mode="json") for one in blocks.read_blocks(_plain(value))]


def _plain(value: Any) -> Any:
    """Without what PostgreSQL cannot keep."""
    if isinstance(value, str):
        return storable(value).replace("\r\n", "\n")
    if isinstance(value, Mapping):
        return {str(name): _plain(one) for name, one in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(one) for one in value]
    return value


def named_in(value: Sequence[Mapping[str, Any]]) -> set[str]:
    """Ids of the pictures that stored blocks show."""
    found = {one for block in value for one in block.get("images", ())}
    return found | {block[name] for block in value for name in ("before", "after") if name in block}


def check_pictures(entry: Entry, value: Sequence[Mapping[str, Any]]) -> None:
    """Blocks show pictures of their own entry, deleted ones (an undo brings them back) included.

    Raises BadInput.
    """
    named = named_in(value)
    own = EntryImage.objects.filter(entry=entry, pk__in=named).values_list("pk", flat=True)
    if named - {str(one) for one in own}:
        raise BadInput(_("A block shows a picture that is not of this entry."), field="blocks")
