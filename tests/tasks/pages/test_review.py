"""The review page: every change to the list, with and without htmx, two tabs, submitted lists."""

import json
import re
import uuid
from decimal import Decimal
from itertools import product
from typing import Any

import pytest
from django.conf import settings
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from chat.events import tail
from chat.events.kinds import Reference
from chat.events.log import redis, stream_key
from chat.fragments import changes
from chat.operations.models import Operation
from tasks.campaigns.models import Campaign
from tasks.commands.rating import RateTask
from tasks.datasets import rows
from tasks.models import SurveyResponse, TaskMatch, WorkTask
from tests.tasks import changing
from tests.tasks.pages.conftest import make_survey, make_task

EVIL = '<script>alert(1)</script>"><img src=x onerror=alert(1)>'


def html_of(answer):
    return answer.content.decode()


def test_a_row_shows_statement_quote_answer_match_and_group(survey, page):
    html = html_of(page.get(survey.url("tasks")))
    assert "<mark>clean data</mark>" in html
    assert "your answer 1" in html
    said = survey.tasks[0].message_id
    assert f"{survey.url('chat')}?at={said}#m-{said}" in html
    assert "Strong match" in html
    assert "Present findings." in html
    assert "None of these" in html
    assert "Work output" in html


def test_new_words_are_saved_and_looked_up_again(survey, page, htmx):
    task = survey.tasks[0]
    sent = {"statement": "  Clean survey data ", "version": "1"}
    answer = page.post(survey.url("edit", task), sent, headers=htmx)
    assert answer.status_code == 200
    assert "Clean survey data" in html_of(answer)
    task = survey.fresh(task)
    assert (task.statement, task.version) == ("Clean survey data", 2)
    assert task.quote == "clean data"
    assert task.match.status == TaskMatch.Status.PENDING


def test_the_same_words_change_nothing(survey, page):
    page.post(survey.url("edit", survey.tasks[0]), {"statement": "Clean data", "version": "1"})
    task = survey.fresh(survey.tasks[0])
    assert (task.version, task.match.status) == (1, TaskMatch.Status.MATCHED)


def test_words_that_do_not_fit_stay_in_the_form(survey, page, htmx):
    for headers, text in product(({}, htmx), ("", "   ", "x" * 501)):
        address = survey.url("edit", survey.tasks[0])
        answer = page.post(address, {"statement": text}, headers=headers)
        assert answer.status_code == 422, (headers, text)
        assert 'aria-invalid="true"' in html_of(answer)
        assert text in html_of(answer)
        assert survey.statements()[0] == "Clean data"


def test_two_tabs_a_later_save_is_told_both_versions(survey, page, htmx):
    url = survey.url("edit", survey.tasks[0])
    page.post(url, {"statement": "Clean raw data", "version": "1"})
    answer = page.post(url, {"statement": "Tidy data", "version": "1"}, headers=htmx)
    assert answer.status_code == 409
    assert "Clean raw data" in html_of(answer)
    assert "Tidy data" in html_of(answer)
    assert 'name="version" value="2"' in html_of(answer)
    page.post(url, {"statement": "Tidy data", "version": "2"})
    assert survey.statements()[0] == "Tidy data"


def test_a_task_is_deleted_and_put_back_in_its_place(survey, page, htmx):
    task = survey.tasks[1]
    gone = html_of(page.post(survey.url("delete", task), headers=htmx))
    assert f'id="task-{task.pk}"' not in gone
    assert re.search(r'id="undo-last" type="submit" autofocus>', gone)
    assert survey.statements() == ["Clean data", "Plan work"]
    page.post(survey.url("delete", task))  # twice changes nothing
    page.post(survey.url("undo"), headers=htmx)
    assert survey.statements() == ["Clean data", "Write reports", "Plan work"]


