"""Conversations that are no survey: who of staff may open one, for what reason, seen by whom."""

from __future__ import annotations

import json
from datetime import timedelta

import pytest
from django.contrib.auth.models import Group, Permission, User
from django.utils import timezone

from chat.models import Session
from chat.staff.audit import LASTS
from chat.staff.models import Access, Review
from futura import roles
from projects.sample.models import SampleWorkspace
from tests.chat.test_staff import talk
from tests.extent import some

pytestmark = pytest.mark.django_db

LIST, LOG = "/staff/sessions", "/staff/log"
KINDS = ("concierge", "project_update", "portfolio_builder", "portfolio_visit")
SECRET = "Divorce plans"
WHY = "Asked for help by mail on Monday"


def at(session, page=""):
    return f"{LIST}/{session.pk}{page}"


@pytest.fixture
def private():
    """A talk with the concierge whose title and words nobody of staff sees unasked."""
    return talk(SECRET, words=SECRET, kind="concierge")[0]


@pytest.fixture
def staff(django_user_model):
    """Makes an account of staff with roles and further rights."""

    def make(name: str, *groups: str, rights: tuple[str, ...] = ()) -> User:
        user = django_user_model.objects.create_user(name, f"{name}@example.org", is_staff=True)
        user.groups.add(*Group.objects.filter(name__in=groups))
        user.user_permissions.add(*Permission.objects.filter(codename__in=rights))
        return user

    return make


@pytest.fixture
def readers(browser, staff, django_user_model):
    """A browser for each who may not, and for each who may for a reason."""
    root = django_user_model.objects.create_superuser("admin", "admin@example.org", "x")
    holder = staff("holder", roles.REVIEWER, rights=("conversations",))
    return {
        "reviewer": browser(staff("rita", roles.REVIEWER)),
        "campaign manager": browser(staff("mona", roles.CAMPAIGN_MANAGER)),
        "first administrator": browser(root),
        "administrator": browser(staff("stina", roles.ADMINISTRATOR)),
        "holder": browser(holder),
    }


@pytest.mark.parametrize(
    "who",
    some(["reviewer", "campaign manager", "first administrator", "administrator", "holder"], 3),
)
def test_no_queue_search_or_page_shows_a_private_talk(readers, who):
    survey = talk("Baker")[0]
    private = [talk(SECRET, words=SECRET, kind=kind)[0] for kind in KINDS]
    client = readers[who]
    theirs = f"?q={private[0].participant_id}"
    for query in ("", "?queue=mine", "?kind=concierge", "?q=Divorce", theirs):
        page = client.get(f"{LIST}{query}")
        assert SECRET not in page.text, query
        assert "<td>concierge" not in page.text, query
    around = client.get(at(survey))
    assert SECRET not in around.text
    pages = [at(private[0], page) for page in ("/replay", "?show=state", "?show=trace")]
    for page in (*pages, *map(at, private)):
        answer = client.get(page)
        assert answer.status_code == 403, page
        assert SECRET not in answer.text
    for one in private:
        marked = client.post(at(one, "/mark"), {"do": "flag", "reason": "x"})
        assert marked.status_code == 403
        assert client.get(f"{LIST}?q={one.pk}", follow=True).text.count(SECRET) == 0
    assert not Access.objects.filter(session_id__in=[item.pk for item in private]).exists()


@pytest.mark.parametrize("who", ["reviewer", "campaign manager"])
def test_without_the_right_no_reason_opens_it(readers, who, private):
    answer = readers[who].post(at(private, "/why"), {"reason": WHY})
    assert answer.status_code == 403
    assert "This needs the right to" in answer.text
    assert readers[who].get(at(private)).status_code == 403
    assert not Access.objects.filter(session_id=private.pk).exists()


@pytest.mark.parametrize("who", some(["holder", "first administrator", "administrator"], 3))
def test_with_the_right_it_opens_for_a_reason_that_stands_in_the_log(readers, who, private):
    client = readers[who]
    asked = client.get(at(private, "?show=state"))
    assert asked.status_code == 403
    assert "Reason for reading" in asked.text
    assert client.post(at(private, "/why"), {"reason": "  "}).status_code == 422
    assert client.post(at(private, "/why"), {"reason": "x" * 501}).status_code == 422
    assert client.get(at(private)).status_code == 403
    back = at(private, "?show=state")
    opened = client.post(at(private, "/why"), {"reason": WHY, "next": back})
    assert (opened.status_code, opened["Location"]) == (303, back)
    for page in ("", "/replay", "?show=state"):
        assert SECRET in client.get(at(private, page)).text
    line = Access.objects.get(session_id=private.pk, kind="reading")
    assert (line.reason, line.times) == (WHY, 2)
    assert line.owner_id == private.participant_id
    log = readers["first administrator"].get(LOG).text
    assert WHY in log
    assert line.user_name in log
    assert SECRET not in log
    assert SECRET not in client.get(LIST).text
    assert client.get(at(private.__class__.objects.get(pk=private.pk))).status_code == 200


