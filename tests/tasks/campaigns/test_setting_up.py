"""What staff do with campaigns: set up, look, invite, open, close, copy, watch."""

import csv
import io
import re
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import Permission
from django.db import connection
from django.test import Client
from django.utils import timezone

from chat.models import Message
from chat.staff.models import Access
from tasks.campaigns.actions import setting_up
from tasks.campaigns.models import Campaign, ExtraQuestion, Participation
from tasks.models import SurveyResponse
from tests.tasks.campaigns.conftest import agree, send, talk

FORM = {
    "title": "How we work", "language": "en", "welcome": "Hello.", "consent": "I agree.",
    "closing": "Thanks.", "opens_at": "2027-03-01T08:00", "closes_at": "2027-04-01T18:00",
    "grace_hours": "48", "access": "codes", "max_people": "", "job_titles": "Baker\n\nBaker\nCook",
    "may_download": "on", "retention_days": "90", "masks": "on", "known_names": "Globex",
    "min_group": "7", "has_second_review": "on", "questions": "2",
    "q0-text": "Which site?", "q0-place": "before", "q0-kind": "choice",
    "q0-options": "North\nSouth", "q0-is_required": "on",
    "q1-text": "How was it?", "q1-place": "after", "q1-kind": "scale", "q1-scale_low": "0",
    "q1-scale_high": "10", "q1-low_label": "bad", "q1-high_label": "good",
}  # fmt: skip


@pytest.fixture
def staff(stan, browser) -> Client:
    return browser(stan)


def test_a_campaign_is_set_up_as_typed_and_shown_again_so(staff):
    made = staff.post("/staff/campaigns/new", FORM)
    campaign = Campaign.objects.get()
    assert made.headers["Location"] == f"/staff/campaigns/{campaign.pk}"
    assert campaign.job_titles == ["Baker", "Cook"]
    assert (campaign.masks, campaign.min_group, campaign.retention_days) == (True, 7, 90)
    asked = list(campaign.questions.order_by("position").values_list("text", "kind", "options"))
    assert asked == [("Which site?", "choice", ["North", "South"]), ("How was it?", "scale", [])]
    page = staff.get(f"/staff/campaigns/{campaign.pk}/edit").content.decode()
    for words in ("2027-03-01T08:00", "Which site?", "Baker\nCook", 'value="10"', "Globex"):
        assert words in page


def test_a_new_campaign_speaks_the_language_of_who_sets_it_up(staff):
    page = staff.get("/staff/campaigns/new", headers={"Accept-Language": "de"}).content.decode()
    assert re.search(r'<option value="de"\s+selected', page)


def test_a_title_ends_the_directions_that_it_begins(staff):
    staff.post("/staff/campaigns/new", FORM | {"title": "How \u202ewe work"})
    assert Campaign.objects.get().title == "How \u202ewe work\u202c"


def test_nothing_typed_is_lost_on_bad_input(staff):
    bad = FORM | {"closes_at": "2027-01-01T08:00", "q0-options": "North", "min_group": "0"}
    answer = staff.post("/staff/campaigns/new", bad)
    page = answer.content.decode()
    assert answer.status_code == 422
    for words in (
        "after the opening time",
        "at least two options",
        "Hello.",
        "How was it?",
        "Cook",
    ):
        assert words in page
    assert Campaign.objects.count() == 0


def test_questions_are_added_moved_and_taken_out_without_saving(staff):
    page = staff.post("/staff/campaigns/new", FORM | {"add": "1"}).content.decode()
    assert 'name="questions" value="3"' in page
    page = staff.post("/staff/campaigns/new", FORM | {"up": "1"}).content.decode()
    assert page.index("How was it?") < page.index("Which site?")
    page = staff.post("/staff/campaigns/new", FORM | {"out": "0"}).content.decode()
    assert "Which site?" not in page
    assert "Hello." in page
    assert Campaign.objects.count() == 0


