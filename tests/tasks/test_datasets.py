"""Answers of a campaign as rows and as JSON: columns, and who may have them."""

from __future__ import annotations

import csv
import io
import uuid
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.contrib.auth.models import Group
from django.urls import reverse
from django.utils import timezone

from chat.commands.tokens import CAMPAIGNS, RIGHTS, SCOPES, create_token
from chat.models import AccessToken
from chat.staff.models import Access
from futura import roles
from tasks.campaigns.actions import setting_up
from tasks.campaigns.actions.joining import erase_participation
from tasks.campaigns.forms import CampaignForm
from tasks.campaigns.models import Campaign, ExtraAnswer
from tasks.datasets import rows
from tasks.datasets.rows import Choice
from tasks.models import TaskMatch, WorkTask
from tasks.simulation.invented import fill, invented_campaign
from tasks.staff.models import SecondCoding
from tests.lasting import lasting
from tests.tasks.catalogues import store_catalogue
from tests.tasks.changing import change
from tests.tasks.insights.test_insights import JOBS

PEOPLE = 6


def token_of(user, *scopes: str) -> dict[str, str]:
    """The header of a new token."""
    scopes = scopes or (CAMPAIGNS,)
    _token, text = create_token(user_id=user.pk, name="Notebook", scopes=scopes, days=30)
    return {"Authorization": f"Bearer {text}"}


def bakeries() -> Campaign:
    """A campaign with invented people."""
    made = invented_campaign("Bakeries")
    store_catalogue(JOBS)
    fill(made, PEOPLE, seed=2, jobs=JOBS)
    return made


@pytest.fixture(scope="module")
def _filled(django_db_setup, django_db_blocker) -> Iterator[Campaign]:
    with lasting(django_db_blocker, bakeries) as made:
        yield made


@pytest.fixture
def campaign(_filled, db) -> Campaign:
    return Campaign.objects.get(pk=_filled.pk)


def records(content: bytes) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(content.decode("utf-8-sig"))))


def test_rows_come_in_chunks_that_hold_everybody_once_at_the_same_queries(
    campaign, django_assert_num_queries
):
    _a_chunk_costs_the_same_queries_however_many_it_holds(campaign, django_assert_num_queries)
    wanted = rows.columns(campaign, "people", Choice())
    first = rows.chunk(campaign, "people", wanted, people=4)
    assert first.last == 4
    rest = rows.chunk(campaign, "people", wanted, after=4, people=4)
    assert rest.last is None
    seen = [row["person"] for item in (first, rest) for row in item.rows]
    assert seen == [f"P-{n:04d}" for n in range(1, PEOPLE + 1)]


def _a_chunk_costs_the_same_queries_however_many_it_holds(campaign, django_assert_num_queries):
    for table, queries in (("tasks", 2), ("people", 4)):
        wanted = rows.columns(campaign, table, Choice())
        for people in (2, PEOPLE):
            with django_assert_num_queries(queries) as statements:
                rows.chunk(campaign, table, wanted, people=people)
            # what was considered for a match is the most of it, and in no column
            assert not [item for item in statements.captured_queries if "candid" in item["sql"]]


