"""Auditing conversations: the result at once, findings as rows, and what becomes of them."""

import datetime as dt
import json
import re

import pytest
from django.urls import reverse

from chat.actions.participants import delete_account
from chat.commands.base import Scope
from chat.commands.run import run
from chat.commands.undo import Undo
from chat.models import Session
from chat.operations.models import Operation, OperationBatch
from chat.operations.review import approve
from projects.dimensions import FIELDS
from projects.models import Project, Task
from projects.modes.audit.findings import choose_harshness, implement
from projects.modes.audit.models import Finding
from tests import project_rows, todos
from tests.extent import some
from tests.projects.audit.test_computed import SOUND
from tests.projects.talks import TODAY

pytestmark = pytest.mark.django_db(transaction=True)
OFFICE = "The health office might refuse the spreadsheet"


@pytest.fixture
def edit(actor, planned):
    """Changes the project's own texts."""

    def change(**values):
        project = Project.objects.get(pk=planned.pk)
        return project_rows.edit_project(actor=actor, project=project, values=values).row

    return change


def row(key):
    return Finding.objects.get(key=key)


def test_it_starts_with_its_result(talk):
    conversation = talk()
    reply = conversation.reply
    for part in ("In short", "What works", "What I found", "computed"):
        assert part in reply
    assert reply.index("What works") < reply.index("What I found")
    assert "None of these findings stops **Weekly sheet**" in reply
    assert reply.rstrip().endswith("?")
    assert row("chance").source == "computed"
    assert "Build the sheet" in [place["quote"] for place in row("chance").evidence]
    assert not OperationBatch.objects.filter(session=conversation.id).exists()


def test_the_first_message_is_kept_as_the_concern(talk):
    conversation = talk(text="I am not sure about the money.")
    assert "What I found" in conversation.reply
    assert conversation.state["audit"]["concern"] == "I am not sure about the money."


def test_a_new_audit_says_what_changed_since_the_last(talk, edit):
    first = talk()
    assert "Since the last audit" not in first.reply
    seen = row("thin-core_meaning_identity")
    assert seen.status == "open"
    edit(core_meaning_identity="It gives five hours a week back.", end_date=None)
    second = talk()
    assert "Since the last audit" in second.reply
    assert "Fixed: Meaning and identity is empty" in second.reply
    assert row("thin-core_meaning_identity").status == "mended"
    assert row("chance").status == "mended"
    assert row("no-end").status == "open"
    edit(core_meaning_identity="")
    third = talk()
    again = row("thin-core_meaning_identity")
    assert again.status == "recurring"
    assert again.first_audit_at == seen.first_audit_at
    assert again.last_audit_at > seen.last_audit_at
    assert "1 recurring" in third.reply
    assert Finding.objects.filter(key="thin-core_meaning_identity").count() == 1


def test_a_finding_is_answered_or_dismissed_on_the_page(talk, browser, alice, bob, charlie):
    conversation = talk()
    here = reverse("projects:agent_talk", args=[conversation.id])
    finding, other = row("thin-core_meaning_identity"), row("thin-core_harmony_integration")
    url = reverse("audits:answer", args=[finding.pk])
    for person in (bob, charlie):
        assert browser(person).post(url, {"answer": "Mine now"}).status_code == 404
    said = {"answer": "It is <b>obvious</b> to us.", "next": here}
    answer = browser(alice).post(url, said)
    assert (answer.status_code, answer["Location"]) == (302, here)
    assert browser(alice).post(url, {"answer": " "}).status_code == 400
    for other_window in ({"answer": "It is not."}, {"dismiss": "1"}):
        late = browser(alice).post(url, other_window, headers={"HX-Request": "true"})
        assert late.status_code == 409
    browser(alice).post(reverse("audits:answer", args=[other.pk]), {"dismiss": "1"})
    assert row(finding.key).status == row(other.key).status == "answered"
    assert row(finding.key).answer == "It is <b>obvious</b> to us."
    page = browser(alice).get(here).content.decode()
    assert "It is &lt;b&gt;obvious" in page
    assert "dismissed" in page
    again = talk().reply
    assert finding.observation not in again
    browser(alice).post(
        reverse("audits:reopen", args=[finding.pk]), {"next": "https://evil.example"}
    )
    assert row(finding.key).status == "open"