def test_who_saves_over_somebody_elses_change_is_told_and_keeps_their_words(staff, campaign):
    made = campaign()
    setting_up.update(campaign=made, values={"title": "Theirs"}, questions=[])
    answer = staff.post(
        f"/staff/campaigns/{made.pk}/edit", FORM | {"version": str(made.version), "title": "Mine"}
    )
    assert answer.status_code == 409
    assert "Mine" in answer.content.decode()
    assert Campaign.objects.get().title == "Theirs"
    assert "Saving again replaces what they saved." in answer.text
    version = re.search(r'name="version" value="(\d+)"', answer.text)[1]
    again = FORM | {"version": version, "title": "Mine"}
    assert staff.post(f"/staff/campaigns/{made.pk}/edit", again).status_code == 302
    assert Campaign.objects.get().title == "Mine"


def test_old_answers_stay_with_the_words_they_were_given_to(staff, campaign, client):
    made = campaign()
    talk(client, made)
    site, mark = made.questions.order_by("position")
    sent = FORM | {"q0-id": str(site.pk), "q0-text": "Which place?", "q1-id": str(mark.pk)}
    assert staff.post(f"/staff/campaigns/{made.pk}/edit", sent).status_code == 302
    site.refresh_from_db()
    assert site.removed_at
    assert site.text == "Which site?"
    assert site.answers.count() == 1
    now = ExtraQuestion.objects.filter(campaign=made, removed_at=None).order_by("position")
    assert [item.text for item in now] == ["Which place?", "How was it?"]


def test_a_draft_is_opened_closed_reopened_and_copied(staff, campaign):
    made = campaign(opened=False, asked=True, title="Work in 2026")
    url = f"/staff/campaigns/{made.pk}"
    phases = []
    for step in ("open", "close", "reopen"):
        assert staff.post(f"{url}/{step}").headers["Location"] == url
        made.refresh_from_db()
        phases.append(made.status)
    assert phases == ["open", "closed", "open"]
    copied = staff.post(f"{url}/duplicate").headers["Location"]
    copy = Campaign.objects.exclude(pk=made.pk).get()
    assert str(copy.pk) in copied
    assert (copy.status, copy.consent, copy.questions.count()) == ("draft", made.consent, 2)
    assert copy.slug != made.slug
    assert copy.slug.startswith("work-in-")  # the link of next year's wave names no other year
    assert "2026" not in copy.slug


def test_forms_that_come_twice_make_one_campaign_one_copy_and_their_codes_once(staff, campaign):
    made = campaign(access="codes")
    url = f"/staff/campaigns/{made.pk}"
    forms: list[tuple[str, str, dict[str, Any]]] = [
        ("/staff/campaigns/new", "", FORM),
        (url, f"{url}/duplicate", {}),
        (f"{url}/share", "", {"count": 3, "max_uses": 1}),
    ]
    for page, door, values in forms:
        form = staff.get(page).content.decode().partition(f' action="{door or page}"')[2]
        sent = values | {"client_id": re.search('name="client_id" value="([^"]+)"', form)[1]}
        first, second = staff.post(door or page, sent), staff.post(door or page, sent)
        assert (first.status_code, first.url) == (302, second.url)
    assert Campaign.objects.count() == 3
    assert made.invitations.count() == 3


def test_without_a_consent_text_nothing_opens(staff, campaign):
    made = campaign(opened=False, consent="")
    link = f'href="/staff/campaigns/{made.pk}/edit#id_consent"'
    page = staff.get(f"/staff/campaigns/{made.pk}").content.decode()
    assert "needs a consent text" in page
    assert link in page
    answer = staff.post(f"/staff/campaigns/{made.pk}/open")
    assert answer.status_code == 422
    text = answer.content.decode()
    assert "Add a consent text first" in text
    assert link in text
    settings = staff.get(f"/staff/campaigns/{made.pk}/edit").content.decode()
    label = settings.partition('for="id_consent"')[2].partition("</label>")[0]
    assert "required to open" in label
    assert "optional" not in label
    assert 'id="id_consent"' in settings
    made.refresh_from_db()
    assert made.status == "draft"


