"""The staff's reading room: who may enter, what the list narrows to, what a session shows."""

import uuid
from datetime import timedelta

import pytest
from allauth.account.models import EmailAddress
from django.contrib.auth.models import Group, Permission
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.text import capfirst

from chat.models import Message, Participant, Run, Session
from futura import roles
from futura.llm.models import ModelCall
from tests.extent import some

pytestmark = pytest.mark.django_db

LIST = "/staff/sessions"


@pytest.fixture
def desk(browser, stan):
    """A browser in which a staff member is signed in."""
    return browser(stan)


def talk(title="Baker", *, words="I bake <b>bread</b>", kind="survey", **run):
    """A session with one question, one answer and its run."""
    session = Session.objects.create(
        participant=Participant.objects.create(), kind=kind, title=title
    )
    asked = Message.objects.create(session=session, seq=1, role="assistant", text="What do you do?")
    said = Message.objects.create(session=session, seq=2, role="user", text=words)
    reply = Message.objects.create(session=session, seq=3, role="assistant", text="Tell me more.")
    made = Run.objects.create(
        session=session,
        message=said,
        reply=reply,
        **{"status": "completed", "trace": [{"name": "analysis", "label": "Reading"}], **run},
    )
    return session, asked, made


def test_the_anonymous_are_sent_to_sign_in(client):
    session, *_ = talk()
    for address in (LIST, f"{LIST}/{session.pk}"):
        answer = client.get(address)
        assert answer.status_code == 302
        assert answer["Location"].startswith(reverse("account_login"))


def test_people_without_a_staff_flag_find_nothing(browser, charlie):
    session, *_ = talk()
    client = browser(charlie)
    assert client.get(LIST).status_code == 404
    assert client.get(f"{LIST}/{session.pk}").status_code == 404


def test_an_empty_list_says_what_will_stand_there(desk):
    assert "No conversations yet" in desk.get(LIST).text


def test_the_list_shows_titles_escaped_and_newest_first(desk):
    old, *_ = talk("<script>old</script>")
    Session.objects.filter(pk=old.pk).update(created_at=timezone.now() - timedelta(days=3))
    talk("Newer")
    page = desk.get(LIST).text
    assert "<script>old" not in page
    assert page.index("Newer") < page.index("&lt;script&gt;old")


@pytest.mark.parametrize(
    ("query", "found"),
    some(
        [
            ("q=bak", {"Baker"}),
            ("queue=failed", {"Broken"}),
            ("basic=on", {"Plain"}),
            ("since=2999-01-01", set()),
            ("since=not-a-day", {"Baker", "Broken", "Plain"}),
            ("page=nonsense", {"Baker", "Broken", "Plain"}),
        ],
        2,
    ),
)
def test_filters_narrow_the_list(desk, query, found):
    talk("Baker")
    talk("Echo", kind="echo")
    talk("Broken", status="failed", error_code="model_unavailable")
    talk("Plain", basic_mode=True)
    answer = desk.get(f"{LIST}?{query}")
    assert answer.status_code == 200
    assert {row.session.title for row in answer.context["rows"]} == found


def test_a_session_is_found_by_its_id(desk):
    session, *_ = talk("Baker")
    talk("Other")
    answer = desk.get(LIST, {"q": str(session.pk)})
    assert [row.session.pk for row in answer.context["rows"]] == [session.pk]


def test_a_session_is_found_by_the_account_as_the_list_names_it(desk, bob):
    bob.email = ""
    bob.save()
    session, *_ = talk("Baker")
    Participant.objects.filter(sessions=session).update(user=bob)
    talk("Other")
    assert [row.name for row in desk.get(LIST, {"q": "bob"}).context["rows"]] == ["bob"]


def test_somebody_without_an_account_is_named_in_the_readers_language(desk):
    session, *_ = talk("Baker")
    page = desk.get(f"{LIST}/{session.pk}", headers={"Accept-Language": "de"}).text
    assert f"anonym {str(session.participant_id)[:8]}" in page