def test_a_reason_holds_for_its_reader_its_talk_and_half_an_hour(readers, private):
    other = talk(SECRET, words=SECRET, kind="concierge")[0]
    client = readers["holder"]
    client.post(at(private, "/why"), {"reason": WHY})
    assert client.get(at(private)).status_code == 200
    assert client.get(at(other)).status_code == 403
    assert readers["first administrator"].get(at(private)).status_code == 403
    Access.objects.update(began_at=timezone.now() - LASTS - timedelta(minutes=1))
    assert client.get(at(private)).status_code == 403
    client.post(at(private, "/why"), {"reason": "Once more"})
    client.get(at(private))
    lines = Access.objects.filter(session_id=private.pk).order_by("began_at")
    assert [(line.reason, line.times) for line in lines] == [(WHY, 1), ("Once more", 1)]


def test_a_whole_id_leads_to_the_question_and_a_reason_leads_nowhere_else(readers, private):
    client = readers["holder"]
    found = client.get(LIST, {"q": str(private.pk)})
    assert (found.status_code, found["Location"]) == (302, at(private))
    assert readers["reviewer"].get(LIST, {"q": str(private.pk)}).status_code == 200
    sent = {"reason": WHY, "next": "https://evil.example/"}
    assert client.post(at(private, "/why"), sent)["Location"] == at(private)


def test_the_admin_shows_no_private_talk_to_a_superuser(readers, private):
    client = readers["first administrator"]
    survey, asked, run = talk("Baker")
    message, made = private.messages.last(), private.runs.get()
    for name, theirs, ours in (
        ("session", private.pk, survey.pk), ("message", message.pk, asked.pk),
        ("run", made.pk, run.pk),
    ):  # fmt: skip
        listed = client.get(f"/admin/chat/{name}/")
        assert str(ours)[:8] in listed.text or "Baker" in listed.text
        assert SECRET not in listed.text
        assert client.get(f"/admin/chat/{name}/{ours}/change/").status_code == 200
        hidden = client.get(f"/admin/chat/{name}/{theirs}/change/", follow=True)
        assert SECRET not in hidden.text
        assert f"/{theirs}/" not in hidden.request["PATH_INFO"]
        assert SECRET not in client.get(f"/admin/chat/{name}/?q=Divorce").text
    going = client.get(f"/admin/chat/participant/{private.participant_id}/delete/")
    assert going.status_code == 200
    assert SECRET not in going.text


def test_programs_and_exports_of_staff_hold_no_private_talk(readers, private):
    for client in readers.values():
        for page in ("", "/messages", "/context"):
            answer = client.get(f"/api/chat/sessions/{private.pk}{page}")
            assert answer.status_code == 404
        assert client.get(f"/chat/sessions/{private.pk}/export.json").status_code == 404
        assert client.get(f"/api/concierge/chat?sessionId={private.pk}").status_code == 405
        said = {"message": "hello", "sessionId": str(private.pk)}
        told = client.post("/api/concierge/chat", json.dumps(said), content_type="application/json")
        assert told.status_code == 404
        assert SECRET not in client.get("/staff/models/calls?span=all").text
    assert Session.objects.get(pk=private.pk).messages.count() == 3


def test_the_page_about_answers_says_who_reads_what(client):
    page = client.get("/about/answers").text
    for words in (
        "staff with the right to review can read the conversation",
        "Every other conversation",
        "only after stating a reason",
        "the first administrator has to state the reason, too",
        "Each access is logged",
        "to-dos, projects and portfolios",
        '<a href="/account/delete">delete the account</a>',
    ):
        assert words in page
    assert "Staff who look after the survey can read them" not in page


def test_what_goes_with_a_person_is_named_in_the_readers_language(browser, stan, private):
    stan.is_superuser = True
    stan.save()
    SampleWorkspace.objects.create(participant=private.participant)
    Review.objects.create(session=private, kind=private.kind, started_at=private.created_at)
    address = f"/admin/chat/participant/{private.participant_id}/delete/"
    page = browser(stan).get(address, headers={"accept-language": "de"}).text
    assert "Beispielbereiche: 1" in page
    assert "Prüfungen: 1" in page
