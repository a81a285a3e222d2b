"""The desk: what was asked, the inbox of what found no answer, what it cost, and whose it is."""

from __future__ import annotations

import uuid
from decimal import Decimal

import pytest
from django.utils import timezone

from chat.operations.changes import Actor
from futura.llm.models import ModelCall
from projects import hooks
from projects.portfolio.documents import documents_of
from projects.portfolio.models import OpenQuestion
from tests.markup import flat

pytestmark = pytest.mark.django_db


@pytest.fixture
def question(make, opened) -> OpenQuestion:
    found: OpenQuestion = make(
        "portfolio_question", portfolio=str(opened.pk), question="Do you do talks?"
    )
    return found


def desk_of(portfolio, rest: str = "") -> str:
    return f"/portfolio/{portfolio.pk}/desk{rest}"


def test_questions_are_listed_with_their_verdicts(opened, desk, asked):
    asked(opened, "Have you used Go?", "yes")
    asked(opened, "Do you juggle?", "unknown")
    first, second = desk.get(desk_of(opened)).text.split("asked-row__words")[1:]
    assert "Do you juggle?" in first
    assert "unknown" in first
    assert "Have you used Go?" in second
    assert ">yes<" in second


def test_the_conversation_behind_a_question_can_be_read_and_not_joined(opened, desk, asked):
    visit = asked(opened, "Have you used Go?", "yes", answer="I have, at Acme.")
    page = desk.get(desk_of(opened, f"/conversations/{visit.pk}")).content.decode()
    assert "I have, at Acme." in page
    assert "data-composer" not in page
    assert desk.post(f"/chat/sessions/{visit.pk}/messages", {"text": "Hello"}).status_code == 404


def test_conversations_with_other_portfolios_are_not_behind_this_desk(
    opened, make, desk, asked, bob, participant_of, browser
):
    other = make(
        "portfolio", who=Actor(participant_of(bob).pk), slug="bob", owner_name="Bob",
        domain_label="baker",
    )  # fmt: skip
    visit = asked(other, "Do you bake?", "yes")
    assert desk.get(desk_of(opened, f"/conversations/{visit.pk}")).status_code == 404
    assert "Do you bake?" not in desk.get(desk_of(opened)).content.decode()
    assert browser(bob).get(desk_of(opened)).status_code == 404


def test_a_question_thrown_away_by_its_visitor_is_not_shown(opened, desk, asked):
    visit = asked(opened, "Have you used Go?", "yes")
    type(visit).objects.filter(pk=visit.pk).update(deleted_at=timezone.now())
    assert "Have you used Go?" not in desk.get(desk_of(opened)).content.decode()


@pytest.mark.thorough
def test_the_list_asks_the_database_as_often_for_many_questions_as_for_few(
    opened, desk, asked, django_assert_max_num_queries
):
    asked(opened, "One?", "yes")
    desk.get(desk_of(opened))
    with django_assert_max_num_queries(30) as few:
        desk.get(desk_of(opened))
    for number in range(20):
        asked(opened, f"Number {number}?", "yes")
    with django_assert_max_num_queries(len(few.captured_queries)):
        desk.get(desk_of(opened))


def test_an_approved_answer_joins_the_corpus_and_a_dismissed_or_undone_one_leaves_it(
    opened, question, desk
):
    address = desk_of(opened, f"/unanswered/{question.pk}")
    done = desk.post(address, {"do": "approve", "answer": "I do, about kilns."})
    question.refresh_from_db()
    assert (question.status, question.answer) == ("answered", "I do, about kilns.")
    assert [document.text for document in documents_of([question], {})] == ["I do, about kilns."]
    batch = done.headers["Location"].partition("done=")[2]
    desk.post(f"/projects/undo/{batch}")
    question.refresh_from_db()
    assert (question.status, question.answer) == ("open", "")
    desk.post(address, {"do": "dismiss"})
    question.refresh_from_db()
    assert question.status == "dismissed"
    assert documents_of([question], {}) == []
    # what was put away can still be answered
    dismissed = desk.get(desk_of(opened, "/unanswered?tab=dismissed")).text
    assert 'value="approve"' in dismissed
    assert 'value="dismiss"' not in dismissed
    desk.post(address, {"do": "approve", "answer": "I do.", "tab": "dismissed"})
    question.refresh_from_db()
    assert (question.status, question.answer) == ("answered", "I do.")
    assert "Withdraw approval" in desk.get(desk_of(opened, "/unanswered?tab=answered")).text


