"""Ranking: words, meaning, recency; limits, scopes, facets; small and large corpora."""

import datetime as dt

import numpy as np
import pytest

from futura.errors import Unavailable
from projects.portfolio import documents
from projects.portfolio.documents import Doc
from projects.portfolio.index import searching
from projects.portfolio.index.searching import Index, shares
from projects.portfolio.models import Entry, Experience, OpenQuestion, Profile

TODAY = dt.date(2026, 11, 21)


def doc(name: str, text: str, corpus: str = "projects", **more) -> Doc:
    facet = {"projects": "project", "resume": "experience", "profile": "profile"}[corpus]
    title = more.pop("title", name.title())
    return Doc(corpus, more.pop("facet", facet), name, title, text, embedded=text, **more)


def ids(hits) -> list[str]:
    return [hit.doc_id for hit in hits]


def search(docs, query: str, corpus: str = "projects", **more) -> list[str]:
    return ids(Index(docs).search(corpus, query, **more, today=TODAY))


def test_at_most_ten_of_a_sample_and_fifty_shared_when_all_are_wanted():
    assert shares([5, 20, 0], "sample") == [5, 10, 0]
    assert shares([5, 5], "all_relevant") == [25, 25]
    assert shares([8], "all_relevant") == [50]
    assert shares([], "all_relevant") == []


def test_words_stems_and_other_spellings_find():
    docs = [
        doc("a", "A service in Go with Postgres", keywords="postgres golang"),
        doc("b", "Posters for a theatre"),
        doc("c", "Designed printed posters"),
    ]
    assert search(docs, "golang services") == ["a"]
    assert set(search(docs, "Which posters have you designed?")) == {"b", "c"}
    assert search(docs, "PostgreSQL") == ["a"]


def test_c_plus_plus_is_not_c_sharp():
    docs = [doc("a", "Firmware in C++"), doc("b", "A desktop tool in C#")]
    assert search(docs, "Have you used C#?")[0] == "b"
    assert search(docs, "Have you used C++?")[0] == "a"


def test_nothing_is_found_for_what_nothing_says():
    docs = [doc("a", "A scheduler for pottery kilns"), doc("b", "Payments in Go")]
    assert search(docs, "beekeeping licence") == []
    assert search([], "anything") == []
    assert search(docs, "") == []


def test_of_two_alike_the_more_recent_comes_first():
    when = {
        "old": {"started": "2012-01", "ended": "2013-01"},
        "new": {"started": "2024-01", "ended": "2025-01"},
        "now": {"started": "2026-01", "is_current": True},
        "undated": {},
    }
    docs = [doc(name, "Payments", title="Ledger", **dates) for name, dates in when.items()]
    assert search(docs, "payments") == ["now", "new", "undated", "old"]


def test_recency_halves_with_its_half_life_and_never_beats_relevance():
    of = searching.WEIGHTS["projects"]
    from projects.portfolio.index.searching import recency

    ended = doc("a", "", ended="2023-11")
    assert recency(ended, TODAY, of) == pytest.approx(0.5, abs=0.01)
    assert recency(doc("b", "", ended="2027-01"), TODAY, of) == 1.0
    assert of.recency < of.words / 2


def test_employment_only_filters_the_resume_and_leaves_projects():
    docs = [
        doc("job", "Go at work", "resume", is_employment=True),
        doc("club", "Go in a club", "resume"),
        doc("school", "Go in a course", "resume", facet="education"),
        doc("side", "Go at home"),
    ]
    assert search(docs, "Go", "resume", scope="employment_only") == ["job"]
    assert search(docs, "Go", scope="employment_only") == ["side"]


def test_facets_lead_without_excluding():
    docs = [
        doc("job", "Python", "resume", is_employment=True, is_current=True),
        doc("course", "Python", "resume", facet="education", ended="2015"),
    ]
    assert search(docs, "python", "resume") == ["job", "course"]
    assert search(docs, "python", "resume", facets=frozenset({"education"}))[0] == "course"


def test_projects_of_a_named_employer_come_even_without_a_common_word():
    docs = [
        doc("quiet", "Nothing of the kind", linked=({"id": "exp", "company": "Acme Corp"},)),
        doc("loud", "Corporate acme of projects"),
    ]
    assert search(docs, "What did you ship at Acme Corp?")[0] == "quiet"


def test_likeness_of_vectors_finds_without_a_common_word():
    docs = [doc("a", "Kilns"), doc("b", "Payments")]
    vectors = {("projects", "a"): np.array([1, 0], "f4"), ("projects", "b"): np.array([0, 1], "f4")}
    index = Index(docs, vectors, lambda texts: np.array([[1, 0]] * len(texts), "f4"))
    vector = index.vectors(["pottery ovens", "kilns"])["pottery ovens"]
    found = index.search("projects", "pottery ovens", today=TODAY, vector=vector)
    assert ids(found) == ["a"]


def test_an_encoder_that_is_away_leaves_words():
    def away(_texts):
        raise Unavailable

    docs = [doc("a", "Kilns")]
    index = Index(docs, {("projects", "a"): np.array([1, 0], "f4")}, away)
    assert index.vectors(["kilns"]) == {}
    assert ids(index.search("projects", "kilns", today=TODAY)) == ["a"]


def test_a_large_corpus_is_ranked_whole():
    docs = [doc(f"d{n}", f"Posters number {n} for a theatre in the city") for n in range(400)]
    docs.append(doc("one", "A scheduler for pottery kilns in a theatre"))
    assert search(docs, "pottery kilns theatre")[0] == "one"
    index = Index(docs)
    assert len(index.search("projects", "theatre", today=TODAY, top_k=50)) == 50


def test_only_public_rows_become_documents():
    entries = [
        Entry(doc_id="a", title="A", status="published", private_notes="secret fee"),
        Entry(doc_id="b", status="draft"),
        Entry(doc_id="c", status="published", hide_from_chat=True),
    ]
    questions = [
        OpenQuestion(question="Remote?", status="answered", answer="Yes."),
        OpenQuestion(question="Salary?", status="open", answer="Draft"),
    ]
    found = documents.documents_of([*entries, *questions], {})
    assert [item.facet for item in found] == ["project", "answer"]
    assert "secret" not in str(found)


def test_no_private_field_can_reach_a_document():
    """Fills every text field of every model with its own name and looks for the private ones."""
    for model in (Entry, Experience, Profile):
        row = model()
        for field in model._meta.get_fields():
            if field.get_internal_type() in {"CharField", "TextField"} and not field.choices:
                setattr(row, field.name, f"says-{field.name}")
            if field.name == "private_contact":
                row.private_contact = ["says-private_contact"]
        told = str(documents.document_of(row))
        assert "says-private" not in told
        assert "says-" in told


def test_links_name_the_other_side():
    rows = [
        Entry(doc_id="kiln", title="Kiln", status="published"),
        Experience(doc_id="exp", company="Acme", title="Engineer"),
    ]
    kiln, position = documents.documents_of(rows, {"exp": ["kiln"]})
    assert kiln.linked == ({"id": "exp", "company": "Acme"},)
    assert position.linked == ({"id": "kiln"},)
    assert "Acme" in kiln.keywords
