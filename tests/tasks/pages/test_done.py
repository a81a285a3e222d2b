"""The last page: copies, sending, deleting."""

import csv
import io
import json
import re

import pytest
from django.conf import settings
from django.utils.html import strip_tags

from chat.models import Session
from tasks.models import SurveyResponse, WorkTask
from tests.tasks import changing


def test_the_last_page_sums_up_and_draws_what_is_covered(survey, page):
    changing.change(survey.tasks[0], time_share=60, ai_level="some")
    html = page.get(survey.url("complete")).content.decode()
    assert "3 tasks." in html
    assert "Most of the time, 60" in html
    assert "AI helps with 1 of 3 tasks; AI use is not set for 2." in html
    assert html.count('class="fill-output"') >= 2
    assert "Work output 1 of 9" in " ".join(strip_tags(html).split())


@pytest.mark.parametrize(("occupation", "shown"), [
    ("Data Scientists", "Analyst · Data Scientists"), ("analyst", "Analyst"), ("", "Analyst"),
])  # fmt: skip
def test_the_job_is_named_once(survey, page, occupation, shown):
    SurveyResponse.objects.filter(pk=survey.response.pk).update(
        job_title="Analyst", occupation_title=occupation
    )
    html = " ".join(strip_tags(page.get(survey.url("complete")).text).split())
    assert shown in html
    assert html.casefold().count("analyst ·") == shown.count("·")


def test_it_warns_but_lets_an_unfinished_list_be_sent(survey, page):
    html = page.get(survey.url("complete")).content.decode()
    assert "not 100" in html
    assert "3 tasks have no time" in html
    answer = page.post(survey.url("submit"), {"sure": "yes"}, follow=True)
    assert "Submitted on" in answer.content.decode()
    assert SurveyResponse.objects.get(pk=survey.response.pk).submitted_at is not None


def test_sending_needs_the_tick_and_happens_once(survey, page):
    assert page.post(survey.url("submit")).status_code == 422
    page.post(survey.url("submit"), {"sure": "yes"})
    first = SurveyResponse.objects.get(pk=survey.response.pk).submitted_at
    assert page.post(survey.url("submit"), {"sure": "yes"}).status_code == 302
    assert SurveyResponse.objects.get(pk=survey.response.pk).submitted_at == first


def test_a_list_that_changed_since_the_page_was_opened_is_not_sent_unseen(survey, page):
    seen = page.get(survey.url("complete")).context["seen"]
    changing.change(survey.tasks[0], statement="Fake data")  # at another device, or by staff
    refused = page.post(survey.url("submit"), {"sure": "yes", "seen": seen})
    assert refused.status_code == 409
    assert "Your task list has changed" in refused.text
    again = {"sure": "yes", "seen": refused.context["seen"]}
    assert page.post(survey.url("submit"), again).status_code == 302


def test_an_empty_list_is_not_sent(survey, page):
    changing.take_off(*survey.tasks)
    answer = page.post(survey.url("submit"), {"sure": "yes"})
    assert answer.status_code == 400
    assert "task list is empty" in answer.content.decode()


def test_a_list_that_is_being_written_is_not_sent(survey, page):
    SurveyResponse.objects.filter(pk=survey.response.pk).update(step="extracting")
    assert page.post(survey.url("submit"), {"sure": "yes"}).status_code == 409


SENTENCES = (
    (("45", "30", "25"), ("some", "none", "none"),
     "The largest share of the time, 45 %, goes into work output. AI helps with 1 of 3 tasks."),
    (("50", "50", None), ("some", "some", "significant"),
     "The largest shares of the time, 50 % each, go into mental processes and work output."),
    (("50.5", "40", "9.5"), ("none", "none", "none"),
     "Most of the time, 50.5 %, goes into work output. AI is not used for any task."),
    (("40", "0", "60"), ("some", "some", "significant"),
     "Most of the time, 60 %, goes into other work. AI helps with all 3 tasks."),
)  # fmt: skip


def test_the_sentences_count_and_word_exactly(survey, page):
    for shares, levels, told in SENTENCES:
        groups = ("workOutput", "mentalProcesses", "")
        for task, share, level, group in zip(survey.tasks, shares, levels, groups, strict=True):
            changing.change(task, time_share=share, ai_level=level, group=group)
        html = page.get(survey.url("complete")).content.decode().replace("\N{NO-BREAK SPACE}", " ")
        assert told in html, (shares, levels, told)