def test_an_answer_from_a_tab_that_is_out_of_date_replaces_none_unseen(opened, question, desk):
    address, seen = desk_of(opened, f"/unanswered/{question.pk}"), str(question.version)
    told = {"do": "approve", "answer": "I do.", "version": seen, "tab": "open"}
    assert f'value="{seen}"' in desk.get(desk_of(opened, "/unanswered")).text
    assert desk.post(address, told).status_code == 302
    for stale in ({"do": "approve", "answer": "Perhaps."}, {"do": "dismiss", "answer": "Perhaps."}):
        refused = desk.post(address, told | stale)
        assert refused.status_code == 409
        assert "Perhaps.</textarea>" in refused.text
        assert "I do.</p>" in refused.text
    question.refresh_from_db()
    assert (question.status, question.answer) == ("answered", "I do.")
    assert f'value="{question.version}"' in refused.text
    again = {"do": "approve", "answer": "Perhaps.", "version": str(question.version)}
    assert desk.post(address, again).status_code == 302
    desk.post(address, {"do": "dismiss"})
    assert "Perhaps.</textarea>" in desk.post(address, again).text


def test_an_answer_is_settled_in_its_place_beside_what_is_typed_for_others(opened, question, desk):
    script, inbox = {"headers": {"HX-Request": "true"}}, desk_of(opened, "/unanswered")
    place = f'hx-target="#question-{question.pk}" hx-select="#question-{question.pk}"'
    assert place in flat(desk.get(inbox))
    told = {"do": "approve", "answer": "I do.", "version": str(question.version), "tab": "open"}
    done = desk.post(f"{inbox}/{question.pk}", told, follow=True, **script).text
    assert f'id="question-{question.pk}"' not in done
    assert '<div id="toasts" hx-swap-oob="innerHTML">' in done
    stale = desk.post(f"{inbox}/{question.pk}", told | {"answer": "Perhaps."}, **script)
    assert stale.status_code == 422
    assert "Perhaps.</textarea>" in stale.text


def test_every_question_of_the_inbox_can_be_reached_and_settled(opened, desk, make):
    rows = [
        make("portfolio_question", portfolio=opened.pk, question=f"Number {number}?")
        for number in range(70)
    ]
    inbox = desk_of(opened, "/unanswered")
    newest, oldest = (desk.get(f"{inbox}?tab=open&page={page}").text for page in (1, 3))
    assert "Number 69?" in newest
    assert "Number 0?" not in newest
    assert "Number 0?" in oldest
    refused = desk.post(f"{inbox}/{rows[0].pk}", {"do": "approve", "answer": " ", "tab": "open"})
    assert refused.status_code == 422
    assert f'id="error-{rows[0].pk}"' in refused.text
    assert f'href="{inbox}?tab=answered"' in refused.text


def test_what_cannot_be_done_with_a_question_is_said(opened, question, desk):
    for body in ({}, {"do": "burn"}, {"do": "approve", "answer": "  "}):
        refused = desk.post(desk_of(opened, f"/unanswered/{question.pk}"), body)
        assert refused.status_code == 422, body
        question.refresh_from_db()
        assert question.status == "open"


def test_open_questions_wait_on_the_home_page_of_their_owner_only(
    opened, question, me, identity_for, bob, desk
):
    (line,) = [item for item in hooks.portfolio.waiting(me) if "visitor" in str(item.title)]
    assert str(line.title) == "Answer one visitor question"
    assert line.url == desk_of(opened, "/unanswered")
    assert "Answer one visitor question" in desk.get("/").text
    assert not hooks.portfolio.waiting(identity_for(bob))


def test_the_cost_of_each_month_is_the_sum_of_the_calls_of_its_visits(opened, desk, asked):
    visit = asked(opened, "Have you used Go?", "yes")
    calls = ((visit.pk, "0.02"), (visit.pk, "0.01"), (uuid.uuid4(), "5"))
    for session, cost in calls:
        ModelCall.objects.create(
            created_at=timezone.now(), session_id=session, stage="portfolio_answer", attempt=1,
            wire="responses", model_asked="gpt-5-mini", latency_ms=900, outcome="ok",
            cost_usd=Decimal(cost),
        )  # fmt: skip
    html = desk.get(desk_of(opened, "/cost")).content.decode()
    assert "0.03" in html
    assert "$10" in html
    assert "5.0" not in html
