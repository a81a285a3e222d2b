"""Records of a resume by rules: positions, studies, awards, skills, in their own words.

What is not sure, and sections that have no kind of record, are told as unread.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from projects.portfolio import vocabulary
from projects.portfolio.corpus import (
    Dates,
    EducationRecord,
    ExperienceRecord,
    ExperienceType,
    ResumeDoc,
    SkillRecord,
)
from projects.portfolio.preprocess.ids import id_of
from projects.portfolio.preprocess.months import Span
from projects.portfolio.preprocess.resume import awards, wording
from projects.portfolio.preprocess.resume.entries import Entry, Pieces, entries_of, pieces_of
from projects.portfolio.preprocess.resume.sections import BULLET, Section

SKILL_WORDS: Final = 6
STUDY_LINES: Final = 3
"""Header lines with words that a study has at most: school, degree, field."""
_SEPARATORS: Final = re.compile(r"\s*[,;•|·]\s*|\s{3,}")
_LABEL: Final = re.compile(r"^([A-Z][\w &/+-]{1,40}?)\s*[:–—]\s+(.+)$")
# the label of a table's line, whose colon the table has lost
_BARE_LABEL: Final = re.compile(
    r"^((?:programming |soft |technical |design )?(?:languages?|software|tools?|frameworks?|libraries|"
    r"databases?|cloud|platforms?|crafts?|methods?|techniques?|skills?|programming|infrastructure))\s+(?=[A-Z].*,)(.+)$",
    re.IGNORECASE,
)
_CATEGORIES: Final = (
    ("language", ("programming", "language")),
    ("framework", ("framework", "librar")),
    ("tool", ("tool", "platform", "software", "database", "cloud", "infrastructure", "devops")),
    ("domain", ("domain", "method", "area", "expertise", "concept", "discipline", "practice")),
)
_FIELD: Final = re.compile(r"^\s*(?:,|in\b|of\b|:|–|—|-|\()?\s*(.+)$")


@dataclass(frozen=True)
class Unread:
    """Lines of a resume that became no record, under the heading where they stand."""

    heading: str
    text: str


@dataclass(frozen=True)
class Resume:
    """What was read of a resume, and what was not."""

    records: list[ResumeDoc]
    unread: list[Unread]


Read = tuple[Sequence[ResumeDoc], Sequence[str]]
"""The records of a section, and its lines that are unread."""


def resume_of(sections: Sequence[Section]) -> Resume:
    """Every record of the sections, each with an id of its own; and what is left."""
    found = Resume([], [])
    for section in sections:
        reader = _READERS.get(section.kind, _unread)
        records, left = reader(section, found.records)
        found.records.extend(records)
        if text := "\n".join(left).strip():
            found.unread.append(Unread(section.heading, text))
    return found


def unread_sections(sections: Sequence[Section]) -> list[Unread]:
    """Sections that have no kind of record: publications, languages and the like."""
    return resume_of([one for one in sections if one.kind not in _READERS]).unread


def _unread(section: Section, _before: Sequence[ResumeDoc]) -> Read:
    return [], [line.strip() for line in section.lines if line.strip()]


def _none(_section: Section, _before: Sequence[ResumeDoc]) -> Read:
    """What stands above the first heading and in a summary is the profile's."""
    return [], []


def _experiences(section: Section, before: Sequence[ResumeDoc]) -> Read:
    taken = {one.id for one in before}
    company = place = ""
    entries, unread = entries_of(section.lines, _is_position)
    found: list[ResumeDoc] = []
    for entry in entries:
        one = _experience(entry, company, place, is_unpaid=section.kind == "volunteering")
        company, place = one.company, one.location or ""
        start = one.dates.start if one.dates else None
        one.id = id_of("exp", one.company, (start or "")[:4], taken=taken)
        taken.add(one.id)
        found.append(one)
    return found, unread


def _is_position(headers: Sequence[str], above: Entry | None) -> bool:
    """One title and one company; or a title under a company that stands alone above it."""
    lines = [pieces_of([one]) for one in headers]
    titles = [one for one in lines if one.titles]
    companies = [one for one in lines if one.others]
    if len(titles) != 1 or len(titles[0].titles) != 1 or len(companies) > 1:
        return False
    if companies or _is_freelance(headers):
        return True
    return above is not None and _is_company_alone(above.headers)


def _is_company_alone(headers: Sequence[str]) -> bool:
    """Whether positions may follow under the company: it shares its line with no title."""
    lines = [pieces_of([one]) for one in headers]
    companies = [one for one in lines if one.others]
    return not _is_freelance(headers) and all(not one.titles for one in companies)


def _is_freelance(headers: Sequence[str]) -> bool:
    return wording.experience_type(" ".join(headers)) == "freelance"


def _experience(
    entry: Entry, company_before: str, place_before: str, *, is_unpaid: bool
) -> ExperienceRecord:
    """A position; the company of the one above where it names none."""
    pieces = pieces_of(entry.headers)
    span = entry.span
    kind = wording.experience_type(" ".join(entry.headers))
    own_name = "Freelance" if kind == "freelance" else company_before
    skills, prose = _technologies(entry.prose)
    return ExperienceRecord(
        id="",
        company=", ".join(pieces.others) or own_name,
        title=pieces.titles[0],
        location=next(iter(pieces.places), place_before if not pieces.others else None) or None,
        dates=Dates(start=span.start or None, end=span.end or None) if span else None,
        is_current=bool(span and span.is_current),
        experience_type=_type("other" if is_unpaid else kind),
        summary=" ".join(prose) or None,
        bullets=entry.bullets,
        skills=_merged(skills, _named(entry.text)),
    )