def test_a_missed_task_is_added_at_the_end(survey, page, htmx):
    answer = page.post(survey.url("add"), {"statement": "Order paper"}, headers=htmx)
    assert "Order paper" in html_of(answer)
    task = WorkTask.objects.get(statement="Order paper")
    assert task.source == WorkTask.Source.ADDED
    assert task.match.status == TaskMatch.Status.PENDING
    assert survey.statements()[-1] == "Order paper"


def test_a_missed_task_is_added_once_by_a_form_that_comes_twice(survey, page):
    sent = {"statement": "Order paper", "client_id": str(uuid.uuid4())}
    for _ in "ab":
        assert page.post(survey.url("add"), sent).status_code == 302
    added = survey.response.tasks.get(statement="Order paper")
    # of the survey's conversation, in which other tabs hear of it
    assert Operation.objects.get(entity_id=added.pk).batch.session_id == survey.response.pk
    assert 'name="client_id"' in page.get(survey.url("tasks")).text


@pytest.mark.parametrize("headers", [{}, {"HX-Request": "true"}])
def test_an_added_task_that_does_not_fit_stays_in_the_form(survey, page, headers):
    answer = page.post(survey.url("add"), {"statement": "y" * 600}, headers=headers)
    assert answer.status_code == 422
    assert "y" * 600 in html_of(answer)
    assert "at most 500" in html_of(answer)


def test_merging_keeps_quotes_and_adds_up_time_and_can_be_undone(survey, page, htmx):
    first, second, _third = survey.tasks
    changing.change(first, time_share=20, ai_level="none")
    changing.change(second, time_share=15, ai_level="some", ai_tools=["Excel"])
    sent = {"others": [str(second.pk)], "statement": "", "version": "2"}
    answer = page.post(survey.url("merge", first), sent, headers=htmx)
    assert "write reports" in html_of(answer)
    merged = survey.fresh(first)
    assert merged.merged_from[0]["quote"] == "write reports"
    assert (merged.time_share, merged.ai_level, merged.ai_tools) == (35, "some", ["Excel"])
    assert survey.statements() == ["Clean data", "Plan work"]
    page.post(survey.url("undo"))
    assert survey.fresh(first).merged_from == []
    assert survey.fresh(first).time_share == 20
    assert survey.statements() == ["Clean data", "Write reports", "Plan work"]


def test_merging_needs_another_task(survey, page, htmx):
    for others in ([], ["not-an-id"], ["self"]):
        first = survey.tasks[0]
        sent = {"others": [str(first.pk) if other == "self" else other for other in others]}
        answer = page.post(survey.url("merge", first), sent, headers=htmx)
        assert answer.status_code == 422, others
        assert len(survey.statements()) == 3


def test_splitting_makes_two_tasks_that_share_words_and_time(survey, page, htmx):
    first = survey.tasks[0]
    changing.change(first, time_share=25)
    sent = {"statements": "Collect data\n\nCheck data\n", "version": "2"}
    page.post(survey.url("split", first), sent, headers=htmx)
    assert survey.statements() == ["Collect data", "Check data", "Write reports", "Plan work"]
    new = WorkTask.objects.get(statement="Check data")
    assert new.quote == "clean data"
    assert new.message_id == first.message_id
    assert {survey.fresh(first).time_share, new.time_share} == {Decimal("12.50")}
    assert new.match.status == TaskMatch.Status.PENDING


def test_one_line_is_no_split(survey, page, htmx):
    answer = page.post(survey.url("split", survey.tasks[0]), {"statements": "Only"}, headers=htmx)
    assert answer.status_code == 422
    assert "Only" in html_of(answer)


def test_tasks_move_up_and_down_and_stop_at_the_ends(survey, page):
    last = survey.tasks[2]
    page.post(survey.url("move", last), {"to": "up"})
    assert survey.statements() == ["Clean data", "Plan work", "Write reports"]
    page.post(survey.url("move", last), {"to": "0"})
    page.post(survey.url("move", last), {"to": "up"})
    assert survey.statements() == ["Plan work", "Clean data", "Write reports"]
    assert page.post(survey.url("move", last), {"to": "sideways"}).status_code == 400


