"""From a plan to ranked documents per source, within the limits of the spec (5.2, DECISIONS 35)."""

from __future__ import annotations

import datetime as dt
import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from projects.portfolio.documents import Doc
from projects.portfolio.index import Hit, Index, Request, shares
from projects.portfolio.index.searching import recency
from projects.portfolio.index.terms import asked_terms
from projects.portfolio.index.weights import ALL_RELEVANT, LARGEST_TOP_K, TABLE
from projects.portfolio.visitors.contract import (
    RetrievalPlan,
    RetrievalRequest,
    RetrievalSource,
    RetrievalSummary,
    RetrievalTrace,
)
from projects.portfolio.visitors.sought import Key, Sought
from projects.portfolio.visitors.state import KEPT_SEARCHES, KeptSearch

ANSWERS: Final = 3
"""Approved answers of the owner that are looked up for every question about them."""
ABOUT_OWNER: Final = frozenset({"home", "bio", "now"})
"""Where somebody lives and who they are is looked up in the profile, whatever its words."""
SOURCES: Final[tuple[RetrievalSource, ...]] = ("projects", "resume", "profile")


@dataclass(frozen=True)
class Retrieved:
    """Documents by source, best first, and how they were come by."""

    hits: Mapping[str, Sequence[Hit]] = field(default_factory=dict)
    trace: RetrievalTrace = field(default_factory=RetrievalTrace)
    searches: Mapping[str, KeptSearch] = field(default_factory=dict)

    @property
    def documents(self) -> list[Doc]:
        """All of them: projects, resume, profile."""
        return [one.document for source in SOURCES for one in self.hits.get(source, ())]

    @property
    def by_key(self) -> dict[Key, Doc]:
        """All of them by source and id."""
        return {(one.corpus, one.doc_id): one for one in self.documents}

    def ids(self, source: str, facet: str = "") -> list[str]:
        """Ids of one source, of one kind where given."""
        found = (one.document for one in self.hits.get(source, ()))
        return [one.doc_id for one in found if not facet or one.facet == facet]


def retrieve(
    index: Index,
    plan: RetrievalPlan,
    question: str,
    looks_for: Sought,
    *,
    today: dt.date,
    kept: Mapping[str, KeptSearch] | None = None,
    last_evidence: Sequence[Key] = (),
) -> Retrieved:
    """Everything that the plan asks for, what the question names, and the profile where it helps.

    `kept` are searches of earlier turns on the same index: the same search is not made twice.
    """
    requests = _requests(plan, looks_for, index)
    sizes = shares([one.top_k for one in requests], plan.enumeration)
    kept = dict(kept or {})
    hits: dict[str, list[Hit]] = {}
    summaries, found_again = [], 0
    for request, size in zip(requests, sizes, strict=True):
        key = _key(request, size, plan)
        if key in kept:
            found, found_again = _kept(index, request.source, kept[key]), found_again + 1
        else:
            found = _search(index, request, size, plan, looks_for, today)
            kept[key] = KeptSearch(hits=[(one.document.doc_id, one.score) for one in found])
        summaries.append(_summary(request, size, len(found)))
        hits[request.source] = _joined(hits.get(request.source, []), found)
    is_reread = not requests and plan.question_type != "meta"
    if is_reread:
        for corpus, one in _again(index, last_evidence):
            hits.setdefault(corpus, []).append(one)
    if plan.question_type != "meta":
        _add_named(hits, index, looks_for)
        _add_answers(hits, index, question, today)
    wants_profile = plan.question_type in {"narrative", "meta"} or looks_for.aspect in ABOUT_OWNER
    if wants_profile and (requests or is_reread):
        hits["profile"] = _joined(list(hits.get("profile", [])), index.profile())
    trace = RetrievalTrace(
        requests=summaries,
        enumeration_mode=plan.enumeration == "all_relevant",
        cache_hits=found_again,
        cache_misses=len(requests) - found_again,
        reused_last_evidence=is_reread and bool(last_evidence),
    )
    return Retrieved(hits, trace, dict(list(kept.items())[-KEPT_SEARCHES:]))


def _requests(plan: RetrievalPlan, looks_for: Sought, index: Index) -> list[RetrievalRequest]:
    """The plan's, and the projects of an employer whom the question names (DECISIONS 35)."""
    if plan.question_type == "meta":
        return list(plan.retrieval_requests)
    asked = list(plan.retrieval_requests)
    names_employer = any(corpus == "resume" for corpus, _id in looks_for.entities)
    wants_projects = "project" in looks_for.facets or plan.question_type != "binary"
    has_them = any(one.source == "projects" for one in asked) or "projects" not in index.parts
    if asked and names_employer and wants_projects and not has_them:
        asked.append(asked[0].model_copy(update={"source": "projects"}))
    return asked


