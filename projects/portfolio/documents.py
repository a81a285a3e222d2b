"""What visitors may be told, as documents: made of public fields by name, of nothing else.

A field that is not named here is never searched, quoted or sent to a model.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import singledispatch
from typing import Any, Final

from projects.portfolio import blocks, undecided, vocabulary
from projects.portfolio.models import (
    Award,
    Credential,
    Document,
    Education,
    Entry,
    Experience,
    OpenQuestion,
    Profile,
    Skill,
)
from projects.portfolio.plain import plain

PROFILE_ID: Final = "profile"
TITLE_CHARS: Final = 400
_VOLUNTARY: Final = re.compile(
    r"\b(?:volunteer\w*|pro bono|unpaid|member|mentor|organis?er)\b", re.IGNORECASE
)
Row = Entry | Experience | Education | Award | Credential | Skill | Profile | OpenQuestion


@dataclass(frozen=True)
class Doc:
    """A document before it is stored. `embedded` is what its vector is made of; empty for none.

    `linked`: of a position its projects, of a project its positions with their companies.
    """

    corpus: str
    facet: str
    doc_id: str
    title: str
    text: str
    keywords: str = ""
    embedded: str = ""
    started: str = ""
    ended: str = ""
    is_current: bool = False
    is_employment: bool = False
    linked: Sequence[Mapping[str, str]] = field(default_factory=tuple)


def documents_of(
    rows: Iterable[Row],
    links: Mapping[str, Sequence[str]],
    *,
    cleared: Collection[str] = frozenset(),
) -> list[Doc]:
    """Documents of what is public among the rows. `links`: ids of projects by id of position.

    This is the only way into an index, so what visitors must not learn stops here: private fields
    are in no document, and contact data stay out until their keys are `cleared` (DECISIONS 52).
    """
    wanted = [undecided.without(one, cleared=cleared) for one in rows if is_public(one)]
    companies: dict[str, list[dict[str, str]]] = {}
    for one in wanted:
        if isinstance(one, Experience):
            for project in links.get(one.doc_id, ()):
                companies.setdefault(project, []).append({"id": one.doc_id, "company": one.company})
    return [_linked(document_of(one), links, companies) for one in wanted]


def is_public(row: Row) -> bool:
    """Whether visitors may be told of it at all."""
    if isinstance(row, Entry):
        return row.status == Entry.Status.PUBLISHED and not row.hide_from_chat
    if isinstance(row, OpenQuestion):
        return row.status == OpenQuestion.Status.ANSWERED and bool(row.answer.strip())
    return True


def _linked(
    doc: Doc, links: Mapping[str, Sequence[str]], companies: Mapping[str, list[dict[str, str]]]
) -> Doc:
    if doc.facet == "experience":
        linked = [{"id": one} for one in links.get(doc.doc_id, ())]
    elif doc.facet == "project":
        linked = companies.get(doc.doc_id, [])
    else:
        return doc
    names = " ".join(one["company"] for one in linked if "company" in one)
    keywords = " ".join(filter(None, (doc.keywords, names)))
    return Doc(**{**doc.__dict__, "linked": tuple(linked), "keywords": keywords})


@singledispatch
def document_of(row: Any) -> Doc:
    """One row as a document. TypeError for what is never searched."""
    raise TypeError(f"{type(row).__name__} is nothing that visitors are told.")


@document_of.register
def _(row: Entry) -> Doc:
    named = [*row.tech_stack, *row.languages, *row.tags, *row.materials, *row.techniques]
    text = _lines(
        row.summary,
        plain(row.description),
        _span(row.started, row.ended),
        _labelled("Type", row.entry_type),
        _labelled("Location", row.location),
        _labelled("Role", row.role),
        _labelled("Organisation", row.organization),
        row.impact,
        row.size_or_scope,
        *row.bullets,
        blocks.text_of(row.blocks),
        _listed("Technologies", row.tech_stack),
        _listed("Languages", row.languages),
        _listed("Materials", row.materials),
        _listed("Techniques", row.techniques),
        _listed("Topics", row.tags),
    )
    embedded = _lines(
        *(row.title, row.summary, row.description, row.impact),
        *(", ".join(one) for one in (row.tech_stack, row.languages, row.tags)),
        *(", ".join(one) for one in (row.materials, row.techniques)),
    )
    return Doc(
        corpus=Document.Corpus.PROJECTS,
        facet="project",
        doc_id=row.doc_id,
        title=(row.title or row.doc_id)[:TITLE_CHARS],
        text=text,
        keywords=_spellings(named),
        embedded=embedded,
        started=row.started,
        ended=row.ended,
        is_current=bool(row.started and not row.ended),
    )


@document_of.register
def _(row: Experience) -> Doc:
    kind = "" if row.experience_type == Experience.Type.OTHER else row.get_experience_type_display()
    text = _lines(
        _labelled("Position", row.title),
        _labelled("Company", row.company),
        _labelled("Location", row.location),
        _span(row.started, row.ended, is_current=row.is_current),
        _labelled("Kind", kind),
        row.summary,
        *row.bullets,
        row.impact,
        row.size_or_scope,
        _listed("Skills", row.skills),
    )
    is_voluntary = row.experience_type == Experience.Type.VOLUNTEER or (
        row.experience_type == Experience.Type.OTHER
        and _VOLUNTARY.search(f"{row.title} {row.summary}")
    )
    return Doc(
        corpus=Document.Corpus.RESUME,
        facet="experience",
        doc_id=row.doc_id,
        title=str(row)[:TITLE_CHARS],
        text=text,
        keywords=_spellings(row.skills),
        embedded=_lines(str(row), row.summary, " ".join(row.bullets), ", ".join(row.skills)),
        started=row.started,
        ended=row.ended,
        is_current=row.is_current,
        is_employment=not is_voluntary,
    )


@document_of.register
def _(row: Education) -> Doc:
    title = ", ".join(filter(None, (_of(row.degree, row.field), row.institution)))
    return Doc(
        corpus=Document.Corpus.RESUME,
        facet="education",
        doc_id=row.doc_id,
        title=title[:TITLE_CHARS],
        text=_lines(
            _labelled("School", row.institution),
            _labelled("Degree", row.degree),
            _labelled("Field", row.field),
            _span(row.started, row.ended),
            row.summary,
            *row.bullets,
            _listed("Skills", row.skills),
        ),
        keywords=_spellings(row.skills),
        embedded=_lines(title, row.summary, " ".join(row.bullets), ", ".join(row.skills)),
        started=row.started,
        ended=row.ended,
    )


@document_of.register
def _(row: Award) -> Doc:
    title = ", ".join(filter(None, (row.title, row.issuer)))
    return Doc(
        corpus=Document.Corpus.RESUME,
        facet="award",
        doc_id=row.doc_id,
        title=title[:TITLE_CHARS],
        text=_lines(
            _labelled("Award", row.title),
            _labelled("Given by", row.issuer),
            row.date,
            row.summary,
            *row.bullets,
        ),
        keywords=_spellings(row.skills),
        embedded=_lines(title, row.summary, " ".join(row.bullets)),
        ended=row.date,
    )


@document_of.register
def _(row: Credential) -> Doc:
    title = ", ".join(filter(None, (row.title, row.issuer)))
    return Doc(
        corpus=Document.Corpus.RESUME,
        facet="credential",
        doc_id=row.doc_id,
        title=title[:TITLE_CHARS],
        text=_lines(
            _labelled(row.get_kind_display(), row.title),
            _labelled("Given by", row.issuer),
            _labelled("Level", row.level),
            row.date,
            row.summary,
        ),
        embedded=_lines(row.get_kind_display(), title, row.level, row.summary),
        ended=row.date,
    )


@document_of.register
def _(row: Skill) -> Doc:
    return Doc(
        corpus=Document.Corpus.RESUME,
        facet="skill",
        doc_id=row.doc_id,
        title=row.name,
        text=_lines(_labelled("Skill", row.name), _labelled("Kind", row.category), row.summary),
        keywords=_spellings([row.name]),
        embedded=_lines(row.name, row.category, row.summary),
    )


@document_of.register
def _(row: Profile) -> Doc:
    return Doc(
        corpus=Document.Corpus.PROFILE,
        facet="profile",
        doc_id=PROFILE_ID,
        title=row.full_name,
        text=_lines(
            row.headline,
            _labelled("Location", row.location),
            _labelled("Now", row.current_role),
            *row.about,
            _listed("Skills", row.top_skills),
            *(f"{one.get('platform', '')}: {one.get('url', '')}" for one in row.social_links),
        ),
        keywords=_spellings(row.top_skills),
    )


@document_of.register
def _(row: OpenQuestion) -> Doc:
    return Doc(
        corpus=Document.Corpus.PROFILE,
        facet="answer",
        doc_id=f"answer-{row.pk}",
        title=row.question[:TITLE_CHARS],
        text=row.answer,
        embedded=_lines(row.question, row.answer),
    )


def _lines(*parts: str) -> str:
    return "\n".join(filter(None, (part.strip() for part in parts if part)))


def _labelled(label: str, value: str) -> str:
    return f"{label}: {value}" if value else ""


def _listed(label: str, values: Sequence[str]) -> str:
    return f"{label}: {', '.join(values)}" if values else ""


def _of(degree: str, subject: str) -> str:
    return f"{degree} in {subject}" if degree and subject else degree or subject


def _span(start: str, end: str, *, is_current: bool = False) -> str:
    if is_current:
        return f"{start} to present" if start else "present"
    return " to ".join(filter(None, (start, end)))


def _spellings(names: Iterable[str]) -> str:
    """Other spellings of what is named, so that each of them finds it."""
    found = {other for name in names for other in vocabulary.spellings_of(name) - {name.casefold()}}
    return " ".join(sorted(found))
