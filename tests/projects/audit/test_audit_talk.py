"""Auditing conversations: the concern, the findings, and what becomes of them."""

import pytest
from django.urls import reverse

from chat.models import Session
from chat.operations.models import Operation, OperationBatch
from chat.operations.review import approve
from projects.agent.audit.implementing import choose_harshness, implement
from projects.models import Project, Task
from tests import project_rows, todos
from tests.projects.audit.test_rules import SOUND

pytestmark = pytest.mark.django_db(transaction=True)


def findings_of(talk):
    message = talk.session.messages.filter(role="assistant").order_by("seq").last()
    return next(one for one in message.parts if one["type"] == "findings")["items"]


def test_it_asks_for_the_concern_then_tells_findings_and_ends_constructively(talk):
    conversation = talk()
    assert "Weekly sheet" in conversation.reply
    assert conversation.reply.rstrip().endswith("?")
    reply = conversation.say("I am not sure about the money.")
    for part in ("In short", "What works", "What I found", "No budget, half a day a week"):
        assert part in reply
    assert reply.index("What works") < reply.index("What I found")
    assert "None of this speaks against" in reply
    assert findings_of(conversation)[0]["dimension"] == "core_power_resources"
    assert conversation.state["audit"]["concern"] == "I am not sure about the money."
    assert not OperationBatch.objects.filter(session=conversation.id).exists()


def test_the_tone_follows_the_setting(talk, me):
    conversation = talk()
    frank = conversation.say("The risks.")
    assert "I would" in frank
    hard = conversation.say("Be harsh with me.")
    assert "Do this:" in hard
    choose_harshness(identity=me, session_id=conversation.id, harshness="5")
    gentle = conversation.say("Audit it again, please.")
    assert "You could" in gentle
    assert len(findings_of(conversation)) <= 6


def test_one_finding_is_explained_and_the_next_question_is_asked(talk):
    conversation = talk()
    conversation.say("Everything.")
    items = findings_of(conversation)
    assert items[1]["observation"][1:20] in conversation.say("Tell me more about number 2")
    assert items[1]["question"] in conversation.say("The office has promised to look at it soon.")


def test_chosen_findings_wait_for_review_in_an_updating_conversation(talk, me, planned, actor):
    conversation = talk()
    conversation.say("Everything.")
    chosen = [one["id"] for one in findings_of(conversation) if one["fix"]][:4]
    before = Task.objects.filter(project=planned).count()
    made = implement(identity=me, session_id=conversation.id, finding_ids=chosen)
    assert made.kind == "project_update"
    batch = OperationBatch.objects.get(session=made)
    assert batch.status == OperationBatch.Status.REVIEW
    assert batch.actor == "agent"
    assert "audit" in batch.title
    assert Task.objects.filter(project=planned).count() == before
    operations = Operation.objects.filter(batch=batch).select_related("payload")
    digests = {one.pk: one.payload.digest for one in operations}
    done = approve(actor=actor, batch_id=batch.pk, digests=digests)
    assert done.status == OperationBatch.Status.COMPLETED
    again = implement(identity=me, session_id=conversation.id, finding_ids=["risk-unanswered"])
    assert OperationBatch.objects.filter(session=again).count() == 1


def test_nothing_of_a_finding_comes_from_the_browser(talk, browser, alice, charlie, planned):
    conversation = talk()
    conversation.say("Everything.")
    url = reverse("audits:implement", args=[conversation.id])
    assert browser(charlie).post(url, {"finding": "no-money"}).status_code == 404
    forged = {"finding": "made-up", "values": '{"title": "Evil"}'}
    browser(alice).post(url, forged)
    assert not OperationBatch.objects.filter(status="review").exists()
    answer = browser(alice).post(url, {"finding": "no-money"})
    assert answer.status_code == 302
    session = Session.objects.get(kind="project_update")
    assert answer["Location"].endswith(str(session.pk))
    operation = Operation.objects.get(batch__session=session)
    assert operation.payload.requested["title"] == "Say what it costs and who pays"
    harshness = reverse("audits:harshness", args=[conversation.id])
    assert browser(charlie).post(harshness, {"harshness": "8"}).status_code == 404
    assert browser(alice).post(harshness, {"harshness": "8"}).status_code == 302
    assert conversation.state["audit"]["harshness"] == 8


