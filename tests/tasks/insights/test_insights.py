"""Insights of a campaign as staff see them: invented, counted, kept, counted anew, taken out."""

from __future__ import annotations

import csv
import io
from dataclasses import replace
from datetime import timedelta
from itertools import pairwise

import pytest
from django.contrib.auth.models import Group, User
from django.core.management import CommandError, call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from chat.actions import delete_session
from chat.commands.tokens import CAMPAIGNS, create_token
from chat.identity import Identity
from chat.operations.replay import differences
from chat.staff.models import Access, Review
from futura import roles
from futura.errors import BadInput
from onet.candidates import ActivityGroup, Candidate
from onet.models import StatementScore
from tasks.campaigns.models import Campaign, Participation
from tasks.insights import stored_reports
from tasks.insights.forms import Selection
from tasks.insights.models import Insight
from tasks.models import SurveyResponse, TaskMatch, WorkTask
from tasks.simulation.invented import Job, fill, invented_campaign
from tests.lasting import lasting
from tests.tasks.catalogues import store_catalogue

PEOPLE = 14
GROUPS = list(ActivityGroup)
JOBS = [
    Job(
        f"11-{number}000.00",
        f"Maker of thing {number}",
        [
            Candidate(
                *(f"{number}{place}", f"Make part {place} of thing {number}, with care."),
                *(f"11-{number}000.00", f"Maker of thing {number}", "Core"),
                groups=(GROUPS[place % 4],),
                activity_ids=(f"4.A.{place % 4 + 1}.a.1",),
            )
            for place in range(10)
        ],
    )
    for number in range(1, 5)
]
STARTER_JOBS = [
    replace(
        job,
        statements=[
            replace(statement, task_id=f"S-{statement.task_id}") for statement in job.statements
        ],
    )
    for job in JOBS
]


@pytest.fixture(scope="module")
def _filled(django_db_setup, django_db_blocker):
    def make() -> Campaign:
        made = invented_campaign("Try it")
        Campaign.objects.filter(pk=made.pk).update(min_group=3)
        made.refresh_from_db()
        store_catalogue(JOBS)
        fill(made, PEOPLE, seed=3, jobs=JOBS)
        return made

    with lasting(django_db_blocker, make) as made:
        yield made


@pytest.fixture
def campaign(_filled, db) -> Campaign:
    return Campaign.objects.get(pk=_filled.pk)


@pytest.fixture
def page(browser, stan, campaign):
    """Opens the page of insights as staff."""

    def get(query: str = "", **more):
        address = reverse("insights:page", args=[campaign.pk])
        return browser(stan).get(f"{address}{query}", **more)

    return get


def counted(campaign: Campaign, selection: Selection | None = None) -> Insight:
    stored_reports.count(stored_reports.want(campaign, selection or Selection()).pk)
    found = stored_reports.find(campaign, selection or Selection())
    assert found is not None
    return found


@pytest.mark.thorough
def test_invented_people_are_marked_and_the_same_for_the_same_seed(campaign):
    assert campaign.is_invented
    assert campaign.phase == Campaign.Phase.CLOSED
    assert set(campaign.participations.values_list("is_invented", flat=True)) == {True}
    again = invented_campaign("Try it again")
    fill(again, PEOPLE, seed=3, jobs=JOBS)
    for one in (campaign, again):
        assert one.participations.count() == PEOPLE
    told = [
        list(
            WorkTask.objects.filter(response__campaign=item)
            .order_by("quote", "time_share")
            .values_list("quote", "time_share", "ai_level")
        )
        for item in (campaign, again)
    ]
    assert told[0] == told[1]
    assert not list(differences())


def test_invented_people_never_go_where_real_ones_are(db):
    real = Campaign.objects.create(slug="real", title="Real")
    with pytest.raises(BadInput):
        fill(real, 3, seed=1)
    with pytest.raises(CommandError):
        call_command("simulate", campaign="real", people=3)
    assert not Participation.objects.filter(campaign=real).exists()