def test_extra_answers_are_columns_and_free_words_only_with_the_words(campaign):
    forms: list[dict[str, Any]] = [
        {"kind": "scale", "text": "How long?", "low_label": "short", "high_label": "long"},
        {"kind": "text", "text": "Anything else?"},
        {"kind": "choice", "text": "Which site?", "options": ["North", "South"]},
        {"kind": "choice", "text": "Which days?", "options": ["Mon", "Tue"], "takes_many": True},
    ]
    questions = [
        {"id": None, "place": "before", "position": n, **form} for n, form in enumerate(forms)
    ]
    setting_up.update(campaign=campaign, values={}, questions=questions)
    asked = list(campaign.questions.all())
    person = campaign.participations.order_by("number").first()
    ExtraAnswer.objects.create(participation=person, question=asked[0], value=4)
    ExtraAnswer.objects.create(participation=person, question=asked[1], value="Ask for Lee.")
    ExtraAnswer.objects.create(participation=person, question=asked[2], value=["North"])
    ExtraAnswer.objects.create(participation=person, question=asked[3], value=["Mon", "Tue"])
    listed = rows.columns(campaign, "people", Choice())
    plain = rows.chunk(campaign, "people", listed).rows[0]
    assert [plain[f"before_{n}"] for n in (1, 3, 4)] == [4, "North", ["Mon", "Tue"]]
    assert "How long? (1 short – 5 long)" in [column.about for column in listed]
    assert "before_2" not in plain
    wanted = rows.columns(campaign, "people", Choice(has_words=True))
    assert rows.chunk(campaign, "people", wanted).rows[0]["before_2"] == "Ask for Lee."


def test_who_was_erased_leaves_counts_and_no_rows(campaign):
    person = campaign.participations.filter(task_count__gt=0).first()
    person.erased_at = timezone.now()
    person.save()
    told = rows.chunk(campaign, "people", rows.columns(campaign, "people", Choice())).rows
    assert next(item for item in told if item["person"] == person.pseudonym)["tasks"] > 0
    tasks = rows.chunk(campaign, "tasks", rows.columns(campaign, "tasks", Choice())).rows
    assert person.pseudonym not in {task["person"] for task in tasks}


def test_a_column_keeps_its_name_however_often_its_question_is_reworded(campaign):
    person = campaign.participations.first()
    for number in range(5):
        old = campaign.questions.filter(removed_at=None).first()
        question = {
            "id": old and old.pk, "place": "before", "kind": "text" if number == 1 else "scale",
            "text": f"Wording {number}", "position": 0,
        }  # fmt: skip
        setting_up.update(campaign=campaign, values={}, questions=[question])
        asked = campaign.questions.get(removed_at=None)
        ExtraAnswer.objects.create(participation=person, question=asked, value=number)
    (row, *_others) = rows.chunk(
        campaign, "people", rows.columns(campaign, "people", Choice())
    ).rows
    assert "before_1b" not in row  # free words
    assert [row["before_1" + number * "b"] for number in (0, 2, 3, 4)] == [0, 2, 3, 4]


def test_parquet_has_types_and_row_groups(campaign):
    pq = pytest.importorskip("pyarrow.parquet", reason="the extra 'parquet' is not installed")
    wanted = rows.columns(campaign, "tasks", Choice())
    file = io.BytesIO()
    chunk = rows.chunk(campaign, "tasks", wanted)
    rows.write_parquet(file, wanted, iter([chunk.rows, []]))
    file.seek(0)
    table = pq.read_table(file)
    assert table.num_rows == len(chunk.rows)
    assert str(table.schema.field("time_share").type) == "double"
    assert set(table.column("catalogue").to_pylist()) - {None} == {"onet"}


def test_the_page_explains_every_column_and_a_token_reads_the_rows(browser, stan, campaign, client):
    page = browser(stan)
    address = reverse("datasets:page", args=[campaign.pk])
    html = page.get(address).content.decode()
    for one in rows.columns(campaign, "tasks", Choice()):
        assert f"<code>{one.name}</code>" in html
    made = page.post(
        reverse("chat:tokens"), {"name": "Notebook", "scopes": [CAMPAIGNS], "days": "30"}
    )
    headers = {"Authorization": f"Bearer {made.context['text']}"}
    found = client.get(f"/api/campaigns/{campaign.pk}/tasks", headers=headers).json()
    assert len(found["rows"]) == WorkTask.objects.filter(response__campaign=campaign).count()
    assert found["next"] is None
    assert client.get("/api/campaigns", headers=headers).json()[0]["agreed"] == PEOPLE
    names = client.get(f"/api/campaigns/{campaign.pk}/dictionary", headers=headers).json()
    assert {name["table"] for name in names} == {"tasks", "people"}
    assert client.get(f"/api/campaigns/{campaign.pk}/insights", headers=headers).json() == {
        "madeAt": None, "report": None,
    }  # fmt: skip
    assert client.get(f"/api/campaigns/{campaign.pk}/secrets", headers=headers).status_code == 422
    page.post(reverse("chat:revoke_token", args=[AccessToken.objects.get().pk]))
    assert client.get("/api/campaigns", headers=headers).status_code == 401


