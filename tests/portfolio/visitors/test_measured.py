"""What was measured and seen of visitors' answers, asked again through the API and the page."""

from __future__ import annotations

import re

import pytest

from chat.models import Run, Session
from chat.operations.changes import Create, Update
from chat.operations.execute import execute
from projects.portfolio.index.building import index_for
from projects.portfolio.index.refresh import note, refresh
from projects.portfolio.models import DocumentVector, Entry, IndexBuild, Portfolio
from projects.portfolio.visitors.contract import KIND
from projects.portfolio.visitors.sentences import numbered
from tests.portfolio.open import add
from tests.portfolio.visitors.conftest import index
from tests.portfolio.visitors.test_api import of, text_of
from tests.scripted.visitors import evidence, plan, script, words

pytestmark = pytest.mark.django_db(transaction=True)

LONG = "We fired another kiln and wrote down what came out of it. " * 60
PILOT = "Anke Brandt and Josip Horvat worked with me on the Mur pilot."


def meta_of(events):
    return {
        stage["stage"]: stage["meta"]
        for stage in of(events, "stage")
        if stage["status"] == "complete"
    }


IN_ROWS = (
    ("Which awards do you have?", "Awards: 2 (Golden Kiln, Guild; Quiet Code, Harbour)."),
    ("Where do you work now?", "Current position: Senior Engineer — Acme Corp"),
    ("How many years of Python?", "Python: Ledger Service. Total time: 1 year 9 months"),
    ("Who worked with you on the Mur pilot?", PILOT),
)


@pytest.mark.thorough
def test_without_a_model_what_the_rows_say_is_not_denied(filled, ask):
    entry = {
        "doc_id": "mur", "slug": "mur", "title": "Mur pilot", "status": "published",
        "summary": "Trams that tell when they come.", "description": PILOT,
    }  # fmt: skip
    awards = (("a1", "Golden Kiln", "Guild"), ("a2", "Quiet Code", "Harbour"))
    add(
        filled,
        *(
            Create("portfolio_award", {"doc_id": doc_id, "title": title, "issuer": issuer})
            for doc_id, title, issuer in awards
        ),
        Create("portfolio_entry", entry),
    )
    index(filled)
    for number, (question, told) in enumerate(IN_ROWS):
        text = text_of(ask(question, anchor=f"r-{number}", conversationId=f"of-its-own-{number}"))
        assert told in text
        assert not re.search(r"\b(?:no sentence|not say|yes|no,)", text, re.IGNORECASE)


def test_a_follow_up_keeps_its_subject_in_every_stage(ask, scripted):
    script(scripted, plan("narrative", query="What is Kiln?"), evidence("Languages: Go"),
           words("Kiln plans firings."))  # fmt: skip
    ask("Tell me about Kiln", anchor="f-1")
    scripted.reset()
    script(scripted, plan("narrative", query="Where was Kiln used?"),
           evidence("I built it for 40 studios in Sweden."), words("In Sweden."))  # fmt: skip
    assert text_of(ask("And where was that used?", anchor="f-2")) == "In Sweden."
    for stage in ("portfolio_evidence", "portfolio_answer"):
        [request] = scripted.of(stage)
        assert "Where was Kiln used?" in request.last_user
        assert "Kiln plans firings." in request.last_user


@pytest.fixture
def large(filled) -> Portfolio:
    """Thirteen long projects beside eight positions."""
    projects = [
        {"doc_id": f"p{number}", "slug": f"p{number}", "title": f"Oven {number}",
         "description": LONG * 2, "status": "published"}
        for number in range(13)
    ]  # fmt: skip
    positions = [
        {"doc_id": f"x{number}", "company": f"Pottery {number}", "title": "Potter",
         "bullets": ["Looked after a kiln."], "started": "2010-01", "ended": "2011-01",
         "experience_type": "full_time"}
        for number in range(8)
    ]  # fmt: skip
    add(
        filled,
        *(Create("portfolio_entry", project) for project in projects),
        *(Create("portfolio_experience", position) for position in positions),
    )
    index(filled)
    return filled


@pytest.mark.thorough
def test_of_many_projects_no_position_is_crowded_out_and_staff_read_what_did_not_fit(
    large, ask, browser, stan, scripted, settings
):
    planned = plan(
        "list", ("projects", "resume"), "kiln work", enumeration="all_relevant", top_k=20
    )
    script(scripted, planned, evidence("Looked after a kiln."), words("As a potter."))
    events = ask("Where have you worked with kilns?")
    assert text_of(events) == "As a potter."
    asked = scripted.of("portfolio_evidence") + scripted.of("portfolio_evidence_deep")
    assert len(set(re.findall(r"^id: (x\d)$", asked[0].last_user, re.MULTILINE))) == 8
    meta = meta_of(events)["retrieval"]
    assert (meta["readWhole"], meta["space"]) == (False, "lexical")
    [run] = Run.objects.all()
    [step] = [step for step in run.trace if step["name"] == "portfolio_retrieval"]
    left_out = step["detail"]["leftOut"]
    assert len(left_out) == meta["docsLeftOut"] > 0
    assert not [name for name in left_out if name.startswith("resume/x")]
    staff, there = browser(stan), f"/staff/sessions/{run.session_id}"
    assert staff.post(f"{there}/why", {"reason": "Asked for by its owner"}).status_code == 303
    page = staff.get(f"{there}?show=trace").text
    assert "left out" in page
    assert left_out[0] in page

    settings.OPENAI_BASE_URL = settings.OPENAI_API_KEY = ""
    text = text_of(ask("Have you looked after a kiln?", anchor="basic"))
    assert "“Looked after a kiln.” (Potter — Pottery" in text