def test_time_and_ai_use_are_saved_as_typed_without_swapping_the_form(survey, page, htmx):
    task = survey.tasks[0]
    sent = {"time_share": "12,5", "ai_level": "some", "ai_tools": "Excel, ChatGPT, Excel",
            "version": "1"}  # fmt: skip
    answer = page.post(survey.url("rate", task), sent, headers=htmx)
    html = html_of(answer)
    assert "Saved" in html
    assert 'id="dock"' in html
    assert f'id="rate-{task.pk}"' not in html
    task = survey.fresh(task)
    assert (task.time_share, task.ai_level) == (Decimal("12.50"), "some")
    assert task.ai_tools == ["Excel", "ChatGPT"]
    told = json.loads(answer.headers["HX-Trigger"])["task-version"]
    assert told == {"task": str(task.pk), "version": task.version}
    page.cookies[settings.LANGUAGE_COOKIE_NAME] = "de"
    german = html_of(page.get(survey.url("tasks")))
    assert german.count("12,5") == 4  # in its row, its field, the sum, and its kind of work
    assert 'width="12.50%"' in german


def test_every_rating_has_a_field_in_the_list_and_the_command_and_a_column(survey, page):
    form = html_of(page.get(survey.url("tasks")))
    columns = {column.name for column in rows.columns(Campaign(), "tasks", rows.Choice())}
    for name in WorkTask.RATINGS:
        assert f'name="{name}"' in form
        assert name in RateTask.model_fields
        assert name in columns


def test_a_total_other_than_100_is_saved(survey, page):
    for task in survey.tasks:
        page.post(survey.url("rate", task), {"time_share": "80"})
    assert [survey.fresh(task).time_share for task in survey.tasks] == [80, 80, 80]
    assert "240" in html_of(page.get(survey.url("tasks")))


def test_a_share_that_is_no_percent_is_refused_beside_the_field(survey, page, htmx):
    place = f'id="saved-{survey.tasks[0].pk}" role="status" hx-swap-oob="true"'
    for value in ("-1", "101", "abc", "1e9", "NaN", "9" * 40):
        answer = page.post(survey.url("rate", survey.tasks[0]), {"time_share": value}, headers=htmx)
        assert answer.status_code == 422, value
        assert place in html_of(answer)
        assert "share from 0 to 100" in html_of(answer)
        assert survey.fresh(survey.tasks[0]).time_share is None


@pytest.mark.parametrize("script", [True, False])
def test_a_refused_share_takes_no_other_rating_with_it(survey, page, htmx, script):
    task = survey.tasks[0]
    sent = {"time_share": "140", "ai_level": "some", "ai_tools": "Excel", "version": "1"}
    answer = page.post(survey.url("rate", task), sent, headers=htmx if script else {})
    assert answer.status_code == 422
    assert "share from 0 to 100" in html_of(answer)
    fresh = survey.fresh(task)
    assert (fresh.time_share, fresh.ai_level, fresh.ai_tools) == (None, "some", ["Excel"])
    if script:
        assert json.loads(answer.headers["HX-Trigger"])["task-version"]["version"] == fresh.version
    else:
        assert 'value="140"' in html_of(answer)  # stays to be put right
    page.post(survey.url("balance"), headers=htmx)
    assert survey.fresh(task).ai_level == "some"


def test_an_unknown_level_and_endless_tools_are_refused(survey, page):
    url = survey.url("rate", survey.tasks[0])
    assert page.post(url, {"ai_level": "lots"}).status_code == 422
    assert page.post(url, {"ai_level": "lots", "ai_tools": "x" * 301}).status_code == 422
    task = survey.fresh(survey.tasks[0])
    assert (task.ai_level, task.ai_tools) == ("", [])


