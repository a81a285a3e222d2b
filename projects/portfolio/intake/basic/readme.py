"""A README as a draft of an entry without a model: headings, paragraphs, points, links."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

from django.utils.text import slugify

from futura.text import sentences
from projects.portfolio import vocabulary
from projects.portfolio.corpus import Dates, ProjectContext, ProjectDoc
from projects.portfolio.intake.basic.headings import word_lists
from projects.portfolio.intake.basic.markdown import Part, parts_of
from projects.portfolio.intake.periods import find_month, find_span
from projects.portfolio.intake.repositories import RepoConfig

ONE_LINER_CHARS: Final = 300
DESCRIPTION_CHARS: Final = 4_000
BULLETS: Final = 12
TAGS: Final = 12
_LABEL: Final = re.compile(r"^(\w[\w ]{1,20}):\s+(\S.*)$")


def project_of(text: str, repo: RepoConfig, page: str | None) -> ProjectDoc:
    """What a README says of a project; how it is installed and run is left out."""
    parts = [one for one in parts_of(text) if one.level < 2 or not _is(one.heading, "how_to")]
    top = next((one.heading for one in parts if one.level == 1 and one.heading), "")
    name = repo.display_name or re.split(r"\s+[–—:|-]\s+", top)[0].strip() or repo.project_id
    prose = [one for part in parts for one in (*part.quotes, *part.paragraphs)]
    prose = [one for one in dict.fromkeys(prose) if len(one.split()) > 2]
    points = [one for part in parts for one in part.items if len(one.split()) > 2]
    terms = vocabulary.terms_in("\n".join([name, *prose, *_lines(parts)]))
    first = next((one.text for one in sentences(prose[0])), "") if prose else ""
    return ProjectDoc(
        id=repo.project_id,
        slug=slugify(repo.project_id)[:120] or "project",
        name=name[:200],
        one_liner=first[:ONE_LINER_CHARS],
        description="\n\n".join(prose)[:DESCRIPTION_CHARS],
        tech_stack=[one.name for one in terms if one.category in {"framework", "tool"}],
        languages=[one.name for one in terms if one.category == "language"],
        tags=[one.name for one in terms if one.category == "domain"][:TAGS],
        context=_context(_lines(parts)),
        bullets=list(dict.fromkeys(points))[:BULLETS],
        github_url=page,
        live_url=_live(parts),
    )


def _is(words: str, name: str) -> bool:
    """Whether one of the words, or all of them, are on a list for READMEs."""
    listed = word_lists()["readme"][name]
    plain = words.casefold()
    return any(one in listed for one in (plain, *re.findall(r"[a-z]+", plain)))


def _lines(parts: Sequence[Part]) -> list[str]:
    return [line for part in parts for line in part.lines]


def _context(lines: Iterable[str]) -> ProjectContext:
    """Only what a line says outright: “Client: …”, “Role: …”, “Timeline: …”."""
    told: dict[str, str] = {}
    for match in filter(None, map(_LABEL.match, lines)):
        for name in ("organization", "role", "timeframe"):
            if _is(match[1], name):
                told.setdefault(name, match[2].strip(" .")[:200])
    when = told.get("timeframe", "")
    span = find_span(when) or find_month(when)
    return ProjectContext(
        type="work" if "organization" in told else "other",
        organization=told.get("organization"),
        role=told.get("role"),
        timeframe=Dates(start=span.start or None, end=span.end or None) if span else None,
    )


def _live(parts: Sequence[Part]) -> str | None:
    """The first link that is called a demo, or the like."""
    links = (one for part in parts for one in part.links)
    return next(
        (one.url[:500] for one in links if one.url.startswith("http") and _is(one.text, "live")),
        None,
    )
