"""What a participant sees, takes along and deletes; what time deletes; what stays of it."""

import json
from datetime import timedelta

from django.contrib.auth.models import Group, User
from django.test import Client
from django.utils import timezone

from chat.actions.participants import delete_account
from chat.events.log import redis, stream_key
from chat.models import Message, Session
from chat.operations.models import Operation, OperationPayload
from chat.staff.models import Access
from futura.llm.models import ModelCall
from futura.roles import CAMPAIGN_MANAGER
from tasks.campaigns.actions import joining, setting_up
from tasks.campaigns.models import Campaign, Consent, ExtraAnswer, Participation
from tasks.insights import stored_reports
from tasks.insights.forms import Selection
from tasks.insights.models import Insight
from tasks.models import WorkTask
from tests.tasks.campaigns.conftest import agree, send, talk


def called_for(taken: Participation) -> None:
    ModelCall.objects.create(
        created_at=timezone.now(), session_id=taken.response_id, stage="response", attempt=1,
        wire="responses", model_asked="m", latency_ms=1, outcome="ok", error="secret",
    )  # fmt: skip


def assert_nothing_told_is_left(taken: Participation, *, has_calls: bool = True) -> None:
    assert not Session.objects.filter(pk=taken.response_id).exists()
    assert Message.objects.count() == WorkTask.objects.count() == ExtraAnswer.objects.count() == 0
    assert Operation.objects.exists()  # which counts, without words
    payloads = OperationPayload.objects.values_list("requested", "before", "after")
    assert "secret" not in json.dumps(list(payloads))
    if not has_calls:
        return
    call = ModelCall.objects.get()
    assert (call.session_id, call.run_id, call.error) == (None, None, "")


def test_your_data_shows_and_hands_out_everything(campaign, client):
    made = campaign(welcome="Hello.")
    taken = talk(client, made)
    page = client.get(f"/s/{made.slug}/mine").content.decode()
    for words in ("P-0001", "Bake secret 0", "North", "I agree to be asked.", "Baker"):
        assert words in page
    data = json.loads(client.get(f"/s/{made.slug}/mine/data.json").content)
    assert data["consents"][0]["version"] == 1
    assert data["answers"] == [{"question": "Which site?", "answer": ["North"]}]
    assert "I bake secret bread." in [message["text"] for message in data["messages"]]
    assert [task["normalizedDescription"] for task in data["list"]["tasks"]]
    assert taken.pseudonym == "P-0001"


def test_staff_delete_what_somebody_told_who_cannot_do_it_any_more(campaign, client, browser, stan):
    made = campaign()
    taken, staff = talk(client, made), browser(stan)
    address = f"/staff/campaigns/{made.pk}/erase"
    assert f'action="{address}"' in staff.get(f"/staff/campaigns/{made.pk}").text
    assert "Delete the data of P-0001?" in staff.get(f"{address}?who=p-0001").text
    assert Session.objects.filter(pk=taken.response_id).exists()
    page = staff.post(f"{address}?who=P-0001", follow=True).text
    assert "The data of P-0001 was deleted." in page
    assert "deleted on request" in page
    assert_nothing_told_is_left(taken, has_calls=False)
    for who in ("P-0001", "P-0009", "me", ""):
        again = staff.post(f"{address}?who={who}", follow=True)
        assert "Nobody here has this pseudonym" in again.text
    (logged,) = Access.objects.filter(kind=Access.Kind.CHANGE)
    assert logged.about == {"campaign": made.title, "participant": "P-0001"}


def test_what_was_promised_stays_with_the_consent_when_settings_change(campaign, client):
    made = campaign(language="de", asked=False, retention_days=30, min_group=7)
    url, late = f"/s/{made.slug}", Client()
    agree(client, made)
    late.post(url)
    setting_up.update(campaign=made, values={"retention_days": None, "min_group": 2}, questions=[])
    refused = late.post(f"{url}/consent", {"agree": "yes", "version": made.consent_version})
    assert refused.status_code == 409  # what they read is not what holds
    (consent,) = client.get(f"{url}/mine/data.json").json()["consents"]
    page = client.get(f"{url}/mine").text
    for promise in ("30 Tage nach", "ab 7 Personen"):
        assert promise in " ".join(consent["promises"])
        assert promise in page
    assert "ab 2 Personen" in page  # and what holds now


def test_your_data_says_who_took_it_out_since(campaign, client, browser, stan):
    made = campaign(asked=False)
    files = f"/staff/campaigns/{made.pk}/data/tasks"
    browser(stan).get(f"{files}.csv?words=1")
    talk(client, made)
    mine = f"/s/{made.slug}/mine"
    assert "No staff member has read it yet" in client.get(mine).content.decode()
    browser(stan).get(f"{files}.jsonl?words=1")
    page = client.get(mine).content.decode()
    assert page.count("export of this survey’s data") == 1
    assert stan.username in page
    assert "No staff member has read it yet" not in page


def test_deleting_leaves_counts_and_no_word(campaign, client):
    made = campaign()
    taken = talk(client, made)
    called_for(taken)
    send(client, taken)
    assert client.get(f"/s/{made.slug}/delete").status_code == 200
    assert client.post(f"/s/{made.slug}/delete").status_code == 302
    assert_nothing_told_is_left(taken)
    kept = Participation.objects.get()
    assert (kept.participant, kept.response, kept.invitation) == (None, None, None)
    assert (kept.task_count, kept.turn_count, kept.erased_by) == (2, 1, "person")
    assert kept.submitted_at
    assert Consent.objects.get().version == 1
    assert client.get(f"/s/{made.slug}").status_code == 200  # and could begin anew
    assert client.get(f"/s/{made.slug}/mine").status_code == 404


