"""The English beside a statement in another language: shown, exported, gone with other words."""

from __future__ import annotations

import csv
import io

import pytest
from django.urls import reverse

from chat.operations.models import Operation
from chat.operations.replay import differences
from tests.tasks.pages.conftest import make_task

EVIL = "<script>alert(1)</script><img src=x onerror=alert(1)>"


@pytest.fixture
def german(survey):
    """A German task of the list."""
    return make_task(survey.response, 9999, "Daten bereinigen", english="Clean data")


def test_both_stand_on_the_page_and_in_every_copy(survey, page, german):
    html = page.get(survey.url("tasks")).text
    assert '<h2 class="task__statement">Daten bereinigen</h2>' in html
    assert 'lang="en">Clean data</p>' in html
    listed = page.get(f"/api/survey/{survey.response.pk}/tasks").json()["tasks"]
    assert [(item["normalizedDescription"], item["english"]) for item in listed][-1] == (
        "Daten bereinigen",
        "Clean data",
    )
    assert listed[0]["english"] is None
    table = page.get(survey.url("csv")).content.decode("utf-8-sig")
    lines = list(csv.DictReader(io.StringIO(table)))
    assert [line["In English"] for line in lines] == ["", "", "", "Clean data"]


def test_other_words_leave_no_english_behind_and_undo_brings_it_back(survey, page, german, htmx):
    page.post(survey.url("edit", german), {"statement": "Daten prüfen"}, headers=htmx)
    assert survey.fresh(german).english == ""
    page.post(survey.url("undo"), headers=htmx)
    assert (survey.fresh(german).statement, survey.fresh(german).english) == (
        "Daten bereinigen",
        "Clean data",
    )
    assert differences() == []


def test_a_correction_in_the_log_of_changes_leaves_no_english_behind(survey, page, german, drain):
    drain()
    operation = Operation.objects.get(entity="work_task", entity_id=german.pk)
    amend = reverse("operations:amend", args=[operation.batch_id, operation.pk])
    version = german.version
    answer = page.post(amend, {"statement": "Daten prüfen", "version": version})
    assert answer.status_code < 400
    drain()
    assert (survey.fresh(german).statement, survey.fresh(german).english) == ("Daten prüfen", "")
    assert differences() == []


def test_markup_in_it_is_text(survey, page):
    make_task(survey.response, 9999, "Daten bereinigen", english=EVIL)
    html = page.get(survey.url("tasks")).text
    assert "<script>alert" not in html
    assert "<img" not in html
