"""What a participant walks through: welcome, consent, questions, talk, end; and every shut door."""

import re
from datetime import UTC, datetime, timedelta

import pytest
from django.test import Client
from django.utils import timezone

from chat.models import Participant
from futura import limits
from futura.limits import rates
from tasks.campaigns.actions import setting_up
from tasks.campaigns.models import Campaign, Participation
from tasks.models import SurveyResponse
from tests.tasks.campaigns.conftest import BEFORE, agree, send, talk


def test_a_person_goes_from_the_link_to_the_last_page(campaign, client):
    made = campaign(welcome="The works council asks.", closing="We report in May.")
    url = f"/s/{made.slug}"
    assert "The works council asks." in client.get(url).content.decode()
    assert client.post(url).headers["Location"] == f"{url}/consent"
    assert "I agree to be asked." in client.get(f"{url}/consent").content.decode()
    assert agree(client, made).headers["Location"] == f"{url}/questions/before"
    site = made.questions.get(place="before")
    unanswered = client.post(f"{url}/questions/before")
    assert unanswered.status_code == 422
    assert "An answer is required" in unanswered.content.decode()
    answered = client.post(f"{url}/questions/before", {f"q-{site.pk}": "South"})
    assert answered.headers["Location"] == f"{url}/job"
    begun = client.post(f"{url}/job", {"title": "Baker", "occupation": "none"})
    response = SurveyResponse.objects.get()
    assert begun.headers["Location"] == f"/survey/{response.pk}/chat"
    assert response.campaign == made
    assert client.get(begun.headers["Location"]).status_code == 200


def test_after_sending_come_the_last_questions_and_the_closing_words(campaign, client):
    made = campaign(closing="We report in May.")
    taken = talk(client, made)
    url = f"/s/{made.slug}"
    assert send(client, taken).headers["Location"] == url
    assert client.get(url).headers["Location"] == f"{url}/questions/after"
    mark = made.questions.get(place="after")
    assert client.post(f"{url}/questions/after", {f"q-{mark.pk}": "9"}).status_code == 422
    done = client.post(f"{url}/questions/after", {f"q-{mark.pk}": "4"})
    assert done.headers["Location"] == f"{url}/end"
    assert "We report in May." in client.get(f"{url}/end").content.decode()
    taken.refresh_from_db()
    assert taken.submitted_at
    assert taken.finished_at
    assert dict(taken.extra_answers.values_list("question__text", "value")) == {
        "Which site?": ["North"], "How was it?": 4,
    }  # fmt: skip


def test_answers_given_on_a_page_that_is_out_of_date_are_neither_lost_nor_kept_unseen(
    campaign, client
):
    made = campaign()
    agree(client, made)
    url = f"/s/{made.slug}/questions/before"

    def version() -> str:
        return re.search(r'name="version" value="(\d+)"', client.get(url).text)[1]

    asked = made.questions.get(place="before")
    sent = {f"q-{asked.pk}": "North", "version": version()}
    assert client.post(url, sent).status_code == 302
    assert client.post(url, sent).status_code == 302  # the same twice is no matter
    question = {"id": asked.pk, **BEFORE, "text": "Which site do you hate?"}
    setting_up.update(campaign=made, values={}, questions=[question])
    latest = client.post(url, sent)
    assert latest.status_code == 409
    assert "The questions have changed" in latest.text
    assert "Which site do you hate?" in latest.text
    assert latest.text.count('value="North" checked') == 1
    again = {f"q-{made.questions.get(removed_at=None).pk}": "North", "version": version()}
    assert client.post(url, again).status_code == 302


def test_what_is_told_on_a_second_page_of_the_start_stays_in_its_form(campaign, client):
    made = campaign(asked=False)
    agree(client, made)
    url, sent = f"/s/{made.slug}/job", {"title": "Baker", "occupation": "none"}
    assert client.post(url, {**sent, "initial_tasks": "I bake."}).status_code == 302
    assert client.post(url, {**sent, "initial_tasks": "I bake."}).status_code == 302
    other = client.post(url, {**sent, "initial_tasks": "I clean ovens."})
    assert other.status_code == 409
    assert "I clean ovens." in other.text
    assert f'href="/survey/{Participation.objects.get().response_id}/chat"' in other.text