def test_the_codebook_tells_of_every_column_what_the_files_hold(browser, stan, bob, campaign):
    address = reverse("datasets:codebook_csv", args=[campaign.pk])
    desk = browser(stan)
    listed = list(csv.DictReader(io.StringIO(desk.get(address).content.decode("utf-8-sig"))))
    for table in ("tasks", "people"):
        named = [row["Column"] for row in listed if row["Table"] == table]
        assert named == [column.name for column in rows.columns(campaign, table, Choice())]
    told = {row["Column"]: row for row in listed}
    assert told["time_share"]["Unit"] == "%"
    assert told["time_share"]["Allowed values"] == "0–100"
    assert told["time_share"]["Missing value"] == "The person did not set it."
    assert told["ai_level"]["Allowed values"] == "none; some; significant"
    assert told["submitted_at"]["Type"] == "moment"
    page = desk.get(reverse("datasets:page", args=[campaign.pk])).text
    assert f'href="{address}"' in page
    assert browser(bob).get(address).status_code == 404

    campaign.title = "Bake | [x](http://evil)\n# Head"
    campaign.save()
    answer = desk.get(reverse("datasets:codebook_md", args=[campaign.pk]), {"words": "1"})
    assert answer["Content-Disposition"].endswith('-codebook.md"')
    text = answer.content.decode()
    assert "| tasks | own_words |" in text
    assert "\n# Head" not in text
    assert "Second coding" not in text


def test_a_program_reads_only_people_of_whom_something_changed(client, stan, campaign):
    headers = token_of(stan)

    def people(table: str, since: datetime) -> set[str]:
        answer = client.get(
            f"/api/campaigns/{campaign.pk}/{table}", {"since": since.isoformat()}, headers=headers
        )
        return {row["person"] for row in answer.json()["rows"]}

    before = timezone.now()
    assert people("people", before) == set()
    assert len(people("people", before - timedelta(days=400))) == PEOPLE
    corrected, erased = campaign.participations.filter(submitted_at__isnull=False)[:2]
    change(corrected.response.tasks.first(), statement="Bakes bread")
    assert people("tasks", before) == {corrected.pseudonym}
    erase_participation(participation=erased)
    assert people("people", before) == {corrected.pseudonym, erased.pseudonym}
    now = timezone.now()
    assert people("people", now) == set()
    match = TaskMatch.objects.filter(task__response=corrected.response).first()
    SecondCoding.objects.create(match=match, second_user=stan)
    assert people("tasks", now) == {corrected.pseudonym}
    naive = client.get(f"/api/campaigns/{campaign.pk}/tasks?since=2026-11-29", headers=headers)
    assert (naive.status_code, naive.json()["error"]["field"]) == (422, "since")


def test_ids_of_conversations_are_refused_to_who_may_not_review(client, stan, campaign):
    headers, address = token_of(stan), f"/api/campaigns/{campaign.pk}/people?ids=true"
    assert "session_id" in client.get(address, headers=headers).json()["rows"][0]
    stan.groups.set([Group.objects.get(name=roles.CAMPAIGN_MANAGER)])
    assert client.get(address, headers=headers).status_code == 403


