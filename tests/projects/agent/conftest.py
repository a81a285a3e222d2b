"""Conversations with the agent through the engine: messages, runs, operations, undo."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest

from chat.identity import Identity
from chat.models import Message, Participant
from chat.operations.changes import Actor
from chat.operations.models import Operation, OperationBatch
from chat.operations.policy import choose
from chat.operations.undo import undo
from projects.models import DraftTask, Project, ProjectDraft, Task
from projects.modes import starting
from tests import talk, todos
from tests.talk import settle_opening


class Talk(talk.Talk):
    """A conversation with the agent."""

    @property
    def draft(self) -> ProjectDraft:
        return ProjectDraft.objects.get(pk=self.state["draft_id"])

    @property
    def draft_tasks(self) -> list[DraftTask]:
        return list(DraftTask.objects.filter(draft=self.draft, deleted_at=None))

    @property
    def project(self) -> Project:
        return Project.objects.get(pk=self.state["project_id"])

    @property
    def tasks(self) -> list[Task]:
        return list(Task.objects.filter(project=self.project, deleted_at=None))

    def of_last_message(self) -> list[OperationBatch]:
        said = Message.objects.filter(session=self.id, role="user").order_by("seq").last()
        return [batch for batch in self.batches if said and batch.message_id == said.pk]

    def undo(self, *operations: Operation) -> OperationBatch:
        return undo(actor=Actor(self.session.participant_id), operations=operations)

    def tap(self, tap: str, text: str) -> str:
        """A button, which needs no model to be understood."""
        return self.say(text, parts=[{"type": "tap", "tap": tap, "text": text}])

    def preview(self) -> dict[str, Any]:
        return self.parts("preview")[0]


@pytest.fixture
def create(owner: Participant, me: Identity, drain: Any) -> Any:
    """Starts a creating conversation; its opening is played where that is what is tried."""

    def start(
        text: str = "", policy: str = "auto", *, has_opening: bool = False, **more: Any
    ) -> Talk:
        session = starting.start(participant=owner, first_text=text, **more)
        if not (text or has_opening):
            settle_opening(session, "What are you working on?")
        return Talk(choose(session=session, policy=policy), me, drain)

    return start


@pytest.fixture
def made(owner: Participant) -> Any:
    """Makes a project with tasks; a task is a title, or title and due date."""

    def make(name: str = "Fitness app", tasks: Any = (), **values: Any) -> Project:
        from tests import project_rows

        actor = Actor(owner.pk)
        done = project_rows.create_project(actor=actor, values={"name": name, **values})
        planned = [(one, None) if isinstance(one, str) else one for one in tasks]
        all_values = [
            {"title": title, **({"due_date": due} if due else {})} for title, due in planned
        ]
        if all_values:
            todos.add_all(actor=actor, project=done.row, all_values=all_values)
        return Project.objects.get(pk=done.row.pk)

    return make


@pytest.fixture
def update(owner: Participant, me: Identity, drain: Any) -> Any:
    """Starts an updating conversation about a project; its opening is played as in `create`."""

    def start(
        project: Project,
        text: str = "",
        policy: str = "auto",
        *,
        has_opening: bool = False,
        **more: Any,
    ) -> Talk:
        session = starting.start(
            participant=owner, project=project, mode="update", first_text=text, **more
        )
        if not (text or has_opening):
            settle_opening(session, f"What is new about **{project.name}**?")
        return Talk(choose(session=session, policy=policy), me, drain)

    return start


@pytest.fixture
def today(monkeypatch: pytest.MonkeyPatch) -> dt.date:
    """A fixed day for everything that resolves dates."""
    day = dt.date(2025, 3, 10)
    monkeypatch.setattr("projects.modes.rows.timezone.localdate", lambda: day)
    return day
