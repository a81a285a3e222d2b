"""What reviewers correct in a list: through the ledger, with a reason, also when it was sent."""

from __future__ import annotations

import re

import pytest
from django.urls import reverse

from chat.operations.models import OperationBatch
from futura.errors import BadInput, Conflict
from tasks.commands.edit import MergeTasks
from tasks.commands.matches import ChooseMatch
from tasks.models import WorkTask
from tasks.staff.commands import CorrectTask, undo_correction
from tests.markup import flat
from tests.tasks import changing
from tests.tasks.pages.conftest import make_survey, make_task
from tests.tasks.staff.conftest import reviewer

pytestmark = pytest.mark.django_db


def page_of(sent, **query):
    told = "&".join(f"{name}={value}" for name, value in {"show": "tasks", **query}.items())
    return f"/staff/sessions/{sent.response.pk}?{told}"


def door(name, sent, task=None):
    args = [sent.response.pk, task.pk] if task else [sent.response.pk]
    return reverse(f"staff_tasks:{name}", args=args)


def last_batch():
    return OperationBatch.objects.order_by("-created_at")[0]


def test_a_match_is_corrected_with_a_key_although_the_list_was_sent(desk, rita, sent):
    weak = sent.tasks[1]
    text = desk.get(page_of(sent)).text
    assert "Weak match" in text
    answer = desk.post(
        f"{door('match', sent, weak)}?queue=doubtful",
        {"candidate": "c2", "match_version": str(sent.fresh(weak).match.version)},
    )
    assert answer.status_code == 303
    assert "queue=doubtful" in answer["Location"]
    match = sent.fresh(weak).match
    assert (match.onet_task_id, match.text, match.method) == ("c2", "Present findings.", "staff")
    batch = last_batch()
    assert (batch.actor, batch.user, batch.reason) == (
        "staff", rita, "This statement fits better.",
    )  # fmt: skip
    text = desk.get(page_of(sent)).text
    assert "Selected in review" in text
    assert "Previous match: “Analyze data.”" in text


def test_candidates_stand_in_the_order_of_the_score_beside_them(desk, sent):
    weak = sent.tasks[1]
    match = sent.fresh(weak).match
    far = {**match.candidates[0], "task_id": "c0", "text": "File papers.", "score": 0.01}
    changing.change(match, candidates=[far, *match.candidates])
    html = desk.get(page_of(sent, task=weak.pk)).text
    listed = html[html.index(f'id="task-{weak.pk}"') :].split("</article>")[0]
    scores = re.findall(r'class="candidate__score">\s*([\d.]+)', listed)
    assert scores == sorted(scores, reverse=True)
    assert len(scores) == 3
    assert listed.index("File papers.") > listed.index("Present findings.")


def test_none_of_the_statements_and_a_stale_form(rita, sent):
    weak = sent.tasks[1]
    changing.correct(ChooseMatch, sent.response, rita, task=weak.pk, candidate="none")
    assert sent.fresh(weak).match.status == "none"
    with pytest.raises(Conflict):
        changing.correct(ChooseMatch, sent.response, rita, task=weak.pk, candidate="c1", version=1)
    with pytest.raises(BadInput):
        changing.correct(ChooseMatch, sent.response, rita, task=weak.pk, candidate="c9")


def test_words_and_group_are_corrected_and_the_persons_own_stay_on_the_page(desk, sent):
    task = sent.tasks[0]
    sent_form = {"statement": "Clean  the data", "group": "mentalProcesses", "version": "1"}
    assert desk.post(door("edit", sent, task), sent_form).status_code == 422  # no reason
    sent_form["reason"] = "A word was missing"
    assert desk.post(door("edit", sent, task), sent_form).status_code == 303
    now = sent.fresh(task)
    assert (now.statement, now.group, now.groups[0]) == (
        "Clean the data", "mentalProcesses", "mentalProcesses",
    )  # fmt: skip
    assert now.match.onet_task_id == "c1"
    text = desk.get(page_of(sent)).text
    assert "As submitted: “Clean data”" in text
    assert "before: Work output" in text
    assert "A word was missing" in text


def test_a_refused_correction_keeps_what_was_typed(desk, sent):
    task, other, third = sent.tasks
    form = {"statement": "Clean <b>it</b>", "group": "mentalProcesses", "version": "1"}
    refused = desk.post(f"{door('edit', sent, task)}?queue=doubtful", {**form, "reason": " "})
    assert refused.status_code == 422
    assert "Your text is still here" in refused.text
    assert ">Clean &lt;b&gt;it&lt;/b&gt;</textarea>" in refused.text
    assert '<option value="mentalProcesses" selected>' in flat(refused)
    assert refused.text.count('id="refused"') == 1
    long = desk.post(door("edit", sent, task), {**form, "statement": "x" * 20_000, "reason": "R"})
    assert long.status_code == 422
    assert "x" * 20_000 in long.text
    changing.change(task, statement="Clean all data")
    stale = desk.post(door("edit", sent, task), {**form, "reason": "Plainer"})
    assert stale.status_code == 409
    assert "Current text: “Clean all data”" in stale.text
    assert 'value="Plainer"' in stale.text
    merging = {"others": [str(other.pk)], "reason": ""}
    merged = desk.post(door("merge", sent, task), merging)
    assert merged.status_code == 422
    assert f'value="{other.pk}" checked' in merged.text
    assert f'value="{third.pk}" checked' not in merged.text
    chosen = desk.post(door("match", sent, task), {"candidate": "c9"})
    assert "Select one of the statements in the list." in chosen.text
    assert sent.fresh(task).statement == "Clean all data"