def test_a_finding_about_days_comes_back_with_other_to_dos(talk, browser, alice, planned, actor):
    first, second = planned.tasks.order_by("position")[:2]
    todos.change(actor=actor, task=first, values={"due_date": TODAY - dt.timedelta(days=3)})
    talk()
    browser(alice).post(reverse("audits:answer", args=[row("overdue").pk]), {"dismiss": "1"})
    assert "Overdue" not in talk().reply
    todos.change(actor=actor, task=second, values={"due_date": TODAY - dt.timedelta(days=1)})
    reply = talk().reply
    assert "1 recurring" in reply
    assert f"Overdue: “{first.title}” and “{second.title}”." in reply


def test_the_tone_follows_the_setting(talk, me):
    conversation = talk()
    assert "I would" in conversation.reply
    choose_harshness(identity=me, session_id=conversation.id, harshness="8")
    assert "Do this:" in conversation.say("Once more")
    choose_harshness(identity=me, session_id=conversation.id, harshness="5")
    assert "You could" in conversation.say("Once more")


def test_chosen_findings_wait_for_review_in_an_updating_conversation(talk, me, planned, actor):
    conversation = talk()
    chosen = [item.key for item in Finding.objects.filter(fix__isnull=False)][:4]
    before = Task.objects.filter(project=planned).count()
    made = implement(identity=me, session_id=conversation.id, finding_ids=chosen)
    assert made.kind == "project_update"
    batch = OperationBatch.objects.get(session=made)
    assert batch.status == OperationBatch.Status.REVIEW
    assert batch.actor == "agent"
    assert "audit" in batch.title
    assert Task.objects.filter(project=planned).count() == before
    operations = Operation.objects.filter(batch=batch).select_related("payload")
    digests = {operation.pk: operation.payload.digest for operation in operations}
    done = approve(actor=actor, batch_id=batch.pk, digests=digests)
    assert done.status == OperationBatch.Status.COMPLETED


def test_a_repeating_to_do_that_is_completed_by_it_makes_the_next(talk, browser, alice, actor):
    project = project_rows.create_project(actor=actor, values={"name": "House"}).row
    values = {"title": "Water", "due_date": TODAY, "repeat": "FREQ=WEEKLY"}
    todo = todos.add(actor=actor, project=project, values=values).row
    conversation = talk(project)
    late = row("no-end")
    late.fix = {"kind": "task_update", "values": {"status": "completed"}, "id": str(todo.pk)}
    late.save(update_fields=["fix"])
    url = reverse("audits:implement", args=[conversation.id])
    browser(alice).post(url, {"finding": [late.key, "thin-core_people_bonds"]})
    batch = OperationBatch.objects.get(session__kind="project_update")
    digests = {
        operation.pk: operation.payload.digest
        for operation in batch.operations.select_related("payload")
    }
    approve(actor=actor, batch_id=batch.pk, digests=digests)
    waterings = Task.objects.filter(project=project, title="Water").order_by("due_date")
    assert [watering.status for watering in waterings] == ["completed", "available"]
    assert waterings[1].due_date == TODAY + dt.timedelta(days=7)
    run(Undo(batch=batch.pk), Scope.of_actor(actor))
    assert [task.status for task in Task.objects.filter(project=project, deleted_at=None)] == [
        "available"
    ]


def test_nothing_of_a_finding_comes_from_the_browser(talk, browser, alice, charlie, planned):
    conversation = talk()
    url = reverse("audits:implement", args=[conversation.id])
    wanted = {"finding": "thin-core_meaning_identity"}
    assert browser(charlie).post(url, wanted).status_code == 404
    forged = {"finding": "made-up", "values": '{"title": "Evil"}'}
    browser(alice).post(url, forged)
    assert not OperationBatch.objects.filter(status="review").exists()
    answer = browser(alice).post(url, wanted)
    assert answer.status_code == 302
    session = Session.objects.get(kind="project_update")
    assert answer["Location"].endswith(str(session.pk))
    operation = Operation.objects.get(batch__session=session)
    assert operation.payload.requested["title"] == "Describe “Meaning and identity”"
    harshness = reverse("audits:harshness", args=[conversation.id])
    assert browser(charlie).post(harshness, {"harshness": "8"}).status_code == 404
    assert browser(alice).post(harshness, {"harshness": "8"}).status_code == 303
    assert conversation.state["audit"]["harshness"] == 8