def test_the_same_link_goes_on_where_the_person_was_and_nobody_elses(campaign, client):
    made = campaign()
    taken = talk(client, made)
    assert client.get(f"/s/{made.slug}").headers["Location"] == f"/survey/{taken.response_id}/chat"
    stranger = Client()
    assert stranger.get(f"/s/{made.slug}").status_code == 200
    for page in ("questions/before", "job", "end", "mine", "mine/data.json", "delete"):
        assert stranger.get(f"/s/{made.slug}/{page}").status_code == 404
    assert stranger.post(f"/s/{made.slug}/delete").status_code == 404


def test_nobody_takes_part_without_agreeing_to_the_words_they_read(campaign, client):
    made = campaign()
    url = f"/s/{made.slug}/consent"
    assert client.post(url, {"version": "1"}).status_code == 422
    setting_up.update(campaign=made, values={"consent": "Other words."}, questions=[])
    stale = client.post(url, {"agree": "yes", "version": "1"})
    assert stale.status_code == 409
    assert "Other words." in stale.content.decode()
    assert Participation.objects.count() == 0
    assert Participant.objects.count() == 0
    assert client.post(url, {"agree": "yes", "version": "2"}).status_code == 302
    consent = Participation.objects.get().consents.get()
    assert (consent.version, consent.text) == (2, "Other words.")


def test_only_the_job_titles_of_the_campaign_are_taken(campaign, client):
    made = campaign(job_titles=["Baker", "Head of bread"], asked=False)
    agree(client, made)
    url = f"/s/{made.slug}/job"
    assert "Head of bread" in client.get(url).content.decode()
    refused = client.post(url, {"title": "Pilot", "occupation": "none"})
    assert refused.status_code == 422
    assert "Select one of the job titles" in refused.content.decode()
    client.post(url, {"title": "head of  BREAD", "occupation": "none"})
    assert SurveyResponse.objects.get().job_title == "Head of bread"


def test_a_code_lets_in_as_many_as_it_says(campaign):
    made = campaign(access="codes", asked=False)
    single = setting_up.make_codes(campaign=made, count=1)[0]
    shared = setting_up.make_codes(campaign=made, count=1, max_uses=2)[0]

    def comes(code: str) -> str:
        client = Client()
        return client.post(f"/s/{made.slug}", {"code": code}).content.decode() or agreed(client)

    def agreed(client: Client) -> str:
        sent = {"agree": "yes", "version": "1"}
        return client.post(f"/s/{made.slug}/consent", sent).headers["Location"]

    assert "Enter your invitation code" in comes("")
    assert "does not exist" in comes("AAAAA-AAAAA")
    typed = f" {single.code.lower().replace('-', ' ')} "
    assert comes(typed) == f"/s/{made.slug}/job"
    assert "already used" in comes(single.code)
    assert [comes(shared.code) for _ in range(2)] == [f"/s/{made.slug}/job"] * 2
    assert "already used" in comes(shared.code)
    assert Client().post(f"/s/{made.slug}/consent", {"agree": "yes"}).status_code == 302
    assert Participation.objects.count() == 3


def test_a_code_that_was_taken_back_lets_nobody_in(campaign, client):
    made = campaign(access="codes")
    code = setting_up.make_codes(campaign=made, count=1)[0]
    client.post(f"/s/{made.slug}", {"code": code.code})
    setting_up.revoke_code(campaign=made, invitation_id=code.pk)
    late = client.post(f"/s/{made.slug}/consent", {"agree": "yes", "version": "1"})
    assert late.status_code == 422
    assert "no longer valid" in late.content.decode()
    assert Participant.objects.count() == 0


def test_guessing_codes_is_soon_over(campaign, client):
    made = campaign(access="codes")
    home = "203.0.113.7"
    for _ in range(limits.CODE.address[0].uses):
        rates.check(limits.CODE, address=home)
    late = client.post(f"/s/{made.slug}", {"code": "AAAAA-AAAAA"}, REMOTE_ADDR=home)
    assert late.status_code == 429
    assert "You can send again in" in late.content.decode()


