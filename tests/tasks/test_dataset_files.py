"""Answers of a campaign as files, which are streamed: what is in them."""

from __future__ import annotations

import json

import pytest
from asgiref.sync import async_to_sync
from django.urls import reverse

from chat.actions import delete_session, restore_session
from chat.identity import Identity
from chat.staff.models import Access
from tasks.campaigns.models import Campaign, ExtraAnswer
from tasks.datasets import rows
from tasks.datasets.rows import Choice
from tasks.models import TaskMatch, WorkTask
from tasks.simulation.invented import fill
from tasks.staff.models import SecondCoding
from tests.tasks.catalogues import store_catalogue
from tests.tasks.insights.test_insights import STARTER_JOBS
from tests.tasks.test_datasets import PEOPLE, bakeries, records, token_of

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def campaign(transactional_db) -> Campaign:
    return bakeries()


@pytest.fixture
def take(browser, stan, campaign):
    """Downloads a table; its bytes."""

    def get(name: str, query: str = "") -> bytes:
        address = reverse(f"datasets:{name}", args=[campaign.pk])
        answer = browser(stan).get(f"{address}{query}")
        assert answer.status_code == 200
        assert answer["Cache-Control"] == "private, no-store"

        async def whole() -> bytes:
            return b"".join([part async for part in answer.streaming_content])

        return async_to_sync(whole)()

    return get


def test_files_hold_every_task_under_a_pseudonym_and_their_taking_is_noted(take, campaign, stan):
    campaign.responses.update(job_title="=1+1")
    found = records(take("tasks_csv"))
    assert len(found) == WorkTask.objects.filter(response__campaign=campaign).count()
    assert {item["person"] for item in found} <= {f"P-{n:04d}" for n in range(1, PEOPLE + 1)}
    assert not {"own_words", "session_id"} & set(found[0])
    assert {item["is_invented"] for item in found} == {"true"}
    assert {item["job_title"] for item in found} == {"'=1+1"}  # no cell starts a formula
    noted = Access.objects.get(kind=Access.Kind.EXPORT)
    assert (noted.user_id, noted.rows, noted.what) == (stan.pk, len(found), "tasks.csv")

    told = [json.loads(line) for line in take("tasks_jsonl", "?words=1&ids=1").splitlines()]
    ids = {str(pk) for pk in campaign.responses.values_list("pk", flat=True)}
    assert {item["session_id"] for item in told} <= ids
    assert all(item["own_words"] for item in told)
    assert isinstance(told[0]["groups"], list)
    _no_value_is_outside_of_what_the_codebook_allows(campaign, told)


def _no_value_is_outside_of_what_the_codebook_allows(campaign, told):
    allowed = {
        column.name: set(column.values)
        for column in rows.columns(campaign, "tasks", Choice())
        if column.values and "–" not in column.values[0]
    }
    assert {"source", "group", "ai_level", "match_status", "matched_by"} <= set(allowed)
    for row in told:
        for name, values in allowed.items():
            value = row[name]
            assert value is None or {*(value if isinstance(value, list) else [value])} <= values


@pytest.mark.thorough
def test_statements_of_the_starter_catalogue_are_marked_in_every_file(
    browser, stan, client, campaign, take
):
    store_catalogue(STARTER_JOBS)
    fill(campaign, PEOPLE, seed=3, jobs=STARTER_JOBS)
    for told in (
        records(take("tasks_csv")),
        [json.loads(line) for line in take("tasks_jsonl").splitlines()],
    ):
        kinds = {(item["catalogue"], (item["statement_id"] or "")[:2] == "S-") for item in told}
        assert {("starter", True), ("onet", False)} <= kinds
        assert not {("starter", False), ("onet", True)} & kinds
        assert not any(name.startswith("onet") for name in told[0])
    headers = token_of(stan)
    names = client.get(f"/api/campaigns/{campaign.pk}/dictionary", headers=headers).json()
    about = next(item["about"] for item in names if item["name"] == "catalogue")
    assert "not O*NET ids" in about
    found = client.get(f"/api/campaigns/{campaign.pk}/tasks", headers=headers).json()["rows"]
    assert {"starter", "onet"} <= {item["catalogue"] for item in found}


@pytest.mark.thorough
def test_a_column_keeps_its_name_when_questions_are_moved_and_added(campaign, browser, stan, take):
    def asked(*texts: str) -> dict[str, str]:
        """The form with these questions in this order; what is there keeps its id."""
        ids = {item.text: item.pk for item in campaign.questions.all()}
        sent = {"title": "Bakeries", "language": "en", "access": "link", "grace_hours": "1"}
        sent |= {"min_group": "5", "questions": str(len(texts))}
        for place, text in enumerate(texts):
            sent |= {f"q{place}-text": text, f"q{place}-kind": "scale"}
            sent |= {f"q{place}-id": str(ids.get(text, ""))}
        return sent

    staff, address = browser(stan), reverse("campaigns:edit", args=[campaign.pk])
    assert staff.post(address, asked("Years here?", "How loud?")).status_code == 302
    person = campaign.participations.first()
    for question, value in zip(campaign.questions.all(), (3, 4), strict=True):
        ExtraAnswer.objects.create(participation=person, question=question, value=value)
    assert staff.post(address, asked("How warm?", "How loud?", "Years here?")).status_code == 302
    row = next(row for row in records(take("people_csv")) if row["person"] == person.pseudonym)
    assert [row[f"before_{number}"] for number in (1, 2, 3)] == ["3", "4", ""]


def test_a_conversation_in_the_bin_is_in_no_file_and_comes_back_with_it(take, campaign):
    person = campaign.participations.filter(response__tasks__isnull=False).first()
    session = person.response.session
    identity = Identity(cookie_participant_id=session.participant_id)
    delete_session(identity=identity, session_id=session.pk)
    assert person.pseudonym not in {row["person"] for row in records(take("tasks_csv", "?words=1"))}
    kept = next(
        row for row in records(take("people_csv", "?ids=1")) if row["person"] == person.pseudonym
    )
    assert kept["job_title"] == kept["session_id"] == ""
    assert int(kept["tasks"]) > 0
    restore_session(identity=identity, session_id=session.pk)
    assert person.pseudonym in {row["person"] for row in records(take("tasks_csv"))}


def test_second_codes_are_columns_and_their_agreement_is_told(browser, stan, campaign, take):
    campaign.has_second_review = True
    campaign.save()
    matched = TaskMatch.objects.filter(task__response__campaign=campaign, status="matched")
    same, other, *_rest = matched.order_by("pk")
    for match, code in ((same, same.onet_task_id), (other, "")):
        SecondCoding.objects.create(
            match=match, first_code=match.onet_task_id, second_code=code, second_user=stan
        )
    told = {row["task_id"]: row for row in records(take("tasks_csv"))}
    names = ("first_code", "second_code", "codes_agree")
    code = same.onet_task_id
    assert [told[str(same.task_id)][name] for name in names] == [code, code, "true"]
    code = other.onet_task_id
    assert [told[str(other.task_id)][name] for name in names] == [code, "none", "false"]
    assert told[str(same.task_id)]["coded_again_at"]
    assert sum(bool(row["second_code"]) for row in told.values()) == 2
    assert "stan" not in str(told)  # who coded is for reviewers
    book = browser(stan).get(reverse("datasets:codebook_md", args=[campaign.pk])).content.decode()
    assert "Coded twice: 2. Same choice: 1." in book
    page = browser(stan).get(reverse("datasets:page", args=[campaign.pk])).text
    assert "Coded twice: 2, same choice: 1" in page
