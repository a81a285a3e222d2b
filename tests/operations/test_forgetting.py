"""Whoever deletes the account leaves counts and nothing that names them or quotes them."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from chat.models import Message, Participant, Run, Session
from chat.operations.changes import Delete, Update
from chat.operations.execute import execute
from chat.operations.models import Operation, OperationBatch, OperationPayload
from chat.operations.replay import differences
from chat.operations.review import propose
from futura.llm.models import ModelCall
from projects.models import Note, Project, ProjectDraft, Task

pytestmark = pytest.mark.django_db
ADDRESS = "/account/delete"


@pytest.fixture
def full_life(alice, actor, agent, make, talk, cause) -> Project:
    """Projects, tasks, a draft that became a project, a conversation with an answer."""
    project: Project = make("project", name="Shed", slug="shed")
    first = make("task", title="Draw", project=str(project.pk))
    make("task", title="Build", project=str(project.pk), depends_on=[str(first.pk)])
    make("note", text="Blue", project=str(project.pk))
    draft = make("draft", name="Shed")
    done = Update("draft", draft.pk, {"finalized_project": str(project.pk), "session": None})
    execute(actor=actor, changes=[done])
    propose(actor=agent, changes=[Delete("project", project.pk)], reasons=["Deletes."], cause=cause)
    run = Run.objects.create(session=talk, message=cause.message)
    execute(actor=agent, changes=[Update("project", project.pk, {"name": "Hut"})], cause=cause)
    ModelCall.objects.create(
        created_at=timezone.now(), session_id=talk.pk, run_id=run.pk, stage="turn", attempt=1,
        wire="chat", model_asked="m", latency_ms=3, outcome="ok",
    )  # fmt: skip
    return project


def test_an_account_goes_with_all_that_is_its_and_leaves_counts(
    browser, alice, other, make, full_life
):
    theirs = make("project", who=other, name="Theirs", slug="theirs")
    page = browser(alice)
    shown = page.get(ADDRESS).content.decode()
    assert "alice@example.org" in shown
    for kind in ("Projects", "To-dos", "Notes", "Conversations"):
        assert kind in shown
    operations = Operation.objects.count()
    answer = page.post(ADDRESS, {"confirm": "Alice@example.org"})
    assert (answer.status_code, answer["Location"]) == (303, "/")
    assert "Your account was deleted with everything in it." in page.get("/").content.decode()
    assert not User.objects.filter(pk=alice.pk).exists()
    assert Participant.objects.get().pk == other.owner_id
    assert [Session.objects.count(), Message.objects.count(), ProjectDraft.objects.count()] == [
        0
    ] * 3
    assert [Project.objects.get(), Task.objects.count(), Note.objects.count()] == [theirs, 0, 0]
    assert Operation.objects.count() == operations + 5
    of_theirs = {"operation__entity_id": theirs.pk}
    kept = OperationPayload.objects.exclude(**of_theirs)
    assert not kept.exclude(requested=None, before=None, after=None).exists()
    assert not OperationBatch.objects.filter(user=alice.pk).exists()
    call = ModelCall.objects.get()
    assert (call.session_id, call.run_id, call.latency_ms) == (None, None, 3)
    assert differences() == []
    assert page.get("/account").status_code == 302


def test_nothing_goes_before_the_name_was_typed(browser, alice, full_life):
    page = browser(alice)
    for typed in ("", "bob@example.org", "yes"):
        answer = page.post(ADDRESS, {"confirm": typed})
        assert answer.status_code == 422
        assert "not the address or name of this account" in answer.content.decode()
    assert Project.objects.count() == 1
    assert User.objects.filter(pk=alice.pk).exists()
    assert browser().get(ADDRESS).status_code == 302
    assert 'href="/account/delete"' in page.get("/account").content.decode()


def test_a_year_of_conversations_goes_at_once(browser, alice, bob, charlie, participant_of):
    def asked(user: User, talks: int) -> int:
        owner, page = participant_of(user), browser(user)
        for _ in range(talks):
            session = Session.objects.create(participant=owner, kind="concierge")
            message = Message.objects.create(session=session, seq=1, role="user", text="Hello")
            Run.objects.create(session=session, message=message)
        with CaptureQueriesContext(connection) as queries:
            assert page.post(ADDRESS, {"confirm": user.username}).status_code == 303
        assert not Session.objects.filter(participant=owner).exists()
        return len(queries)

    asked(charlie, 1)  # the first asks what a process remembers
    assert asked(alice, 1) == asked(bob, 20)
