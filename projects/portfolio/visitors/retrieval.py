"""From a plan to the documents and facts that a turn reads, within the limits of spec 3, 5.2.

A small portfolio is read whole. Of a larger one the index's hybrid search finds the documents, and
what does not fit into a prompt is named in the trace.
"""

from __future__ import annotations

import datetime as dt
import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import Final

from onet.embeddings.encoders import LEXICAL
from onet.lexical.postings import Floats
from projects.portfolio.documents import Doc
from projects.portfolio.index import Hit, Index, Request, shares
from projects.portfolio.index.weights import LARGEST_TOP_K
from projects.portfolio.visitors.contract import (
    RetrievalPlan,
    RetrievalRequest,
    RetrievalSource,
    RetrievalSummary,
    RetrievalTrace,
)
from projects.portfolio.visitors.facts import facts_of
from projects.portfolio.visitors.sentences import Key, Numbering, Sentence, key_of, tokens_of
from projects.portfolio.visitors.state import KEPT_SEARCHES, KeptSearch

WHOLE_TOKENS: Final = 12_000
"""A portfolio whose sentences are fewer is read whole; of a larger one as much is read."""
FACT_TOKENS: Final = 3_000
HEAD_TOKENS: Final = 40
"""What a document's head costs in a prompt: source, id, title, dates."""
LONGEST: Final = 3_000
"""Tokens of one document where not all of them fit."""
SOURCES: Final[tuple[RetrievalSource, ...]] = ("projects", "resume", "profile")


@dataclass(frozen=True)
class Retrieved:
    """What a turn reads: documents, best first by source, their sentences, and facts."""

    documents: Sequence[Doc] = ()
    sentences: Sequence[Sentence] = ()
    facts: Sequence[Sentence] = ()
    trace: RetrievalTrace = field(default_factory=RetrievalTrace)
    searches: Mapping[str, KeptSearch] = field(default_factory=dict)

    @property
    def by_id(self) -> dict[str, Sentence]:
        """Sentences and facts that are displayed, by id."""
        return {sentence.id: sentence for sentence in (*self.sentences, *self.facts)}

    @property
    def by_key(self) -> dict[Key, Doc]:
        """Documents by source and id."""
        return {key_of(doc): doc for doc in self.documents}

    def ids(self, source: str, facet: str = "") -> list[str]:
        """Ids of the documents of one source, of one kind where given."""
        chosen = (doc for doc in self.documents if doc.corpus == source)
        return [doc.doc_id for doc in chosen if not facet or doc.facet == facet]


def retrieve(
    index: Index,
    plan: RetrievalPlan,
    question: str,
    *,
    today: dt.date,
    kept: Mapping[str, KeptSearch] | None = None,
    last_evidence: Sequence[Key] = (),
) -> Retrieved:
    """Everything that the plan asks for; nothing for small talk.

    `kept` are searches of earlier turns on the same index: the same search is not made twice.
    """
    if plan.question_type == "meta":
        return Retrieved(searches=dict(kept or {}))
    numbering = Numbering(index.by_id.values())
    facts = facts_of(list(index.by_id.values()), today)
    is_whole = numbering.tokens < WHOLE_TOKENS
    requests = list(plan.retrieval_requests)
    is_reread = not requests and bool(last_evidence)
    if not requests and not is_reread:
        requests = [RetrievalRequest(source=source, query_text=question, top_k=LARGEST_TOP_K)
                    for source in SOURCES]  # fmt: skip
    search = _Search(index, plan, today, dict(kept or {}), uses_vectors=not is_whole)
    hits, summaries = search.run(requests)
    docs = [hit.document for hit in hits]
    docs += [index.by_id[key] for key in map(tuple, last_evidence) if is_reread
             and key in index.by_id]  # fmt: skip
    docs += [hit.document for hit in search.answers(question)]
    docs += [hit.document for hit in index.profile()]
    docs += _linked(docs, index)
    if is_whole:
        docs += list(index.by_id.values())
    docs = list({key_of(doc): doc for doc in docs}.values())
    sentences, left_out = _fitting(docs, numbering, WHOLE_TOKENS)
    trace = RetrievalTrace(
        requests=summaries,
        enumeration_mode=plan.enumeration == "all_relevant",
        cache_hits=search.found_again,
        cache_misses=len(requests) - search.found_again,
        reused_last_evidence=is_reread,
        read_whole=is_whole,
        space=index.space if search.vectors else LEXICAL,
        left_out=["/".join(key_of(doc)) for doc in left_out],
    )
    docs = [doc for doc in docs if doc not in left_out]
    query = " ".join([question, *(request.query_text for request in requests)])
    return Retrieved(
        docs, sentences, _near(facts, docs, query), trace,
        dict(list(search.kept.items())[-KEPT_SEARCHES:]),
    )  # fmt: skip


