"""Visitors' questions to a portfolio: finding among 700 documents against scoring them one after
the other in Python; the stages by rules; what is seen first over HTTP; what a turn costs.
"""

from __future__ import annotations

import datetime as dt
import http.client
import json
import random
import time
import uuid
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path

import numpy as np
import pytest

from chat.models import Participant
from futura.evaluation import read_cases
from futura.llm.client import Llm
from futura.llm.models import ModelCall
from projects.portfolio.documents import Doc
from projects.portfolio.evaluation.cases import Case, load, read_corpus
from projects.portfolio.index.searching import Index, query_terms, terms_of
from tests.bench.product import MeasuredStack, percentiles, show
from tests.portfolio.visitors.asking import answer
from tests.scripted import ScriptedServer
from tests.scripted.visitors import evidence
from tests.stack import running_stack

pytestmark = pytest.mark.bench
EVAL = Path(__file__).parents[1] / "eval"
ENGINEER = EVAL / "portfolio" / "engineer.json"
QUESTION = "Have you used Go professionally?"
TURNS = 40
FIRST_SEEN_MS = 500
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
    asked = query_terms(query)
    scored = [
        (sum(of.get(item, 0) for item in asked), doc.doc_id)
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
    keys = [(doc.corpus, doc.doc_id) for doc in docs]
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
        vector = index.vectors([query]).get(query)
        for corpus in ("projects", "resume"):
            index.search(corpus, query, today=TODAY, vector=vector)

    ask(lexical, queries[0])
    lexical_ms = times_ms(lambda query: ask(lexical, query), queries)
    vectors_ms = times_ms(lambda query: ask(neural, query), queries)
    python_ms = times_ms(lambda query: in_python(docs, counted, query), queries)
    measured = {
        "lexical_p95_ms": lexical_ms[1],
        "vectors_p95_ms": vectors_ms[1],
        "python_p95_ms": python_ms[1],
        "lexical_p95_to_python": lexical_ms[1] / python_ms[1],
        "vectors_p95_to_python": vectors_ms[1] / python_ms[1],
        "lexical_to_python": lexical_ms[0] / python_ms[0],
        "vectors_to_python": vectors_ms[0] / python_ms[0],
        "building_ms": building_ms,
    }
    for name, value in measured.items():
        record_property(name, round(value, 3))
    show(retrieval_at=DOCUMENTS, **{name: round(value, 3) for name, value in measured.items()})
    assert all(value > 0 for value in measured.values())


def test_the_stages_by_rules(db):
    portfolio = load(read_corpus(ENGINEER), Participant.objects.create(time_zone="UTC").pk)
    cases = read_cases(EVAL / "portfolio_dev.jsonl", Case)
    questions = [case.input.user_message for case in cases if case.portfolio == "engineer"][:TURNS]
    answer(portfolio, QUESTION)
    whole = []
    for question in questions:
        began = time.perf_counter()
        turn = answer(portfolio, question)
        whole.append(time.perf_counter() - began)
        assert set(turn.stages) == {"planner", "retrieval", "evidence", "answer"}
    show(turn_by_rules=percentiles(whole), questions=len(questions))


def script(server: ScriptedServer) -> None:
    """A model that answers the one question well; the server counts the tokens of what it got."""
    server.on("portfolio_planner").json(
        {
            "question_type": "binary",
            "enumeration": "sample",
            "scope": "employment_only",
            "retrieval_requests": [
                {"source": item, "query_text": "Go in jobs", "top_k": 5}
                for item in ("resume", "projects")
            ],
            "resume_facets": ["experience", "skill"],
            "cards_enabled": True,
            "topic": "professional Go experience",
        },
    )
    judged = evidence(
        "Own the berth planning services in Go on Kubernetes",
        project_cards=["dockmaster"],
        experience_cards=["exp_havenlogik_2022"],
    )
    for stage in ("portfolio_evidence", "portfolio_evidence_deep"):
        server.on(stage).json(judged)
    server.on("portfolio_answer").json(
        {"message": "Yes. I own the berth planning services in Go at Havenlogik.", "thoughts": []}
    )


@pytest.mark.django_db(transaction=True)
def test_what_a_turn_costs_by_the_ledger(scripted):
    script(scripted)
    portfolio = load(read_corpus(ENGINEER), Participant.objects.create(time_zone="UTC").pk)
    run, began = uuid.uuid4(), time.perf_counter()
    turn = answer(portfolio, QUESTION, llm=Llm(run_id=run))
    took_ms = (time.perf_counter() - began) * 1000
    calls = ModelCall.objects.filter(run_id=run)
    by_stage = {call.stage: float(call.cost_usd or 0) for call in calls}
    cost = sum((call.cost_usd or Decimal(0) for call in calls), Decimal(0))
    show(cost_of_a_turn_usd=float(cost), by_stage=by_stage, turn_ms=round(took_ms, 1),
         turns_within_10_usd=int(Decimal(10) / cost) if cost else None)  # fmt: skip
    assert turn.evidence.verdict == "yes"
    assert cost > 0


@dataclass(frozen=True)
class _Model:
    """What the stack asks of a model."""

    base_url: str


@pytest.fixture(scope="module")
def asked() -> Iterator[tuple[MeasuredStack, str]]:
    """The product on a scripted model, with a published portfolio; its address."""
    with ScriptedServer(chunk_delay_s=0.005) as server:
        script(server)
        model = _Model(server.base_url)
        with running_stack(make=lambda folder: MeasuredStack(folder, model)) as stack:
            slug = stack.manage("bench_portfolio", str(ENGINEER)).splitlines()[-1]
            yield stack, slug


def ask(stack: MeasuredStack, slug: str) -> dict[str, float]:
    """Seconds from the request to the first event, the cards, the first text, the end."""
    body = {
        "ownerId": slug,
        "conversationId": str(uuid.uuid4()),
        "responseAnchorId": str(uuid.uuid4()),
        "messages": [{"role": "user", "content": QUESTION}],
    }
    headers = {"Content-Type": "application/json", "Host": f"localhost:{stack.port}"}
    web = http.client.HTTPConnection("127.0.0.1", stack.port, timeout=30)
    began, found = time.monotonic(), {}
    web.request("POST", "/api/portfolio/chat", json.dumps(body), headers)
    response = web.getresponse()
    assert response.status == 200, response.read()
    while line := response.readline():
        at, told = time.monotonic() - began, line.decode().strip()
        if told.startswith("event: "):
            found.setdefault("first", at)
            if told == "event: token":
                found.setdefault("text", at)
            if told == "event: ui":
                found.setdefault("cards", at)
            found["end"] = at
            assert told != "event: error"
    web.close()
    return found


def test_the_first_visible_activity_over_http(asked):
    stack, slug = asked
    ask(stack, slug)
    times = defaultdict(list)
    for _turn in range(TURNS):
        for name, at in ask(stack, slug).items():
            times[name].append(at)
    told = {name: percentiles(taken) for name, taken in times.items()}
    show(first_visible_activity=told["first"], turns=TURNS, **told)
    assert told["first"]["p95_ms"] < FIRST_SEEN_MS
