"""The concierge with a scripted model: rounds of tools, ids of others, claims, undo, hand-over."""

from __future__ import annotations

import datetime as dt
import json
import re
import uuid

import pytest

from chat.commands.base import Scope
from chat.identity import Identity
from chat.models import Session
from chat.operations.changes import Actor
from futura.llm.models import AnswerCheck
from futura.llm.schema import format_of
from projects.concierge import toolset as tools
from projects.models import Note, ProjectDraft, Task
from tests import project_rows, todos
from tests.scripted import ScriptedCall as Call

pytestmark = pytest.mark.django_db(transaction=True)


def test_the_tools_of_the_specification_have_its_names_and_arguments():
    spec = {
        "create_task": {"title", "priority", "notes", "projectId"},
        "update_task": {"id", "title", "priority", "notes", "status"},
        "complete_task": {"id"},
        "list_tasks": {"status"},
    }
    offered = {tool.name: tool.arguments for tool in tools.toolset(lambda: Scope(Identity())).tools}
    assert spec.keys() <= offered.keys()
    for name, kind in offered.items():
        schema = format_of(kind).schema
        assert spec.get(name, set()) <= set(schema["properties"])
        assert schema["additionalProperties"] is False


def test_what_the_concierge_can_change_programs_can_change(browser, alice):
    answer = browser(alice).get("/api/commands").json()
    open_to_programs = {command["name"] for command in answer["commands"]}
    for tool, command in tools.WRITING.items():
        names = {getattr(kind, "name", "") for kind in command.__mro__}
        assert names & open_to_programs, tool


def test_create_a_task_to_review_weekly_metrics(model, talk):
    model.on("concierge").calls(Call("create_task", {"title": "Review weekly metrics"})).text(
        "Created task 'Review weekly metrics'"
    )
    chat = talk()
    assert chat.say("Create a task to review weekly metrics") == (
        "Created task 'Review weekly metrics'"
    )
    task = Task.objects.get()
    assert (task.title, task.status) == ("Review weekly metrics", "inbox")
    assert chat.tools == ["create_task"]
    assert chat.parts("operations")[0]["done"] == 1
    assert chat.batches[0].tool_call_id


def test_a_title_with_nothing_to_see_is_none(model, talk):
    model.on("concierge").calls(Call("create_task", {"title": "\u200b\u2060"})).text("Which title?")
    assert talk().say("Create a task") == "Which title?"
    assert not Task.objects.exists()
    [result] = model.of("concierge")[-1].tool_results.values()
    assert result.startswith("NOT DONE")


def test_the_prompt_has_the_briefing_with_ids_and_the_stage_of_the_specification(model, talk, task):
    bug = task("Fix production bug", priority="critical")
    model.on("concierge").text("I'd focus on 'Fix production bug' first.")
    chat = talk()
    assert "Fix production bug" in chat.say("What should I focus on today?")
    request = model.of("concierge")[0]
    assert f"CRITICAL TASKS:\n- [inbox] Fix production bug (critical) id={bug.pk}" in request.text
    assert request.model == "gpt-4o"
    assert request.body["temperature"] == 0.7
    assert 500 in {request.body.get("max_output_tokens"), request.body.get("max_completion_tokens"),
                   request.body.get("max_tokens")}  # fmt: skip


def test_mark_the_metrics_thing_done_takes_a_search_and_a_completion(model, talk, task):
    wanted = task("Review quarterly metrics", status="available")
    task("Call Sarah")
    model.on("concierge").calls(Call("list_tasks", {"query": "metrics thing"})).calls(
        Call("complete_task", {"id": str(wanted.pk)})
    ).text("“Review quarterly metrics” is completed. Well done!")
    chat = talk()
    reply = chat.say("mark the metrics thing done")
    wanted.refresh_from_db()
    assert wanted.status == "completed"
    assert chat.tools == ["list_tasks", "complete_task"]
    assert reply.startswith("“Review quarterly metrics” is completed.")
    assert str(wanted.pk) in json.dumps(model.of("concierge")[1].body)


def test_each_tool_does_what_it_says(model, talk, task, project):
    one, launch = task("Write the report"), project("Q4 Launch")
    model.on("concierge").calls(
        Call("update_task", {"id": str(one.pk), "priority": "high", "notes": "Short",
                             "projectId": str(launch.pk)}),
        Call("change_tasks", {"ids": [str(one.pk)], "due_date": "2026-12-01",
                              "due_time": "15:00"}),
        Call("create_note", {"project": str(launch.pk), "text": "Anna is away in May"}),
        Call("find_projects", {"query": "launch"}),
        Call("list_tasks", {"status": "all", "due": "later"}),
    ).text("There you are.")  # fmt: skip
    chat = talk()
    chat.say("do all that")
    one.refresh_from_db()
    assert (one.priority, one.details, one.project_id) == ("high", "Short", launch.pk)
    assert (one.due_date, one.due_time) == (dt.date(2026, 12, 1), dt.time(15))
    assert Note.objects.get().text == "Anna is away in May"
    assert str(launch.pk) in json.dumps(model.of("concierge")[1].body)


