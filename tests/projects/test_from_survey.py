"""From a submitted survey to a project, and what it did to the time its task takes."""

from __future__ import annotations

from decimal import Decimal

import pytest
from django.urls import reverse
from django.utils import timezone

from projects import from_survey
from projects.models import Project, ProjectDraft
from tests import project_rows
from tests.tasks import changing
from tests.tasks.pages.conftest import make_survey

pytestmark = pytest.mark.django_db


@pytest.fixture
def response(alice, participant_of):
    """A submitted survey: 40 % without AI, 50 % with some, 10 % with much, the rest unrated."""
    response = make_survey(participant_of(alice)).response
    rated = [("40", "none"), ("50", "some"), ("10", "significant")]
    tasks = list(response.tasks.order_by("position"))
    for task in tasks:
        changing.change(task, time_share=None, ai_level="")
    for task, (share, level) in zip(tasks, rated, strict=False):
        changing.change(task, time_share=share, ai_level=level)
    response.submitted_at = timezone.now()
    response.save()
    return response


@pytest.fixture
def client(alice, browser):
    return browser(alice)


def begin(client, response, task):
    return client.post(reverse("projects:from_survey", args=[response.pk, task.pk]))


def test_the_heaviest_tasks_come_first_and_those_done_with_much_help_not_at_all(response):
    found = from_survey.candidates(response)
    assert [(item.task.ai_level, item.task.time_share) for item in found] == [
        ("none", Decimal(40)),
        ("some", Decimal(50)),
    ]


def test_nothing_is_offered_before_the_list_was_sent(client, response):
    response.submitted_at = None
    response.save()
    assert from_survey.candidates(response) == []
    page = client.get(reverse("survey:complete", args=[response.pk])).content.decode()
    assert "Create project" not in page
    task = response.tasks.order_by("position").first()
    assert begin(client, response, task).status_code == 409
    assert not ProjectDraft.objects.exists()


def test_the_last_page_offers_them_and_a_draft_knows_what_was_said(client, response):
    page = client.get(reverse("survey:complete", args=[response.pk])).content.decode()
    assert page.count("Create project") == 2
    task = from_survey.candidates(response)[0].task
    after = begin(client, response, task)
    draft = ProjectDraft.objects.get()
    assert after.url.startswith(reverse("projects:draft", args=[draft.pk]))
    assert draft.name == f"Less time: {task.statement}"
    assert "40 % of the working time" in draft.core_reality_understanding
    assert "AI is not used for it." in draft.core_reality_understanding
    assert (draft.survey_task, draft.time_share_before) == (task.pk, Decimal(40))
    # once begun, it is gone on with
    assert begin(client, response, task).url == reverse("projects:draft", args=[draft.pk])
    assert ProjectDraft.objects.count() == 1
    page = client.get(reverse("survey:complete", args=[response.pk])).content.decode()
    assert "Open draft" in page


def test_finishing_asks_for_the_share_and_shows_the_difference(client, actor, response):
    begin(client, response, from_survey.candidates(response)[0].task)
    draft = ProjectDraft.objects.get()
    project = project_rows.finalise_draft(actor=actor, draft=draft).row
    page = client.get(reverse("projects:project", args=[project.pk])).content.decode()
    assert reverse("survey:complete", args=[response.pk]) in page
    asked = client.post(reverse("projects:status", args=[project.pk]), {"status": "completed"})
    finish = reverse("projects:finish", args=[project.pk])
    assert asked.url == finish
    assert "40" in client.get(finish).content.decode()
    assert client.post(finish, {"time_share": "a lot"}).status_code == 422
    after = client.post(finish, {"time_share": "27,5 %"})
    page = client.get(after.url).content.decode()
    assert "40 % of the working time before, 27.5 % now: about 5 hours less" in page
    project = Project.objects.get()
    assert (project.status, project.time_share_after) == ("completed", Decimal("27.50"))


@pytest.mark.parametrize(
    ("before", "after", "word"), [("20", "30", "more"), ("20", "20", "before and now")]
)
def test_a_difference_that_is_no_gain_is_told_as_it_is(before, after, word):
    project = Project(time_share_before=Decimal(before), time_share_after=Decimal(after))
    assert word in from_survey.difference_of(project)


def test_the_numbers_of_a_share_lose_no_tens():
    assert [from_survey.percent(Decimal(item)) for item in ("40", "40.00", "100", "7.50")] == [
        "40",
        "40",
        "100",
        "7.5",
    ]


def test_anothers_survey_seeds_nothing(bob, browser, response):
    task = from_survey.candidates(response)[0].task
    assert begin(browser(bob), response, task).status_code == 404
    assert not ProjectDraft.objects.exists()
