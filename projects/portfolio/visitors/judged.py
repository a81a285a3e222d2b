"""What the rules find out about a question: the verdict, the documents behind it, what to say."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal

from projects.portfolio.documents import Doc
from projects.portfolio.visitors.contract import (
    Confidence,
    Relevance,
    RetrievalPlan,
    SemanticFlag,
    Verdict,
)
from projects.portfolio.visitors.listed import plain_words
from projects.portfolio.visitors.quotes import (
    best_quote,
    keys_of,
    said_by,
    sentences_of,
    shortened,
)
from projects.portfolio.visitors.sought import Sought, Topic

MOST: Final = 6
"""Pieces of evidence at most (DECISIONS 36)."""
STORY, MORE = 2, 2
"""Of so many things a story tells more, and so many sentences more of each."""
SHORT_CHARS: Final = 25
_LABEL: Final = re.compile(r"[A-Z][a-z ]{2,18}: ")
Telling = Literal["quotes", "names", "count", "duration", "value", "profile"]
_NEGATED: Final = re.compile(
    r"\b(?:never|do(?:es)? not|don't|have not|haven't|has not|hasn't|did not|didn't|no longer|"
    r"not (?:a|an|yet|available|open|willing|looking|interested)|cannot|can't|won't|will not)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Pick:
    """A document with the words that support the verdict."""

    doc: Doc
    quote: str
    relevance: Relevance = "high"


@dataclass(frozen=True)
class Judged:
    """The outcome. `cards` are documents in order; `value` and `names` are what is to be said."""

    verdict: Verdict
    confidence: Confidence
    picks: Sequence[Pick] = ()
    cards: Sequence[Doc] = ()
    why: str = ""
    telling: Telling = "quotes"
    value: str = ""
    names: Sequence[str] = ()
    missing: Sequence[str] = ()
    flags: Sequence[SemanticFlag] = field(default_factory=tuple)


NOTHING: Final = Judged("unknown", "low", why="No document that was found says it.")
NOT_ASKED: Final = Judged("n/a", "low", why="Nothing is asked about the portfolio.")


@dataclass(frozen=True)
class Case:
    """A question with everything that may answer it."""

    question: str
    plan: RetrievalPlan
    looks_for: Sought
    documents: Sequence[Doc]

    @property
    def is_list(self) -> bool:
        """Whether items are wanted."""
        return self.plan.question_type == "list"

    @property
    def pool(self) -> list[Doc]:
        """Documents that the question may be about: those it names where it names some, of its
        years, of its scope; approved answers and the profile stand apart.
        """
        found = [one for one in self.documents if one.corpus != "profile"]
        if self.looks_for.entities:
            named = self._named()
            found = [one for one in found if (one.corpus, one.doc_id) in named or self._is_on(one)]
        if self.looks_for.years:
            found = [one for one in found if in_years(one, self.looks_for.years)]
        if self.looks_for.is_now and self.is_list:
            found = [one for one in found if one.is_current] or found
        elif self.looks_for.is_past and self.is_list:
            found = [one for one in found if one.ended and not one.is_current] or found
        if self.looks_for.is_own and self.is_list:
            # what belongs to no position
            found = [one for one in found if one.facet != "project" or not one.linked] or found
        return ordered(found, self.looks_for.order)

    def _named(self) -> set[tuple[str, str]]:
        named = set(self.looks_for.entities)
        for one in self.documents:
            key = (one.corpus, one.doc_id)
            other = "projects" if one.corpus == "resume" else "resume"
            if key in self.looks_for.entities:
                named |= {(other, link["id"]) for link in one.linked if "id" in link}
        return named

    def _is_on(self, doc: Doc) -> bool:
        """Whether it is of the kind that is asked for and speaks of what is named."""
        if doc.facet not in self.looks_for.facets or doc.facet not in {"award", "education"}:
            return False
        said = keys_of(f"{doc.title}\n{doc.text}")
        return any(keys_of(one.title) <= said for one in self.named)

    @property
    def named(self) -> list[Doc]:
        """Documents that the question calls by name."""
        keys = self.looks_for.entities
        return [one for one in self.documents if (one.corpus, one.doc_id) in keys]

    def of(self, *facets: str) -> list[Doc]:
        """Documents of the pool of these kinds."""
        return [one for one in self.pool if one.facet in facets]


def in_years(doc: Doc, years: tuple[int, int]) -> bool:
    """Whether something lasted into these years."""
    start = int((doc.started or doc.ended or "0")[:4])
    end = 9999 if doc.is_current else int((doc.ended or doc.started or "0")[:4])
    return bool(start) and start <= years[1] and end >= years[0]


def last_day(doc: Doc) -> tuple[bool, str, str]:
    """For sorting: what goes on last of all, then by its end."""
    return doc.is_current, doc.ended or doc.started, doc.started


def ordered(docs: Sequence[Doc], order: str) -> list[Doc]:
    """As they are, or by their dates; undated ones at the end."""
    if not order:
        return list(docs)
    dated = [one for one in docs if one.started or one.ended]
    undated = [one for one in docs if not (one.started or one.ended)]
    return [*sorted(dated, key=last_day, reverse=order == "latest"), *undated]


def says(doc: Doc, topic: Topic) -> bool:
    """Whether a document has the topic."""
    if topic.phrase:
        return f" {topic.phrase} " in f" {plain_words(f'{doc.title} {doc.text}')} "
    return bool(topic.keys & said_by(doc))


def covers(doc: Doc, group: Sequence[Topic], *, lenient: bool = False) -> bool:
    """Whether a document has all topics of a group; of many plain words one may be missing."""
    missing = [one for one in group if not says(doc, one)]
    if not missing:
        return True
    if any(one.is_name for one in missing):
        return False
    allowed = len(group) // 4 if not lenient else len(group) // 3
    return len(missing) <= allowed


def pick(doc: Doc, topics: Iterable[Topic], *, labels: Sequence[str] = ()) -> Pick | None:
    """A document with its best words; None where it has none that may be quoted."""
    wanted = list(topics)
    quote = best_quote(doc, [one.keys for one in wanted], labels=labels)
    if not quote:
        return None
    said = keys_of(quote)
    is_whole = all(one.keys & said for one in wanted)
    return Pick(doc, quote, "high" if is_whole else "medium")


def picks_of(
    docs: Iterable[Doc], topics: Sequence[Topic], *, limit: int = MOST, labels: Sequence[str] = ()
) -> list[Pick]:
    """At most so many."""
    found = (pick(one, topics, labels=labels) for one in docs)
    return [one for one in found if one is not None][:limit]


def told_more(picks: Sequence[Pick]) -> list[Pick]:
    """For a story of one or two things: more of what their documents say, figures first."""
    if len(picks) > STORY:
        return list(picks)
    found: list[Pick] = []
    for one in picks:
        told = [s for s in sentences_of(one.doc.text)
                if len(s) > SHORT_CHARS and not _LABEL.match(s) and s != one.quote]  # fmt: skip
        best = sorted(told, key=lambda s: not re.search(r"\d", s))[:MORE]
        found += [one, *(Pick(one.doc, shortened(s), "medium") for s in told if s in best)]
    return found[:MOST]


def is_only_denied(doc: Doc, topics: Sequence[Topic]) -> bool:
    """Whether every sentence about the topics says that they are not so."""
    about = [one for one in sentences_of(doc.text) if _has_some(one, topics)]
    return bool(about) and all(_NEGATED.search(one) for one in about)


def _has_some(sentence: str, topics: Sequence[Topic]) -> bool:
    keys = keys_of(sentence)
    return any(topic.keys & keys for topic in topics)


def confidence_of(picks: Sequence[Pick], topics: Sequence[Topic]) -> Confidence:
    """High where the quoted words themselves say it, or where nothing special is asked."""
    if not picks:
        return "low"
    if not topics or any(one.relevance == "high" for one in picks):
        return "high"
    return "medium"


Rule = Callable[[Case], Judged | None]
