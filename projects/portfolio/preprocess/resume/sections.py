"""Finds the sections of a resume by their headings, and what stands above the first of them."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final

HEADINGS: Final[dict[str, str]] = {
    name: section
    for section, names in {
        "experience": "experience; work experience; professional experience; employment; "
        "employment history; work history; career history; relevant experience; positions; "
        "industry experience; research experience; teaching experience; academic appointments; "
        "appointments; professional appointments; work; internships; selected experience; "
        "experience highlights; additional experience; freelance work; freelance experience",
        "volunteering": "volunteering; volunteer experience; volunteer work; community; "
        "community involvement; leadership; leadership and activities; service; activities",
        "education": "education; education and training; academic background; studies; training; "
        "academic history; qualifications; degrees",
        "projects": "projects; selected projects; personal projects; side projects; key projects; "
        "selected work; selected works; portfolio",
        "skills": "skills; technical skills; core skills; key skills; skills and tools; tools; "
        "technologies; technical proficiencies; competencies; core competencies; expertise; "
        "areas of expertise; languages and technologies; software; software skills; methods; "
        "skills and interests; tech stack",
        "awards": "awards; honors; honours; awards and honors; awards and honours; "
        "honors and awards; honours and awards; achievements; recognition; prizes; fellowships; "
        "grants and awards; awards and recognition; scholarships; grants; awards and grants; "
        "fellowships and awards; awards and fellowships; exhibitions and awards",
        "summary": "summary; profile; about; about me; professional summary; objective; "
        "career objective; statement; personal statement; bio; executive summary",
        "other": "publications; selected publications; certifications; certificates; licenses; "
        "certifications and licenses; languages; interests; hobbies; references; conferences; "
        "talks; presentations; patents; memberships; exhibitions; press; clients; contact; "
        "selected clients; courses; coursework; professional memberships",
    }.items()
    for name in names.split("; ")
}
_LONGEST: Final = 45
_SPACED: Final = re.compile(r"^(?:[A-Z&]\s){3,}[A-Z]\s*$")
_TRIM: Final = re.compile(r"^[\W_]+|[\W_]+$")
BULLET: Final = re.compile(r"^\s*(?:[•▪●◦‣⁃∙·■□➢➤►▸✓✔*–—-]|\(cid:\d+\)|o(?=\s\s?[A-Z]))\s+")


@dataclass
class Section:
    """A part of the resume: its kind (a value of HEADINGS, or "head"), and its lines."""

    kind: str
    heading: str = ""
    lines: list[str] = field(default_factory=list)


def sections_of(text: str) -> list[Section]:
    """The parts in order; the first is the head, with name and contact."""
    found = [Section("head")]
    for line in text.splitlines():
        kind = heading_of(line)
        if kind:
            found.append(Section(kind, line.strip()))
        else:
            found[-1].lines.append(line)
    return found


def heading_of(line: str) -> str | None:
    """The kind of section that a line opens; None for an ordinary line."""
    if not line.strip() or len(line) > 2 * _LONGEST:
        return None
    if BULLET.match(line) and not line.rstrip().endswith(("—", "–", "-", "*")):
        return None
    if _SPACED.match(line.strip() + " ") or _SPACED.match(line.strip()):
        words = re.split(r"\s{2,}", line.strip())
        line = " ".join(word.replace(" ", "") for word in words)
    plain = _TRIM.sub("", line).casefold().replace("&", "and").replace("/", " and ")
    if len(plain) > _LONGEST:
        return None
    return HEADINGS.get(" ".join(plain.split()))