def test_a_small_portfolio_is_read_whole_whatever_the_plan_asks_for(filled, ask, scripted):
    planned = plan(sources=["profile"], query="xylophone", top_k=1)
    script(scripted, planned, evidence("Languages: Go"), words("Go."))
    meta = meta_of(ask("Have you played the xylophone?"))["retrieval"]
    assert (meta["readWhole"], meta["docsLeftOut"]) == (True, 0)
    [request] = scripted.of("portfolio_evidence") + scripted.of("portfolio_evidence_deep")
    documents = index_for(filled).by_id.values()
    assert all(f"id: {document.doc_id}\n" in request.last_user for document in documents)
    assert request.last_user.count("\n[s") == sum(
        len(rows) for rows in numbered(documents).values()
    )


def test_without_a_model_a_follow_up_rereads_what_the_last_answer_rested_on(ask):
    ask("Tell me about Kiln", anchor="g-1")
    [shown] = of(ask("And where was that?", anchor="g-2"), "item")
    assert {evidence_item["id"] for evidence_item in shown["item"]["evidence"]} == {"kiln"}


COMPARED = (
    ("Which project has the most readers?", "Most by “readers”: Ledger Service (12,500 a day)"),
    ("Which project has the fewest readers?", "Least by “readers”: Kiln (900 a day)"),
    ("What is your longest project?", "Longest project: Tides ("),
    ("What is your earliest project?", "Earliest project: Ledger Service"),
    ("Are there gaps in your work?", "Between Intern — NPR and Senior Engineer — Acme Corp: 3"),
)


@pytest.mark.thorough
def test_what_rows_tell_by_comparing_them_is_a_source_of_its_own(
    filled, ask, actor, scripted, settings
):
    for slug, readers in (("kiln", "900 a day"), ("tides", "4,000 a day"),
                          ("ledger", "12,500 a day")):  # fmt: skip
        row = Entry.objects.get(slug=slug)
        block = {"type": "facts", "facts": [{"label": "Readers", "value": readers}]}
        execute(actor=actor, changes=[Update("portfolio_entry", row.pk, {"blocks": [block]})])
    index(filled)
    for mode in ("faithful", "basic"):
        if mode == "basic":
            settings.OPENAI_BASE_URL = settings.OPENAI_API_KEY = ""
        for number, (question, fact) in enumerate(COMPARED):
            scripted.reset()
            script(scripted, plan(query=question), evidence(fact), words(f"{{{{{fact}}}}}"))
            events = ask(
                question, anchor=f"{mode}-{number}", address=f"192.0.2.{len(mode)}{number}"
            )
            [shown] = of(events, "item")
            [first, *_more] = shown["item"]["evidence"]
            assert first["source"] == "fact", question
            assert first["quote"].startswith(fact)
            if mode == "basic":
                assert fact in text_of(events)


def test_with_a_key_alone_a_large_portfolio_is_searched_by_vectors_in_one_call(
    large, ask, scripted
):
    note(large.pk)
    assert refresh(large.pk)
    assert IndexBuild.objects.get().space == "openai:text-embedding-3-large"
    assert DocumentVector.objects.exists()
    script(scripted, plan(query="ovens"), evidence("Looked after a kiln."), words("As a potter."))
    events = ask("Have you built ovens?")
    assert meta_of(events)["retrieval"]["space"] == "openai:text-embedding-3-large"
    assert len(scripted.of("portfolio_question_embedding")) == 1
    calls = [
        request.stage for request in scripted.requests if request.stage.startswith("portfolio")
    ]
    assert calls[-3:] == ["portfolio_question_embedding", "portfolio_evidence", "portfolio_answer"]

    other_model = {"data": [{"index": 0, "embedding": [0.6, 0.8]}]}
    scripted.on("portfolio_question_embedding").json(other_model)
    script(scripted, plan(query="ovens"), evidence("Looked after a kiln."), words("As a potter."))
    events = ask("Have you built ovens lately?", anchor="again")
    assert meta_of(events)["retrieval"]["space"] == "lexical", "its vectors fit to no document"
    assert text_of(events).startswith("As a potter.")


def test_the_visitors_page_shows_sources_and_no_machinery(published, browser, drain):
    visitor = browser()
    visitor.post("/p/mara/ask", {"text": "Have you used Go?"})
    drain()
    page = visitor.get("/p/mara").text
    assert "Quoted from" in page
    assert not re.search(r"pieces? found|say so|answered in|\b\d+[.,]\d+ s\b", page)
    assert Session.objects.filter(kind=KIND).count() == 1