def test_ratings_of_two_tabs_show_both_values_and_the_later_can_be_saved_again(survey, page, htmx):
    url = survey.url("rate", survey.tasks[0])
    page.post(url, {"time_share": "20", "version": "1"})
    late = {"time_share": "30", "ai_level": "none", "ai_tools": "", "version": "1"}
    answer = page.post(url, late, headers=htmx)
    assert answer.status_code == 409
    assert answer.headers["HX-Retarget"] == f"#task-{survey.tasks[0].pk}"
    assert "You entered: 30, None." in html_of(answer)
    assert 'value="20"' in html_of(answer)
    assert 'name="version" value="2"' in html_of(answer)
    assert survey.fresh(survey.tasks[0]).time_share == 20
    page.post(url, {**late, "version": "2"})
    assert survey.fresh(survey.tasks[0]).time_share == 30


def test_balance_keeps_proportions_and_adds_up_to_100(survey, page, htmx):
    for task, value in zip(survey.tasks, ("30", "30", ""), strict=True):
        page.post(survey.url("rate", task), {"time_share": value})
    answer = page.post(survey.url("balance"), headers=htmx)
    assert "100&nbsp;%" in html_of(answer)
    assert [survey.fresh(task).time_share for task in survey.tasks] == [30, 30, 40]


def test_another_candidate_or_none_can_be_chosen(survey, page, htmx):
    url = survey.url("match", survey.tasks[0])
    answer = page.post(url, {"candidate": "c2", "match_version": "1"}, headers=htmx)
    assert "Your choice" in html_of(answer)
    match = survey.fresh(survey.tasks[0]).match
    assert (match.text, match.method) == ("Present findings.", TaskMatch.Method.PERSON)
    page.post(url, {"candidate": "none"})
    match.refresh_from_db()
    assert (match.status, match.text, len(match.candidates)) == (TaskMatch.Status.NONE, "", 2)
    assert page.post(url, {"candidate": "c9"}).status_code == 400
    assert page.post(url, {"candidate": "c1", "match_version": "1"}).status_code == 409


def test_a_failed_lookup_can_be_repeated(survey, page, htmx):
    match = survey.tasks[0].match
    changing.change(match, status=TaskMatch.Status.FAILED)
    assert "Try again" in html_of(page.get(survey.url("tasks")))
    answer = page.post(survey.url("match", survey.tasks[0]), {"again": "1"}, headers=htmx)
    assert "Matching" in html_of(answer)


def test_without_htmx_every_change_comes_back_to_the_row(survey, page):
    task = survey.tasks[1]
    for name, sent in [
        ("match", {"candidate": "c2"}),
        ("rate", {"time_share": "5"}),
        ("edit", {"statement": "Write monthly reports"}),
        ("move", {"to": "up"}),
    ]:
        answer = page.post(survey.url(name, task), sent)
        assert answer.status_code == 302, name
        assert answer.headers["Location"] == f"{survey.url('tasks')}?task={task.pk}#task-{task.pk}"
    assert page.post(survey.url("delete", task)).headers["Location"] == survey.url("tasks")


def test_forms_open_by_address_for_browsers_without_scripts(survey, page):
    for name in ("edit", "split", "merge"):
        html = html_of(page.get(survey.url("tasks"), {name: str(survey.tasks[0].pk)}))
        assert survey.url(name, survey.tasks[0]) in html, name
        assert html.count("in-place") >= 2


def test_markup_in_every_field_is_text(survey, page, htmx):
    task = survey.tasks[0]
    pages = [
        page.post(survey.url("edit", task), {"statement": EVIL}, headers=htmx),
        page.post(survey.url("add"), {"statement": EVIL}, headers=htmx),
        page.post(survey.url("rate", task), {"ai_level": "some", "ai_tools": EVIL}, headers=htmx),
        page.post(survey.url("split", task), {"statements": f"{EVIL}\n{EVIL}"}, headers=htmx),
        page.get(survey.url("tasks")),
        page.get(survey.url("complete")),
    ]
    for answer in pages:
        assert answer.status_code == 200
        assert "<script>alert" not in html_of(answer)
        assert "<img" not in html_of(answer)