def test_who_chose_from_the_campaigns_own_job_titles_is_told_apart_by_them(page, campaign):
    titles = ["Pflegefachkraft", "Verwaltungsangestellte"]
    Campaign.objects.filter(pk=campaign.pk).update(job_titles=titles)
    campaign.refresh_from_db()
    for place, response in enumerate(SurveyResponse.objects.filter(campaign=campaign)):
        response.job_title = titles[place % 2]
        response.occupation_code = response.occupation_title = ""
        response.save()
    counted(campaign)
    chosen = counted(campaign, Selection(occupation=titles[0]))
    assert f'<option value="{titles[1]}"' in page().content.decode()
    report = stored_reports.report_in(chosen)
    assert [(job.name, job.people) for job in report.occupations] == [(titles[0], PEOPLE // 2)]


def test_a_page_that_was_never_counted_says_so_and_has_it_counted(page, campaign, browser, stan):
    first = page().content.decode()
    assert "Calculating" in first
    assert 'hx-trigger="load, submit"' in first
    sent = browser(stan).post(reverse("insights:count", args=[campaign.pk]))
    assert sent.status_code == 302
    assert "every 1500ms" in page().content.decode()
    stored_reports.count(stored_reports.find(campaign, Selection()).pk)
    html = page().content.decode()
    assert "Progress of participants" in html
    assert "Kinds of work" in html
    assert "every 1500ms" not in html
    assert "Simulated participants" in html


def test_the_sums_are_those_of_the_rows(campaign):
    report = counted(campaign).report
    tasks = WorkTask.objects.filter(response__campaign=campaign)
    assert report["people"] == PEOPLE
    assert report["tasks"] == tasks.count()
    sent = SurveyResponse.objects.filter(campaign=campaign, submitted_at__isnull=False)
    assert report["rated"] == sent.count()
    assert {item["name"]: item["people"] for item in report["funnel"]}["sent"] == sent.count()
    for kind in ("groups", "activities", "statements", "occupations"):
        assert sum(item["share"] for item in report[kind]) == pytest.approx(100)


def test_narrowing_leaves_the_others_out_and_hides_what_is_too_small(page, campaign):
    report = counted(campaign).report
    jobs = sorted(report["occupations"], key=lambda occupation: occupation["people"])
    large, small = jobs[-1], jobs[0]
    assert small["people"] < campaign.min_group <= large["people"]
    counted(campaign, Selection(occupation=large["key"]))
    shown = page(f"?occupation={large['key']}").content.decode()
    assert "others" in shown
    assert "Kinds of work" in shown
    counted(campaign, Selection(occupation=small["key"]))
    hidden = page(f"?occupation={small['key']}").content.decode()
    assert "Too few participants" in hidden
    assert "Kinds of work" not in hidden
    table = reverse("insights:table", args=[campaign.pk])
    assert page(f"?occupation={small['key']}").context["has_group"] is False
    assert b"," not in page().client.get(f"{table}?occupation={small['key']}").content[:9]


def test_figures_of_a_few_among_many_are_on_no_page_table_or_api(
    page, campaign, browser, client, stan
):
    tasks = WorkTask.objects.filter(response__campaign=campaign)
    StatementScore.objects.bulk_create(
        StatementScore(name="exposure", task_id=pk, value=0.5)
        for pk in set(tasks.values_list("match__onet_task_id", flat=True)) - {None, ""}
    )
    last = tasks.filter(time_share__gt=0).first().response_id
    tasks.exclude(response=last).update(time_share=None)
    campaign.participations.exclude(response=last).update(submitted_at=None)
    assert counted(campaign).report["exposures"]
    html = page().content.decode()
    assert "Kinds of work" in html
    assert "Times are not shown: fewer than 3 people" in html
    assert "Statement scores" not in html
    assert "middle half" not in html
    assert '<option value="11-' in html  # of enough people, whoever of them set shares
    answer = browser(stan).get(reverse("insights:table", args=[campaign.pk]))
    table = list(csv.DictReader(io.StringIO(answer.content.decode("utf-8-sig"))))
    assert {row["Percent of time"] for row in table} == {""}
    _token, text = create_token(user_id=stan.pk, name="Notebook", scopes=[CAMPAIGNS], days=30)
    headers = {"Authorization": f"Bearer {text}"}
    told = client.get(f"/api/campaigns/{campaign.pk}/insights", headers=headers).json()["report"]
    assert (told["minutes"], told["exposures"]) == (None, [])
    assert {line["share"] for line in told["groups"]} == {0.0}


def test_no_share_of_time_comes_from_fewer_people_than_the_smallest_group(
    campaign, browser, client, stan
):
    tasks = WorkTask.objects.filter(response__campaign=campaign)
    job = max(counted(campaign).report["occupations"], key=lambda line: line["people"])["key"]
    bakers = tasks.filter(response__occupation_code=job)
    bakers.exclude(response=bakers.filter(time_share__gt=0).first().response_id).update(
        time_share=None
    )
    counted(campaign)
    answer = browser(stan).get(reverse("insights:table", args=[campaign.pk]))
    table = list(csv.DictReader(io.StringIO(answer.content.decode("utf-8-sig"))))
    assert job not in {row["Key"] for row in table}
    assert len({row["Table"] for row in table}) > 1
    _token, text = create_token(user_id=stan.pk, name="Notebook", scopes=[CAMPAIGNS], days=30)
    headers = {"Authorization": f"Bearer {text}"}
    report = client.get(f"/api/campaigns/{campaign.pk}/insights", headers=headers).json()["report"]
    assert job not in {line["key"] for line in report["occupations"]}
    assert all(line["rated"] >= campaign.min_group for line in report["groups"])


def test_two_neighbouring_days_never_differ_by_fewer_people_than_the_smallest_group(page, campaign):
    now = timezone.now()
    today = timezone.localdate(now)
    for place, person in enumerate(campaign.participations.order_by("number")):
        at = now - timedelta(days=PEOPLE - place)
        campaign.participations.filter(pk=person.pk).update(created_at=at)
    client, there = page().client, reverse("insights:count", args=[campaign.pk])
    for name, days in (("until", (4, 6)), ("since", (3, 5))):
        shown, moved = {PEOPLE}, 0
        for day in days:
            query = f"?{name}={today - timedelta(days=PEOPLE - day)}"
            client.post(f"{there}{query}")
            stored_reports.count(Insight.objects.get(wanted_at__isnull=False).pk)
            answer = client.get(reverse("insights:page", args=[campaign.pk]) + query)
            assert answer.context["has_group"], query
            shown.add(answer.context["report"].people)
            moved += "The dates were moved" in answer.text
        assert (len(shown), moved > 0) == (3, True)
        assert min(more - few for few, more in pairwise(sorted(shown))) >= campaign.min_group


def test_a_day_nobody_came_and_days_in_the_wrong_order_are_told(page, campaign):
    counted(campaign, Selection(until=timezone.localdate() - timedelta(days=900)))
    day = (timezone.localdate() - timedelta(days=900)).isoformat()
    assert "No participants match this selection" in page(f"?until={day}").content.decode()
    assert "is before" in page("?since=2026-02-02&until=2026-01-01").content.decode()
    assert page("?since=nonsense&occupation=%00%3Cb%3E&tag=x").status_code == 200


def test_what_changed_is_counted_anew_by_the_clock_and_what_did_not_is_not(campaign):
    def kept() -> Insight:
        found = stored_reports.find(campaign, Selection())
        assert found is not None
        return found

    insight = counted(campaign)
    stored_reports.refresh()
    assert kept().wanted_at is None
    campaign.participations.update(erased_at=timezone.now())
    stored_reports.refresh()
    assert kept().wanted_at is not None
    assert kept().report is not None  # shown until the new one is there
    stored_reports.count(insight.pk)
    report = kept().report
    assert report["tasks"] == 0
    assert report["people"] == PEOPLE


def test_a_conversation_in_the_bin_is_counted_in_no_sum(campaign):
    before = counted(campaign)
    response = SurveyResponse.objects.filter(campaign=campaign, tasks__isnull=False).first()
    listed = response.tasks.filter(deleted_at=None).count()
    owner = Identity(cookie_participant_id=response.session.participant_id)
    delete_session(identity=owner, session_id=response.pk)
    stored_reports.refresh()
    before.refresh_from_db()
    assert before.wanted_at is not None
    assert counted(campaign).report["tasks"] == before.report["tasks"] - listed


def test_only_who_may_read_the_talks_selects_people_by_a_tag(campaign, browser, alice, stan):
    counted(campaign)
    address = reverse("insights:page", args=[campaign.pk])
    Review.objects.filter(group_id=campaign.pk).update(tags=["odd"])
    assert 'name="tag"' in browser(stan).get(address).text
    alice.is_staff = True
    alice.save()
    alice.groups.add(Group.objects.get(name=roles.CAMPAIGN_MANAGER))
    manager = browser(alice).get(f"{address}?tag=odd")
    assert 'name="tag"' not in manager.text
    assert manager.context["is_narrowed"] is False


def test_what_is_under_nothing_is_named_for_what_it_lacks(page, campaign):
    SurveyResponse.objects.filter(campaign=campaign).update(occupation_code="")
    tasks = WorkTask.objects.filter(response__campaign=campaign)
    TaskMatch.objects.filter(task__in=tasks).update(status=TaskMatch.Status.NONE)
    tasks.update(activity_ids=[], group="")
    counted(campaign)
    html = page().content.decode()
    for words in ("No group", "No activity", "No match", "No occupation"):
        assert html.count(f">{words}<") == 1


def test_a_selection_nobody_looks_at_is_forgotten(campaign):
    old = counted(campaign, Selection(tag="odd"))
    Insight.objects.filter(pk=old.pk).update(asked_at=timezone.now() - timedelta(days=20))
    stored_reports.refresh()
    assert not Insight.objects.filter(pk=old.pk).exists()


def test_the_table_holds_what_the_page_shows_and_its_taking_is_noted(page, campaign, stan):
    counted(campaign)
    client = page().client
    answer = client.get(reverse("insights:table", args=[campaign.pk]))
    rows = list(csv.reader(io.StringIO(answer.content.decode("utf-8-sig"))))
    assert rows[0][:4] == ["Table", "Key", "Catalogue", "Name"]
    assert {row[2] for row in rows[1:] if row[0].startswith("Tasks as")} <= {"onet", ""}
    assert all(int(row[5]) >= campaign.min_group for row in rows[1:])
    noted = Access.objects.get(kind=Access.Kind.EXPORT)
    assert noted.user_id == stan.pk


def test_statements_of_the_starter_catalogue_are_marked_on_page_table_and_api(
    browser, client, stan, db
):
    made = invented_campaign("Our own words")
    Campaign.objects.filter(pk=made.pk).update(min_group=1)
    store_catalogue(STARTER_JOBS)
    fill(made, 5, seed=3, jobs=STARTER_JOBS)
    counted(made)
    html = browser(stan).get(reverse("insights:page", args=[made.pk])).content.decode()
    section = html.partition('id="statements"')[2].partition("</section>")[0]
    assert "Starter catalogue" in section
    assert "their ids are not O*NET ids" in section
    answer = browser(stan).get(reverse("insights:table", args=[made.pk]))
    rows = list(csv.DictReader(io.StringIO(answer.content.decode("utf-8-sig"))))
    for row in rows:
        assert row["Catalogue"] == ("starter" if row["Key"].startswith("S-") else "")
    assert "starter" in {row["Catalogue"] for row in rows}
    _token, text = create_token(user_id=stan.pk, name="Notebook", scopes=[CAMPAIGNS], days=30)
    headers = {"Authorization": f"Bearer {text}"}
    told = client.get(f"/api/campaigns/{made.pk}/insights", headers=headers).json()["report"]
    assert {line["catalogue"] for line in told["statements"] if line["key"]} == {"starter"}
    assert {line["catalogue"] for line in told["groups"]} == {None}


@pytest.mark.parametrize(("sent", "of", "words"), [(23, 30, "77 %"), (1, 8, "13 %")])
def test_one_share_is_the_same_percent_on_every_page(browser, stan, db, sent, of, words):
    made = Campaign.objects.create(slug="shares", title="Shares", min_group=1, status="open")
    now = timezone.now()
    Participation.objects.bulk_create(
        Participation(
            campaign=made,
            number=number,
            started_at=now,
            submitted_at=now if number <= sent else None,
        )
        for number in range(1, of + 1)
    )
    counted(made)
    staff = browser(stan)
    for address in (
        reverse("campaigns:list"),
        reverse("campaigns:campaign", args=[made.pk]),
        reverse("insights:page", args=[made.pk]),
    ):
        text = staff.get(address).content.decode()
        assert words in text, address
        for other in ("76 %", "78 %", "12 %", "14 %"):
            assert other not in text, address


def test_imported_scores_stand_beside_the_statements(page, campaign, tmp_path, capsys):
    matched = TaskMatch.objects.filter(task__response__campaign=campaign, status="matched")
    ids = sorted({item.onet_task_id for item in matched})
    file = tmp_path / "scores.csv"
    lines = ["statement id,score,value", *(f"{item},exposure,0.5" for item in ids), "zz,exposure,1"]
    file.write_text("\n".join(lines))
    call_command("onet_scores", str(file))
    assert f"{len(ids)} statements stand in the active catalogue, 1 do not" in (
        capsys.readouterr().out
    )
    counted(campaign)
    html = page().content.decode()
    assert "Statement scores" in html
    file.write_text("1,exposure,much\n2,exposure\n")
    with pytest.raises(CommandError, match="line 1"):
        call_command("onet_scores", str(file))
    assert StatementScore.objects.count() == len(ids) + 1


@pytest.mark.thorough
def test_the_page_costs_the_same_queries_however_many_took_part(page, campaign):
    def queries() -> int:
        counted(campaign)
        with CaptureQueriesContext(
            connection,
        ) as seen:
            assert page().status_code == 200
        return len(seen)

    page()
    few = queries()
    store_catalogue(JOBS)
    fill(campaign, PEOPLE, seed=4, jobs=JOBS)
    assert queries() == few


def test_a_reviewer_comes_to_the_insights_of_a_campaign_from_its_review(browser, alice, campaign):
    alice.is_staff = True
    alice.save()
    alice.groups.add(Group.objects.get(name=roles.REVIEWER))
    address = reverse("insights:page", args=[campaign.pk])
    reviewer = browser(alice)
    assert f'href="{address}"' in reviewer.get(f"/staff/sessions?group={campaign.pk}").text
    assert reviewer.get(address).status_code == 200
    Group.objects.get(name=roles.REVIEWER).permissions.get(codename="insights").group_set.clear()
    alice = User.objects.get(pk=alice.pk)  # without the rights it remembers
    assert address not in browser(alice).get(f"/staff/sessions?group={campaign.pk}").text
