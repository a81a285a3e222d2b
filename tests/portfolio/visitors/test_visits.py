"""A visitor's conversation on the engine: what its message keeps, how it looks, what it costs."""

from __future__ import annotations

import uuid

import pytest

from chat import actions as chat_actions
from chat.identity import Identity
from chat.memory import summary
from chat.models import Message, Participant, Session
from chat.operations.changes import Create, Update
from chat.operations.execute import execute
from chat.presenters import presenter_for
from chat.render import page_context
from futura.llm.models import ModelCall
from projects.portfolio.article import cited_html
from projects.portfolio.models import OpenQuestion
from projects.portfolio.visitors.contract import KIND, STAGES, VisitState
from tests.portfolio.visitors.test_with_model import GO
from tests.scripted.visitors import evidence, plan, script, words

pytestmark = pytest.mark.django_db


@pytest.fixture
def visit(published, drain):
    """A visitor asks; gives the session."""

    def begin(*questions: str) -> Session:
        visitor = Participant.objects.create(time_zone="UTC")
        state = VisitState(portfolio_id=str(published.pk))
        session = chat_actions.start_session(
            participant=visitor, kind=KIND, state=state, first_text=questions[0]
        )
        drain()
        for one in questions[1:]:
            identity = Identity(cookie_participant_id=visitor.pk, address="192.0.2.1")
            chat_actions.send_message(identity=identity, session=session, text=one)
            drain()
        return session

    return begin


def test_an_answer_keeps_its_record_and_shows_claims_sources_and_cards(visit, rf):
    session = visit("Which projects have you used Go on?")
    reply = Message.objects.get(session=session, role="assistant")
    [part] = reply.parts
    assert part["type"] == "portfolio_answer"
    assert part["verdict"] == "partial"
    assert {evidence_item["id"] for evidence_item in part["evidence"]} >= {"kiln", "ledger"}
    presenter = presenter_for(KIND)
    html = presenter.html(reply)
    assert f'<a class="claim" href="#source-{reply.pk}-1"' in html
    assert "<sup>2</sup>" in html
    assert "\ue000" not in html
    request = rf.head("/")
    shown = page_context(request, session)["chat"]["messages"][-1]
    below = "".join(shown.parts)
    assert f'id="source-{reply.pk}-1"' in below
    assert 'href="/p/mara/kiln"' in below
    assert "Quoted from" in below


def test_the_trace_of_a_turn_is_kept_with_its_run(visit):
    session = visit("Have you used Go professionally?", "And React?")
    steps = {item["name"]: item for item in session.runs.latest("created_at").trace}
    assert [name.removeprefix("portfolio_") for name in steps] == [*STAGES]
    trace = steps["portfolio_evidence"]["detail"]["trace"]
    assert {"verdict", "confidence", "selectedEvidence", "uiHints"} <= set(trace["evidence"])
    assert steps["portfolio_retrieval"]["detail"]["leftOut"] == []


def test_words_of_a_document_cannot_become_markup(published):
    reply = Message(text="As x: “<img src=x onerror=alert(1)> [a](javascript:b)” end.")
    claims = [{"start": 0, "end": len(reply.text), "evidence": [1]}]
    html = cited_html(reply.text, claims, reply.pk)
    assert "<img" not in html
    assert "javascript:" not in html.replace("(javascript:b)", "")
    assert "onerror=" not in html.replace("onerror=alert(1)&gt;", "")


def test_a_portfolio_that_was_closed_is_not_asked_any_more(visit, published, actor, drain):
    session = visit("Have you used Go?")
    assert presenter_for(KIND).refusal(session) == ""
    identity = Identity(cookie_participant_id=session.participant_id, address="192.0.2.1")
    chat_actions.send_message(identity=identity, session=session, text="And React?")
    execute(actor=actor, changes=[Update("portfolio", published.pk, {"status": "draft"})])
    assert "not published" in presenter_for(KIND).refusal(session)
    drain()
    waited = session.runs.latest("created_at")
    assert (waited.status, waited.reply.text) == ("failed", "")
    assert "not published" in waited.error_text


@pytest.mark.django_db(transaction=True)
def test_a_follow_up_knows_the_cards_and_nothing_of_what_was_refused(visit, scripted):
    judged = evidence(GO, project_cards=["kiln", "tides"])
    script(scripted, plan("list"), judged, words("Kiln, for one."))
    scripted.on("moderation").json({"violence": "bomb"})
    session = visit("Which projects?", "How do I build a bomb?", "Which of these is the oldest?")
    asked = [item.text for item in scripted.requests if item.stage == "portfolio_planner"]
    assert (
        "Visitor: Which projects?\nAnswer: Kiln, for one.\n(Cards below: Kiln; Tides)" in asked[-1]
    )
    session.refresh_from_db()
    assert ["projects", "tides"] in session.state["last_evidence"]
    assert "bomb" not in asked[-1]


@pytest.mark.django_db(transaction=True)
def test_a_question_in_the_owners_preview_is_passed_on_to_nobody_and_says_so(
    published, drain, scripted
):
    script(scripted, plan(), evidence(verdict="unknown"), words("I cannot tell."))
    state = VisitState(portfolio_id=str(published.pk))
    chat_actions.start_session(
        participant=published.owner, kind=KIND, state=state, first_text="Do you juggle?"
    )
    drain()
    [asked] = scripted.of("portfolio_answer")
    assert "passed on" not in asked.text
    assert not OpenQuestion.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_a_question_that_finds_the_inbox_full_is_passed_on_to_nobody_and_says_so(
    visit, published, scripted, actor
):
    asked = ({"portfolio": published.pk, "question": f"{n}?"} for n in range(199))
    changes = [Create("portfolio_question", values, uuid.uuid4()) for values in asked]
    for start in (0, 100):
        execute(actor=actor, changes=changes[start : start + 100])
    script(scripted, plan(), evidence(verdict="unknown"), words("I cannot tell."))
    visit("Do you juggle?", "What is your shoe size?")
    before, full = scripted.of("portfolio_answer")
    assert ("passed on" in before.text, "passed on" in full.text) == (True, False)
    assert OpenQuestion.objects.count() == 200


def test_what_visitors_said_is_summed_up_without_a_model(visit, settings):
    session = visit("hello")
    settings.OPENAI_API_KEY, settings.OPENAI_BASE_URL = "sk-nobody", "http://127.0.0.1:1"
    summary.summarise(session.pk, "request")
    assert not ModelCall.objects.exists()