@pytest.mark.parametrize(
    ("step", "told"),
    [
        ("idle", "Create task list"),
        ("queued", "Waiting"),
        ("extracting", "Finding tasks in your answers"),
        ("failed", "Try again"),
        ("done", "No tasks were found"),
    ],
)
def test_an_empty_list_says_where_it_stands_and_the_way_on(survey, page, step, told):
    changing.take_off(*survey.tasks)
    SurveyResponse.objects.filter(pk=survey.response.pk).update(step=step)
    html = html_of(page.get(survey.url("tasks")))
    assert told in html
    assert ('http-equiv="refresh"' in html) == (step in ("queued", "extracting"))


def test_a_submitted_list_is_read_not_changed(survey, page, htmx):
    SurveyResponse.objects.filter(pk=survey.response.pk).update(submitted_at=timezone.now())
    task = survey.tasks[0]
    for name, sent in [
        ("edit", {"statement": "New"}),
        ("split", {"statements": "a b\nc d"}),
        ("merge", {"others": [str(survey.tasks[1].pk)]}),
        ("move", {"to": "down"}),
        ("delete", {}),
        ("rate", {"time_share": "5"}),
        ("match", {"candidate": "c2"}),
    ]:
        answer = page.post(survey.url(name, task), sent, headers=htmx)
        assert answer.status_code == 409, name
        assert "no longer be changed" in html_of(answer), name
    assert page.post(survey.url("add"), {"statement": "x y"}).status_code == 409
    assert page.post(survey.url("balance")).status_code == 409
    assert survey.fresh(task).version == 1
    html = html_of(page.get(survey.url("tasks")))
    assert "Clean data" in html
    assert "Share of your time" not in html
    assert "composer" not in html_of(page.get(survey.url("chat"))).replace("composer-dock", "")


@pytest.mark.thorough
@pytest.mark.parametrize("name", ["tasks", "complete"])
def test_the_number_of_queries_does_not_grow_with_the_list(survey, page, name):
    url = survey.url(name)
    page.get(url)
    with CaptureQueriesContext(connection) as few:
        page.get(url)
    for place in range(4, 12):
        make_task(survey.response, place, f"Task {place}", message=survey.tasks[0].message)
    with CaptureQueriesContext(connection) as many:
        page.get(url)
    assert len(many) == len(few)
    assert len(many) <= 14


@pytest.mark.thorough
def test_the_list_of_surveys_costs_the_same_for_one_and_for_many(
    survey, page, alice, participant_of
):
    with CaptureQueriesContext(connection) as few:
        page.get("/")
    for number in range(7):
        make_survey(participant_of(alice), title=f"Job {number}")
    with CaptureQueriesContext(connection) as many:
        page.get("/")
    assert len(many) == len(few)


def test_changes_are_told_to_other_tabs(survey, page, django_capture_on_commit_callbacks):
    tail(survey.response.pk)
    with django_capture_on_commit_callbacks(execute=True):
        page.post(survey.url("rate", survey.tasks[0]), {"time_share": "5"})
        page.post(survey.url("move", survey.tasks[0]), {"to": "down"})
    entries: Any = redis().xrange(stream_key(survey.response.pk))
    kinds = [json.loads(fields["d"])["k"] for _id, fields in entries]
    assert "task" in kinds
    assert "list" in kinds


def test_news_of_many_matches_cost_an_open_page_what_one_costs(survey):
    news = [Reference("match", str(task.pk), 1) for task in survey.tasks]
    with CaptureQueriesContext(connection) as few:
        changes(survey.response.pk, news[:1], "tasks", ())
    with CaptureQueriesContext(connection) as many:
        html = changes(survey.response.pk, news, "tasks", ()).html
    assert len(many) == len(few)
    assert html.count('class="match"') == 3
    assert html.count('id="dock"') == 1
