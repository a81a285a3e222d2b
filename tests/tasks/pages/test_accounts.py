"""Accounts and errors in the look: signing up, in and out, passwords, claims, mails."""

import re

import pytest
from django.contrib.auth.models import User
from django.core import mail
from django.test import Client
from django.views.defaults import bad_request, server_error

from chat.models import Session
from chat.operations.models import OperationPayload
from tasks.campaigns.models import Campaign
from tasks.models import WorkTask
from tests.tasks.pages.conftest import make_survey

PASSWORD = "four quiet sheep on ice"


def found(pattern: str, text: str) -> str:
    """The first group of a pattern that must be there."""
    match = re.search(pattern, text)
    assert match, f"{pattern} is not there"
    return match[1]


@pytest.fixture
def dora(db):
    return User.objects.create_user("dora", "dora@example.org", PASSWORD)


def test_a_person_signs_up_and_out(db, client):
    sent = {"email": "eve@example.org", "password1": PASSWORD, "password2": PASSWORD}
    assert client.post("/accounts/signup/", sent).status_code == 302
    html = client.get("/account").content.decode()
    assert "eve@example.org" in html
    client.post("/accounts/logout/")
    assert client.get("/account").status_code == 302


@pytest.mark.parametrize("name", ["dora", "dora@example.org"])
def test_signing_in_by_name_or_email(dora, client, name):
    answer = client.post("/accounts/login/", {"login": name, "password": PASSWORD})
    assert answer.status_code == 302


def test_a_wrong_password_is_said_beside_the_form(dora, client):
    answer = client.post("/accounts/login/", {"login": "dora", "password": "no"})
    html = answer.content.decode()
    assert "notice--error" in html or "field__error" in html
    assert 'value="dora"' in html


def test_fields_have_labels_and_the_classes_of_the_look(db, client):
    html = client.get("/accounts/signup/").content.decode()
    for tag in re.findall(r'<input(?=[^>]*class="input")[^>]*>', html):
        control = found(r'id="([^"]+)"', tag)
        assert f'for="{control}"' in html
    assert html.count('class="input"') == 3


def test_a_forgotten_password_is_replaced_by_mail(dora, client):
    client.post("/accounts/password/reset/", {"email": "dora@example.org"})
    (sent,) = mail.outbox
    assert sent.subject == "Futura: A new password"
    assert len(sent.body.split()) < 80
    path = found(r"http://[^/]+(/accounts/\S+)", str(sent.body))
    answer = client.get(path, follow=True)
    form = answer.redirect_chain[-1][0]
    fresh = "a very new password 7"
    client.post(form, {"password1": fresh, "password2": fresh})
    assert Client().login(username="dora", password=fresh)


def test_without_a_mail_server_nothing_is_said_to_be_sent(db, client, settings):
    settings.EMAIL_BACKEND = "django.core.mail.backends.console.EmailBackend"
    person = {"email": "eva@example.org", "password1": PASSWORD, "password2": PASSWORD}
    html = client.post("/accounts/signup/", person, follow=True).content.decode()
    assert "eva@example.org" in client.get("/account").content.decode()
    assert "confirmation link" not in html
    assert "Resend confirmation" not in client.get("/accounts/email/").content.decode()
    html = Client().get("/accounts/password/reset/").content.decode()
    assert "This site has no mail server: ask an administrator for a new password." in html
    assert 'name="email"' not in html


@pytest.mark.parametrize(
    "path",
    ["/account", "/accounts/email/", "/accounts/password/change/", "/accounts/logout/"],
)
def test_account_pages_are_for_those_signed_in(dora, client, path):
    assert client.get(path).status_code == 302
    client.force_login(dora)
    html = client.get(path).content.decode()
    assert 'class="masthead"' in html
    assert "<style" not in html


def test_work_done_before_signing_in_is_offered_and_taken_over(dora, client):
    client.post("/survey", {"title": "Baker", "occupation": "none"})
    client.force_login(dora)
    html = client.get("/").content.decode()
    assert "Move to my account" in html
    client.post(found(r'action="([^"]*claim)"', html), {"next": "/"})
    html = client.get("/").content.decode()
    assert "Move to my account" not in html
    assert "Baker" in html
    elsewhere = Client()
    elsewhere.force_login(dora)
    assert "Baker" in elsewhere.get("/account").content.decode()