@pytest.mark.thorough
def test_the_list_costs_the_same_for_one_and_for_twenty(desk, django_assert_num_queries):
    talk()
    desk.get(LIST)
    with django_assert_num_queries(14) as one:  # queues, facts, rights; the masthead whose it is
        desk.get(LIST)
    cost = len(one.captured_queries)
    for number in range(19):
        talk(f"Job {number}")
    desk.get(LIST)  # counts the new ones
    with django_assert_num_queries(cost):
        desk.get(LIST)


def test_a_session_shows_transcript_trace_calls_and_state(desk):
    session, _, run = talk()
    ModelCall.objects.create(
        created_at=timezone.now(), session_id=session.pk, run_id=run.pk, stage="message_analysis",
        attempt=1, wire="responses", model_asked="m-1", latency_ms=12, outcome="ok",
    )  # fmt: skip
    Session.objects.filter(pk=session.pk).update(state={"turnCount": 1})
    page = desk.get(f"{LIST}/{session.pk}?show=trace").text
    assert "I bake &lt;b&gt;bread&lt;/b&gt;" in page
    assert "Reading" in page
    assert "message_analysis" in page
    assert "price unknown" in page
    assert "turnCount" in desk.get(f"{LIST}/{session.pk}?show=state").text


def test_an_unknown_session_and_an_unknown_tab_do_no_harm(desk):
    session, *_ = talk()
    assert desk.get(f"{LIST}/{uuid.uuid4()}").status_code == 404
    assert desk.get(f"{LIST}/{session.pk}?show=<script>").status_code == 200


def test_whoever_may_change_accounts_takes_over_no_colleagues_and_gives_no_rights(
    browser, bob, stan, charlie
):
    bob.is_staff = True
    bob.save()
    bob.user_permissions.set(Permission.objects.filter(codename__endswith="_user"))
    support = browser(bob)
    for part in ("change/", "password/"):
        assert support.get(f"/admin/auth/user/{stan.pk}/{part}").status_code != 200
    address = f"/admin/auth/user/{charlie.pk}/change/"
    form = support.get(address).context["adminform"].form
    sent = {name: form[name].value() or "" for name in form.fields if name != "date_joined"}
    joined = {"date_joined_0": "2026-01-01", "date_joined_1": "10:00"}
    rights = {"is_staff": "on", "is_superuser": "on", "user_permissions": ["1"]}
    sent |= {"is_active": "on", "first_name": "Charles", **joined, **rights}
    assert support.post(address, sent).status_code == 302
    charlie.refresh_from_db()
    assert (charlie.first_name, charlie.is_staff, charlie.is_superuser) == ("Charles", False, False)
    assert not charlie.user_permissions.exists()


def test_whoever_may_change_mail_addresses_gets_into_no_colleagues_account(
    browser, bob, stan, charlie
):
    bob.is_staff = True
    bob.save()
    bob.user_permissions.set(Permission.objects.filter(codename__endswith="_emailaddress"))
    support = browser(bob)
    stans = EmailAddress.objects.create(user=stan, email="stan@futura.example", verified=True)
    assert support.get(f"/admin/account/emailaddress/{stans.pk}/change/").status_code == 302
    sent = {"email": "mine@futura.example", "verified": "on"}
    answer = support.post("/admin/account/emailaddress/add/", {**sent, "user": stan.pk})
    assert answer.status_code == 200
    assert not EmailAddress.objects.filter(email=sent["email"]).exists()
    answer = support.post("/admin/account/emailaddress/add/", {**sent, "user": charlie.pk})
    assert answer.status_code == 302
    charlies = EmailAddress.objects.get(email=sent["email"])
    address = f"/admin/account/emailaddress/{charlies.pk}/change/"
    assert support.post(address, {**sent, "user": stan.pk}).status_code == 200
    charlies.refresh_from_db()
    assert charlies.user == charlie