def test_the_list_of_findings_is_shown_with_boxes(talk, browser, alice):
    conversation = talk()
    page = browser(alice).get(reverse("projects:agent_talk", args=[conversation.id]))
    assert page.status_code == 200
    text = page.content.decode()
    assert text.count('name="finding"') == Finding.objects.filter(fix__isnull=False).count()
    assert "Implement these" in text
    assert "computed" in text
    assert "End date: 2027-" not in text
    assert re.search(r"End date: \d+ \w+ 20\d\d", text)
    assert "style=" not in text


def test_a_sound_project_gets_no_made_up_faults(talk, actor):
    project = project_rows.create_project(actor=actor, values=SOUND).row
    for title in ("Agree on the columns with the health office", "Build and try the sheet",
                  "Print bottle labels", "Train the relief technicians"):  # fmt: skip
        values = {"title": title, "estimate_low_days": 2, "estimate_high_days": 4}
        todos.add(actor=actor, project=project, values=values)
    conversation = talk(project)
    assert "no problem with the plan" in conversation.reply
    assert not Finding.objects.filter(project=project).exists()


def test_findings_are_in_the_projects_copy_and_go_with_the_account(talk, browser, alice, planned):
    conversation = talk()
    finding = row("thin-core_meaning_identity")
    client = browser(alice)
    client.post(reverse("audits:answer", args=[finding.pk]), {"answer": "Said elsewhere."})
    copy = client.get(reverse("projects:export_json", args=[planned.pk])).json()
    told = next(item for item in copy["findings"] if item["key"] == finding.key)
    assert (told["status"], told["answer"]) == ("answered", "Said elsewhere.")
    asked = {"name": "list_findings", "arguments": {"project": str(planned.pk)}}
    listed = client.post("/api/commands", asked, content_type="application/json").json()["result"]
    line = next(item for item in listed["findings"] if item["id"] == str(finding.pk))
    assert (line["severity"], line["answer"]) == ("serious", "Said elsewhere.")
    delete_account(user_id=alice.pk, typed=alice.email)
    assert not Finding.objects.exists()
    assert not Session.objects.filter(pk=conversation.id).exists()


# With a model ---------------------------------------------------------------------------------
def quote(source, words):
    return {"source": source, "words": words}


def finding(observation, quotes, **more):
    values = {
        "area": "risks", "dimension": "core_trust_safeguards", "severity": "serious",
        "observation": observation, "quotes": quotes, "question": "What if it does?",
        "recommendation": "ask the office now", "task": "Ask the health office",
    }  # fmt: skip
    return {**values, **more}