def test_ids_of_others_and_of_nothing_are_refused_to_the_model_and_never_told_as_done(
    model, talk, task, bobs_task
):
    theirs = bobs_task("Bob's task")
    task("Review metrics")
    more = {"update_task": {"title": "Taken"}, "change_tasks": {"due_date": "2026-12-01"}}
    refs = [str(theirs.pk), str(uuid.uuid4()), "1", "Review metrics", "'; DROP TABLE x"]
    names = ("update_task", "complete_task", "change_tasks", "delete_tasks")
    wishes = [(name, refs[0]) for name in names] + [("complete_task", ref) for ref in refs[1:]]
    chat = talk()
    before = list(Task.objects.order_by("pk").values())
    calls = [
        Call(name, ({"ids": [ref]} if name.endswith("tasks") else {"id": ref}) | more.get(name, {}))
        for name, ref in wishes
    ]
    model.on("concierge").calls(*calls).text("Done! I updated, completed and deleted it.")
    assert chat.say("change these") == "Done! I updated, completed and deleted it."
    assert list(Task.objects.order_by("pk").values()) == before
    assert _ledger(chat) == (0, 0)
    results = model.of("concierge")[-1].tool_results.values()
    told = ["nothing with this id" if ref in refs[:2] else "uuid_parsing" for _name, ref in wishes]
    assert all(words in str(result) for words, result in zip(told, results, strict=True))
    assert not chat.batches


def test_projects_of_others_take_neither_tasks_nor_notes_nor_conversations(
    model, talk, bob, participant_of
):
    theirs = project_rows.create_project(
        actor=Actor(participant_of(bob).pk), values={"name": "Bob's plan"}
    ).row
    key = str(theirs.pk)
    model.on("concierge").calls(
        Call("create_task", {"title": "Spy", "projectId": key}),
        Call("create_note", {"project": key, "text": "Hello Bob"}),
        Call("start_conversation", {"kind": "project_update", "project": key}),
        Call("list_tasks", {"projectId": key}),
    ).text("I created it, noted it and started the update.")
    chat = talk()
    chat.say("write into that project")
    assert not Task.objects.exists()
    assert not Note.objects.exists()
    assert not Session.objects.filter(kind="project_update").exists()
    assert _ledger(chat) == (0, 0)


def _ledger(chat) -> tuple[int, int]:
    """What the line under the last answer says: changes, waiting."""
    part = chat.parts("operations")[-1]
    return part["done"], part["waiting"]


CLAIMS = (
    "I have started an audit of your project.",
    "Consider it done. Nothing else was changed; I would not delete it.",
    "Erledigt! Ich habe nichts gelöscht. Soll ich „Angebot“ verschieben?",
    "完了しました。削除はしていません。次は何をしますか？",
)


def test_a_claim_without_a_write_is_told_to_the_letter_and_below_it_that_there_is_none(model, talk):
    chat = talk()
    for claim in CLAIMS:
        model.on("concierge").text(claim)
        assert chat.say("do it") == claim
        assert _ledger(chat) == (0, 0)


def test_states_and_titles_that_sound_like_deeds_are_left_in(model, talk, task):
    task("Moved furniture")
    done = task("Set up the printer")
    todos.complete(actor=Actor(done.owner_id), task=done)
    said = (
        "Moved furniture is in your inbox. 'Moved furniture' matters most today, I think. "
        "Shall I mark it done?"
    )
    model.on("concierge").text(said)
    assert talk().say("what is there?") == said


def test_deleting_waits_and_the_ledgers_line_says_so_even_if_the_model_does_not(model, talk, task):
    one = task("Buy pens")
    gone = Call("delete_tasks", {"ids": [str(one.pk)]})
    model.on("concierge").calls(gone).text("I deleted it. Bye.")
    chat = talk()
    reply = chat.say("delete the pens")
    one.refresh_from_db()
    assert one.deleted_at is None
    assert reply == "I deleted it. Bye."
    assert _ledger(chat) == (0, 1)
    assert chat.batches[0].status == "review"


