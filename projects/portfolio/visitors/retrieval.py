"""From a question to a plan by a model, and from the plan to the documents and facts that a turn
reads, within the limits of spec 3, 5.2.

A small portfolio is read whole. Of a larger one the index's hybrid search finds the documents, and
what does not fit into a prompt is named in the trace.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping, Sequence
from itertools import zip_longest
from typing import Final

from onet.embeddings import LEXICAL
from projects.portfolio.documents import Doc
from projects.portfolio.index.searching import LARGEST_TOP_K, Index, shares
from projects.portfolio.visitors import prompts
from projects.portfolio.visitors.contract import (
    Question,
    RetrievalPlan,
    RetrievalRequest,
    RetrievalSource,
    RetrievalSummary,
    Retrieved,
)
from projects.portfolio.visitors.sentences import Key, Sentence, facts_of, numbered

WHOLE_TOKENS: Final = 7_200
"""A portfolio whose documents are fewer is read whole; of a larger one as much is read. With the
facts, the talk before and the instructions it stays within 12,000 (spec 3, section 5.0.1).
"""
FACT_TOKENS: Final = 2_000
HEAD_TOKENS: Final = 70
"""What a document costs in a prompt beside its sentences: marks, source, id, title, dates."""
REQUESTS: Final = 12
SHARE: Final = 600
"""Tokens of one document at least, where not all of them fit: what comes behind is left out."""
SOURCES: Final[tuple[RetrievalSource, ...]] = ("projects", "resume", "profile")


def plan_with_model(question: Question) -> RetrievalPlan:
    """The plan of a question within its shape: no cards for small talk, no negative counts, always
    a question. Clamping is left to `retrieve`, which tells both figures.

    Raises ModelUnavailable.
    """
    plan = question.llm.structured(
        "portfolio_planner",
        prompts.planner(question),
        RetrievalPlan,
        prompt_version=prompts.PLANNER_VERSION,
    )
    plan.standalone_question = plan.standalone_question.strip()[:2_000] or question.text
    plan.language = plan.language[:60]
    if plan.question_type == "meta":
        plan.cards_enabled, plan.enumeration = False, "sample"
        plan.retrieval_requests = []
    plan.retrieval_requests = plan.retrieval_requests[:REQUESTS]
    for request in plan.retrieval_requests:
        request.top_k = max(0, request.top_k)
        request.query_text = request.query_text[:400]
    return plan


def requests_for(question: str) -> list[RetrievalRequest]:
    return [
        RetrievalRequest(source=source, query_text=question, top_k=LARGEST_TOP_K)
        for source in SOURCES
    ]


def retrieve(
    index: Index,
    plan: RetrievalPlan,
    question: str,
    *,
    today: dt.date,
    last_evidence: Sequence[Key] = (),
) -> Retrieved:
    """Everything that the plan asks for; nothing for small talk."""
    if plan.question_type == "meta":
        return Retrieved()
    everything = list(index.by_id.values())
    by_doc = numbered(everything)
    is_whole = _cost(by_doc.values()) < WHOLE_TOKENS
    is_reread = not plan.retrieval_requests and bool(last_evidence)
    requests = plan.retrieval_requests or ([] if is_reread else requests_for(question))
    # a portfolio that is read whole needs no vectors, and so no call
    queries = [] if is_whole else list(dict.fromkeys(r.query_text for r in requests))
    vectors = index.vectors(queries)

    def search(source: str, query: str, size: int) -> list[Doc]:
        return index.search(
            source, query, today=today, top_k=size, scope=plan.scope, facets=plan.resume_facets,
            vector=vectors.get(query),
        )  # fmt: skip

    sizes = shares([request.top_k for request in requests], plan.enumeration)
    hits = [search(r.source, r.query_text, size) for r, size in zip(requests, sizes, strict=True)]
    # sources in turn, so that none is crowded out
    docs = [doc for row in zip_longest(*hits) for doc in row if doc is not None]
    if is_reread:
        docs += [index.by_id[key] for key in map(tuple, last_evidence) if key in index.by_id]
    # what the owner has answered before to a question like this one
    answers = search("profile", question, LARGEST_TOP_K)
    docs += [doc for doc in answers if doc.facet == "answer"]
    docs += [doc for doc in everything if doc.facet == "profile"]
    docs += _linked(docs, index)
    if is_whole:
        docs += everything
    if plan.scope == "employment_only":  # DECISIONS 35, however the documents came here
        docs = [doc for doc in docs if doc.corpus != "resume" or doc.is_employment]
    docs = list({doc.key: doc for doc in docs}.values())
    sentences, left_out = _fitting(docs, by_doc)
    docs = [doc for doc in docs if doc not in left_out]
    query = " ".join([question, *(request.query_text for request in requests)])
    return Retrieved(
        documents=docs,
        sentences=sentences,
        facts=_near(facts_of(everything, today), docs, query),
        requests=[_summary(*row) for row in zip(requests, sizes, hits, strict=True)],
        left_out=left_out,
        is_whole=is_whole,
        is_reread=is_reread,
        space=index.space if vectors else LEXICAL,
    )


def _summary(request: RetrievalRequest, size: int, matches: Sequence[Doc]) -> RetrievalSummary:
    return RetrievalSummary(
        source=request.source,
        query_text=request.query_text,
        requested_top_k=request.top_k,
        effective_top_k=size,
        num_results=len(matches),
    )


def _linked(docs: Sequence[Doc], index: Index) -> list[Doc]:
    """Projects of the positions that were found, and positions of the projects (DECISIONS 36)."""
    keys = [
        ("projects" if doc.facet == "experience" else "resume", link["id"])
        for doc in docs
        for link in doc.linked
        if "id" in link
    ]
    return [index.by_id[key] for key in keys if key in index.by_id]


def _fitting(
    docs: Sequence[Doc], by_doc: Mapping[Key, Sequence[Sentence]]
) -> tuple[list[Sentence], list[Doc]]:
    """Sentences within the budget of tokens, and the documents none of which fit."""
    sentences: list[Sentence] = []
    left_out: list[Doc] = []
    budget, most = WHOLE_TOKENS, _most_each([_cost([by_doc[doc.key]]) for doc in docs])
    for doc in docs:
        room = min(budget, most) - HEAD_TOKENS
        start = len(sentences)
        for sentence in by_doc[doc.key]:
            room -= sentence.tokens
            if room < 0:
                break
            sentences.append(sentence)
            budget -= sentence.tokens
        if len(sentences) == start:
            left_out.append(doc)
        else:
            budget -= HEAD_TOKENS
    return sentences, left_out


def _most_each(costs: Sequence[int]) -> int:
    """Tokens of one document with which all of them fit: long ones share what short ones leave."""
    budget = WHOLE_TOKENS
    for place, cost in enumerate(sorted(costs)):
        share = budget // (len(costs) - place)
        if cost > share:
            return max(SHARE, share)
        budget -= cost
    return WHOLE_TOKENS


def _cost(documents: Iterable[Sequence[Sentence]]) -> int:
    """Tokens of documents in a prompt."""
    return sum(HEAD_TOKENS + sum(row.tokens for row in rows) for rows in documents)


def _near(facts: Sequence[Sentence], docs: Sequence[Doc], query: str) -> list[Sentence]:
    """Facts within their budget: first those about what is named, then those of the whole
    portfolio, then those of what was found, then the others.
    """
    normalized, keys = query.casefold(), {doc.key for doc in docs}

    def distance(fact: Sentence) -> int:
        if fact.kind.removeprefix("skill ") in normalized:
            return 0
        if not fact.kind.startswith(("skill ", "position", "works")):
            return 1
        return 2 if any(doc.key in keys for doc in fact.docs) else 3

    chosen, budget = set(), FACT_TOKENS
    for fact in sorted(facts, key=distance):
        if fact.tokens <= budget:
            chosen.add(fact.id)
            budget -= fact.tokens
    return [fact for fact in facts if fact.id in chosen]
