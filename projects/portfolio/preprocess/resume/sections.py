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
        "experience highlights; additional experience; freelance work; freelance experience; "
        "berufserfahrung; berufliche erfahrung; beruflicher werdegang; praktika; werdegang",
        "volunteering": "volunteering; volunteer experience; volunteer work; community; "
        "community involvement; leadership; leadership and activities; service; activities; "
        "ehrenamt; ehrenamtliches engagement; engagement",
        "education": "education; education and training; academic background; studies; training; "
        "academic history; qualifications; degrees; "
        "ausbildung; bildung; bildungsweg; studium; schulbildung; akademische ausbildung",
        "projects": "projects; selected projects; personal projects; side projects; key projects; "
        "selected work; selected works; portfolio",
        "skills": "skills; technical skills; core skills; key skills; skills and tools; tools; "
        "technologies; technical proficiencies; competencies; core competencies; expertise; "
        "areas of expertise; languages and technologies; software; software skills; methods; "
        "skills and interests; tech stack; "
        "kenntnisse; fähigkeiten; edv-kenntnisse; it-kenntnisse; fachkenntnisse",
        "awards": "awards; honors; honours; awards and honors; awards and honours; "
        "honors and awards; honours and awards; achievements; recognition; prizes; fellowships; "
        "grants and awards; awards and recognition; scholarships; grants; awards and grants; "
        "fellowships and awards; awards and fellowships; exhibitions and awards; "
        "auszeichnungen; preise; preise und auszeichnungen; stipendien; ehrungen",
        "summary": "summary; profile; about; about me; professional summary; objective; "
        "career objective; statement; personal statement; bio; executive summary; "
        "profil; über mich; zusammenfassung",
        "other": "publications; selected publications; certifications; certificates; licenses; "
        "certifications and licenses; languages; interests; hobbies; references; conferences; "
        "talks; presentations; patents; memberships; exhibitions; press; clients; contact; "
        "selected clients; courses; coursework; professional memberships; "
        "veröffentlichungen; publikationen; sprachen; sprachkenntnisse; zertifikate; "
        "weiterbildung; interessen; hobbys; mitgliedschaften; vorträge; referenzen; kontakt; "
        "papers; articles; books; spoken languages; language skills; certification; continuing "
        "education; professional development; affiliations; military service; additional "
        "information; invited talks; workshops; media",
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
    """The parts in order; the first is the head, with name and contact.

    Where all headings stand in capitals, a line in capitals after a blank one is a heading as well,
    of a kind that nobody knows: what follows is never taken for the section above. A PDF may have
    lost its blank lines; there each such line is one.
    """
    lines = text.splitlines()
    named = [line for line in lines if heading_of(line)]
    in_capitals = len(named) > 1 and all(line.isupper() for line in named)
    found = [Section("head")]
    has_blanks = any(not line.strip() for line in lines)
    is_after_blank = True
    for line in lines:
        kind = heading_of(line)
        if (
            kind is None
            and in_capitals
            and is_after_blank
            and len(found) > 1
            and _is_capitals(line)
        ):
            kind = "other"
        if kind:
            found.append(Section(kind, line.strip()))
        else:
            found[-1].lines.append(line)
        is_after_blank = not has_blanks or not line.strip()
    return found


def _is_capitals(line: str) -> bool:
    """Whether a line looks like a heading of its own: words in capitals, nothing else."""
    return (
        line.isupper()
        and re.fullmatch(r"[^\W\d]{3,}(?:[ &/-]+[^\W\d]+){0,4}", line.strip()) is not None
    )


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
    plain = " ".join(plain.split())
    return HEADINGS.get(plain) or _of_several(plain)


def _of_several(plain: str) -> str | None:
    """“Preise und Stipendien”: of the kind of its parts; of none that is read where they differ."""
    parts = [HEADINGS.get(one) for one in re.split(r" and | und |, ", plain)]
    kinds = {one for one in parts if one}
    if len(parts) < 2 or None in parts:
        return None
    return kinds.pop() if len(kinds) == 1 else "other"
