"""Stretches of a message that were pasted and so are not the person's own words (DECISIONS 63).

The browser names them, or the program that sends the message; the person can take a mark off
before sending. They are stored as parts of the message, so its turn lets changes wait.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, Any, Final

from django.http import QueryDict
from django.utils.translation import gettext as _
from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from futura.errors import BadInput

PART: Final = "pasted"
FIELD: Final = "pasted"
MOST: Final = 100
Ranges = Sequence[tuple[int, int]]
"""[start, end) in characters (code points) of the text they came with."""
_Place = Annotated[int, Field(ge=0, le=1_000_000)]
_RANGES: Final = TypeAdapter(Annotated[list[tuple[_Place, _Place]], Field(max_length=MOST)])


class Stretch(BaseModel):
    """A stretch of the text, in characters, that is not the person's own words."""

    model_config = ConfigDict(extra="forbid")

    start: int = Field(ge=0)
    end: int = Field(ge=0)


Stretches = Annotated[
    list[Stretch],
    Field(
        default_factory=list,
        max_length=MOST,
        description="Stretches that are not the person's own words: changes then wait for review.",
    ),
]
"""What programs say of a message that they send."""


def sent_text(values: QueryDict) -> str:
    """A text of a form, with the line ends that it had while it was written."""
    return values.get("text", "").replace("\r\n", "\n")


def sent_ranges(values: QueryDict) -> Ranges:
    """`[[start, end], …]` as the composer sends it. Raises BadInput."""
    try:
        return _RANGES.validate_json(values.get(FIELD) or "[]")
    except ValidationError as error:
        raise BadInput(_("Name stretches as [[start, end], …]."), field=FIELD) from error


def ranges_of(stretches: Iterable[Stretch]) -> Ranges:
    """The same from JSON."""
    return [(stretch.start, stretch.end) for stretch in stretches]


def parts_for(sent: str, stored: str, ranges: Ranges) -> list[dict[str, Any]]:
    """The parts of a message whose text was stored without the outer blanks of what was sent."""
    skipped = len(sent) - len(sent.lstrip())
    places = [(start - skipped, end - skipped) for start, end in ranges]
    return _parts(places, len(stored))


def ranges_in(parts: Iterable[Mapping[str, Any]]) -> Ranges:
    """Where the pasted stretches of a message stand in its text."""
    marked = [part for part in parts if part.get("type") == PART]
    return [(int(part["start"]), int(part["end"])) for part in marked if "start" in part]


def reworded(parts: Iterable[Mapping[str, Any]], old: str, new: str) -> list[dict[str, Any]]:
    """The parts of a message for its new wording: marks move along with their stretches.

    What was changed within a stretch stays marked; a stretch that was deleted has no mark more.
    """
    stored = list(parts)
    others = [dict(part) for part in stored if part.get("type") != PART]
    return [*others, *_parts(moved(ranges_in(stored), old, new), len(new))]


def moved(ranges: Ranges, old: str, new: str) -> Ranges:
    """Ranges of a text after one place of it was changed."""
    most = min(len(old), len(new))
    at = next((n for n in range(most) if old[n] != new[n]), most)
    tail = next((n for n in range(most - at) if old[-1 - n] != new[-1 - n]), most - at)
    old_end, new_end = len(old) - tail, len(new) - tail
    shift = new_end - old_end

    def begin(place: int) -> int:
        return place if place <= at else place + shift if place >= old_end else at

    def finish(place: int) -> int:
        return place if place <= at else place + shift if place >= old_end else new_end

    return [(begin(start), finish(end)) for start, end in ranges]


def without(text: str, ranges: Ranges, stand_in: str) -> str:
    """A text whose stretches give way to a word about them."""
    out, at = "", 0
    for start, end in sorted(ranges):
        if start >= at:
            out += text[at:start] + stand_in.format(n=end - start)
            at = end
    return out + text[at:]


def _parts(ranges: Ranges, length: int) -> list[dict[str, Any]]:
    places = [(max(0, start), min(end, length)) for start, end in ranges]
    return [
        {"type": PART, "start": start, "end": end, "sent": True, "quiet": True}
        for start, end in sorted(places)
        if start < end
    ]
