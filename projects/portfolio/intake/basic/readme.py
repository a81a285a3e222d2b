"""A README, or a page as Markdown, as the draft of an entry without a model."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any, Final

from futura.text import sentences
from projects.portfolio import vocabulary
from projects.portfolio.intake.basic.headings import word_lists
from projects.portfolio.intake.basic.markdown import Part, parts_of
from projects.portfolio.intake.drafts import Draft
from projects.portfolio.intake.periods import find_month, find_span

SUMMARY_CHARS: Final = 300
DESCRIPTION_CHARS: Final = 4_000
BULLETS: Final = 12
TAGS: Final = 12
_LABEL: Final = re.compile(r"^(\w[\w ]{1,20}):\s+(\S.*)$")


def draft_of(text: str) -> Draft:
    """What it says of a project; how it is installed and run is left out. It has no id."""
    parts = [one for one in parts_of(text) if one.level < 2 or not _is(one.heading, "how_to")]
    top = next((one.heading for one in parts if one.level == 1 and one.heading), "")
    title = re.split(r"\s+[–—:|-]\s+", top)[0].strip()[:200]
    prose = [one for part in parts for one in part.paragraphs]
    prose = [one for one in dict.fromkeys(prose) if len(one.split()) > 2]
    points = [one for part in parts for one in part.items if len(one.split()) > 2]
    lines = [line for part in parts for line in part.lines]
    terms = vocabulary.terms_in("\n".join([title, *prose, *lines]))
    first = next((one.text for one in sentences(prose[0])), "") if prose else ""
    values = {
        "title": title,
        "summary": first[:SUMMARY_CHARS],
        "description": "\n\n".join(prose)[:DESCRIPTION_CHARS],
        "bullets": list(dict.fromkeys(points))[:BULLETS],
        "tech_stack": [one.name for one in terms if one.category in {"framework", "tool"}],
        "languages": [one.name for one in terms if one.category == "language"],
        "tags": [one.name for one in terms if one.category == "domain"][:TAGS],
        "live_url": _live(parts),
        **_context(lines),
    }
    return Draft("entry", 0, len(text), values, [] if prose else ["description"])


def _is(words: str, name: str) -> bool:
    """Whether one of the words, or all of them, are on a list for READMEs."""
    listed = word_lists()["readme"][name]
    lowered = words.casefold()
    return any(one in listed for one in (lowered, *re.findall(r"[a-z]+", lowered)))


def _context(lines: Iterable[str]) -> dict[str, Any]:
    """Only what a line says outright: “Client: …”, “Role: …”, “Timeline: …”."""
    labels: dict[str, str] = {}
    for match in filter(None, map(_LABEL.match, lines)):
        for name in ("organization", "role", "timeframe"):
            if _is(match[1], name):
                labels.setdefault(name, match[2].strip(" .")[:200])
    when = labels.pop("timeframe", "")
    span = find_span(when) or find_month(when)
    dates = {"started": span.start, "ended": span.end} if span else {}
    return {**labels, **dates, "context": "work" if "organization" in labels else "other"}


def _live(parts: Sequence[Part]) -> str:
    """The first link that is called a demo, or the like."""
    links = (one for part in parts for one in part.links)
    return next((one.url for one in links if one.url[:4] == "http" and _is(one.text, "live")), "")