def test_more_than_five_changes_in_a_round_wait_as_a_whole_and_as_one_card(model, talk, task):
    tasks = [task(f"Thing {n}") for n in range(8)]
    many = [Call("complete_task", {"id": str(item.pk)}) for item in tasks]
    model.on("concierge").calls(*many).text("All of them are done.")
    chat = talk()
    assert chat.say("these eight are done") == "All of them are done."
    assert not Task.objects.filter(status="completed").exists()
    assert [batch.status for batch in chat.batches] == ["review"]
    assert chat.batches[0].operations.count() == 8
    assert _ledger(chat) == (0, 8)


def test_eight_to_dos_in_one_message_are_one_gesture_and_wait_for_nobody(model, talk):
    many = [Call("create_task", {"title": f"Thing {n}"}) for n in range(8)]
    model.on("concierge").calls(*many).text("All of them are on your list.")
    chat = talk()
    chat.say("add eight things")
    assert Task.objects.count() == 8
    assert [batch.status for batch in chat.batches] == ["completed"]
    assert _ledger(chat) == (8, 0)


def test_calls_of_several_rounds_are_one_batch_and_one_undo(model, talk, task):
    one = task("Write the report")
    model.on("concierge").calls(Call("create_task", {"title": "A"})).calls(
        Call("complete_task", {"id": str(one.pk)}),
        Call("create_tasks", {"todos": [{"title": "B"}, {"title": "C"}]}),
    ).text("There.")
    chat = talk()
    chat.say("several things")
    assert [batch.status for batch in chat.batches] == ["completed"]
    assert chat.batches[0].operations.count() == 4
    assert _ledger(chat) == (4, 0)


def test_a_round_with_a_deletion_waits_as_a_whole(model, talk, task):
    one, other = task("Buy pens"), task("Buy ink")
    model.on("concierge").calls(
        Call("complete_task", {"id": str(one.pk)}), Call("delete_tasks", {"ids": [str(other.pk)]})
    ).text("Both.")
    chat = talk()
    chat.say("pens are done, drop the ink")
    one.refresh_from_db()
    assert one.status == "inbox"
    assert _ledger(chat) == (0, 2)


def test_consent_is_what_the_calls_of_the_model_say(model, talk, task):
    one = task("Write the report")
    chat = talk()
    for consent in ("please do not do it yet", "はい、お願いします", "yes"):
        model.on("concierge").text("Shall I?")
        chat.say("the report?")
        model.on("concierge").text("As you say.")
        chat.say(consent)
        one.refresh_from_db()
        assert (one.status, len(chat.batches)) == ("inbox", 0)


def test_what_the_model_gets_wrong_is_counted_by_stage_and_reason(model, talk):
    model.on("concierge").calls(
        Call("send_email", {"to": "x"}),
        Call("complete_task", {"id": str(uuid.uuid4())}),
        Call("create_task", {"titel": "x"}),
    ).text("No.")
    talk().say("do three things")
    counts = dict(AnswerCheck.objects.filter(stage="concierge").values_list("reason", "items"))
    assert counts == {"unknown_tool": 1, "unknown_id": 1, "bad_arguments": 1}


def test_the_same_task_twice_in_one_answer_is_made_once(model, talk):
    twice = Call("create_task", {"title": "Call Bob"})
    model.on("concierge").calls(twice).calls(twice).text("Created 'Call Bob'.")
    talk().say("call bob")
    assert Task.objects.count() == 1


def test_a_draft_is_known_by_its_id_and_gone_on_with(model, talk, owner):
    values = {"name": "Street party", "core_goals_momentum": "It is in May."}
    draft = project_rows.start_draft(actor=Actor(owner.pk), values=values).row
    key = {"id": str(draft.pk)}
    going_on = {"kind": "project_create", "draft": str(draft.pk)}
    model.on("concierge").calls(Call("read_draft", key)).calls(
        Call("start_conversation", going_on)
    ).text("It goes on there.")
    chat = talk()
    chat.say("what about my street party?")
    assert f"Street party (1 of 9 parts described) id={draft.pk}" in model.of("concierge")[0].text
    assert "It is in May." in json.dumps(model.of("concierge")[1].tool_results)
    draft.refresh_from_db()
    assert str(draft.session_id) in chat.parts("opened")[0]["url"]
    assert ProjectDraft.objects.count() == 1


def test_a_model_does_not_promise_a_reminder_that_nobody_sends(model, talk, alice, settings):
    model.on("concierge").text("I cannot remind you.").text("I will.").text("I cannot.")
    chat = talk()
    for address in ("", "alice@example.org"):
        alice.email = address
        alice.save()
        chat.say("Remind me tomorrow")
    settings.EMAIL_BACKEND = "django.core.mail.backends.console.EmailBackend"
    chat.say("Remind me tomorrow")
    told = [re.findall("None are sent: this (person|site)", request.text)
            for request in model.of("concierge")]  # fmt: skip
    assert told == [["person"], [], ["site"]]