def test_a_closing_time_that_is_over_is_linked_from_the_refusal(staff, campaign):
    over = timezone.now() - timedelta(days=1)
    made = campaign(opened=False, consent="I agree.", closes_at=over)
    answer = staff.post(f"/staff/campaigns/{made.pk}/open")
    assert answer.status_code == 422
    assert f"/staff/campaigns/{made.pk}/edit#id_closes_at" in answer.content.decode()


def test_a_page_that_still_shows_a_draft_opens_no_campaign_that_was_closed_since(staff, campaign):
    made = campaign()
    setting_up.close(campaign=made)
    answer = staff.post(f"/staff/campaigns/{made.pk}/open", follow=True)
    assert "Someone else has closed this campaign" in answer.text
    made.refresh_from_db()
    assert made.status == "closed"


@pytest.mark.parametrize("part", ["edit", "open", "close", "share", "delete"])
def test_a_campaign_that_somebody_deletes_in_the_same_instant_is_not_found(staff, campaign, part):
    made = campaign(opened=False)

    def deleted_first(execute, sql, *more):
        if "FOR UPDATE" in sql and Campaign.objects.exists():
            Campaign.objects.all().delete()
        return execute(sql, *more)

    with connection.execute_wrapper(deleted_first):
        answer = staff.post(f"/staff/campaigns/{made.pk}/{part}", {**FORM, "count": "2"})
    assert answer.status_code == 404


def test_the_page_watches_people_come_in(staff, campaign, client):
    made = campaign(asked=False)
    live = f"/staff/campaigns/{made.pk}/live"
    assert "No participants yet" in staff.get(live).content.decode()
    taken = talk(client, made)
    page = staff.get(live).content.decode()
    for words in ("P-0001", "Baker", "in conversation", f"/staff/sessions/{taken.response_id}"):
        assert words in page
    have = re.search(r"have=([0-9a-f]+)", page)[1]
    assert staff.get(live, {"have": have}).status_code == 204
    send(client, taken)
    assert staff.get(live, {"have": have}).status_code == 200
    assert "submitted" in staff.get(live).content.decode()
    listed = staff.get("/staff/campaigns").content.decode()
    assert "1 of 1 submitted, 100 %" in listed


@pytest.mark.thorough
def test_list_and_page_cost_the_same_for_one_and_for_many(
    staff, campaign, django_assert_num_queries, django_assert_max_num_queries
):
    made = campaign(asked=False)
    pages = ("/staff/campaigns", f"/staff/campaigns/{made.pk}")
    talk(Client(), made)
    counted = []
    for page in pages:
        with django_assert_max_num_queries(25) as few:
            staff.get(page)
        counted.append(len(few.captured_queries))
    for _ in range(6):
        agree(Client(), campaign(asked=False))
        agree(Client(), made)
    for page, count in zip(pages, counted, strict=True):
        with django_assert_num_queries(count):
            staff.get(page)


def test_the_page_leads_to_no_conversation_in_the_bin(staff, campaign, client):
    made = campaign(asked=False)
    taken = talk(client, made)
    address, readable = f"/staff/campaigns/{made.pk}", f"/staff/sessions/{taken.response_id}"
    assert readable in staff.get(address).content.decode()
    client.post(f"/conversations/{taken.response_id}/delete")
    page = staff.get(address).content.decode()
    assert readable not in page
    assert "Baker" not in page
    assert taken.pseudonym in page


def test_codes_come_as_a_table_and_are_nobody_elses(staff, campaign):
    made = campaign(access="codes")
    share = f"/staff/campaigns/{made.pk}/share"
    sent = {"count": "3", "max_uses": "2", "label": "=Team North"}
    assert staff.post(share, sent).headers["Location"] == share
    answer = staff.get(f"{share}/codes.csv")
    assert answer["Cache-Control"] == "private, no-store"
    table = b"".join(answer.streaming_content).decode("utf-8-sig")
    rows = list(csv.DictReader(io.StringIO(table)))
    codes = {invitation.code for invitation in made.invitations.all()}
    assert {row["Code"] for row in rows} == codes
    assert len(codes) == 3
    assert all(row["Link"].endswith(f"/s/{made.slug}?code={row['Code']}") for row in rows)
    assert rows[0]["Label"] == "'=Team North"
    assert staff.post(share, sent | {"count": "5000"}).status_code == 422
    code = made.invitations.first()
    other = campaign()
    assert staff.post(f"/staff/campaigns/{other.pk}/share/{code.pk}/revoke").status_code == 404
    staff.post(f"{share}/{code.pk}/revoke")
    assert "revoked" in staff.get(share).content.decode()


