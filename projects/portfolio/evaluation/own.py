"""Questions to a portfolio made from its own records: what an owner's visitors must be told."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final

from projects.portfolio.documents import Doc
from projects.portfolio.evaluation.cases import Case

EACH: Final = 12
"""Records of a kind that are asked about."""
NOWHERE: Final = "Quennet and Voss Ironmongers"


def cases_of(portfolio: str, docs: Iterable[Doc]) -> list[Case]:
    """Cases about positions, projects, education, awards and skills, and one about nothing."""
    by_facet: dict[str, list[Doc]] = {}
    for doc in docs:
        by_facet.setdefault(doc.facet, []).append(doc)
    drafts = [
        *_positions(by_facet.get("experience", [])),
        *_each(by_facet.get("project", []), "What is {}?", "narrative"),
        *_each(by_facet.get("education", []), "Tell me about {}.", "narrative"),
        *_each(by_facet.get("award", []), "Tell me about {}.", "narrative"),
        (f"Did you work at {NOWHERE}?", "binary", {"verdict": "unknown"}),
    ]
    return [
        Case.model_validate(
            {
                "id": f"{portfolio}-{number}",
                "name": question[:80],
                "category": category,
                "portfolio": portfolio,
                "kind": "unanswerable" if expected["verdict"] == "unknown" else "plain",
                "input": {"userMessage": question},
                "expected": expected,
            }
        )
        for number, (question, category, expected) in enumerate(drafts, start=1)
    ]


Draft = tuple[str, str, dict[str, Any]]


def _positions(docs: list[Doc]) -> Iterator[Draft]:
    for doc in docs[:EACH]:
        employer = doc.title.rsplit(" — ", 1)[-1]
        yield f"Did you work at {employer}?", "binary", _expected(doc)
    for doc in docs:
        if doc.is_current:
            employer = doc.title.rsplit(" — ", 1)[-1]
            yield "Where do you work now?", "list", _expected(doc) | {"answerContains": [employer]}
            return


def _each(docs: list[Doc], question: str, category: str) -> Iterator[Draft]:
    for doc in docs[:EACH]:
        yield question.format(doc.title), category, _expected(doc)


def _expected(doc: Doc) -> dict[str, Any]:
    return {"verdict": "yes", "relevantDocuments": [f"{doc.corpus}:{doc.doc_id}"]}