def test_errors_are_pages_in_the_look(survey, page, client, settings):
    html = page.get("/no/such/page").content.decode()
    assert "Page not found." in html
    assert 'class="masthead"' in html
    strict = Client(enforce_csrf_checks=True)
    answer = strict.post("/survey", {"title": "Baker"})
    assert answer.status_code == 403
    assert "send that again" in answer.content.decode()


def test_an_error_of_a_fragment_is_a_toast(survey, browser, charlie, htmx):
    answer = browser(charlie).post(survey.url("balance"), headers=htmx)
    assert answer.status_code == 404
    assert answer.headers["HX-Retarget"] == "#toasts"
    assert answer.headers["HX-Reselect"] == "[data-toast]"
    assert "<html" not in answer.content.decode()


@pytest.mark.parametrize(
    ("view", "args", "status"), [(server_error, (), 500), (bad_request, (None,), 400)]
)
def test_the_last_resort_pages_need_no_database(view, args, status, rf):
    # without the `db` fixture every query raises
    answer = view(rf.get("/"), *args)
    assert answer.status_code == status
    assert "/static/css/app.css" in answer.content.decode()


def test_the_admin_login_has_the_look(db, client):
    html = client.get("/admin/login/").content.decode()
    assert 'class="masthead"' in html
    assert "Administration" in html


def test_the_admin_lets_staff_in(stan, client):
    stan.set_password(PASSWORD)
    stan.save()
    answer = client.post(
        "/admin/login/?next=/admin/", {"username": "stan", "password": PASSWORD, "next": "/admin/"}
    )
    assert answer.headers["Location"] == "/admin/"
    assert "css/admin.css" in client.get("/admin/").content.decode()


def test_the_account_page_lists_the_own_surveys(survey, page, participant_of, bob):
    make_survey(participant_of(bob), title="Bob's secret job")
    html = page.get("/account").content.decode()
    assert "Data analyst" in html
    assert "secret job" not in html


@pytest.mark.parametrize("by", ["page", "list"])
def test_an_administrator_deletes_a_survey_as_its_owner_does(
    survey, admin_client, participant_of, bob, by
):
    other = make_survey(participant_of(bob), title="Painter")
    listed, key = "/admin/chat/session/", survey.response.pk
    address, sent = f"{listed}{key}/delete/", {"post": "yes"}
    if by == "list":
        address, sent = listed, {"action": "delete_selected", "_selected_action": key}
        asked = admin_client.post(address, sent)
        sent["post"] = "yes"
    else:
        asked = admin_client.get(address)
    assert "Are you sure" in asked.text
    assert admin_client.post(address, sent).status_code == 302
    assert not Session.objects.filter(pk=key).exists()
    assert set(WorkTask.objects.values_list("pk", flat=True)) == {task.pk for task in other.tasks}
    payloads = OperationPayload.objects.filter(operation__entity_id=survey.tasks[0].pk)
    assert payloads.exists()
    assert not payloads.exclude(before=None, after=None).exists()


@pytest.mark.parametrize("name", ["tasks/surveyresponse", "chat/message"])
def test_the_admin_offers_no_deletion_that_would_not_go_through(survey, admin_client, name):
    row = survey.response if name.startswith("tasks") else survey.tasks[0].message
    address = f"/admin/{name}/{row.pk}/"
    assert "deletelink" not in admin_client.get(f"{address}change/").text
    assert admin_client.post(f"{address}delete/", {"post": "yes"}).status_code == 403
    assert "delete_selected" not in admin_client.get(f"/admin/{name}/").text


def test_the_admin_leads_to_where_a_campaign_is_deleted(admin_client, admin_user):
    campaign = Campaign.objects.create(title="Bakers", slug="bakers", created_by=admin_user)
    page = admin_client.get(f"/admin/tasks/campaign/{campaign.pk}/change/").text
    assert "deletelink" not in page
    link = found(r'<a href="([^"]+)">Close or delete the campaign on its own page', page)
    assert admin_client.get(link).status_code == 200