def _key(request: RetrievalRequest, size: int, plan: RetrievalPlan) -> str:
    facets = ",".join(sorted(plan.resume_facets))
    told = f"{request.source}|{request.query_text}|{size}|{plan.enumeration}|{plan.scope}|{facets}"
    return hashlib.sha256(told.encode()).hexdigest()[:24]


def _kept(index: Index, source: str, search: KeptSearch) -> list[Hit]:
    found = ((index.by_id.get((source, doc_id)), score) for doc_id, score in search.hits)
    return [Hit(doc, score, {"kept": 1.0}) for doc, score in found if doc is not None]


def _summary(request: RetrievalRequest, size: int, found: int) -> RetrievalSummary:
    return RetrievalSummary(
        source=request.source,
        query_text=request.query_text,
        requested_top_k=request.top_k,
        effective_top_k=size,
        num_results=found,
    )


def _search(
    index: Index,
    request: RetrievalRequest,
    size: int,
    plan: RetrievalPlan,
    looks_for: Sought,
    today: dt.date,
) -> list[Hit]:
    wanted = Request(
        corpus=request.source,
        query=request.query_text,
        top_k=size,
        enumeration=plan.enumeration,
        scope=plan.scope,
        facets=frozenset(plan.resume_facets),
    )
    found = index.search(wanted, today=today)
    if looks_for.groups and asked_terms(request.query_text):
        return found
    # nothing says what to look for: everything of the kind, the latest first
    return _joined(found, _whole(index, request.source, plan, looks_for, today))[:size]


def _whole(
    index: Index, source: str, plan: RetrievalPlan, looks_for: Sought, today: dt.date
) -> list[Hit]:
    part = index.parts.get(source)
    docs = [one for one in part.docs if one.facet != "answer"] if part else []
    wanted = looks_for.facets or _facets_without(looks_for)
    if source == "resume" and wanted:
        docs = [one for one in docs if one.facet in wanted]
    if source == "resume" and plan.scope == "employment_only":
        docs = [one for one in docs if one.is_employment]
    scored = [Hit(one, round(recency(one, today, TABLE[source]), 6), {}) for one in docs]
    return sorted(scored, key=lambda one: -one.score)


def _facets_without(looks_for: Sought) -> frozenset[str]:
    """What is looked through where the words name no kind of record."""
    if looks_for.aspect in {"names", "duration"}:
        return frozenset({"experience", "skill", "education"})
    if looks_for.aspect in {"home", "been", "bio", "now"}:
        return frozenset({"experience", "education"})
    return frozenset({"experience", "education", "award"})


def _joined(first: Sequence[Hit], second: Sequence[Hit]) -> list[Hit]:
    seen = {one.document.doc_id for one in first}
    return [*first, *(one for one in second if one.document.doc_id not in seen)]


def _again(index: Index, keys: Sequence[Key]) -> list[tuple[str, Hit]]:
    return [(key[0], Hit(doc, 1.0, {"kept": 1.0})) for key in keys if (doc := index.by_id.get(key))]


def _add_named(hits: dict[str, list[Hit]], index: Index, looks_for: Sought) -> None:
    """What the question calls by its name, and the projects linked to it."""
    keys = list(looks_for.entities)
    for corpus, doc_id in looks_for.entities:
        doc = index.by_id.get((corpus, doc_id))
        if doc is not None and doc.facet == "experience":
            keys += [("projects", link["id"]) for link in doc.linked if "id" in link]
    for corpus, doc_id in keys[:ALL_RELEVANT]:
        doc = index.by_id.get((corpus, doc_id))
        if doc is not None:
            hits[corpus] = _joined(hits.get(corpus, []), [Hit(doc, 1.0, {"named": 1.0})])


def _add_answers(hits: dict[str, list[Hit]], index: Index, question: str, today: dt.date) -> None:
    """What the owner has answered before to a question like this one."""
    wanted = Request("profile", question, top_k=LARGEST_TOP_K)
    found = [one for one in index.search(wanted, today=today) if one.document.facet == "answer"]
    if found:
        hits["profile"] = _joined(hits.get("profile", []), found[:ANSWERS])
