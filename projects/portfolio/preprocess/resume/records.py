"""Records of a resume by rules: positions, studies, awards, skills, in their own words."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from projects.portfolio import vocabulary
from projects.portfolio.corpus import (
    AwardRecord,
    Dates,
    EducationRecord,
    ExperienceRecord,
    ExperienceType,
    ResumeDoc,
    SkillRecord,
)
from projects.portfolio.preprocess import months
from projects.portfolio.preprocess.ids import id_of
from projects.portfolio.preprocess.months import Span
from projects.portfolio.preprocess.resume import wording
from projects.portfolio.preprocess.resume.entries import Entry, entries_of, pieces_of
from projects.portfolio.preprocess.resume.sections import BULLET, Section

SKILL_WORDS: Final = 6
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


def records_of(sections: Sequence[Section]) -> list[ResumeDoc]:
    """Every record of the sections, each with an id of its own."""
    found: list[ResumeDoc] = []
    for section in sections:
        reader = _READERS.get(section.kind)
        if reader is not None:
            found.extend(reader(section, found))
    return found


def _experiences(section: Section, before: Sequence[ResumeDoc]) -> Iterator[ResumeDoc]:
    taken = {one.id for one in before}
    company = place = ""
    for entry in entries_of(section.lines):
        found = _experience(entry, company, place, is_unpaid=section.kind == "volunteering")
        if found is None:
            continue
        company, place = found.company, found.location or ""
        start = found.dates.start if found.dates else None
        found.id = id_of("exp", found.company, (start or "")[:4], taken=taken)
        taken.add(found.id)
        yield found


def _experience(
    entry: Entry, company_before: str, place_before: str, *, is_unpaid: bool
) -> ExperienceRecord | None:
    """A position; the company of the one above where it names none. None for no position."""
    pieces = pieces_of(entry.headers)
    span = entry.span or next(filter(None, map(months.find_month, entry.headers)), None)
    if not (span or pieces.titles) or not (pieces.titles or pieces.others):
        return None
    header = " ".join(entry.headers)
    title = ", ".join(pieces.titles[:1]) or (pieces.others[1] if len(pieces.others) > 1 else "")
    kind = wording.experience_type(header)
    own_name = "Freelance" if kind == "freelance" else company_before
    company = next(iter(pieces.others), "") or own_name or next(iter(pieces.titles[1:]), "")
    if not company:
        return None
    skills, prose = _technologies(entry.prose)
    return ExperienceRecord(
        id="",
        company=company,
        title=title,
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


def _education(section: Section, before: Sequence[ResumeDoc]) -> Iterator[ResumeDoc]:
    taken = {one.id for one in before}
    for entry in _studies(section.lines):
        text = "  ".join(entry.headers)
        span = entry.span or next(
            filter(None, map(months.find_month, reversed(entry.headers))), None
        )
        institution = _institution(entry)
        degree, subject = _degree(entry.headers)
        if not institution and not degree:
            continue
        found = EducationRecord(
            id=id_of("edu", institution or degree, degree if institution else "", taken=taken),
            institution=institution or text,
            degree=degree or None,
            field=subject or None,
            dates=_dates(span),
            summary=" ".join(entry.prose) or None,
            bullets=entry.bullets,
            skills=_named("\n".join([*entry.prose, *entry.bullets])),
        )
        taken.add(found.id)
        yield found


def _studies(lines: Sequence[str]) -> list[Entry]:
    """Entries, also where every study is a bullet, or two follow one another without any."""
    bare = [BULLET.sub("", line) for line in lines]
    is_all_bullets = all(BULLET.match(line) for line in lines if line.strip())
    found: list[Entry] = []
    for entry in entries_of(bare if is_all_bullets else lines):
        groups: list[list[str]] = [[]]
        for header in entry.headers:
            if _begins_another(header, groups[-1]):
                groups.append([])
            groups[-1].append(header)
        found += [Entry(headers=group) for group in groups[:-1]]
        found.append(Entry(groups[-1], entry.bullets, entry.prose))
    return found


def _begins_another(header: str, before: Sequence[str]) -> bool:
    """Whether a header tells a second school, or a second degree after the school."""
    if not any(wording.SCHOOL.search(one) for one in before):
        return False
    is_degree = wording.DEGREE.search(header) is not None
    return wording.SCHOOL.search(header) is not None or (is_degree and bool(_degree(before)[0]))


def _institution(entry: Entry) -> str:
    pieces = pieces_of(entry.headers)
    candidates = [*pieces.others, *pieces.titles]
    for piece in candidates:
        for part in re.split(r",\s*", piece) if wording.DEGREE.search(piece) else [piece]:
            if wording.SCHOOL.search(part):
                return part.strip()
    plain = (one for one in pieces.others if not wording.DEGREE.search(one))
    return next(plain, "")


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


def _awards(section: Section, before: Sequence[ResumeDoc]) -> Iterator[ResumeDoc]:
    taken = {one.id for one in before}
    for line in section.lines:
        bare = BULLET.sub("", line).strip()
        if not bare:
            continue
        when = months.find_span(bare) or months.find_month(bare)
        words = f"{bare[: when.place[0]]}  {bare[when.place[1] :]}" if when else bare
        parts = [
            one.strip(" ,;:.()–—-")
            for one in re.split(
                r"\s+[–—|·-]\s+|,\s+|\s{2,}|\s+(?:by|from|awarded by)\s+|\(|\)", words
            )
        ]
        parts = [one for one in parts if one]
        if not parts:
            continue
        yield (
            found := AwardRecord(
                id=id_of("award", parts[0], taken=taken),
                title=parts[0],
                issuer=parts[1] if len(parts) > 1 else None,
                date=((when.end or when.start) if when else None) or None,
                summary=", ".join(parts[2:]) or None,
            )
        )
        taken.add(found.id)


def _skills(section: Section, before: Sequence[ResumeDoc]) -> Iterator[ResumeDoc]:
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
            if not name or len(name.split()) > SKILL_WORDS or name.casefold() in known:
                continue
            known.add(name.casefold())
            found = SkillRecord(
                id=id_of("skill", name, taken=taken), name=name, category=_category(label, name)
            )
            taken.add(found.id)
            yield found


def _category(label: str, name: str) -> str | None:
    """What the line is headed with, where that says something; else what the name is known as."""
    plain = label.casefold()
    by_name = vocabulary.category_of(name)
    by_label = (kind for kind, words in _CATEGORIES if any(word in plain for word in words))
    return by_name or next(by_label, None) or (plain or None)


_READERS: Final = {
    "experience": _experiences,
    "volunteering": _experiences,
    "education": _education,
    "awards": _awards,
    "skills": _skills,
}