def test_the_link_is_drawn_as_a_code(staff, campaign):
    made = campaign()
    drawn = staff.get(f"/staff/campaigns/{made.pk}/share/link.svg")
    assert drawn.headers["Content-Type"] == "image/svg+xml"
    assert b"<svg" in drawn.content
    assert b"<path" in drawn.content


@pytest.mark.parametrize("page", ["welcome", "consent", "before", "job", "after", "end"])
def test_staff_look_at_each_page_as_a_participant_before_it_opens(staff, campaign, page):
    made = campaign(opened=False, welcome="Hello.", closing="Thanks.")
    shown = staff.get(f"/staff/campaigns/{made.pk}/preview?page={page}")
    assert shown.status_code == 200
    assert "nothing is submitted" in shown.content.decode()
    assert 'method="post"' not in shown.content.decode()


def test_a_pilot_is_deleted_with_its_responses_once_it_is_closed(
    staff, campaign, client, monkeypatch
):
    monkeypatch.setattr(setting_up, "AT_A_TIME", 1)
    made, taken = campaign(), campaign()
    person = talk(client, taken)
    agree(Client(), taken)
    page = f"/staff/campaigns/{taken.pk}/delete"
    staff.post(f"/staff/campaigns/{made.pk}/delete")
    assert "Close it before you delete it" in staff.get(page).text
    staff.post(page, {"people": "2"})
    assert list(Campaign.objects.all()) == [taken]
    staff.post(f"/staff/campaigns/{taken.pk}/close")
    asked = staff.get(page).text
    assert "everything that 2 participants entered" in asked
    assert 'name="people" value="2"' in asked
    staff.post(page)  # without the tick
    assert "that are left: 1." in staff.post(page, {"people": "2"}, follow=True).text
    noted = Access.objects.filter(what="Campaign deleted with its responses")
    assert noted.get().about == {"campaign": taken.title, "participants": "2"}
    staff.post(page, {"people": "2"})
    assert not Campaign.objects.exists()
    assert not Participation.objects.exists()
    assert not SurveyResponse.objects.exists()
    assert not Message.objects.filter(session=person.response_id).exists()
    assert noted.count() == 2


def test_a_campaign_speaks_its_own_language(campaign, client, staff):
    german = campaign(language="de")
    assert '<html lang="de"' in client.get(f"/s/{german.slug}").text
    setup = staff.get("/staff/campaigns/new").text
    assert re.search(r'<option value="fr"[^>]*>Français', setup)


def test_a_campaign_speaks_its_own_language_to_somebody_who_is_known(campaign, client):
    german = campaign(language="de")
    client.post("/todos/add", {"text": "Arroser les roses"}, headers={"accept-language": "fr"})
    assert '<html lang="de"' in client.get(f"/s/{german.slug}").text
    assert '<html lang="fr"' in client.get("/todos").text


@pytest.mark.parametrize(("right", "page"), [("insights", "insights"), ("export", "data")])
def test_staff_with_one_right_come_to_its_page_by_links_that_all_open(
    campaign, alice, browser, right, page
):
    made = campaign()
    alice.is_staff = True
    alice.save()
    alice.user_permissions.add(Permission.objects.get(codename=right))
    staff = browser(alice)
    assert 'href="/staff/campaigns"' in staff.get("/").text
    listed = staff.get("/staff/campaigns").text
    assert "no participants yet" not in listed or right == "export"
    address = f"/staff/campaigns/{made.pk}/{page}"
    assert f'href="{address}"' in listed
    shown = staff.get(address).text
    links = set(re.findall(r'(?:href|action)="(/staff/[^"?#]+)"', listed + shown))
    refused = {link for link in links if staff.get(link).status_code == 403}
    assert (len(links) > 1, refused) == (True, set())