def test_a_program_sets_a_campaign_up_opens_it_and_deletes_what_somebody_told(
    client, stan, campaign, browser
):
    headers = token_of(stan, *RIGHTS)

    def ask(method: str, path: str = "", body: Any = None, key: str = "") -> Any:
        url = f"/api/campaigns{path}"
        kind, sent = "application/json", headers | ({"Idempotency-Key": key} if key else {})
        return getattr(client, method)(url, body or {}, content_type=kind, headers=sent)

    jobs = ["Nurse", "Head nurse"]
    values = {"title": "Wards", "jobTitles": jobs, "closesAt": "2040-01-01T09:00:00+01:00"}
    made = ask("post", body=values)
    assert (made.status_code, made.json()["status"]) == (201, "draft")
    keyed = [ask("post", body=values, key=key).json()["id"] for key in ("a", "a", "b")]
    assert (keyed[0], len({*keyed, made.json()["id"]})) == (keyed[1], 3)
    stored = Campaign.objects.get(pk=made.json()["id"])
    usual = CampaignForm.base_fields
    assert (stored.job_titles, stored.min_group) == (jobs, usual["min_group"].initial)
    assert (stored.created_by, stored.may_download) == (stan, True)
    assert stored.closes_at == datetime(2040, 1, 1, 8, tzinfo=UTC)
    path = f"/{stored.pk}"
    refused = ask("patch", path, {"status": "open"})
    assert (refused.status_code, refused.json()["error"]["field"]) == (400, "consent")
    assert ask("post", body={"title": "X", "graceHours": 9999}).json()["error"]["field"] == (
        "graceHours"
    )
    agreed = ask("post", body={"title": "Wards", "consent": "I agree."}).json()
    assert ask("patch", f"/{agreed['id']}", {"status": "open"}).json()["status"] == "open"
    assert browser(None).get(f"/s/{agreed['slug']}").status_code == 200
    assert ask("patch", f"/{agreed['id']}", {"status": "closed"}).json()["status"] == "closed"

    person = campaign.participations.first()
    gone = f"/{campaign.pk}/people/{person.pseudonym}"
    assert ask("delete", gone).status_code == 200
    person.refresh_from_db()
    assert (person.response_id, person.erased_by) == (None, "staff")
    assert Access.objects.filter(what="Data deleted on request").count() == 1
    assert ask("delete", gone).status_code == 404
    headers = token_of(stan, CAMPAIGNS)
    assert ask("post", body={"title": "X"}).status_code == 403
    headers = token_of(stan, *RIGHTS)
    stan.groups.set([Group.objects.get(name=roles.REVIEWER)])
    assert ask("delete", gone).status_code == 403


@pytest.mark.parametrize(
    ("how", "status"),
    [("none", 401), ("wrong", 401), ("expired", 401), ("inactive", 401), ("demoted", 403),
     ("of other scopes", 403)],
)  # fmt: skip
def test_a_token_opens_nothing_without_a_right(client, stan, db, how, status):
    others = [scope for scope in SCOPES if scope != CAMPAIGNS]
    headers = token_of(stan, *(others if how == "of other scopes" else [CAMPAIGNS]))
    if how == "expired":
        AccessToken.objects.update(expires_at=timezone.now() - timedelta(days=1))
    if how == "demoted":
        stan.groups.clear()
    if how == "inactive":
        stan.is_active = False
        stan.save()
    if how == "wrong":
        headers = {"Authorization": "Bearer x"}
    answer = client.get("/api/campaigns", headers={} if how == "none" else headers)
    assert answer.status_code == status


def test_only_staff_who_may_export_are_offered_the_scope(browser, stan, bob):
    address = reverse("chat:tokens")
    assert CAMPAIGNS in browser(stan).get(address).content.decode()
    assert CAMPAIGNS not in browser(bob).get(address).content.decode()


@pytest.mark.parametrize("what", ["dictionary", "insights", "tasks", "people"])
def test_an_unknown_campaign_is_404_with_a_token_and_401_without(client, stan, what):
    headers = token_of(stan)
    for unknown, status in ((uuid.uuid4(), 404), ("not-an-id", 422)):
        address = f"/api/campaigns/{unknown}/{what}"
        assert client.get(address, headers=headers).status_code == status
        assert client.get(address).status_code == 401
