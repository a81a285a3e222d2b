"""What visitors may be told, as documents: made of public fields by name, of nothing else.

A field that is not named here is never searched, quoted or sent to a model.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from django.utils import translation

from projects.portfolio import blocks, contact_review, periods, vocabulary
from projects.portfolio.blocks import plain_text
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

PROFILE_ID: Final = "profile"
TITLE_CHARS: Final = 400
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

    @property
    def key(self) -> tuple[str, str]:
        """What names it within its portfolio: source and id."""
        return self.corpus, self.doc_id

    @property
    def months(self) -> str:
        """When it was, as stored: “2021-03 to present”."""
        is_current = self.is_current and bool(self.started)
        return _span(self.started, self.ended, is_current=is_current)

    @property
    def dates(self) -> str:
        """The same in words: “since March 2021”."""
        return periods.period_text(self.started, self.ended, is_current=self.is_current)


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
    public = [contact_review.masked(row, cleared=cleared) for row in rows if is_public(row)]
    linked: dict[str, list[dict[str, str]]] = {}
    for row in public:
        if isinstance(row, Experience):
            projects = links.get(row.doc_id, ())
            linked[row.doc_id] = [{"id": project} for project in projects]
            for project in projects:
                company = {"id": row.doc_id, "company": row.company}
                linked.setdefault(project, []).append(company)
    return [document_of(row, linked.get(getattr(row, "doc_id", ""), ())) for row in public]


def is_public(row: Row) -> bool:
    """Whether visitors may be told of it at all."""
    if isinstance(row, Entry):
        return row.status == Entry.Status.PUBLISHED and not row.hide_from_chat
    if isinstance(row, OpenQuestion):
        return row.status == OpenQuestion.Status.ANSWERED and bool(row.answer.strip())
    return True


Line = str | tuple[str, str] | Callable[[Any], str]
"""A line of a document: a field, a field behind its label, or what a function tells."""


@dataclass(frozen=True)
class _Kind:
    """How a kind of row becomes a document. `names` are the lists whose other spellings find it."""

    corpus: str
    facet: str
    title: Callable[[Any], str]
    text: Sequence[Line]
    embedded: Sequence[Line] = ()
    names: Sequence[str] = ()
    ended: str = "ended"


def _named(*fields: str) -> Callable[[Any], str]:
    return lambda row: ", ".join(filter(None, (getattr(row, field) for field in fields)))


def _degree(row: Education) -> str:
    parts = (row.degree, row.field)
    subject = " in ".join(parts) if all(parts) else row.degree or row.field
    return ", ".join(filter(None, (subject, row.institution)))


def _links(row: Profile) -> str:
    return "\n".join(
        f"{link.get('platform', '')}: {link.get('url', '')}" for link in row.social_links
    )


def _in_english(display: Callable[[], str]) -> str:
    """The index says the same whoever has it built."""
    with translation.override(None):
        return str(display())


def _employment(row: Experience) -> str:
    other = row.experience_type == Experience.Type.OTHER
    return "" if other else _labelled("Kind", _in_english(row.get_experience_type_display))


def _span_of(row: Any) -> str:
    return _span(row.started, row.ended, is_current=getattr(row, "is_current", False))


_RESUME: Final = Document.Corpus.RESUME
_MADE_WITH: Final = ("tech_stack", "languages", "tags", "materials", "techniques")
KINDS: Final[Mapping[type[Row], _Kind]] = {
    Entry: _Kind(
        Document.Corpus.PROJECTS, "project", lambda row: row.title or row.doc_id,
        ("summary", lambda row: plain_text(row.description), _span_of, ("Type", "entry_type"),
         ("Location", "location"), ("Role", "role"), ("Organisation", "organization"), "impact",
         "size_or_scope", "bullets", lambda row: blocks.text_of(row.blocks),
         ("Technologies", "tech_stack"), ("Languages", "languages"), ("Materials", "materials"),
         ("Techniques", "techniques"), ("Topics", "tags")),
        ("title", "summary", "description", "impact", *(("", name) for name in _MADE_WITH)),
        names=_MADE_WITH,
    ),
    Experience: _Kind(
        _RESUME, "experience", str,
        (("Position", "title"), ("Company", "company"), ("Location", "location"), _span_of,
         _employment, "summary", "bullets", "impact", "size_or_scope", ("Skills", "skills")),
        (str, "summary", lambda row: " ".join(row.bullets), ("", "skills")),
        names=("skills",),
    ),
    Education: _Kind(
        _RESUME, "education", _degree,
        (("School", "institution"), ("Degree", "degree"), ("Field", "field"), _span_of, "summary",
         "bullets", ("Skills", "skills")),
        (_degree, "summary", lambda row: " ".join(row.bullets), ("", "skills")),
        names=("skills",),
    ),
    Award: _Kind(
        _RESUME, "award", _named("title", "issuer"),
        (("Award", "title"), ("Given by", "issuer"), "date", "summary", "bullets",
         ("Skills", "skills")),
        (_named("title", "issuer"), "summary", lambda row: " ".join(row.bullets)),
        names=("skills",), ended="date",
    ),
    Credential: _Kind(
        _RESUME, "credential", _named("title", "issuer"),
        (lambda row: _labelled(_in_english(row.get_kind_display), row.title),
         ("Given by", "issuer"), ("Level", "level"), "date", "summary"),
        (lambda row: _in_english(row.get_kind_display), _named("title", "issuer"), "level",
         "summary"),
        ended="date",
    ),
    Skill: _Kind(
        _RESUME, "skill", lambda row: row.name,
        (("Skill", "name"), ("Kind", "category"), "summary"), ("name", "category", "summary"),
        names=("name",),
    ),
    Profile: _Kind(
        Document.Corpus.PROFILE, "profile", lambda row: row.full_name,
        ("headline", ("Location", "location"), ("Now", "current_role"), "about",
         ("Skills", "top_skills"), _links),
        names=("top_skills",),
    ),
    OpenQuestion: _Kind(
        Document.Corpus.PROFILE, "answer", lambda row: row.question, ("answer",),
        ("question", "answer"),
    ),
}  # fmt: skip


def document_of(row: Row, linked: Sequence[Mapping[str, str]] = ()) -> Doc:
    """One row as a document. KeyError for what is never searched."""
    kind = KINDS[type(row)]
    names: list[str] = []
    for name in kind.names:
        value = getattr(row, name)
        names += [value] if isinstance(value, str) else value
    # other spellings of what is named, so that each of them finds it
    spellings = {
        other for name in names for other in vocabulary.spellings_of(name) - {name.casefold()}
    }
    companies = [link["company"] for link in linked if link.get("company")]
    started, ended = getattr(row, "started", ""), getattr(row, kind.ended, "")
    doc_id = {"profile": PROFILE_ID, "answer": f"answer-{row.pk}"}.get(kind.facet)
    volunteer = Experience.Type.VOLUNTEER
    return Doc(
        corpus=kind.corpus,
        facet=kind.facet,
        doc_id=doc_id or str(getattr(row, "doc_id", "")),
        title=kind.title(row)[:TITLE_CHARS],
        text=_lines(*(_line(row, line) for line in kind.text)),
        keywords=" ".join([*sorted(spellings), *companies]),
        embedded=_lines(*(_line(row, line) for line in kind.embedded)),
        started=started,
        ended=ended,
        is_current=getattr(row, "is_current", False),
        is_employment=isinstance(row, Experience) and row.experience_type != volunteer,
        linked=tuple(linked),
    )


def _line(row: Any, line: Line) -> str:
    if callable(line):
        return line(row)
    label, field = line if isinstance(line, tuple) else ("", line)
    value = getattr(row, field)
    if isinstance(value, list):
        parts = filter(None, map(str.strip, value))
        value = (", " if isinstance(line, tuple) else "\n").join(parts)
    return _labelled(label, value) if label else str(value)


def _lines(*parts: str) -> str:
    return "\n".join(filter(None, (part.strip() for part in parts if part)))


def _labelled(label: str, value: str) -> str:
    return f"{label}: {value}" if value else ""


def _span(start: str, end: str, *, is_current: bool = False) -> str:
    if is_current:
        return f"{start} to present" if start else "present"
    return " to ".join(filter(None, (start, end)))