def test_the_list_of_findings_is_shown_with_boxes(talk, browser, alice):
    conversation = talk()
    conversation.say("Everything.")
    page = browser(alice).get(reverse("projects:agent_talk", args=[conversation.id]))
    assert page.status_code == 200
    text = page.content.decode()
    assert text.count('name="finding"') == sum(bool(o["fix"]) for o in findings_of(conversation))
    assert "Implement these" in text
    assert "style=" not in text


def test_a_sound_project_gets_no_made_up_faults(talk, actor):
    project = project_rows.create_project(actor=actor, values=SOUND).row
    for title in ("Agree on the columns with the health office", "Build and try the sheet",
                  "Print bottle labels", "Train the relief technicians"):  # fmt: skip
        values = {"title": title, "estimate_low_days": 2, "estimate_high_days": 4}
        todos.add(actor=actor, project=project, values=values)
    conversation = talk(project)
    assert "nothing that should stop you" in conversation.say("Anything?")


def quote(source, words):
    return {"source": source, "words": words}


def finding(observation, quotes, **more):
    plain = {
        "area": "risks", "dimension": "core_trust_safeguards", "severity": "serious",
        "observation": observation, "quotes": quotes, "question": "What if it does?",
        "recommendation": "ask the office now", "task": "Ask the health office",
    }  # fmt: skip
    return {**plain, **more}


@pytest.fixture
def audit_answer(scripted):
    def answer(*findings, strengths=(), overall="It stands. It has gaps."):
        scripted.on("audit_findings").json(
            {"overall": overall, "strengths": list(strengths), "findings": list(findings)}
        )

    return answer


def test_findings_of_the_model_count_only_with_words_of_the_project(talk, audit_answer):
    audit_answer(
        finding("The format is not agreed.", [quote("core_trust_safeguards",
                "the health office MIGHT refuse  the spreadsheet")]),
        finding("The server may burn.", [quote("context", "our server room is old")]),
        finding("Half of it is made up.", [quote("t1", "Agree on the columns"),
                quote("context", "we all hate the new sheet")]),
        finding("Nothing on alternatives.", [], area="missing",
                dimension="core_opportunity_freedom"),
        finding("Nothing on reality.", [], area="completeness",
                dimension="core_reality_understanding"),
        strengths=[{"text": "Paper stays.", "quote": quote("core_trust_safeguards",
                    "Paper stays as a fallback")},
                   {"text": "Great team!", "quote": quote("context", "a world class team")}],
    )  # fmt: skip
    conversation = talk()
    reply = conversation.say("The risks.")
    assert "It stands. It has gaps." in reply
    assert "The format is not agreed." in reply
    assert "The health office might refuse the spreadsheet" in reply
    assert "Nothing on alternatives." in reply
    assert "Paper stays." in reply
    for invented in ("burn", "made up", "Nothing on reality", "Great team"):
        assert invented not in reply
    assert "after the project" in reply or "end date" in reply  # what is computed stays
    assert conversation.stages()["audit_findings"] == "model"


def test_without_grounded_findings_or_a_model_the_rules_stand(talk, audit_answer, scripted):
    audit_answer(finding("Made up.", [quote("context", "never said at all")]))
    conversation = talk()
    assert "A risk is named" in conversation.say("The risks.")
    scripted.on("audit_findings").status(500)
    assert "A risk is named" in conversation.say("Audit it again.")
    assert conversation.stages()["audit_findings"] == "rules"


def test_the_model_talks_on_without_claiming_changes(talk, audit_answer, scripted, planned):
    audit_answer(finding("The format is not agreed.", [quote("core_trust_safeguards",
                 "The health office might refuse the spreadsheet")]))  # fmt: skip
    conversation = talk()
    conversation.say("The risks.")
    scripted.on("agent_tools").text("That settles it. I have updated the project. Who signs?")
    reply = conversation.say("They have promised to accept it, in writing, last Thursday.")
    assert "updated" not in reply
    assert "Who signs?" in reply
    version = planned.version
    assert Project.objects.get(pk=planned.pk).version == version