def test_whoever_may_change_groups_gives_their_own_group_no_more_rights(browser, bob):
    bob.is_staff = True
    bob.save()
    group = Group.objects.create(name="helpers")
    group.permissions.set(Permission.objects.filter(codename__endswith="_group"))
    bob.groups.add(group)
    support, address = browser(bob), f"/admin/auth/group/{group.pk}/change/"
    sent = {"name": "helpers", "permissions": [Permission.objects.get(codename="audit").pk]}
    assert support.get(address).status_code == 200
    for refused in (address, "/admin/auth/group/add/", f"/admin/auth/group/{group.pk}/delete/"):
        assert support.post(refused, sent).status_code == 403
    assert not group.permissions.filter(codename="audit").exists()


def test_two_administrators_at_one_account_are_told_what_both_changed(browser, stan, charlie):
    stan.is_superuser = True
    stan.save()
    client, address = browser(stan), f"/admin/auth/user/{charlie.pk}/change/"
    page = client.get(address)
    form = page.context["adminform"].form
    opened = {name: form[name].value() for name in form.fields if name != "password"}
    opened = {name: value for name, value in opened.items() if value not in (None, False, [])}
    sent = opened | {f"initial-{name}": value for name, value in opened.items()}
    assert f'name="initial-username" value="{charlie.username}"' in page.text
    reviewers, managers = (Group.objects.get(name=name) for name in list(roles.ROLES)[:2])
    assert client.post(address, {**sent, "first_name": "Charly"}).status_code == 302
    sent |= {"groups": [reviewers.pk]}
    assert client.post(address, sent).status_code == 302
    charlie.refresh_from_db()
    assert (charlie.first_name, charlie.groups.get()) == ("Charly", reviewers)
    refused = client.post(address, {**sent, "groups": [managers.pk], "last_name": "Chaplin"})
    assert "Someone else has changed: Groups. Save again to replace theirs." in refused.text
    assert 'value="Chaplin"' in refused.text
    assert 'name="initial-' not in refused.text
    again = {name: value for name, value in sent.items() if not name.startswith("initial-")}
    assert client.post(address, {**again, "groups": [managers.pk]}).status_code == 302
    assert charlie.groups.get() == managers


def test_permissions_to_give_are_those_that_count_in_the_readers_language(browser, stan, charlie):
    stan.is_superuser = True
    stan.save()
    client = browser(stan)
    client.post(reverse("chat:language"), {"language": "de"})
    group = Group.objects.get(name="reviewer")
    held = set(group.permissions.all())
    form = client.get(f"/admin/auth/group/{group.pk}/change/").context["adminform"].form
    offered = [str(label) for _value, label in form.fields["permissions"].choices]
    with translation.override("de"):
        assert set(offered[:9]) == {capfirst(str(text)) for text in roles.WORDS.values()}
    assert {"Personen: löschen", "Benutzer: ändern", "Projekte: ansehen"} < set(offered)
    assert not {"Projekte: ändern", "Gruppen: ändern"} & set(offered)
    assert not [label for label in offered if "Can " in label]
    person = client.get(f"/admin/auth/user/{charlie.pk}/change/").context["adminform"].form
    assert [str(label) for _value, label in person.fields["user_permissions"].choices] == offered
    assert [str(label) for _value, label in person.fields["groups"].choices][-1] == "Prüfer"
    for listed in ("/admin/auth/group/", "/admin/auth/user/"):
        assert ">Prüfer</a>" in client.get(listed).text
    assert "selectfilter" not in str(form["permissions"])  # lists whose words are not translated
    data = {"name": "reviewer", "permissions": form["permissions"].value()}
    assert client.post(f"/admin/auth/group/{group.pk}/change/", data).status_code == 302
    assert set(group.permissions.all()) == held