def test_what_is_deleted_leaves_the_stored_insights_though_nobody_looks(campaign, client):
    made = campaign(asked=False)
    talk(client, made)
    stored_reports.count(stored_reports.want(made, Selection()).pk)
    assert Insight.objects.get().report["tasks"] == 2
    Insight.objects.update(asked_at=timezone.now() - timedelta(days=30))
    client.post(f"/s/{made.slug}/delete")
    stored_reports.count(Insight.objects.get(wanted_at__isnull=False).pk)
    report = Insight.objects.get().report
    assert (report["people"], report["tasks"], report["occupations"]) == (1, 0, [])


def test_deleting_the_talk_elsewhere_counts_just_so(campaign, client):
    made = campaign(asked=False)
    taken = talk(client, made)
    assert client.post(f"/survey/{taken.response_id}/delete").status_code == 302
    kept = Participation.objects.get()
    assert kept.erased_at
    assert kept.task_count == 2


def test_what_was_told_is_deleted_when_its_time_is_over(campaign, client):
    made = campaign(retention_days=30)
    taken = talk(client, made)
    called_for(taken)
    setting_up.close(campaign=made)
    assert joining.purge_expired(now=timezone.now() + timedelta(days=30)) == 0
    assert joining.purge_expired(now=timezone.now() + timedelta(days=31, minutes=1)) == 1
    assert joining.purge_expired(now=timezone.now() + timedelta(days=32)) == 0
    assert_nothing_told_is_left(taken)
    assert Participation.objects.get().erased_by == "retention"


def test_without_an_end_the_time_runs_from_sending(campaign, client):
    made = campaign(retention_days=10, asked=False)
    taken = talk(client, made)
    send(client, taken)
    Participation.objects.update(submitted_at=timezone.now() - timedelta(days=9))
    assert joining.purge_expired() == 0
    Participation.objects.update(submitted_at=timezone.now() - timedelta(days=10, minutes=1))
    assert joining.purge_expired() == 1


def test_lists_are_handed_out_only_where_the_campaign_does(campaign, client):
    made = campaign(asked=False, may_download=False)
    taken = talk(client, made)
    complete = f"/survey/{taken.response_id}/complete"
    page = client.get(complete).content.decode()
    assert "tasks.csv" not in page
    assert client.get(f"{complete}/tasks.csv").status_code == 403
    assert client.get(f"{complete}/tasks.json").status_code == 403
    Campaign.objects.update(may_download=True)
    assert client.get(f"{complete}/tasks.csv").status_code == 200


def test_the_page_says_what_happens_to_the_words(campaign, client, scripted):
    made = campaign(masks=True, retention_days=7, min_group=9)
    page = client.get(f"/s/{made.slug}/consent").content.decode()
    for words in ("Not masked are", "deleted 7 days after", "groups of 9 people", "language model"):
        assert words in page
    Campaign.objects.update(masks=False, retention_days=None)
    page = client.get(f"/s/{made.slug}/consent").content.decode()
    assert "Nothing in it is masked" in page
    assert "kept until you delete it" in page


def test_without_a_model_nobody_is_promised_that_there_will_be_none(campaign, client):
    page = client.get(f"/s/{campaign(masks=True).slug}/consent").content.decode()
    for words in ("your text does not leave it", "is set up later", "Not masked are"):
        assert words in page


def test_an_account_takes_its_participations_along(campaign, alice, browser):
    client, made, other = browser(alice), campaign(), campaign()
    taken = talk(client, made)
    agree(client, other)
    site = other.questions.get(place="before")
    client.post(f"/s/{other.slug}/questions/before", {f"q-{site.pk}": "South"})
    delete_account(user_id=alice.pk, typed="alice@example.org")
    left = Participation.objects.order_by("created_at")
    assert [(item.participant, item.response, item.erased_by) for item in left] == [
        (None, None, "person")
    ] * 2
    assert left[0].task_count == 2
    assert_nothing_told_is_left(taken, has_calls=False)


def test_who_comes_after_the_end_finds_their_own_data(campaign, client):
    made = campaign(asked=False)
    agree(client, made)
    setting_up.close(campaign=made)
    assert client.get(f"/s/{made.slug}").headers["Location"] == f"/s/{made.slug}/job"
    Campaign.objects.update(grace_hours=0)
    assert client.get(f"/s/{made.slug}").headers["Location"] == f"/s/{made.slug}/mine"
    assert "not started" in client.get(f"/s/{made.slug}/mine").content.decode()


def test_who_read_the_talk_stands_among_your_data(campaign, client, stan, browser):
    made = campaign(asked=False)
    taken = talk(client, made)
    assert "No staff member" in client.get(f"/s/{made.slug}/mine").content.decode()
    assert browser(stan).get(f"/staff/sessions/{taken.response_id}").status_code == 200
    assert "stan, on " in client.get(f"/s/{made.slug}/mine").content.decode()


def test_the_log_of_events_goes_with_the_talk(campaign, client, drain):
    made = campaign(asked=False)
    taken = talk(client, made)
    drain()
    assert redis().exists(stream_key(taken.response_id))
    client.post(f"/s/{made.slug}/delete")
    drain()
    assert not redis().exists(stream_key(taken.response_id))


def test_who_may_not_read_talks_sees_no_job_beside_a_number(campaign, client, browser, db):
    made = campaign(asked=False)
    talk(client, made)
    mona = User.objects.create_user("mona", is_staff=True)
    mona.groups.add(Group.objects.get(name=CAMPAIGN_MANAGER))
    page = browser(mona).get(f"/staff/campaigns/{made.pk}").content.decode()
    assert "P-0001" in page
    assert "Baker" not in page
    assert "/staff/sessions/" not in page