@dataclass
class _Search:
    """The searches of one turn; what is embedded goes in one batch."""

    index: Index
    plan: RetrievalPlan
    today: dt.date
    kept: dict[str, KeptSearch]
    uses_vectors: bool
    found_again: int = 0
    vectors: dict[str, Floats] = field(default_factory=dict)

    def run(self, requests: Sequence[RetrievalRequest]) -> tuple[list[Hit], list[RetrievalSummary]]:
        """Hits of all requests, sources in turn so that none is crowded out; and the summaries."""
        sizes = shares([request.top_k for request in requests], self.plan.enumeration)
        sized = list(zip(requests, sizes, strict=True))
        fresh = [r.query_text for r, size in sized if _key(r, size, self.plan) not in self.kept]
        if self.uses_vectors and fresh:
            self.vectors = self.index.vectors(list(dict.fromkeys(fresh)))
        found = [self._one(request, size) for request, size in sized]
        summaries = [
            RetrievalSummary(
                source=request.source,
                query_text=request.query_text,
                requested_top_k=request.top_k,
                effective_top_k=size,
                num_results=len(hits),
            )
            for (request, size), hits in zip(sized, found, strict=True)
        ]
        return [hit for row in zip_longest(*found) for hit in row if hit is not None], summaries

    def _one(self, request: RetrievalRequest, size: int) -> list[Hit]:
        key = _key(request, size, self.plan)
        if key in self.kept:
            self.found_again += 1
            docs = ((self.index.by_id.get((request.source, doc_id)), score)
                    for doc_id, score in self.kept[key].hits)  # fmt: skip
            return [Hit(doc, score, {"kept": 1.0}) for doc, score in docs if doc is not None]
        hits = self._search(request.source, request.query_text, size)
        self.kept[key] = KeptSearch(hits=[(hit.document.doc_id, hit.score) for hit in hits])
        return hits

    def _search(self, source: str, query: str, size: int) -> list[Hit]:
        request = Request(
            corpus=source,
            query=query,
            top_k=size,
            enumeration=self.plan.enumeration,
            scope=self.plan.scope,
            facets=frozenset(self.plan.resume_facets),
        )
        return self.index.search(request, today=self.today, vector=self.vectors.get(query))

    def answers(self, question: str) -> list[Hit]:
        """What the owner has answered before to a question like this one."""
        hits = self._search("profile", question, LARGEST_TOP_K)
        return [hit for hit in hits if hit.document.facet == "answer"]


def _key(request: RetrievalRequest, size: int, plan: RetrievalPlan) -> str:
    facets = ",".join(sorted(plan.resume_facets))
    parts = (request.source, request.query_text, size, plan.enumeration, plan.scope, facets)
    return hashlib.sha256("|".join(map(str, parts)).encode()).hexdigest()[:24]


def _linked(docs: Sequence[Doc], index: Index) -> list[Doc]:
    """Projects of the positions that were found, and positions of the projects (DECISIONS 36)."""
    keys = [
        ("projects" if doc.facet == "experience" else "resume", link["id"])
        for doc in docs
        for link in doc.linked
        if "id" in link
    ]
    return [index.by_id[key] for key in dict.fromkeys(keys) if key in index.by_id]


def _fitting(
    docs: Sequence[Doc], numbering: Numbering, budget: int
) -> tuple[list[Sentence], list[Doc]]:
    """Sentences within a budget of tokens, and the documents none of which fit."""
    sentences: list[Sentence] = []
    left_out: list[Doc] = []
    is_tight = sum(tokens_of(s) for doc in docs for s in numbering.of(doc)) > budget
    for doc in docs:
        room = min(budget, LONGEST) if is_tight else budget
        chosen = []
        for sentence in numbering.of(doc):
            room -= (cost := tokens_of(sentence))
            if room < 0:
                break
            chosen.append(sentence)
            budget -= cost
        sentences += chosen
        if is_tight:
            budget -= HEAD_TOKENS
        if not chosen:
            left_out.append(doc)
    return sentences, left_out


def _near(facts: Sequence[Sentence], docs: Sequence[Doc], query: str) -> list[Sentence]:
    """Facts within their budget: all where they fit, else those of what was found or is named."""
    if sum(tokens_of(fact) for fact in facts) <= FACT_TOKENS:
        return list(facts)
    plain, keys, budget = query.casefold(), {key_of(doc) for doc in docs}, FACT_TOKENS
    named = [fact for fact in facts if fact.kind.removeprefix("skill ") in plain]
    general = [fact for fact in facts if not fact.kind.startswith(("skill ", "position", "works"))]
    close = [fact for fact in facts if any(key_of(doc) in keys for doc in fact.docs)]
    chosen: dict[str, Sentence] = {}
    for fact in (*named, *general, *close):
        cost = tokens_of(fact)
        if fact.id not in chosen and cost <= budget:
            chosen[fact.id] = fact
            budget -= cost
    return [fact for fact in facts if fact.id in chosen]