def test_tasks_are_put_together_and_the_correction_is_taken_back_and_done_again(desk, sent):
    first, second, _third = sent.tasks
    form = {"others": str(second.pk), "reason": "The same work"}
    assert desk.post(door("merge", sent, first), form).status_code == 303
    assert sent.statements() == ["Clean data", "Plan work"]
    assert "The same work" in desk.get(page_of(sent)).text
    made = last_batch()
    assert desk.post(door("take_back", sent), {"batch": str(made.pk)}).status_code == 303
    assert sent.statements() == ["Clean data", "Write reports", "Plan work"]
    assert desk.post(door("take_back", sent), {"batch": str(made.pk)}).status_code == 409
    undone = last_batch()
    assert desk.post(door("take_back", sent), {"batch": str(undone.pk)}).status_code == 303
    assert sent.statements() == ["Clean data", "Plan work"]


def test_what_was_put_into_a_task_is_taken_out_again(desk, rita, sent):
    first, second, _third = sent.tasks
    changing.correct(MergeTasks, sent.response, rita, task=first.pk, others=[second.pk])
    assert "Separate" in desk.get(page_of(sent)).text
    assert desk.post(door("take_out", sent, first), {"place": "7"}).status_code == 422
    assert desk.post(door("take_out", sent, first), {"place": "0"}).status_code == 303
    assert sorted(sent.statements()) == ["Clean data", "Plan work", "Write reports"]
    made = sent.response.tasks.get(statement="Write reports", deleted_at=None)
    assert (made.quote, made.message, made.match.status) == (
        "write reports", second.message, "pending",
    )  # fmt: skip
    assert sent.fresh(first).merged_from == []


def test_taking_words_back_leaves_the_match_that_was_chosen(rita, sent, drain):
    task, session = sent.tasks[0], sent.response.session
    changing.correct(ChooseMatch, sent.response, rita, task=task.pk, candidate="c2")
    changing.correct(CorrectTask, sent.response, rita, task=task.pk, statement="Tidy data")
    undo_correction(user=rita, session=session, batch_id=last_batch().pk)
    drain()
    now = sent.fresh(task)
    assert (now.statement, now.match.onet_task_id) == ("Clean data", "c2")


def test_what_the_person_did_is_not_undone_here(desk, sent):
    own = OperationBatch.objects.exclude(actor="staff").first()
    assert desk.post(door("take_back", sent), {"batch": str(own.pk)}).status_code == 404


def test_another_statement_is_found_in_the_catalogue(desk, starter, sent):
    weak = sent.tasks[1]
    answer = desk.get(page_of(sent, task=weak.pk, find="write reports"))
    found = answer.context["panel_context"]["current"].results
    assert found
    form = {"candidate": found[0].id, "words": "write reports"}
    assert desk.post(door("match", sent, weak), form).status_code == 303
    match = sent.fresh(weak).match
    assert match.onet_task_id == found[0].id
    panel = desk.get(page_of(sent, task=weak.pk)).text.partition(f'id="task-{weak.pk}"')[2]
    assert "Starter catalogue" in panel.partition("</article>")[0]
    assert [candidate["task_id"] for candidate in match.candidates] == ["c1", "c2", found[0].id]


def test_reviewers_reach_only_the_tasks_of_the_list(desk, sent, bob, participant_of):
    other = make_survey(participant_of(bob))
    form = {"candidate": "c2"}
    assert desk.post(door("match", sent, other.tasks[0]), form).status_code == 404
    assert WorkTask.objects.get(pk=other.tasks[0].pk).match.onet_task_id == "c1"


@pytest.mark.thorough
def test_the_page_costs_the_same_with_more_tasks(desk, sent, django_assert_num_queries):
    desk.get(page_of(sent))
    with django_assert_num_queries(60, exact=False) as few:
        desk.get(page_of(sent))
    cost = len(few.captured_queries)
    for number in range(10):
        make_task(sent.response, 10 + number, f"Do thing {number}")
    desk.get(page_of(sent))  # counts what changed
    with django_assert_num_queries(cost):
        desk.get(page_of(sent))


def test_second_reviewers_have_the_same_doors(browser, sent):
    client = browser(reviewer("sven"))
    assert client.get(page_of(sent)).status_code == 200