def _type(told: str) -> ExperienceType:
    kinds: dict[str, ExperienceType] = {
        "full_time": "full_time",
        "internship": "internship",
        "contract": "contract",
        "freelance": "freelance",
    }
    return kinds.get(told, "other")


def _technologies(prose: Sequence[str]) -> tuple[list[str], list[str]]:
    """Skills of lines like “Tools: …”, and the other lines."""
    skills: list[str] = []
    rest: list[str] = []
    for line in prose:
        if match := wording.TECHNOLOGIES.match(line):
            skills += [one.strip(" .") for one in _SEPARATORS.split(match[1]) if one.strip(" .")]
        else:
            rest.append(line)
    return skills, rest


def _named(text: str) -> list[str]:
    return [term.name for term in vocabulary.terms_in(text)]


def _merged(first: Sequence[str], second: Sequence[str]) -> list[str]:
    """Both without doubles, whatever the spelling."""
    found: dict[str, str] = {}
    for name in (*first, *second):
        found.setdefault(min(vocabulary.spellings_of(name)), name)
    return list(found.values())


def _dates(span: Span | None) -> Dates | None:
    if span is None:
        return None
    return Dates(start=(None if span.is_single else span.start) or None, end=span.end or None)


def _education(section: Section, before: Sequence[ResumeDoc]) -> Read:
    taken = {one.id for one in before}
    bare = [BULLET.sub("", line) for line in section.lines]
    is_all_bullets = all(BULLET.match(line) for line in section.lines if line.strip())
    entries, unread = entries_of(bare if is_all_bullets else section.lines, _is_study)
    found: list[ResumeDoc] = []
    for entry in entries:
        institution = _institution(entry.headers)
        degree, subject = _degree(entry.headers)
        subject = "" if subject == institution else subject
        one = EducationRecord(
            id=id_of("edu", institution, degree, taken=taken),
            institution=institution,
            degree=degree or None,
            field=subject or None,
            dates=_dates(entry.span),
            summary=" ".join(entry.prose) or None,
            bullets=entry.bullets,
            skills=_named("\n".join([*entry.prose, *entry.bullets])),
        )
        taken.add(one.id)
        found.append(one)
    return found, unread


def _is_study(headers: Sequence[str], _above: Entry | None) -> bool:
    """One degree and one school, or one school alone."""
    lines = [one for one in headers if _words(pieces_of([one]))]
    degrees = sum(len(wording.DEGREE.findall(one)) for one in lines)
    schools = sum(wording.SCHOOL.search(one) is not None for one in lines)
    if degrees == 1:
        return schools <= 1 and len(lines) <= STUDY_LINES and bool(_institution(headers))
    # a course before a comma would be taken for a part of the school's name
    return not degrees and schools == 1 and len(lines) == 1 and "," not in _institution(headers)


def _words(pieces: Pieces) -> list[str]:
    return [*pieces.others, *pieces.titles]


def _institution(headers: Sequence[str]) -> str:
    """The school; empty where no single piece can be it."""
    plain: list[str] = []
    for piece in _words(pieces_of(headers)):
        for part in re.split(r",\s*", piece) if wording.DEGREE.search(piece) else [piece]:
            if wording.SCHOOL.search(part):
                return part.strip()
            if not wording.DEGREE.search(part):
                plain.append(part.strip())
    return plain[0] if len(plain) == 1 else ""


def _degree(headers: Sequence[str]) -> tuple[str, str]:
    """The degree, and what it is in."""
    for header in headers:
        for piece in pieces_of([header]).others + pieces_of([header]).titles:
            match = wording.DEGREE.search(piece)
            if match is None:
                continue
            field = _FIELD.match(piece[match.end() :])
            subject = re.split(r",|\bat\b|\(", field[1])[0] if field else ""
            if wording.SCHOOL.search(subject):
                subject = ""
            return match[0].strip(), subject.strip(" ().") or piece[: match.start()].strip(" ,–—-")
    return "", ""


def _awards(section: Section, before: Sequence[ResumeDoc]) -> Read:
    taken = {one.id for one in before}
    told, unread = awards.awards_of(section.lines)
    found: list[ResumeDoc] = []
    for one in told:
        one.id = id_of("award", one.title, taken=taken)
        taken.add(one.id)
        found.append(one)
    return found, unread


def _skills(section: Section, before: Sequence[ResumeDoc]) -> Read:
    """Names between separators; what is longer than a name is unread."""
    found: list[ResumeDoc] = []
    unread: list[str] = []
    taken = {one.id for one in before}
    known = {one.name.casefold() for one in before if isinstance(one, SkillRecord)}
    label = ""
    for line in section.lines:
        bare = BULLET.sub("", line).strip()
        if match := _LABEL.match(bare) or _BARE_LABEL.match(bare):
            label, bare = match[1], match[2]
        elif not bare:
            label = ""
        for told in _SEPARATORS.split(bare.rstrip(".")):
            name = told.strip(" .()")
            if len(name.split()) > SKILL_WORDS:
                unread.append(name)
            elif name and name.casefold() not in known:
                known.add(name.casefold())
                one = SkillRecord(
                    id=id_of("skill", name, taken=taken), name=name, category=_category(label, name)
                )
                taken.add(one.id)
                found.append(one)
    return found, unread


def _category(label: str, name: str) -> str | None:
    """What the line is headed with, where that says something; else what the name is known as."""
    plain = label.casefold()
    by_name = vocabulary.category_of(name)
    by_label = (kind for kind, words in _CATEGORIES if any(word in plain for word in words))
    return by_name or next(by_label, None) or (plain or None)


_READERS: Final[Mapping[str, Callable[[Section, Sequence[ResumeDoc]], Read]]] = {
    "head": _none,
    "summary": _none,
    "experience": _experiences,
    "volunteering": _experiences,
    "education": _education,
    "awards": _awards,
    "skills": _skills,
}