@pytest.mark.parametrize(
    ("values", "told"),
    [
        ({"opens_at": timedelta(days=1)}, "opens on"),
        ({"closes_at": timedelta(hours=-1)}, "is closed"),
        ({"max_people": 0}, "is full"),
    ],
)
def test_shut_doors_say_why(campaign, client, values, told):
    made = campaign()
    now = timezone.now()
    moved = {k: now + v if isinstance(v, timedelta) else v for k, v in values.items()}
    Campaign.objects.filter(pk=made.pk).update(**moved)
    page = client.get(f"/s/{made.slug}")
    answer = client.post(f"/s/{made.slug}/consent", {"agree": "yes", "version": "1"})
    assert told in page.content.decode() + answer.content.decode()
    assert Participation.objects.count() == 0


def test_times_name_their_zone_where_nobody_knows_yet_what_the_reader_lives_by(campaign, client):
    made = campaign(language="de")
    opens = datetime(2030, 1, 31, 7, tzinfo=UTC)
    Campaign.objects.filter(pk=made.pk).update(opens_at=opens)
    assert "31. Januar 2030, 07:00 UTC" in client.get(f"/s/{made.slug}").text
    client.cookies["futura_zone"] = "Europe/Berlin"
    assert "31. Januar 2030, 08:00 CET" in client.get(f"/s/{made.slug}").text


def test_drafts_are_nowhere_for_participants(campaign, client):
    made = campaign(opened=False)
    assert client.get(f"/s/{made.slug}").status_code == 404
    assert client.get("/s/nothing-here").status_code == 404


def test_a_list_that_was_not_sent_in_time_is_shown_without_what_would_refuse(campaign, client):
    made = campaign(asked=False)
    taken = talk(client, made)
    lists = f"/survey/{taken.response_id}/tasks"
    assert "Balance time" in client.get(lists).text
    Campaign.objects.update(status="closed", closed_at=timezone.now() - timedelta(hours=25))
    page = client.get(lists).text
    assert "This survey is closed" in page
    assert "Bake secret 0" in page
    doors = ("/rate", "/edit", "/delete", "/balance", "/add", "/match", "/undo", "/move")
    assert [door for door in doors if f'{door}"' in page] == []
    assert f'href="/s/{made.slug}/mine"' in page
    task = taken.response.tasks.first()
    rated = client.post(f"{lists}/{task.pk}/rate", {"time_share": "10", "version": task.version})
    assert rated.status_code == 409
    assert "is closed" in rated.text
    mine = client.get(f"/s/{made.slug}/mine").text
    assert f'href="{lists}"' in mine
    assert "Continue where you left off" not in mine
    assert client.get(f"/survey/{taken.response_id}/complete").text.count("was not submitted") == 1


def test_no_list_is_written_of_a_conversation_in_the_bin(campaign, client):
    made = campaign(asked=False)
    taken = talk(client, made, tasks=0)
    client.post(f"/conversations/{taken.response_id}/delete")
    setting_up.close(campaign=made)
    Campaign.objects.update(closed_at=timezone.now() - timedelta(hours=25))
    assert setting_up.wrap_up() == 0
    client.post(f"/conversations/{taken.response_id}/restore")
    assert setting_up.wrap_up() == 1


def test_closing_early_leaves_time_to_finish_and_loses_nothing(campaign, client, drain):
    made = campaign(asked=False)
    taken = talk(client, made, tasks=0)
    setting_up.close(campaign=made)
    assert Client().get(f"/s/{made.slug}").status_code == 200
    say = f"/chat/{taken.response_id}/messages"
    chat = f"/survey/{taken.response_id}/chat"
    assert "is closed" not in client.get(chat).content.decode()
    Campaign.objects.update(closed_at=timezone.now() - timedelta(hours=25))
    page = client.get(chat).content.decode()
    assert "answers so far are saved" in page
    assert "secret bread" in page
    assert setting_up.wrap_up() == 1
    assert setting_up.wrap_up() == 0
    drain()
    assert taken.response.tasks.count() > 0
    sent = send(client, taken)
    assert sent.status_code == 409
    assert "is closed" in sent.content.decode()
    assert client.post(say, {"text": "More."}).status_code in {404, 409}
    setting_up.open_now(campaign=made, again=True)
    assert send(client, taken).status_code == 302
