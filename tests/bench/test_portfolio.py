"""Finding documents of a portfolio of 700, against scoring them one after the other in Python."""

from __future__ import annotations

import datetime as dt
import random
import time

import numpy as np
import pytest

from projects.portfolio.documents import Doc
from projects.portfolio.index import Index, Request
from projects.portfolio.index.terms import asked_terms, terms_of

pytestmark = pytest.mark.bench
DOCUMENTS = 700
TODAY = dt.date(2026, 11, 21)
TOOLS = "Go Python Rust React PostgreSQL Kubernetes Figma Terraform Kafka Django Vue CUDA".split()
THINGS = "payments posters kilns maps hospitals museums robots schools ships tickets".split()
DOING = "planned built drew measured moved tested taught restored automated printed".split()


def documents(number: int) -> list[Doc]:
    rng = random.Random(7)
    found = []
    for place in range(number):
        words = [rng.choice(DOING) + " " + rng.choice(THINGS) + f" number {rng.randrange(999)}"]
        words += [f"with {rng.choice(TOOLS)} for {rng.choice(THINGS)}" for _ in range(14)]
        text = ". ".join(words)
        year = rng.randrange(2008, 2026)
        corpus = "projects" if place % 7 < 2 else "resume"
        facet = "project" if corpus == "projects" else "experience"
        found.append(
            Doc(corpus, facet, f"d{place}", words[0], text, embedded=text, ended=f"{year}-06")
        )
    return found


def in_python(docs: list[Doc], terms: list[dict[str, int]], query: str) -> list[str]:
    """The named alternative: shared words, counted document by document."""
    asked = asked_terms(query)
    scored = [
        (sum(of.get(one, 0) for one in asked), doc.doc_id)
        for doc, of in zip(docs, terms, strict=True)
    ]
    return [name for score, name in sorted(scored, reverse=True)[:10] if score]


def times_ms(call, queries: list[str]) -> tuple[float, float]:
    """Median and 95th percentile."""
    times = []
    for query in queries:
        began = time.perf_counter()
        call(query)
        times.append((time.perf_counter() - began) * 1000)
    return float(np.median(times)), float(np.percentile(times, 95))


def test_a_question_to_700_documents(record_property):
    docs = documents(DOCUMENTS)
    rng = random.Random(3)
    queries = [
        f"Which {rng.choice(THINGS)} have you {rng.choice(DOING)} with {rng.choice(TOOLS)}?"
        for _ in range(200)
    ]
    began = time.perf_counter()
    lexical = Index(docs)
    building_ms = (time.perf_counter() - began) * 1000
    random_vectors = np.random.default_rng(1).normal(size=(DOCUMENTS, 3072)).astype("f4")
    random_vectors /= np.linalg.norm(random_vectors, axis=1, keepdims=True)
    keys = [(one.corpus, one.doc_id) for one in docs]
    neural = Index(
        docs, dict(zip(keys, random_vectors, strict=True)), lambda texts: random_vectors[:1]
    )
    counted = []
    for one in docs:
        of: dict[str, int] = {}
        for term in terms_of(one.text):
            of[term] = of.get(term, 0) + 1
        counted.append(of)

    def ask(index: Index, query: str) -> None:
        for corpus in ("projects", "resume"):
            index.search(Request(corpus, query), today=TODAY)

    ask(lexical, queries[0])
    lexical_ms = times_ms(lambda query: ask(lexical, query), queries)
    vectors_ms = times_ms(lambda query: ask(neural, query), queries)
    python_ms = times_ms(lambda query: in_python(docs, counted, query), queries)
    measured = {
        "lexical_p95_ms": lexical_ms[1],
        "vectors_p95_ms": vectors_ms[1],
        "lexical_to_python": lexical_ms[0] / python_ms[0],
        "vectors_to_python": vectors_ms[0] / python_ms[0],
        "building_ms": building_ms,
    }
    for name, value in measured.items():
        record_property(name, round(value, 3))
    assert all(value > 0 for value in measured.values())