def test_the_sentence_of_a_single_task(survey, page):
    changing.take_off(*survey.tasks[1:])
    changing.change(survey.tasks[0], ai_level="some", time_share=100, group="workOutput")
    html = page.get(survey.url("complete")).content.decode()
    assert "AI helps with it." in html
    page.cookies[settings.LANGUAGE_COOKIE_NAME] = "de"
    german = page.get(survey.url("complete")).text
    assert re.search(r"100\s%[^<]*Arbeitsergebnisse", german.partition('class="lede"')[2])
    assert "1 task of 1" not in html


def test_the_table_opens_in_a_spreadsheet_and_calculates_nothing(survey, page):
    changing.change(
        survey.tasks[0],
        statement="=HYPERLINK(1)",
        quote="+1 ünd",
        ai_level="some",
        ai_tools=["@x"],
        time_share=5,
    )
    answer = page.get(survey.url("csv"))
    assert answer.headers["Content-Type"] == "text/csv; charset=utf-8"
    assert "attachment" in answer.headers["Content-Disposition"]
    raw = answer.content
    assert raw.startswith(b"\xef\xbb\xbf")
    rows = list(csv.DictReader(io.StringIO(raw.decode("utf-8-sig"))))
    assert len(rows) == 3
    assert rows[0]["Task"] == "'=HYPERLINK(1)"
    assert rows[0]["In your words"] == "'+1 ünd"
    assert rows[0]["AI tools"] == "'@x"
    assert rows[0]["Time in percent"] == "5"
    assert (rows[1]["Catalogue"], rows[1]["Matched statement"]) == ("onet", "Analyze data.")


def test_the_data_have_the_names_of_the_api(survey, page):
    changing.change(survey.tasks[0], time_share=5, ai_level="some", ai_tools=["Excel"])
    data = json.loads(page.get(survey.url("json")).content)
    task = data["tasks"][0]
    assert task["normalizedDescription"] == "Clean data"
    assert task["quote"] == "clean data"
    assert task["gwaCategory"] == "workOutput"
    assert task["timePercentage"] == 5
    assert task["aiUsage"] == {"level": "some", "tools": ["Excel"]}
    assert (task["matchStatus"], task["onetTaskId"]) == ("matched", "c1")
    assert [match["similarityScore"] for match in task["matches"]] == [0.8, 0.5]
    assert data["tasks"][2]["aiUsage"] is None


def test_statements_of_the_starter_catalogue_are_marked_and_have_no_onet_id(survey, page):
    own = {"task_id": "S-15-2051-01", "text": "Look at numbers."}
    changing.change(
        survey.tasks[0].match,
        candidates=[{**survey.tasks[0].match.candidates[0], **own}],
        onet_task_id=own["task_id"],
        text=own["text"],
    )
    first, second = json.loads(page.get(survey.url("json")).content)["tasks"][:2]
    for match in (first, *first["matches"]):
        assert (match["catalogue"], match["statementId"]) == ("starter", "S-15-2051-01")
        assert not {"onetTaskId", "onetTaskDescription"} & set(match)
    assert {(item["catalogue"], item["onetTaskId"]) for item in second["matches"]} == {
        ("onet", "c1"),
        ("onet", "c2"),
    }
    table = page.get(survey.url("csv")).content.decode("utf-8-sig")
    rows = list(csv.DictReader(io.StringIO(table)))
    assert [row["Catalogue"] for row in rows] == ["starter", "onet", "onet"]
    assert rows[0]["Statement id"] == "S-15-2051-01"
    assert "O*NET" not in table.splitlines()[0]


def test_deleted_tasks_are_in_no_copy(survey, page):
    page.post(survey.url("delete", survey.tasks[0]))
    assert len(json.loads(page.get(survey.url("json")).content)["tasks"]) == 2
    assert b"Clean data" not in page.get(survey.url("csv")).content


def test_deleting_asks_first_and_then_leaves_nothing(survey, page):
    html = page.get(survey.url("delete_answers")).content.decode()
    assert "cannot be undone" in html
    assert Session.objects.count() == 1
    page.post(survey.url("delete_answers"))
    assert Session.objects.count() == WorkTask.objects.count() == 0
    assert page.get(survey.url("complete")).status_code == 404


@pytest.mark.parametrize("name", ["csv", "json"])
def test_copies_can_be_fetched_after_sending(survey, page, name):
    page.post(survey.url("submit"), {"sure": "yes"})
    assert page.get(survey.url(name)).status_code == 200