@pytest.fixture
def audit_answer(scripted):
    def answer(*findings, strengths=(), overall="It stands. It has gaps.", **more):
        scripted.on("audit_findings").json(
            {"overall": overall, "strengths": list(strengths), "findings": list(findings), **more}
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
    conversation = talk(text="The risks.")
    reply = conversation.reply
    assert "It stands. It has gaps." in reply
    assert "The format is not agreed." in reply
    assert OFFICE in reply
    assert "Nothing on alternatives." in reply
    assert "Paper stays." in reply
    for invented in ("burn", "made up", "Nothing on reality", "Great team"):
        assert invented not in reply
        assert not Finding.objects.filter(observation__contains=invented).exists()
    assert "of 100 simulated runs" in reply  # what is computed stays
    assert conversation.stages()["audit_findings"] == "model"
    trace = json.dumps(conversation.run.trace)
    assert "quote not found" in trace
    assert "no quote" in trace


def test_a_long_quote_stands_whole_under_its_finding(talk, audit_answer, edit):
    words = (
        f"Paper stays as a fallback, because {'the office may refuse the sheet, and ' * 8}we know."
    )
    edit(core_trust_safeguards=words)
    audit_answer(finding("The format is not agreed.", [quote("core_trust_safeguards", words)]))
    assert words.rstrip(".") in talk().reply


@pytest.mark.parametrize(
    "observation", some(["Das Format ist nicht vereinbart.", "形式が未合意です。"], 2)
)
def test_findings_arrive_word_for_word_in_any_language(talk, audit_answer, observation):
    step = "期限を延ばしてください。"
    audit_answer(
        finding(observation, [quote("core_trust_safeguards", OFFICE)], recommendation=step)
    )
    reply = talk().reply
    assert observation in reply
    assert f"What if it does? {step}\n" in reply
    assert Finding.objects.get(source="model").observation == observation


def test_a_finding_of_the_model_goes_on_or_is_mended(talk, audit_answer, edit):
    said = finding("The format is not agreed.", [quote("core_trust_safeguards", OFFICE)])
    audit_answer(said)
    talk()
    key = Finding.objects.get(source="model").key
    audit_answer()  # not said again, and its words still stand: it stays open
    assert "The format is not agreed." in talk().reply
    audit_answer(said | {"observation": "Still no agreement.", "continues": key})
    talk()
    assert Finding.objects.get(source="model").observation == "Still no agreement."
    audit_answer(mended=[key, "thin-core_meaning_identity"])
    assert "Fixed: Still no agreement." in talk().reply
    assert row("thin-core_meaning_identity").status == "open"  # what is computed is computed
    audit_answer(said | {"continues": "no-such-key"})
    talk()
    assert row(key).status == "recurring"
    edit(core_trust_safeguards="The office has agreed in writing.")
    audit_answer()
    talk()
    assert row(key).status == "mended"


def test_it_reads_days_states_notes_and_what_became_of_its_findings(
    talk, audit_answer, scripted, planned, actor, browser, alice
):
    note = {"text": "The office answers in March only."}
    todos.add_note(actor=actor, project=planned, values=note)
    first, second = planned.tasks.order_by("position")[:2]
    values = {"due_date": "2027-12-12", "assignee": "Ana"}
    todos.change(actor=actor, task=second, values=values)
    todos.change(actor=actor, task=first, values={"status": "completed"})
    audit_answer(
        finding("Far away.", [quote("t1", "due 2027-12-12")]),
        finding("Late.", [quote("t1", "due 2027-12-22")]),
        finding("Nobody is there.", [quote("n1", "answers in March only")]),
        finding("And then?", [quote("n1", "answers in March only")]),
        finding("And then?", [quote("n1", "answers in March only")]),
        finding("No way out.", [], area="missing", dimension="core_opportunity_freedom"),
        strengths=[{"text": "A day is set.", "quote": quote("t1", "due 2027-12-12")},
                   {"text": "And an end.", "quote": quote("dates", "End: 2026-12-04")}],
    )  # fmt: skip
    reply = talk().reply
    assert "- A day is set. *“Build the sheet”*\n- And an end.\n" in reply
    rows = {row.observation: row for row in Finding.objects.filter(source="model")}
    assert set(rows) == {"Far away.", "Nobody is there.", "And then?", "No way out."}
    assert rows["Far away."].quotes == ["Build the sheet"]
    for observation, sent in (
        ("And then?", {"answer": "We wait."}),
        ("No way out.", {"dismiss": 1}),
    ):
        browser(alice).post(reverse("audits:answer", args=[rows[observation].pk]), sent)
    again = [finding(name, [quote("n1", "answers in March only")], continues=rows[name].key)
             for name in ("And then?", "No way out.")]  # fmt: skip
    audit_answer(*again)
    reply = talk().reply
    asked = scripted.of("audit_findings")[-1].text
    for words in ("End: 2026-12-04", "due 2027-12-12; 4-9 days; @Ana; waits for “Agree on the",
                  "Agree on the columns [completed]", "And then? (answered: We wait.)",
                  "No way out. (dismissed)"):  # fmt: skip
        assert words in asked
    assert "leaves out" not in asked
    assert "And then?" in reply  # the answer does not hold
    assert "No way out." not in reply


def test_long_texts_share_the_room_of_the_prompt(talk, audit_answer, scripted, edit):
    long = {name: f"{name} begins. {'It goes on and on. ' * 2_600}" for name in FIELDS[:5]}
    edit(**long)
    audit_answer()
    talk()
    asked = scripted.of("audit_findings")[-1].text
    assert len(asked) < 140_000
    assert all(f"{name} begins." in asked for name in long)
    assert "what it leaves out may be there" in asked
    assert "Train the relief technicians" in asked


def test_without_a_model_what_is_computed_stands(talk, scripted):
    scripted.on("audit_findings").status(500)
    conversation = talk()
    assert "of 100 simulated runs" in conversation.reply
    assert conversation.stages()["audit_findings"] == "rules"


@pytest.fixture
def audited(talk, audit_answer):
    audit_answer(finding("The format is not agreed.", [quote("core_trust_safeguards", OFFICE)]))
    return talk()


def test_the_model_talks_on_letter_by_letter_and_changes_nothing(audited, scripted, planned):
    text = "Damit ist es erledigt. Ich habe nichts geändert. Wer unterschreibt?"
    scripted.on("agent_tools").text(text)
    assert audited.say("Sie haben es schriftlich zugesagt.") == text
    version = planned.version
    assert Project.objects.get(pk=planned.pk).version == version
    assert not audited.batches
    asked = scripted.of("agent_tools")[0].text
    assert planned.core_power_resources in asked  # it stands in no finding
    assert f"Today is Monday, {TODAY}" in asked
    assert "Recommended: ask the office now" in asked
    answered = {"number": 1, "answer": "It costs 900."}
    scripted.on("agent_tools").call("mark_answered", answered).text("Only you can say so.")
    audited.say("Read this.", parts=[{"type": "file", "name": "a.txt", "text": "It costs 900."}])
    assert "It costs 900." in scripted.of("agent_tools")[-1].text
    assert not Finding.objects.filter(status="answered").exists()


@pytest.mark.thorough
def test_with_a_model_as_without_the_button_audits_again_in_the_chosen_tone(
    audited, scripted, browser, alice, drain
):
    address = reverse("audits:harshness", args=[audited.id])
    for tone in ("8", "5"):
        browser(alice).post(address, {"harshness": tone})
        drain()
        assert "What I found" in audited.reply
        assert ("Do this:" in audited.reply) is (tone == "8")
        assert audited.state["audit"]["concern"] == ""
        scripted.on("audit_findings").status(500)
    assert not scripted.of("agent_tools")


def test_the_model_notes_answers_audits_again_and_puts_changes_before_the_person(
    audited, scripted, planned
):
    numbered = audited.state["audit"]["numbered"]
    at = numbered.index(Finding.objects.get(source="model").key) + 1
    answered = {"number": at, "answer": "Sie haben es zugesagt."}
    scripted.on("agent_tools").call("mark_answered", answered).text("Gut.")
    assert audited.say("Sie haben es zugesagt.") == "Gut."
    assert Finding.objects.get(source="model").answer == "Sie haben es zugesagt."
    calls = scripted.on("agent_tools").call("implement_findings", {"numbers": [at, 99]})
    for _again in range(2):
        calls.call("implement_findings", {"numbers": [at]})
    calls.text("It waits for you.")
    audited.say("Please put that before me.")
    opened = Session.objects.get(kind="project_update")
    assert audited.parts("opened")[0]["session"] == str(opened.pk)
    assert OperationBatch.objects.get(session=opened).status == OperationBatch.Status.REVIEW
    again = {"harshness": 8, "concern": "the money"}
    scripted.on("agent_tools").call("audit_again", again).text("I look again.")
    reply = audited.say("Be harder on me, the money worries me.")
    assert reply.startswith("I look again.")
    assert "Do this:" in reply
    assert audited.state["audit"]["harshness"] == 8
    assert audited.state["audit"]["concern"] == "the money"
